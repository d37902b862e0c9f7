import { LIMITS } from "./limits"
import { unpaidOrderWindowMs } from "./unpaid-order-window"

const MINUTE = 60_000
const account = { pushWindowMs: 30 * MINUTE, hostedWindowMs: 60 * MINUTE }

it.each([
  ["push", account.pushWindowMs],
  ["card", account.pushWindowMs],
  ["hosted", account.hostedWindowMs],
  ["link", LIMITS.linkWindowMs],
] as const)(
  "an order that is to be paid by %s may stay unpaid for that payment's own time",
  (flow, ms) => {
    expect(unpaidOrderWindowMs(account, flow)).toBe(ms)
  },
)

it("a link is never shorter than the payment page's own time", () => {
  const hostedWindowMs = 2 * LIMITS.linkWindowMs
  expect(unpaidOrderWindowMs({ ...account, hostedWindowMs }, "link")).toBe(hostedWindowMs)
})
