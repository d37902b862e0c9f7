import { LIMITS } from "./limits"
import { unpaidOrderWindowMs } from "./unpaid-order-window"

const MINUTE = 60_000
const account = { pushWindowMinutes: 30, hostedWindowMinutes: 60 }

it.each([
  ["push", 30 * MINUTE],
  ["card", 30 * MINUTE],
  ["hosted", 60 * MINUTE],
  ["link", LIMITS.linkWindowMs],
] as const)(
  "an order that is to be paid by %s may stay unpaid for that payment's own time",
  (flow, ms) => {
    expect(unpaidOrderWindowMs(account, flow)).toBe(ms)
  },
)

it("a link is never shorter than the payment page's own time", () => {
  const hostedWindowMinutes = (2 * LIMITS.linkWindowMs) / MINUTE
  expect(unpaidOrderWindowMs({ ...account, hostedWindowMinutes }, "link")).toBe(
    2 * LIMITS.linkWindowMs,
  )
})
