/**
 * A cart's total is collected, rounded once, and refunded through Medusa's admin API. Medusa, the
 * ledger and the gateway's book agree on both. Which refunds are refused is in
 * `modules/refunds/refunds-from-request-to-end.spec.ts`.
 */
import { documentOf, linkThatReads, makeLink, unpaidOrder } from "./support/orders"
import { expectPaidInFull, operationsOf, settled } from "./support/payments"
import { expectOk, HOSTED, PUSH, walletOf, type Region } from "./support/shop"
import { until } from "../support/until"
import { useHarness } from "./support/harness"

// The gateway caps nothing, so that only the plugin keeps a refund from going twice.
const harness = useHarness({ simulator: { speed: 20, partialRefunds: "UNCAPPED" } })

type Bought = { readonly orderId: string; readonly paymentId: string; readonly total: number }

async function bought({
  region = "International",
  providerId = PUSH,
  ...goods
}: { region?: Region; providerId?: string; code?: string; items?: [string, number][] } = {}) {
  const { shop, simulator } = harness
  const phone = walletOf(region)
  const cartId = await shop.cart({ region, phone, ...goods })
  const total = await shop.total(cartId)
  const sessionId = await shop.session(cartId, providerId)
  const { payment: asked } = await expectOk(shop.start(sessionId))
  if (providerId === PUSH) simulator.handset.approve(phone.slice(1))
  else {
    const [operation] = await operationsOf(harness, cartId)
    simulator.hosted.pay(Number(operation?.source_id), { method: "card" })
  }
  const paid = await settled(harness, sessionId)
  expect(paid.state).toBe("paid")
  const orderId = paid.order_id ?? ""
  return { orderId, paymentId: await paymentOf(orderId), total, asked }
}

async function paymentOf(orderId: string): Promise<string> {
  const { payment_collections: collections } = await harness.admin.order(orderId)
  const [payment, ...more] = collections.flatMap(({ payments }) => payments)
  expect(more).toEqual([])
  return payment?.id ?? ""
}

/** An order that was written down for a customer, and paid by its link. */
async function paidByLink(region: Region): Promise<Bought> {
  const orderId = await unpaidOrder(harness, { region })
  const { total } = await harness.admin.order(orderId)
  const { payment_link: link } = await expectOk(makeLink(harness, orderId))
  if (!link) throw new Error("no link was made")
  harness.simulator.hosted.pay((await documentOf(harness, link)).id, { method: "card" })
  await linkThatReads(harness, orderId, "paid")
  return { orderId, paymentId: await paymentOf(orderId), total }
}

/** An admin has looked it up in the merchant portal. */
async function enterIntent(order: Bought): Promise<void> {
  const { id, source_id: sourceId } = await parentOf(order)
  const paid = harness.simulator.book.executions().find((one) => one.sourceId === Number(sourceId))
  const entered = { payment_intent_id: paid?.paymentIntentId ?? 0 }
  await expectOk(
    harness.admin.call("POST", `/admin/merchant-payments/operations/${id}/payment-intent`, entered),
  )
}

type Parent = {
  id: string
  reference: string | null
  source_id: string
  state: string
  lines: unknown[]
}

async function parentOf({ orderId }: Bought): Promise<Parent> {
  const [row] = await harness.sql<Parent>(
    "select id, reference, source_id, state, lines from mp_operation where order_id = $1 and type = 'COLLECTION'",
    [orderId],
  )
  if (!row) throw new Error("no operation")
  return row
}

/** What the gateway was asked to give back, in its own words. */
async function wentBack(order: Bought): Promise<string[]> {
  const { source_id: sourceId } = await parentOf(order)
  const { book } = harness.simulator
  const own = book.executions().filter((one) => one.sourceId === Number(sourceId))
  const intents = own.map(({ paymentIntentId }) => paymentIntentId)
  return book
    .refunds()
    .filter(({ originalPaymentIntentId }) => intents.includes(originalPaymentIntentId ?? -1))
    .map(({ amount }) => amount)
}

/** Until each of its refunds has ended at the gateway. */
const ended = (order: Bought) =>
  until(async () => {
    const { id } = await parentOf(order)
    const open = await harness.sql(
      "select id from mp_operation where parent_id = $1 and state in ('submitted', 'in_flight')",
      [id],
    )
    return open.length === 0
  }, "the refunds end")

const exact = (amount: number) => Number(amount.toFixed(6)) + 0

