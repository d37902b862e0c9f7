/** The money has come: Medusa takes it now, later, or never, and it is recorded once or held. */
import { randomUUID } from "node:crypto"
import { purchaseKey } from "../../src/medusa/adapters/purchase-key"
import { callModule, holdWorkflow, runWorkflow, WITH_OTHER_CODE } from "./support/other-code"
import { expectPaidInFull, operationsOf, orderOf, settled, timesCharged } from "./support/payments"
import { expectOk, walletOf } from "./support/shop"
import { setStock, whileUnlinked } from "./support/stock"
import { until } from "../support/until"
import { useHarness } from "./support/harness"

const harness = useHarness({ simulator: { speed: 20 }, env: WITH_OTHER_CODE })
const BASKET = "woven-basket"

/** A cart whose prompt is out. */
async function prompted(handle = "market-tote") {
  const phone = walletOf()
  const cartId = await harness.shop.cart({ phone, items: [[handle, 2]] })
  const total = await harness.shop.total(cartId)
  const sessionId = await harness.shop.session(cartId)
  await expectOk(harness.shop.start(sessionId))
  const approve = () => harness.simulator.handset.approve(phone.slice(1))
  return { cartId, total, sessionId, approve }
}
type Prompted = Awaited<ReturnType<typeof prompted>>

const collectionRows = (cartId: string, what: string) =>
  harness.sql(
    `${what} join mp_operation o on o.payment_collection_id = x.payment_collection_id
      where o.cart_id = $1 and x.deleted_at is null`,
    [cartId],
  )

/** Payments that Medusa holds for a cart, canceled ones too. */
const paymentsOf = (cartId: string) =>
  collectionRows(cartId, "select distinct x.id, x.captured_at, x.canceled_at from payment x")
const ordersOf = (cartId: string) =>
  harness.sql(
    `select o.id from order_cart oc join "order" o on o.id = oc.order_id
      where oc.cart_id = $1 and oc.deleted_at is null and o.deleted_at is null`,
    [cartId],
  )

/** The money came once, nothing of it is in Medusa, nothing of it went back. */
async function expectHeld(cartId: string): Promise<void> {
  expect(await timesCharged(harness, cartId)).toBe(1)
  expect(await paymentsOf(cartId)).toEqual([])
  expect(await ordersOf(cartId)).toEqual([])
  expect(harness.simulator.book.refunds()).toEqual([])
}

async function expectStranded({ cartId, sessionId }: Prompted, reason: string): Promise<void> {
  expect(await settled(harness, sessionId)).toMatchObject({ state: "under_review", order_id: null })
  expect(await operationsOf(harness, cartId)).toMatchObject([{ state: "review", reason }])
  await expectHeld(cartId)
}

/** Its minute of waiting for another session is over. */
const missedForAMinute = (cartId: string) =>
  until(async () => {
    const moved = await harness.sql(
      `with missed as (
         update mp_operation_event e set created_at = e.created_at - interval '1 minute'
           from mp_operation o
          where o.id = e.operation_id and o.cart_id = $1 and o.state = 'completed'
            and e.name = 'session_gone' returning o.id)
       update mp_operation o set next_check_at = now() from missed m where o.id = m.id returning o.id`,
      [cartId],
    )
    return moved.length > 0
  }, "the session is missed")

/** Until Medusa has refused the money for the first time. */
const refused = (cartId: string) =>
  until(async () => {
    const [row] = await harness.sql<{ settle_attempts: number }>(
      "select settle_attempts from mp_operation where cart_id = $1 and lease_token is null",
      [cartId],
    )
    return (row?.settle_attempts ?? 0) > 0
  }, "Medusa refuses the money")

