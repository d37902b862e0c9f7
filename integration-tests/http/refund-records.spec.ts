/**
 * Medusa's refund workflow writes a transaction for every row that has none, and its steps are
 * commits of their own: what a process that dies between them, or before it asks, leaves in a real
 * order.
 */
import type { ReconciliationResponse } from "../../src/reconciliation/rules/reconciliation-responses"
import { callModule, runWorkflow, WITH_OTHER_CODE } from "./support/other-code"
import {
  books,
  isRecorded,
  lastRefund,
  paidOrder,
  refund,
  refundUntil,
  type PaidOrder,
} from "./support/refunds"
import { expectOk } from "./support/shop"
import { until } from "./support/until"
import { useHarness } from "./support/harness"

const MINUTES_20 = 20 * 60_000

const harness = useHarness({ simulator: { partialRefunds: "UNCAPPED" }, env: WITH_OTHER_CODE })

/** As the Payment module makes it before it asks the provider; its process died then, long ago. */
async function leaveRow({ paymentId }: PaidOrder, amount: number): Promise<void> {
  await callModule(harness, "payment", "createRefunds", { payment_id: paymentId, amount })
  await age("refund", "payment_id", paymentId)
}

const age = (table: string, column: string, id: string) =>
  harness.sql(
    `update ${table} set created_at = created_at - $2 * interval '1 ms' where ${column} = $1`,
    [id, MINUTES_20],
  )

/** The job of each minute, now, and it finds the sweep due. */
async function sweep(): Promise<void> {
  await harness.sql("update mp_task set due_at = now() where name = 'sweep'")
  await runWorkflow(harness, "job-merchant-payments-upkeep", {})
}

async function mended(order: PaidOrder): Promise<void> {
  await until(
    async () => {
      await sweep()
      const events = await harness.sql(
        `select 1 from mp_operation_event e join mp_operation o on o.id = e.operation_id
        where o.payment_collection_id = $1 and o.type = 'COLLECTION' and e.name = 'records_repaired'`,
        [order.collectionId],
      )
      return events.length > 0
    },
    "the sweep has mended it",
    150_000,
  )
}

it("[H20] a second refund of an order is seen in Medusa as soon as the first", async () => {
  const order = await paidOrder(harness)
  for (const amount of [5, 3]) {
    expect((await refund(harness, order, amount)).status).toBe(200)
    // No time passes here but the job's own: nothing is waited for where Medusa has written all.
    await until(
      async () => isRecorded(await lastRefund(harness, order)),
      `the refund of ${amount} is recorded`,
    )
  }
  const events = await harness.sql(
    `select e.code from mp_operation_event e join mp_operation o on o.id = e.operation_id
      where o.payment_collection_id = $1 and e.name in ('records_repaired', 'delivery_refused')`,
    [order.collectionId],
  )
  expect(events).toEqual([])

  // As Medusa leaves it that has counted a click which was refused a moment later.
  await callModule(harness, "payment", "updatePaymentCollections", order.collectionId, {
    refunded_amount: 15,
  })
  await age("refund", "payment_id", order.paymentId)
  await mended(order)
  expect((await books(harness, order)).collectionRefunded).toBe(8)
})

/** As Medusa's workflow writes it. */
const addRefundTransaction = ({ orderId }: PaidOrder, amount: number, of: string) =>
  callModule(harness, "order", "addOrderTransactions", {
    order_id: orderId,
    amount: -amount,
    currency_code: "usd",
    reference: "refund",
    reference_id: of,
  })

it("a transaction that another admin's refund wrote for a click that was refused is taken out", async () => {
  const order = await paidOrder(harness)
  const control = await paidOrder(harness)
  for (const one of [order, control]) {
    expect((await refund(harness, one, 5)).status).toBe(200)
    await refundUntil(harness, one, isRecorded, "the refund is recorded")
  }
  await addRefundTransaction(order, 5, "ref_01ARZ3NDEKTSV4RRFFQ69G5FAV")
  expect(await books(harness, order)).toMatchObject({
    refunded: 10,
    transactions: [order.total, -5, -5],
  })
  await mended(order)
  expect(await books(harness, order)).toEqual(await books(harness, control))
})

it("of many who cancel an order at once one transaction is left, as one refund is", async () => {
  const order = await paidOrder(harness)
  await runWorkflow(harness, "cancel-order", { order_id: order.orderId })
  await refundUntil(harness, order, isRecorded, "the refund is recorded")
  const expected = await books(harness, order)
  expect(expected).toMatchObject({ status: "canceled", transactions: [order.total, -order.total] })
  for (let more = 0; more < 3; more += 1) {
    await addRefundTransaction(order, order.total, order.paymentId)
  }
  await age("order_transaction", "order_id", order.orderId)
  await mended(order)
  expect(await books(harness, order)).toEqual(expected)
})

it("the workflow gives a dead process's row a transaction of another refund's amount, and that is taken out", async () => {
  const order = await paidOrder(harness)
  const control = await paidOrder(harness)
  await leaveRow(order, 7)
  expect((await refund(harness, order, 5)).status).toBe(200)
  expect((await refund(harness, control, 5)).status).toBe(200)
  // What Medusa does; were it ever mended there, this fails.
  expect((await books(harness, order)).transactions).toEqual([order.total, -5, -5])
  await refundUntil(harness, order, isRecorded, "the refund is recorded")
  const { rows, ...shown } = await books(harness, order)
  const { rows: ofControl, ...expected } = await books(harness, control)
  expect([rows, ofControl]).toEqual([[7, 5], [5]])
  expect(shown).toEqual({ ...expected, collectionRefunded: 12, paymentStatus: shown.paymentStatus })

  await mended(order)
  expect(await books(harness, order)).toEqual(await books(harness, control))
  expect(harness.store.output()).toContain("refunds that were never sent")
})

