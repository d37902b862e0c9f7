/**
 * Medusa's refund workflow writes a transaction for every row that has none, and each of its steps
 * commits separately: what a process that dies between them leaves in a real order is repaired. And
 * the events and the receipt that the shop's code gets of a payment.
 */
import { EVENTS } from "../../src/events"
import type { ReconciliationResponse } from "../../src/reconciliation/schemas/reconciliation"
import {
  callModule,
  runWorkflow,
  subscribe,
  WITH_OTHER_CODE,
  type Heard,
} from "./support/other-code"
import { operationsOf, settled } from "./support/payments"
import {
  books,
  isRecorded,
  lastRefund,
  paidOrder,
  refund,
  refundUntil,
  type PaidOrder,
} from "./support/refunds"
import { expectOk, walletOf, type Answer } from "./support/shop"
import { until } from "../support/until"
import { useHarness } from "./support/harness"

const MINUTES_20 = 20 * 60_000

const harness = useHarness({
  simulator: { partialRefunds: "UNCAPPED", speed: 4 },
  env: WITH_OTHER_CODE,
})

/** Medusa's records of an equal order of which 5, and then 3, were refunded undisturbed. */
let control: Readonly<Record<"after5" | "after5And3", Awaited<ReturnType<typeof books>>>>

beforeAll(async () => {
  const order = await paidOrder(harness)
  const after = async (amount: number) => {
    expect((await refund(harness, order, amount)).status).toBe(200)
    await refundUntil(harness, order, isRecorded, `the control's refund of ${amount} is recorded`)
    return books(harness, order)
  }
  control = { after5: await after(5), after5And3: await after(3) }
  expect(control).toMatchObject({
    after5: { refunded: 5, pending: 0, transactions: [order.total, -5], rows: [5] },
    after5And3: { refunded: 8, pending: 0, transactions: [order.total, -3, -5], rows: [5, 3] },
  })
})

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

async function repaired(order: PaidOrder): Promise<void> {
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
    "the sweep has repaired it",
    150_000,
  )
}