it("[M05] a completion that hangs keeps no other shopper waiting, and becomes one order in the end", async () => {
  const held = await prompted()
  const letGo = await holdWorkflow(harness, "complete-cart", held.cartId)
  held.approve()
  const completed = async () =>
    (await operationsOf(harness, held.cartId)).some(({ state }) => state === "completed")
  await until(completed, "the money is there")
  for (const other of [await prompted(), await prompted()]) {
    other.approve()
    expect(await settled(harness, other.sessionId)).toMatchObject({ state: "paid" })
  }
  expect(await ordersOf(held.cartId)).toEqual([])
  await letGo()
  expect(await settled(harness, held.sessionId)).toMatchObject({ state: "paid" })
  expect(await ordersOf(held.cartId)).toHaveLength(1)
  expect(await timesCharged(harness, held.cartId)).toBe(1)
})

describe("a paid cart whose stock is gone", () => {
  afterEach(() => setStock(harness, BASKET, 10_000))

  /** Medusa has refused it, and not for the last time: the next try is the test's to make. */
  const refusedOnce = (cartId: string) =>
    until(async () => {
      const held = await harness.sql(
        `update mp_operation set next_check_at = now() + interval '1 hour'
          where cart_id = $1 and lease_token is null and state = 'completed'
            and settle_attempts between 1 and 2 returning id`,
        [cartId],
      )
      return held.length > 0
    }, "Medusa refuses the money")

  it("[B16] [H34] is tried again, and becomes one paid order when the stock is back", async () => {
    const payment = await prompted(BASKET)
    await setStock(harness, BASKET, 0)
    await whileUnlinked(harness, payment.approve, () => refusedOnce(payment.cartId))
    expect(await operationsOf(harness, payment.cartId)).toMatchObject([{ state: "completed" }])
    await expectHeld(payment.cartId)

    await setStock(harness, BASKET, 10_000)
    await harness.sql(
      "update mp_operation set next_check_at = now() where cart_id = $1 and state = 'completed'",
      [payment.cartId],
    )
    const { state, order_id: orderId } = await settled(harness, payment.sessionId)
    expect(state).toBe("paid")
    await expectPaidInFull(harness, orderId ?? "", payment.total)
    expect(await ordersOf(payment.cartId)).toEqual([{ id: orderId }])
    expect(await timesCharged(harness, payment.cartId)).toBe(1)
  })

  it("[B16] goes to review within a minute, and can't be changed or paid again", async () => {
    const payment = await prompted(BASKET)
    await setStock(harness, BASKET, 0)
    payment.approve()
    await expectStranded(payment, "cart_not_completed")
    const edit = await harness.shop.call<{ code?: string }>(
      "POST",
      `/store/carts/${payment.cartId}`,
      { email: "x@example.com" },
    )
    expect([edit.status, edit.body.code]).toEqual([409, "under_review"])
    const again = await harness.shop.start(payment.sessionId)
    expect([again.status, again.body.code]).toEqual([409, "under_review"])
  })
})

describe("a paid cart that other code has changed behind the guard", () => {
  const regionNamed = async (name: string) => {
    const { regions } = await expectOk(
      harness.shop.call<{ regions: { id: string; name: string }[] }>("GET", "/store/regions"),
    )
    return regions.find((region) => region.name === name)?.id ?? ""
  }

  it.each<[string, string, (payment: Prompted) => Promise<unknown>]>([
    [
      "[B16] goes to review when it moved to another region and currency",
      "session_gone",
      async ({ cartId: id }) =>
        runWorkflow(harness, "update-cart", {
          id,
          region_id: await regionNamed("Rwanda"),
          shipping_address: { country_code: "rw" },
        }),
    ],
    [
      "[B16] goes to review when it is deleted",
      "session_gone",
      ({ cartId }) => callModule(harness, "cart", "softDeleteCarts", [cartId]),
    ],
    [
      "[M03] [B05] goes to review, and becomes no order, when its payment session is deleted",
      "session_gone",
      ({ sessionId }) => callModule(harness, "payment", "deletePaymentSession", sessionId),
    ],
    [
      "[B16] goes to review when its total has changed",
      "cart_changed",
      ({ cartId: cart_id }) =>
        callModule(harness, "cart", "updateLineItems", { cart_id }, { quantity: 9 }),
    ],
  ])("%s", async (_title, reason, change) => {
    const payment = await prompted()
    await change(payment)
    payment.approve()
    if (reason === "session_gone") await missedForAMinute(payment.cartId)
    await expectStranded(payment, reason)
  })
})