it("the job writes nothing into a dead process's row, and later refunds of the order are right", async () => {
  const order = await paidOrder(harness)
  const control = await paidOrder(harness)
  await leaveRow(order, 7)
  // As if the process had died right after our answer.
  await callModule(harness, "payment", "refundPayment", {
    payment_id: order.paymentId,
    amount: 5,
    created_by: "user_ada",
  })
  await refundUntil(harness, order, isRecorded, "the refund is recorded")
  expect((await books(harness, order)).transactions).toEqual([order.total, -5])
  await mended(order)
  expect((await refund(harness, order, 3)).status).toBe(200)
  for (const amount of [5, 3]) expect((await refund(harness, control, amount)).status).toBe(200)
  await refundUntil(harness, order, isRecorded, "the other refund is recorded")
  await refundUntil(harness, control, isRecorded, "that of the control is recorded")
  expect(await books(harness, order)).toEqual(await books(harness, control))
})

it("a credit line that a dead process has not come to write is written", async () => {
  const order = await paidOrder(harness)
  const control = await paidOrder(harness)
  await callModule(harness, "payment", "refundPayment", {
    payment_id: order.paymentId,
    amount: 5,
    created_by: "user_ada",
  })
  const [row] = await harness.sql<{ id: string }>("select id from refund where payment_id = $1", [
    order.paymentId,
  ])
  await addRefundTransaction(order, 5, row?.id ?? "")
  expect(await books(harness, order)).toMatchObject({ refunded: 5, creditLines: [], pending: 5 })
  expect((await refund(harness, control, 5)).status).toBe(200)
  await refundUntil(harness, order, isRecorded, "the refund is recorded")
  await refundUntil(harness, control, isRecorded, "that of the control is recorded")
  expect(await books(harness, order)).toEqual(await books(harness, control))
  // What Medusa does with the order next counts with it.
  for (const one of [order, control]) expect((await refund(harness, one, 3)).status).toBe(200)
  expect(await books(harness, order)).toEqual(await books(harness, control))
})

it("a credit line that is not known is listed, and Medusa's own route adds it by hand", async () => {
  const order = await paidOrder(harness)
  const control = await paidOrder(harness)
  await callModule(harness, "payment", "refundPayment", {
    payment_id: order.paymentId,
    amount: 5,
    created_by: "user_ada",
  })
  const [row] = await harness.sql<{ id: string }>("select id from refund where payment_id = $1", [
    order.paymentId,
  ])
  await addRefundTransaction(order, 5, row?.id ?? "")
  // Written in the same version of the order.
  expect((await refund(harness, order, 3)).status).toBe(200)
  for (const which of [0, 1]) {
    await refundUntil(harness, order, isRecorded, "the refund is recorded", which)
  }
  const listed = async () => {
    const path = "/admin/merchant-payments/reconciliation"
    const read = (isFresh: boolean) =>
      expectOk(harness.admin.call<ReconciliationResponse>("GET", `${path}?fresh=${isFresh}`))
    await read(true)
    const { accounts } = await until(async () => {
      const response = await read(false)
      return response.is_running ? undefined : response
    }, "the comparison has ended")
    return accounts
      .flatMap(({ differences }) => differences)
      .filter(({ order_id }) => order_id === order.orderId)
      .map(({ code }) => code)
  }
  expect(await books(harness, order)).toMatchObject({ creditLines: [3], pending: 5 })
  expect(await listed()).toEqual(["credit_line_unclear"])

  const line = { amount: 5, reference: "refund", reference_id: row?.id }
  await expectOk(harness.admin.call("POST", `/admin/orders/${order.orderId}/credit-lines`, line))
  expect(await listed()).toEqual([])
  for (const amount of [5, 3]) expect((await refund(harness, control, amount)).status).toBe(200)
  await refundUntil(harness, control, isRecorded, "that of the control is recorded")
  expect(await books(harness, order)).toEqual(await books(harness, control))
})

it("[H24] what cancelling wrote for a refund that the ledger never had is taken out of the order", async () => {
  const order = await paidOrder(harness)
  const [payment] = await harness.sql<{ id: string; intent: string }>(
    `select id, payment_intent_id as intent from mp_operation
      where payment_collection_id = $1 and type = 'COLLECTION'`,
    [order.collectionId],
  )
  const setIntent = (intent?: string) =>
    harness.sql("update mp_operation set payment_intent_id = $2 where id = $1", [
      payment?.id,
      intent,
    ])
  await setIntent()
  // Past the guard, as in the moment between its question and the refund.
  await runWorkflow(harness, "cancel-order", { order_id: order.orderId })
  expect(await books(harness, order)).toMatchObject({ status: "canceled", refunded: order.total })
  await age("order_transaction", "order_id", order.orderId)
  await mended(order)
  expect(await books(harness, order)).toMatchObject({
    status: "canceled",
    paid: order.total,
    refunded: 0,
    transactions: [order.total],
    pending: 0,
    collection: "canceled",
    collectionRefunded: 0,
    rows: [],
  })

  await setIntent(payment?.intent)
  expect((await refund(harness, order, order.total)).body.message).toContain("has been canceled")
  await refundUntil(harness, order, isRecorded, "the money went back")
  expect(await books(harness, order)).toMatchObject({ refunded: order.total, pending: 0 })
})
