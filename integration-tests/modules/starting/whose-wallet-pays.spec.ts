/** The wallet that pays, and its currency: by the number's prefix, or by the shopper's choice. */
import type { StartRequest } from "../../../src/checkout/context"
import { startPayment } from "../../../src/checkout/start-payment"
import { findBySession } from "../../../src/ledger/find-operations"
import { codeOf } from "../../support/code-of"
import { PHONE, PUSH } from "../../support/flows-harness"
import { useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness()

type Chosen = Partial<Pick<StartRequest, "paymentMethod" | "payerCurrency" | "expectedPayerAmount">>

function start(chosen: Chosen, wireNames: Readonly<Record<string, string>> = {}) {
  const { sessionId } = harness.cart(PUSH)
  const deps = {
    ...harness.deps,
    accounts: async () => (await harness.deps.accounts()).map((one) => ({ ...one, wireNames })),
  }
  return startPayment(deps, { sessionId, phone: PHONE, ...chosen })
}

const lastCharged = () => harness.simulator.book.executions().at(-1)

it("a payment is charged to the operator of the number's prefix, in the cart's currency", async () => {
  const status = await start({})
  expect(lastCharged()).toMatchObject({ method: "OPERATOR1_MOMO_LBR" })
  expect(status).toMatchObject({
    operator: { payment_method: "OPERATOR1_MOMO_LBR", carrier: "Operator 1" },
    payer_currency: "USD",
  })
})

it("a payment is charged to the operator and in the currency that the shopper chooses", async () => {
  const status = await start({ paymentMethod: "OPERATOR2_MONEY_LBR", payerCurrency: "LRD" })
  expect(lastCharged()).toMatchObject({ method: "OPERATOR2_MONEY_LBR" })
  expect(status).toMatchObject({
    operator: { payment_method: "OPERATOR2_MONEY_LBR", carrier: null },
    payer_currency: "LRD",
  })
})

it("the amount on the shopper's button is kept with the currency's digits", async () => {
  const { amount } = await start({})
  const { id } = await start({ expectedPayerAmount: Number(amount) + 0.0025 })
  const operation = await findBySession(harness.deps.database, id)
  expect(Number(operation?.quotedPayerAmount)).toBe(amount)
})

it("a chosen operator is sent by the account's name for it", async () => {
  // As the gateway of the tests calls another operator of the country.
  const names = { OPERATOR2_MONEY_LBR: "OPERATOR1_MOMO_LBR" }
  await start({ paymentMethod: "OPERATOR2_MONEY_LBR" }, names)
  expect(lastCharged()).toMatchObject({ method: "OPERATOR1_MOMO_LBR" })
})

it("a payment isn't charged in a currency that the chosen operator doesn't take", async () => {
  const before = harness.simulator.book.executions().length
  const asked = start({ paymentMethod: "OPERATOR1_MOMO_RWA", payerCurrency: "LRD" })
  expect(await codeOf(asked)).toBe("currency_not_served")
  expect(harness.simulator.book.executions()).toHaveLength(before)
})