it("[B17] a captured payment can't be marked as canceled by other code", async () => {
  const payment = await prompted()
  payment.approve()
  const orderId = await orderOf(harness, payment.cartId)
  const before = await paymentsOf(payment.cartId)
  expect(before).toMatchObject([{ canceled_at: null }])
  await expect(callModule(harness, "payment", "cancelPayment", before[0]?.["id"])).rejects.toThrow(
    "payment_holds_money",
  )
  expect(await paymentsOf(payment.cartId)).toEqual(before)
  await expectPaidInFull(harness, orderId, payment.total)
})

describe("a paid cart that other code completes or captures meanwhile", () => {
  const ALONE = 4_711
  /** Undoing an order begins with its links; it waits there for as long as the test holds the lock. */
  const hold = `
    create function wait_for_the_test() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(${ALONE}); return new; end $$;
    create trigger wait_for_the_test before update on order_cart
      for each row execute function wait_for_the_test()`

  it("[M01] [H29] becomes one order, paid in full, when Medusa undoes the storefront's order", async () => {
    const payment = await prompted()
    await harness.sql(hold)
    try {
      await harness.sql("select pg_advisory_lock($1)", [ALONE])
      const completing = harness.shop.complete(payment.cartId)
      await until(async () => {
        const waits = "select from pg_locks where locktype = 'advisory' and not granted"
        return (await harness.sql(waits)).length > 0
      }, "Medusa undoes the order")
      const [half] = await ordersOf(payment.cartId)
      expect(half).toBeDefined()
      payment.approve()
      await until(async () => {
        const settling = `select from mp_operation
          where cart_id = $1 and state = 'completed' and lease_token is not null`
        return (await harness.sql(settling, [payment.cartId])).length > 0
      }, "the job settles")
      await harness.sql("select pg_advisory_unlock($1)", [ALONE])
      expect((await completing).body).toMatchObject({ type: "cart" })
      const { state, order_id: orderId } = await settled(harness, payment.sessionId)
      expect(state).toBe("paid")
      expect(orderId).not.toBe(half?.["id"])
      await expectPaidInFull(harness, orderId ?? "", payment.total)
      expect(await ordersOf(payment.cartId)).toEqual([{ id: orderId }])
      expect(await paymentsOf(payment.cartId)).toHaveLength(1)
      expect(await timesCharged(harness, payment.cartId)).toBe(1)
    } finally {
      await harness.sql("select pg_advisory_unlock_all()")
      await harness.sql("drop function wait_for_the_test() cascade")
    }
  })

  it("[M02] becomes an order with the capture that another worker left, which isn't repeated", async () => {
    const payment = await prompted()
    // Another worker holds the purchase; it captures, and its order is undone before the transaction.
    await harness.sql("insert into mp_task (name, lease_token, lease_until) values ($1, $2, $3)", [
      `purchase:${payment.cartId}`,
      randomUUID(),
      new Date(Date.now() + 600_000),
    ])
    payment.approve()
    await until(async () => {
      const [operation] = await operationsOf(harness, payment.cartId)
      return operation?.state === "completed"
    }, "the money is there")
    await callModule(harness, "payment", "authorizePaymentSession", payment.sessionId, {})
    expect(await ordersOf(payment.cartId)).toEqual([])
    const captured = await paymentsOf(payment.cartId)
    expect(captured).toMatchObject([{ captured_at: expect.any(Date) }])
    await harness.sql("delete from mp_task where name like 'purchase:%'")
    const { state, order_id: orderId } = await settled(harness, payment.sessionId)
    expect(state).toBe("paid")
    await expectPaidInFull(harness, orderId ?? "", payment.total)
    expect(await paymentsOf(payment.cartId)).toEqual(captured)
    expect(harness.simulator.book.refunds()).toEqual([])
  })

  it("[M04] is locked by one key, whether its order, its session or its payment is named", async () => {
    const payment = await prompted()
    payment.approve()
    const orderId = await orderOf(harness, payment.cartId)
    const [paid] = await paymentsOf(payment.cartId)
    const database = { query: (text: string, of: readonly unknown[]) => harness.sql(text, [...of]) }
    const paymentId = String(paid?.["id"])
    for (const named of [{ orderId }, { sessionId: payment.sessionId }, { paymentId }]) {
      expect(await purchaseKey(database, named)).toBe(payment.cartId)
    }
    expect(await harness.sql("select name from mp_task where name like 'purchase:%'")).toEqual([])
  })
})

