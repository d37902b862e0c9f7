/**
 * The store dies after Medusa wrote an order and before it linked it to its cart. The money is on
 * the order of the next completion; the first order is found, shown and cancelled. An order that
 * differs from it in anything is not found.
 */
import fc from "fast-check"
import { straysReader } from "../../src/medusa/adapters/stray-orders"
import { expectPaidInFull, operationsOf, orderOf, timesCharged } from "./support/payments"
import { expectOk, walletOf } from "./support/shop"
import { useHarness } from "./support/harness"
import { until } from "../support/until"

const harness = useHarness({ simulator: { speed: 4 } })
const DAY_MS = 86_400_000

type Scene = { cartId: string; total: number; paidOrder: string; stray: string; operation: string }
let scene: Scene

const strays = straysReader({
  query: (text, values) => harness.sql(text, [...values]),
})

/** Killed while the links wait: the order is committed, and may hold stock. */
async function leaveStray(): Promise<Scene> {
  const phone = walletOf()
  const cartId = await harness.shop.cart({ phone })
  const total = await harness.shop.total(cartId)
  await expectOk(harness.shop.start(await harness.shop.session(cartId)))
  await harness.sql("begin")
  try {
    // Either link may be written first: one to the payment collection makes the order the money's.
    await harness.sql("lock table order_cart, order_payment_collection in share mode")
    harness.simulator.handset.approve(phone.slice(1))
    const waits = `from pg_locks where not granted and relation in
      ('order_cart'::regclass, 'order_payment_collection'::regclass)`
    await until(
      async () => (await harness.sql(`select pid ${waits}`)).length > 0,
      "Medusa links the order",
    )
    await harness.store.kill("SIGKILL")
    await harness.sql(`select pg_terminate_backend(pid, 5000) ${waits}`)
  } finally {
    await harness.sql("rollback")
  }
  await harness.restart()
  // The dead process held the row for two minutes; the test moves the clock.
  await harness.sql("update mp_operation set lease_until = now() where cart_id = $1", [cartId])
  await harness.sql("update mp_task set lease_until = now() where name like 'purchase:%'")
  const paidOrder = await orderOf(harness, cartId)
  const [other] = await harness.sql<{ id: string }>(`select id from "order" where id <> $1`, [
    paidOrder,
  ])
  const [operation] = await operationsOf(harness, cartId)
  return {
    cartId,
    total,
    paidOrder,
    stray: other?.id ?? "",
    operation: operation?.id ?? "",
  }
}

beforeAll(async () => {
  scene = await leaveStray()
  // So long ago that no completion of it can run any more.
  await harness.sql(`update "order" set created_at = created_at - interval '11 minutes'`)
  await harness.sql("update mp_operation set money_at = money_at - interval '11 minutes'")
})

const found = async () =>
  (await strays.strayOrdersSince(new Date(Date.now() - DAY_MS))).map(({ id }) => id)

const link = (table: string, other: string) =>
  `insert into ${table} (id, order_id, ${other}) values ('link_x', $1, 'x_1')`

/** Each makes of the stray another kind of order, or one that is not equal to the paid one. */
const DISTURBED: Readonly<Record<string, string>> = {
  "a draft": `update "order" set is_draft_order = true where id = $1`,
  "not pending": `update "order" set status = 'completed' where id = $1`,
  canceled: `update "order" set status = 'canceled', canceled_at = now() where id = $1`,
  deleted: `update "order" set deleted_at = now() where id = $1`,
  edited: `update "order" set version = 2 where id = $1`,
  "of another e-mail": `update "order" set email = 'other@example.com' where id = $1`,
  "of another customer": `update "order" set customer_id = 'cus_x' where id = $1`,
  "of nobody": `update "order" set customer_id = null where id = $1`,
  "of another region": `update "order" set region_id = 'reg_x' where id = $1`,
  "of another channel": `update "order" set sales_channel_id = 'sc_x' where id = $1`,
  "of another currency": `update "order" set currency_code = 'eur' where id = $1`,
  "with other metadata": `update "order" set metadata = '{"by": "phone"}' where id = $1`,
  "made after the paid one": `update "order" set display_id = display_id + 1000 where id = $1`,
  "made just now": `update "order" set created_at = now() where id = $1`,
  "with another quantity": `update order_item set quantity = quantity + 1 where order_id = $1`,
  "with another price": `update order_item set unit_price = 1 where order_id = $1`,
  "with another product": `update order_line_item set variant_id = 'variant_x'
     where id in (select item_id from order_item where order_id = $1)`,
  "without items": `update order_item set deleted_at = now() where order_id = $1`,
  "shipped otherwise": `update order_shipping_method set amount = amount + 1
     where id in (select shipping_method_id from order_shipping where order_id = $1)`,
  "sent elsewhere": `update order_address set city = 'Elsewhere'
     where id = (select shipping_address_id from "order" where id = $1)`,
  "of a cart": link("order_cart", "cart_id"),
  "with a payment collection": link("order_payment_collection", "payment_collection_id"),
  "with a fulfilment": link("order_fulfillment", "fulfillment_id"),
  "with money": `insert into order_transaction (id, order_id, version, amount, raw_amount,
     currency_code, reference) values ('ordtrx_x', $1, 1, 1, '{"value": "1"}', 'usd', 'cash')`,
  "under change": `insert into order_change (id, order_id, version, status)
     values ('ordch_x', $1, 2, 'pending')`,
}

