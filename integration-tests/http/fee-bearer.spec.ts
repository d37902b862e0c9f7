/** A shop where the shopper bears the fees, through a whole store: document first. */
import { expectPaidInFull, operationsOf, settled, timesCharged } from "./support/payments"
import { expectOk, walletOf } from "./support/shop"
import { useHarness } from "./support/harness"

const harness = useHarness({ simulator: { speed: 20 }, env: { DEMO_FEE_BEARER: "PAYER" } })

const ITEMS = [
  ["market-tote", 3],
  ["enamel-mug", 2],
] as const

async function sourceOf(cartId: string) {
  const [operation] = (await operationsOf(harness, cartId)).slice(-1)
  const source = harness.simulator.book.document(Number(operation?.source_id))
  if (!source) throw new Error("the cart has no source")
  return source
}

/** The gateway is asked for the cart's total, rounded half up once to cents. */
const cents = (amount: number) => Math.round((amount + Number.EPSILON) * 100)

/**
 * The source asks for the cart's total, the shopper pays the fees on top, the shop gets the total.
 */
async function expectFeesOnTop(cartId: string, total: number) {
  const source = await sourceOf(cartId)
  expect(source).toMatchObject({ feeBearer: "PAYER", charges: 1, status: "PAID" })
  expect(cents(Number(source.totalAmount))).toBe(cents(total))
  const [execution, ...others] = harness.simulator.book.executionsOf(source.id)
  expect(others).toEqual([])
  expect(cents(Number(execution?.payeeAmount))).toBe(cents(total))
  expect(cents(Number(execution?.payerAmount))).toBeGreaterThan(cents(total))
  expect(await timesCharged(harness, cartId)).toBe(1)
  return execution
}

it("[B12] a shopper who bears the fees pays the quoted amount, and the order is settled with its total", async () => {
  const phone = walletOf()
  const cartId = await harness.shop.cart({ phone, items: ITEMS })
  const total = await harness.shop.total(cartId)
  const { quote } = await expectOk(
    harness.shop.call<{ quote: { payer_amount: number } }>(
      "GET",
      `/store/merchant-payments/quote?cart_id=${cartId}&payment_method=OPERATOR1_MOMO_LBR`,
    ),
  )
  const sessionId = await harness.shop.session(cartId)
  const expected_payer_amount = quote.payer_amount
  const { payment } = await expectOk(harness.shop.start(sessionId, { expected_payer_amount }))
  expect(payment).toMatchObject({ state: "waiting_for_payer", flow: "push", url: null })
  expect(cents(payment?.amount ?? 0)).toBe(cents(total))

  const source = await sourceOf(cartId)
  expect(source.hostedPath).toBeNull()
  // Both products and the shipping; a total that does not divide is one piece.
  expect(source.lines).toHaveLength(3)
  const sum = source.lines.reduce(
    (all, { qty, unitAmount }) => all + qty * cents(Number(unitAmount)),
    0,
  )
  expect(sum).toBe(cents(total))

  const handset = await fetch(`${harness.simulator.url}/handset?phone=${phone.slice(1)}`)
  const [prompt] = harness.simulator.handset.pending(phone.slice(1))
  expect(await handset.text()).toContain(prompt?.payerAmount)
  harness.simulator.handset.approve(phone.slice(1))
  const paid = await settled(harness, sessionId)
  await expectPaidInFull(harness, paid.order_id ?? "", total)
  const execution = await expectFeesOnTop(cartId, total)
  expect(prompt?.payerAmount).toBe(execution?.payerAmount)
  expect(Number(prompt?.payerAmount)).toBe(quote.payer_amount)
  expect(paid).toMatchObject({ state: "paid", payer_amount: Number(execution?.payerAmount) })
})