describe("a paid cart whose completion Medusa undoes after the capture", () => {
  const refuse = `
    create function refuse_row() returns trigger language plpgsql as
      $$ begin raise exception 'the disk is full'; end $$;
    create trigger refuse_row before insert on order_transaction
      for each row execute function refuse_row()`

  it("[M02] [H25] [B16] becomes one paid order, with nothing refunded, once Medusa can write it", async () => {
    const payment = await prompted()
    await harness.sql(refuse)
    try {
      payment.approve()
      await refused(payment.cartId)
    } finally {
      await harness.sql("drop function refuse_row() cascade")
    }
    const { state, order_id: orderId } = await settled(harness, payment.sessionId)
    expect(state).toBe("paid")
    await expectPaidInFull(harness, orderId ?? "", payment.total)
    expect(await ordersOf(payment.cartId)).toEqual([{ id: orderId }])
    expect(await paymentsOf(payment.cartId)).toHaveLength(1)
    expect(await timesCharged(harness, payment.cartId)).toBe(1)
    expect(harness.simulator.book.refunds()).toEqual([])
  })
})

describe("a paid cart whose store dies while Medusa completes it", () => {
  /** Medusa waits to write a row of `table`; there the store is killed, and what it had begun ends. */
  async function killedBefore(table: string, payment: Prompted): Promise<void> {
    await harness.sql("begin")
    try {
      await harness.sql(`lock table ${table} in share mode`)
      payment.approve()
      const waits = `from pg_locks where relation = '${table}'::regclass and not granted`
      await until(
        async () => (await harness.sql(`select pid ${waits}`)).length > 0,
        `Medusa writes ${table}`,
      )
      await harness.store.kill("SIGKILL")
      await harness.sql(`select pg_terminate_backend(pid, 5000) ${waits}`)
    } finally {
      await harness.sql("rollback")
    }
  }

  async function expectPaidOnce(payment: Prompted): Promise<void> {
    await harness.restart()
    // The dead process held the row for two minutes; an operator would wait, the test moves the clock.
    await harness.sql("update mp_operation set lease_until = now() where cart_id = $1", [
      payment.cartId,
    ])
    await harness.sql("update mp_task set lease_until = now() where name like 'purchase:%'")
    const orderId = await orderOf(harness, payment.cartId)
    await expectPaidInFull(harness, orderId, payment.total)
    expect(await ordersOf(payment.cartId)).toEqual([{ id: orderId }])
    expect(await paymentsOf(payment.cartId)).toHaveLength(1)
    expect(await timesCharged(harness, payment.cartId)).toBe(1)
  }

  it("[P09] is paid once after the restart when its order was made and its payment wasn't", async () => {
    const payment = await prompted()
    await killedBefore("payment", payment)
    expect(await ordersOf(payment.cartId)).toHaveLength(1)
    expect(await paymentsOf(payment.cartId)).toEqual([])
    await expectPaidOnce(payment)
  })

  it("[P09] [H26] is paid in its order after the restart when the order's transaction was missing", async () => {
    const payment = await prompted()
    await killedBefore("order_transaction", payment)
    expect(await paymentsOf(payment.cartId)).toMatchObject([{ captured_at: expect.any(Date) }])
    await expectPaidOnce(payment)
  })
})
