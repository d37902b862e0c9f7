/** Amounts of requests, from the caller to the wire. */
import { bench, closeBenches } from "../../../../integration-tests/gateway/bench"
import { CHECKOUT, money } from "../../../../integration-tests/gateway/calls"
import { json } from "../../../../integration-tests/gateway/scripted-server"
import type { Amount } from "./amounts"

afterEach(closeBenches)

const checkoutOf = (amount: unknown) => ({
  mode: "HOSTED",
  sourceType: "ORDER" as const,
  partyPhone: "231770000001",
  currency: "USD" as const,
  items: [{ name: "T-shirt", amount: amount as Amount }],
})

describe("an amount that can't be paid as it is sends nothing and names its field:", () => {
  it.each<[string, unknown]>([
    ["0 in major units", { major: "0", currency: "USD" }],
    ["0.00", { major: "0.00", currency: "USD" }],
    ["no smallest unit", money("0")],
    ["a negative one", { major: "-1", currency: "USD" }],
    ["a negative one in smallest units", { minor: -1n, currency: "USD" }],
    ["1e3", { major: "1e3", currency: "USD" }],
    ["too many decimals", { major: "42.505", currency: "USD" }],
    ["decimals of a currency that has none", { major: "1.5", currency: "RWF" }],
    ["a number", { major: 42.5, currency: "USD" }],
    ["a bare number", 42.5],
    ["a text with a comma", { major: "42,50", currency: "USD" }],
    ["a space", { major: " 1", currency: "USD" }],
    ["too large", { major: "99999999999999999", currency: "USD" }],
    ["more smallest units than a JSON number keeps", { minor: 10n ** 18n + 1n, currency: "USD" }],
    ["smallest units that are no bigint", { minor: 4_250, currency: "USD" }],
    ["a good text beside bad smallest units", { major: "5.00", minor: -500n, currency: "USD" }],
    ["lower case letters", { major: "1", currency: "usd" }],
    ["no currency", { major: "1" }],
    ["nothing", undefined],
  ])("%s", async (_, amount) => {
    const { server, gateway } = await bench({ answers: [json(200, CHECKOUT)] })
    const outcome = await gateway.checkouts.create(checkoutOf(amount))
    expect(outcome).toMatchObject({
      kind: "not_sent",
      error: { code: "GATEWAY_INVALID", fields: [{ path: "items.0.amount" }] },
    })
    expect(server.calls).toEqual([])
    expect(server.tokenCalls).toEqual([])
  })
})

it.each<[Amount, number]>([
  [{ major: "42.5", currency: "USD" }, 42.5],
  [{ major: "42.500", currency: "USD" }, 42.5],
  [{ major: "0.01", currency: "USD" }, 0.01],
  [{ minor: 4_250n, currency: money("1").currency }, 42.5],
])("%p is written as the number %p", async (amount, written) => {
  const { server, gateway } = await bench({ answers: [json(200, CHECKOUT)] })
  await gateway.checkouts.create(checkoutOf(amount))
  expect(JSON.parse(server.calls[0]?.body ?? "")).toMatchObject({ items: [{ amount: written }] })
})
