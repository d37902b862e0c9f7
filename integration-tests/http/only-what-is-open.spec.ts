/**
 * What is charged is what Medusa says is open at that moment, in a real store: orders that an admin
 * credits or edits before, while and after they are paid, and carts that change as a start begins.
 */
import { addToOrder, type Item } from "./support/orders"
import { operationsOf, settled } from "./support/payments"
import { HOSTED, PUSH, expectOk, walletOf } from "./support/shop"
import { until } from "../support/until"
import { useHarness } from "./support/harness"

const harness = useHarness({
  simulator: { speed: 20 },
  env: { DEMO_ORDER_PLACEMENT: "order_first" },
})

const cents = (amount: number) => Math.round(amount * 100)

async function place(providerId = PUSH) {
  const phone = walletOf()
  const cartId = await harness.shop.cart({ phone })
  const total = await harness.shop.total(cartId)
  const sessionId = await harness.shop.session(cartId, providerId)
  const { order } = await expectOk(harness.shop.complete(cartId))
  return { cartId, total, sessionId, providerId, wallet: phone.slice(1), orderId: order?.id ?? "" }
}

type Placed = Awaited<ReturnType<typeof place>>

const credit = ({ orderId }: Placed, amount: number) =>
  expectOk(
    harness.admin.call("POST", `/admin/orders/${orderId}/credit-lines`, {
      amount,
      reference: "goodwill",
      reference_id: "goodwill",
    }),
  )

const openOf = async ({ orderId }: Placed) =>
  (await harness.admin.order(orderId)).summary.pending_difference

const documentOf = async ({ cartId }: Placed) => {
  const operation = (await operationsOf(harness, cartId)).at(-1)
  return harness.simulator.book.document(Number(operation?.source_id))
}

/** As a storefront does after `cart_changed`: the session that Medusa has now. */
const nextSession = ({ cartId, providerId }: Placed) => harness.shop.session(cartId, providerId)

const refusalOf = async (sessionId: string) => {
  const { status, body } = await harness.shop.start(sessionId)
  return [status, body.code]
}

it.each([PUSH, HOSTED])(
  "[B43] an order that is credited to nothing is asked for no money (%s)",
  async (providerId) => {
    const placed = await place(providerId)
    await credit(placed, placed.total)
    expect(await openOf(placed)).toBe(0)
    expect(await refusalOf(placed.sessionId)).toEqual([409, "nothing_to_pay"])
    expect(harness.simulator.handset.pending(placed.wallet)).toEqual([])
  },
)

const MUG: Item = ["enamel-mug", 1]

it.each([
  ["credited 5.00", (placed: Placed) => credit(placed, 5)],
  ["edited to more", ({ orderId }: Placed) => addToOrder(harness, orderId, MUG)],
])(
  "[B43] an order that was %s is charged what is open, and asks for nothing then",
  async (_, change) => {
    const placed = await place()
    await change(placed)
    const open = await openOf(placed)
    expect(cents(open)).not.toBe(cents(placed.total))
    expect(await refusalOf(placed.sessionId)).toEqual([409, "cart_changed"])
    expect(harness.simulator.handset.pending(placed.wallet)).toEqual([])

    const sessionId = await nextSession(placed)
    const { payment } = await expectOk(harness.shop.start(sessionId))
    expect(cents(payment?.amount ?? 0)).toBe(cents(open))
    harness.simulator.handset.approve(placed.wallet)
    expect(await settled(harness, sessionId)).toMatchObject({
      state: "paid",
      order_id: placed.orderId,
    })
    expect(await openOf(placed)).toBe(0)
  },
)

it("[B43] a page is closed once its order is credited", async () => {
  const placed = await place(HOSTED)
  await expectOk(harness.shop.start(placed.sessionId))
  await credit(placed, 5)
  const { payment } = await expectOk(harness.shop.status(placed.sessionId))
  expect(payment).toMatchObject({ amount: null, url: null })
  await until(async () => (await documentOf(placed))?.status === "CANCELED", "the page is closed")
})

it("[B43] a prompt that is approved after a credit waits for an admin, and the order stays unpaid", async () => {
  const placed = await place()
  await expectOk(harness.shop.start(placed.sessionId))
  await credit(placed, 5)
  harness.simulator.handset.approve(placed.wallet)
  expect((await settled(harness, placed.sessionId)).state).toBe("under_review")
  expect((await operationsOf(harness, placed.cartId))[0]).toMatchObject({ reason: "cart_changed" })
  const { summary } = await harness.admin.order(placed.orderId)
  expect(summary.paid_total).toBe(0)
})

it("[B43] an order that is credited to nothing is kept at the end of its time", async () => {
  const placed = await place()
  await credit(placed, placed.total)
  await harness.sql(
    "update mp_operation set window_ends_at = now(), next_check_at = now() where cart_id = $1",
    [placed.cartId],
  )
  await until(async () => {
    const rows = await harness.sql(
      "select id from mp_operation where cart_id = $1 and window_done_at is not null",
      [placed.cartId],
    )
    return rows.length > 0
  }, "the order's end is dealt with")
  expect((await harness.admin.order(placed.orderId)).status).not.toBe("canceled")
})

it("[B44] a change of the cart in the instant of a start is refused, or seen before anything is sent", async () => {
  const rounds = 8
  for (let round = 0; round < rounds; round++) {
    const cartId = await harness.shop.cart()
    const sessionId = await harness.shop.session(cartId, round % 2 === 0 ? PUSH : HOSTED)
    const variant_id = await harness.shop.variant("enamel-mug")
    const line = { variant_id, quantity: 1 }
    const first = round % 4 < 2 ? undefined : harness.shop.start(sessionId)
    const change = harness.shop.call("POST", `/store/carts/${cartId}/line-items`, line)
    const [edited, started] = await Promise.all([change, first ?? harness.shop.start(sessionId)])
    const total = await harness.shop.total(cartId)
    const answers = JSON.stringify([round, edited.status, started.status, started.body.code])
    // One of the two goes through, or there would be nothing to compare.
    expect(started.status === 200 || edited.status === 200 ? answers : "neither").toBe(answers)
    if (started.status !== 200) continue
    // What was prompted, or shown on the page, is the cart's total; a page may be closed since.
    if (edited.status === 200) {
      expect([answers, round % 2]).toEqual([answers, 1])
      const [operation] = await operationsOf(harness, cartId)
      const document = harness.simulator.book.document(Number(operation?.source_id))
      await until(() => Promise.resolve(document?.status === "CANCELED"), "the old page is closed")
    } else {
      expect(cents(started.body.payment?.amount ?? 0)).toBe(cents(total))
    }
  }
})