it("[H20] a second refund of an order is recorded as soon as the first", async () => {
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
  await repaired(order)
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

it("a transaction that a refund wrote for another, refused click is removed", async () => {
  const order = await paidOrder(harness)
  expect((await refund(harness, order, 5)).status).toBe(200)
  await refundUntil(harness, order, isRecorded, "the refund is recorded")
  await addRefundTransaction(order, 5, "ref_01ARZ3NDEKTSV4RRFFQ69G5FAV")
  expect(await books(harness, order)).toMatchObject({
    refunded: 10,
    transactions: [order.total, -5, -5],
  })
  await repaired(order)
  expect(await books(harness, order)).toEqual(control.after5)
})

it("an order that many cancel at once keeps one transaction for its one refund", async () => {
  const order = await paidOrder(harness)
  await runWorkflow(harness, "cancel-order", { order_id: order.orderId })
  await refundUntil(harness, order, isRecorded, "the refund is recorded")
  const expected = await books(harness, order)
  expect(expected).toMatchObject({ status: "canceled", transactions: [order.total, -order.total] })
  for (let more = 0; more < 3; more += 1) {
    await addRefundTransaction(order, order.total, order.paymentId)
  }
  await age("order_transaction", "order_id", order.orderId)
  await repaired(order)
  expect(await books(harness, order)).toEqual(expected)
})

it("a transaction of another refund's amount, written for a dead process's row, is removed with the row", async () => {
  const order = await paidOrder(harness)
  await leaveRow(order, 7)
  expect((await refund(harness, order, 5)).status).toBe(200)
  // What Medusa does; this fails once Medusa repairs it.
  expect((await books(harness, order)).transactions).toEqual([order.total, -5, -5])
  await refundUntil(harness, order, isRecorded, "the refund is recorded")
  const { rows, ...shown } = await books(harness, order)
  const { rows: ofControl, ...expected } = control.after5
  expect([rows, ofControl]).toEqual([[7, 5], [5]])
  expect(shown).toEqual({ ...expected, collectionRefunded: 12, paymentStatus: shown.paymentStatus })

  await repaired(order)
  expect(await books(harness, order)).toEqual(control.after5)
  expect(harness.store.output()).toContain("refunds that were never sent")
})

it("a dead process's row gets nothing from the job, and later refunds of the order are right", async () => {
  const order = await paidOrder(harness)
  await leaveRow(order, 7)
  // As if the process had died right after our answer.
  await callModule(harness, "payment", "refundPayment", {
    payment_id: order.paymentId,
    amount: 5,
    created_by: "user_ada",
  })
  await refundUntil(harness, order, isRecorded, "the refund is recorded")
  expect((await books(harness, order)).transactions).toEqual([order.total, -5])
  await repaired(order)
  expect((await refund(harness, order, 3)).status).toBe(200)
  await refundUntil(harness, order, isRecorded, "the other refund is recorded")
  expect(await books(harness, order)).toEqual(control.after5And3)
})

it("a credit line that a dead process did not write is written", async () => {
  const order = await paidOrder(harness)
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
  await refundUntil(harness, order, isRecorded, "the refund is recorded")
  expect(await books(harness, order)).toEqual(control.after5)
  // What Medusa does with the order next counts with it.
  expect((await refund(harness, order, 3)).status).toBe(200)
  expect(await books(harness, order)).toEqual(control.after5And3)
})

it("a credit line that can't be told apart is listed, and an admin adds it by Medusa's route", async () => {
  const order = await paidOrder(harness)
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
    await refundUntil(harness, order, isRecorded, "the refund is recorded", { which })
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
  expect(await books(harness, order)).toEqual(control.after5And3)
})

it("[H24] a transaction that cancelling wrote without a refund is removed from the order", async () => {
  const order = await paidOrder(harness)
  const [payment] = await harness.sql<{ id: string; intent: string }>(
    `select id, payment_intent_id as intent from mp_operation
      where payment_collection_id = $1 and type = 'COLLECTION'`,
    [order.collectionId],
  )
  const setIntent = (intent: string | undefined) =>
    harness.sql("update mp_operation set payment_intent_id = $2 where id = $1", [
      payment?.id,
      intent,
    ])
  // The gateway knows no such one, so nothing is sent. One that is missing would be asked for.
  await setIntent("999999999")
  // Past the guard, as in the moment between its check and the refund.
  await runWorkflow(harness, "cancel-order", { order_id: order.orderId })
  expect(await books(harness, order)).toMatchObject({ status: "canceled", refunded: order.total })
  await age("order_transaction", "order_id", order.orderId)
  await repaired(order)
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

type Receipt = Readonly<Record<string, unknown>>
type ReceiptBody = { readonly receipt?: Receipt; readonly code?: string }

const receiptOf = (sessionId: string): Promise<Answer<ReceiptBody>> =>
  harness.shop.call("GET", `/store/merchant-payments/sessions/${sessionId}/receipt`)

async function started() {
  const phone = walletOf()
  const cartId = await harness.shop.cart({ phone })
  const sessionId = await harness.shop.session(cartId)
  await expectOk(harness.shop.start(sessionId))
  const [operation] = await operationsOf(harness, cartId)
  return { cartId, sessionId, digits: phone.slice(1), id: operation?.id ?? "" }
}

describe("an event for the shop", () => {
  let heard: readonly Heard[]
  const heardOf = (id: string) => heard.filter(({ data }) => data["id"] === id)

  beforeAll(async () => {
    heard = await subscribe(harness, EVENTS)
  })

  it("announces a paid cart once, and shopper and admin get its receipt", async () => {
    const { cartId, sessionId, digits, id } = await started()
    expect(await receiptOf(sessionId)).toMatchObject({
      status: 404,
      body: { code: "receipt_not_ready" },
    })
    harness.simulator.handset.approve(digits)
    const paid = await settled(harness, sessionId)
    const [event] = await until(async () => {
      const all = heardOf(id)
      return all.length > 0 ? all : undefined
    }, "the event")
    expect(event).toMatchObject({
      name: "merchant_payments.collection_completed",
      data: { id, cart_id: cartId, type: "COLLECTION", reason: null },
    })

    const receipt = await until(async () => {
      const { status, body } = await receiptOf(sessionId)
      return status === 200 ? body.receipt : undefined
    }, "the receipt")
    expect(receipt).toMatchObject({
      order_id: paid.order_id,
      total: paid.amount,
      currency: "USD",
      phone_hint: digits.slice(-3),
      paid_at: expect.stringMatching(/^\d{4}-.*Z$/),
      link: expect.stringContaining("http"),
    })
    expect(receipt).not.toHaveProperty("figures")
    const path = `/admin/merchant-payments/operations/${id}/receipt`
    const { receipt: admins } = await expectOk(
      harness.admin.call<{ receipt: Receipt }>("GET", path),
    )
    expect(admins).toMatchObject({ ...receipt, operation_id: id, figures: { gross: paid.amount } })
    expect((await harness.shop.call("GET", path)).status).toBe(401)
    const none = "/admin/merchant-payments/operations/mpop_none/receipt"
    expect(await harness.admin.call("GET", none)).toMatchObject({
      status: 404,
      body: { code: "operation_not_found" },
    })
    for (const strange of ["%00", "%F0%9F%92%A3", "x".repeat(5_000)]) {
      const unknown = `/admin/merchant-payments/operations/${strange}/receipt`
      expect((await harness.admin.call("GET", unknown)).status).toBe(404)
      expect((await receiptOf(strange)).status).toBe(404)
    }
    expect(await receiptOf("payses_none")).toMatchObject({
      status: 404,
      body: { code: "session_not_found" },
    })
    expect(heardOf(id)).toHaveLength(1)
  })

  it("announces why a payment was declined, and there is no receipt", async () => {
    const { sessionId, digits, id } = await started()
    harness.simulator.handset.decline(digits)
    expect((await settled(harness, sessionId)).state).toBe("failed")
    await until(async () => heardOf(id)[0], "the event")
    expect(heardOf(id)[0]?.data).toMatchObject({ id, reason: "declined" })
    expect((await receiptOf(sessionId)).body.code).toBe("receipt_not_ready")
  })
})