/** Each happens to the order that has the money, or beside both; the stray stays one. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "the paid order was edited": `with next as (
       insert into order_item (id, order_id, version, item_id, quantity, raw_quantity,
         fulfilled_quantity, raw_fulfilled_quantity, shipped_quantity, raw_shipped_quantity,
         return_requested_quantity, raw_return_requested_quantity, return_received_quantity,
         raw_return_received_quantity, return_dismissed_quantity, raw_return_dismissed_quantity,
         written_off_quantity, raw_written_off_quantity)
       select id || 'x', order_id, 2, item_id, 9, raw_quantity,
         fulfilled_quantity, raw_fulfilled_quantity, shipped_quantity, raw_shipped_quantity,
         return_requested_quantity, raw_return_requested_quantity, return_received_quantity,
         raw_return_received_quantity, return_dismissed_quantity, raw_return_dismissed_quantity,
         written_off_quantity, raw_written_off_quantity
         from order_item where order_id = $2 and $1::text is not null)
     update "order" set version = 2 where id = $2`,
  "the paid order was cancelled": `update "order" set status = 'canceled'
     where id = $2 and $1::text is not null`,
}

describe("[P33] a store that dies between an order and its link to the cart", () => {
  it("takes the money once, onto the order that the cart has", async () => {
    await expectPaidInFull(harness, scene.paidOrder, scene.total)
    expect(await timesCharged(harness, scene.cartId)).toBe(1)
    expect(await harness.sql("select order_id from order_cart")).toEqual([
      { order_id: scene.paidOrder },
    ])
  })

  it("finds the stray order, and no order that differs from it in anything", async () => {
    expect(await found()).toEqual([scene.stray])
    const disturbed = fc.subarray(Object.keys(DISTURBED), { minLength: 1, maxLength: 3 })
    const one = Object.keys(DISTURBED).map((name): [string[], string[]] => [[name], []])
    await fc.assert(
      fc.asyncProperty(disturbed, fc.subarray(Object.keys(ELSEWHERE)), async (names, others) => {
        expect(await afterChanges(names, others)).toEqual([])
      }),
      { examples: one, numRuns: one.length + 20 },
    )
    for (const name of Object.keys(ELSEWHERE)) {
      expect(await afterChanges([], [name])).toEqual([scene.stray])
    }
  })

  it("finds no stray in two equal orders that one customer pays in the same minute", async () => {
    const made = await harness.sql<{ id: string }>(`select id from "order"`)
    const [one, other] = [await paidCart(), await paidCart()]
    await harness.sql(
      `update "order" set created_at = created_at - interval '11 minutes' where id = any($1)`,
      [[one, other]],
    )
    expect(made.map(({ id }) => id)).not.toContain(one)
    expect(await found()).not.toContain(one)
    expect(await found()).not.toContain(other)
    expect(new Set(await found())).toEqual(new Set([scene.stray]))
  })

  it("lists the stray order with its payment, and one click cancels only that order", async () => {
    await harness.sql("update mp_task set due_at = now() where name = 'sweep'")
    const list = () =>
      expectOk(
        harness.admin.call<{ operations: { id: string; attention: string }[] }>(
          "GET",
          "/admin/merchant-payments/operations?needs_attention=true",
        ),
      )
    const { operations } = await until(async () => {
      const page = await list()
      return page.operations.length > 0 ? page : undefined
    }, "the sweep lists it")
    expect(operations).toMatchObject([{ id: scene.operation, attention: "stray_order" }])
    const path = `/admin/merchant-payments/operations/${scene.operation}`
    type Detail = { operation: { stray_orders: { order_id: string; order_number: string }[] } }
    const { operation } = await expectOk(harness.admin.call<Detail>("GET", path))
    expect(operation.stray_orders).toEqual([{ order_id: scene.stray, order_number: "1" }])
    const cancel = (order_id: string) =>
      harness.admin.call<Detail & { code: string }>("POST", `${path}/cancel-order`, { order_id })
    const refused = await cancel(scene.paidOrder)
    expect([refused.status, refused.body.code]).toEqual([404, "order_not_found"])
    const done = await expectOk(cancel(scene.stray))
    expect(done.operation.stray_orders).toEqual([])
    const [left] = await harness.sql(
      `select o.status, (select count(*)::int from reservation_item r
           join order_item i on i.item_id = r.line_item_id
          where i.order_id = o.id and r.deleted_at is null) as reserved
         from "order" o where o.id = $1`,
      [scene.stray],
    )
    expect(left).toEqual({ status: "canceled", reserved: 0 })
    await expectPaidInFull(harness, scene.paidOrder, scene.total)
    expect((await list()).operations).toEqual([])
    const again = await cancel(scene.stray)
    expect([again.status, again.body.code]).toEqual([404, "order_not_found"])
  })
})

async function paidCart(): Promise<string> {
  const phone = walletOf()
  const cartId = await harness.shop.cart({ phone })
  await expectOk(harness.shop.start(await harness.shop.session(cartId)))
  harness.simulator.handset.approve(phone.slice(1))
  return orderOf(harness, cartId)
}

/** What is found after the changes, which are undone. */
async function afterChanges(names: readonly string[], others: readonly string[]) {
  await harness.sql("begin")
  try {
    for (const name of names) await harness.sql(DISTURBED[name] ?? "", [scene.stray])
    for (const name of others) {
      await harness.sql(ELSEWHERE[name] ?? "", [scene.stray, scene.paidOrder])
    }
    return await found()
  } finally {
    await harness.sql("rollback")
  }
}