/** Medusa's four places say the same: rows, collection, transactions and summary. */
async function expectShown(order: Bought, refunded: readonly number[]): Promise<void> {
  const shown = await harness.admin.order(order.orderId)
  const sum = exact(refunded.reduce((total, amount) => total + amount, 0))
  const [collection] = shown.payment_collections
  const rows = collection?.payments.flatMap(({ refunds }) => refunds) ?? []
  expect(rows.map(({ amount }) => amount).sort()).toEqual([...refunded].sort())
  expect(collection?.captured_amount).toBe(order.total)
  expect(exact(collection?.refunded_amount ?? 0)).toBe(sum)
  expect(shown.summary.paid_total).toBe(order.total)
  expect(exact(shown.summary.refunded_total)).toBe(sum)
  expect(exact(shown.summary.transaction_total)).toBe(exact(order.total - sum))
  expect(exact(shown.summary.pending_difference)).toBe(0)
}

async function refused(order: Bought, code: string, amount?: number): Promise<string> {
  const before = await wentBack(order)
  const { status, body } = await harness.admin.refund(order.paymentId, amount)
  expect([status, body.message]).toEqual([400, expect.stringContaining(`${code}: `)])
  expect(await wentBack(order)).toEqual(before)
  return body.message ?? ""
}

const set = async (order: Bought, change: string) =>
  harness.sql(`update mp_operation set ${change} where id = $1`, [(await parentOf(order)).id])

/** What is asked of the shopper for a total of Medusa's: half up, once. */
function collectedOf(total: number, digits = 2): string {
  const scale = 10 ** digits
  return (Math.round(total * scale + 1e-6) / scale).toFixed(digits)
}

const REGIONS: readonly (readonly [Region, number, string])[] = [
  ["International", 2, "USD"],
  ["Liberia", 2, "LRD"],
  ["Rwanda", 0, "RWF"],
]

/** Three kinds of goods, and what is taken off. */
const GOODS: { items: [string, number][]; code: string } = {
  items: [
    ["market-tote", 3],
    ["bead-bracelet", 1],
    ["pocket-notebook", 2],
  ],
  code: "WELCOME10",
}

describe("a mobile money payment", () => {
  it.each(REGIONS)(
    "[B13] of %s is the cart's total in Medusa, rounded at the gateway, and is refunded in parts until " +
      "exactly what was collected went back",
    async (region, digits, currency) => {
      const order = await bought({ region, ...GOODS })
      const collected = collectedOf(order.total, digits)
      expect(order.asked).toMatchObject({ amount: Number(collected), currency })
      const { source_id: sourceId, lines } = await parentOf(order)
      const source = harness.simulator.book.document(Number(sourceId))
      expect(Number(source?.totalAmount)).toBe(Number(collected))
      expect(lines).toHaveLength(4)
      await expectPaidInFull(harness, order.orderId, order.total)
      const { currency_code: shown } = await harness.admin.order(order.orderId)
      expect(shown).toBe(currency.toLowerCase())

      const part = digits === 0 ? 1_000 : 10.5
      for (const shown of [[part], [part, part]]) {
        await expectOk(harness.admin.refund(order.paymentId, part))
        await expectShown(order, shown)
      }
      const rest = exact(order.total - 2 * part)
      await expectOk(harness.admin.refund(order.paymentId, rest))
      await ended(order)
      await expectShown(order, [part, part, rest])
      const back = (await wentBack(order)).reduce((sum, amount) => sum + Number(amount), 0)
      expect(back.toFixed(digits)).toBe(collected)
      expect(await parentOf(order)).toMatchObject({ state: "completed" })
      expect((await harness.admin.order(order.orderId)).payment_status).toBe("refunded")
    },
  )

  it("is refunded in full without an amount, and its payment's data stays (H9)", async () => {
    const order = await bought()
    await expectOk(harness.admin.refund(order.paymentId))
    await ended(order)
    await expectShown(order, [order.total])
    const shown = await harness.admin.order(order.orderId)
    expect(shown.payment_collections[0]?.payments[0]?.data).toEqual({
      state: "paid",
      url: null,
      reference: (await parentOf(order)).reference,
    })
    const rows = await harness.sql(
      "select asked_by, answered_at from mp_operation where parent_id = $1",
      [(await parentOf(order)).id],
    )
    expect(rows).toMatchObject([
      { asked_by: expect.stringMatching(/^user_/), answered_at: expect.any(Date) },
    ])
  })

  it("[B13] is refunded with more decimals than its currency has as requested in Medusa, and rounded at the gateway", async () => {
    const order = await bought()
    const parts = [10.005, exact(order.total - 10.005)]
    await expectOk(harness.admin.refund(order.paymentId, parts[0]))
    expect(await wentBack(order)).toEqual(["10.01"])
    await expectOk(harness.admin.refund(order.paymentId, parts[1]))
    await ended(order)
    await expectShown(order, parts)
    const back = (await wentBack(order)).reduce((sum, amount) => sum + Number(amount), 0)
    expect(back.toFixed(2)).toBe(collectedOf(order.total))
  })

  it("is refunded with the reason that was chosen and the note that was written in Medusa's form", async () => {
    const order = await bought()
    const { call } = harness.admin
    const made = await expectOk(
      call<{ refund_reason: { id: string } }>("POST", "/admin/refund-reasons", {
        label: "Wrong size",
        code: "wrong_size",
      }),
    )
    const form = { amount: 3, refund_reason_id: made.refund_reason.id, note: "Asked by phone" }
    await expectOk(call("POST", `/admin/payments/${order.paymentId}/refund`, form))
    const { id } = await parentOf(order)
    const { operation } = await expectOk(
      call<{ operation: { refunds: { note: string | null }[] } }>(
        "GET",
        `/admin/merchant-payments/operations/${id}`,
      ),
    )
    expect(operation.refunds.map(({ note }) => note)).toEqual(["Wrong size: Asked by phone"])
  })

  it("[B19] is refunded two amounts at once, each shown with its amount", async () => {
    const order = await bought()
    const amounts = [3, 2]
    const both = await Promise.all(
      amounts.map((amount) => harness.admin.refund(order.paymentId, amount)),
    )
    for (const [index, { status }] of both.entries()) {
      if (status === 200) continue
      // The other was being written: nothing was sent for this one.
      await expectOk(harness.admin.refund(order.paymentId, amounts[index] ?? 0))
    }
    await ended(order)
    expect((await wentBack(order)).map(Number).sort()).toEqual([2, 3])
    await expectShown(order, [2, 3])
  })

  it("[B19] is not refunded 0, less than 0, or an amount that rounds to nothing", async () => {
    const order = await bought()
    for (const amount of [0, -1]) {
      expect(await harness.admin.refund(order.paymentId, amount)).toEqual({
        status: 400,
        body: {
          type: "invalid_data",
          message: "Invalid request: Value for field 'amount' too small, expected at least: '0'",
        },
      })
    }
    await refused(order, "amount_not_payable", 0.004)
    await expectShown(order, [])
  })
})

const onItsPage = (region: Region) => bought({ region, providerId: HOSTED })

describe("a payment", () => {
  it.each([
    ["on the gateway's page", "Rwanda", 0, onItsPage],
    ["by a link", "Liberia", 2, paidByLink],
  ] as const)(
    "%s of %s is refunded in full, exactly as it was collected",
    async (_where, region, digits, pay) => {
      const order: Bought = await pay(region)
      await enterIntent(order)
      await expectOk(harness.admin.refund(order.paymentId))
      await ended(order)
      await expectShown(order, [order.total])
      expect(await wentBack(order)).toEqual([collectedOf(order.total, digits)])
      const shown = await harness.admin.order(order.orderId)
      expect(shown.payment_status).toBe("refunded")
      expect(await parentOf(order)).toMatchObject({ state: "completed" })
      expect((await harness.admin.refund(order.paymentId)).status).toBe(400)
      expect(await wentBack(order)).toHaveLength(1)
    },
  )
})

describe("a refund that can't be sent", () => {
  it("is refused with its reason, and Medusa shows nothing, until the payment intent is known", async () => {
    const order = await bought({ providerId: HOSTED })
    expect(await refused(order, "payment_intent_unknown")).toContain("merchant portal")
    const cancel = await harness.admin.cancel(order.orderId)
    expect([cancel.status, cancel.body.code]).toEqual([409, "payment_intent_unknown"])
    await expectShown(order, [])
    await enterIntent(order)
    // The receipt shows the payer's currency, whenever it comes; as if this one had not.
    const { id } = await parentOf(order)
    const receipt = "select from mp_receipt where operation_id = $1"
    await until(async () => (await harness.sql(receipt, [id])).length > 0, "its receipt")
    await set(order, "payer_currency = null")
    await refused(order, "refund_unclear", 1)
    await expectOk(harness.admin.refund(order.paymentId))
    await ended(order)
    await expectShown(order, [order.total])
  })
})

describe("cancelling a paid order", () => {
  it("[H24] refunds it once, in Medusa and at the gateway", async () => {
    const order = await bought()
    await expectOk(harness.admin.refund(order.paymentId, 3))
    await expectOk(harness.admin.cancel(order.orderId))
    await ended(order)
    const shown = await harness.admin.order(order.orderId)
    expect([shown.status, shown.payment_status]).toEqual(["canceled", "refunded"])
    expect(shown.summary).toMatchObject({ refunded_total: order.total, transaction_total: 0 })
    const back = (await wentBack(order)).reduce((sum, amount) => sum + Number(amount), 0)
    expect(back.toFixed(2)).toBe(collectedOf(order.total))
    const again = await harness.admin.cancel(order.orderId)
    expect(again.status).toBe(400)
    expect(await wentBack(order)).toHaveLength(2)
  })
})
