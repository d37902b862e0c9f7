/** Paid orders and their refunds, as Medusa's admin and its records show them. */
import { expectOk, walletOf, type Answer } from "./shop"
import { settled } from "./payments"
import { until } from "../../support/until"
import type { Harness } from "./harness"

export type PaidOrder = {
  readonly orderId: string
  readonly collectionId: string
  readonly paymentId: string
  readonly total: number
}

/**
 * A cart that was paid by phone and is an order.
 * @returns with who paid, as the gateway's book has it
 */
export async function paidOrder(
  harness: Harness,
  phone = walletOf(),
): Promise<PaidOrder & { phone: string }> {
  const cartId = await harness.shop.cart({ phone })
  const sessionId = await harness.shop.session(cartId)
  await expectOk(harness.shop.start(sessionId))
  harness.simulator.handset.approve(phone.slice(1))
  const orderId = (await settled(harness, sessionId)).order_id ?? ""
  const order = await harness.admin.order(orderId)
  const [collection] = order.payment_collections
  const payment = collection?.payments[0]
  return {
    orderId,
    collectionId: collection?.id ?? "",
    paymentId: payment?.id ?? "",
    total: order.total,
    phone: phone.slice(1),
  }
}

/** The refund of Medusa's own admin page. */
export function refund(
  harness: Harness,
  { paymentId }: Pick<PaidOrder, "paymentId">,
  amount: number,
): Promise<Answer<{ message?: string }>> {
  return harness.admin.call("POST", `/admin/payments/${paymentId}/refund`, { amount })
}

export function cancelOrder(harness: Harness, { orderId }: Pick<PaidOrder, "orderId">) {
  return harness.admin.call<{ message?: string }>("POST", `/admin/orders/${orderId}/cancel`, {})
}

const SHOWN = [
  "id",
  "status",
  "total",
  "credit_line_total",
  "summary",
  "payment_status",
  "*transactions",
  "*credit_lines",
  "*payment_collections",
  "*payment_collections.payments",
  "*payment_collections.payments.refunds",
].join(",")

type Shown = {
  status: string
  total: number
  credit_line_total: number
  payment_status: string
  summary: Record<
    | "paid_total"
    | "refunded_total"
    | "transaction_total"
    | "pending_difference"
    | "current_order_total"
    | "accounting_total",
    number
  >
  transactions: { amount: number }[]
  credit_lines: { amount: number }[]
  payment_collections: {
    status: string
    captured_amount: number
    refunded_amount: number
    payments: { refunds: { amount: number; created_by: string | null }[] }[]
  }[]
}

/** Medusa returns them in no order. */
const sorted = (entries: readonly { amount: number }[]): number[] =>
  entries.map(({ amount }) => amount).sort((one, other) => other - one)

/** All five places of Medusa that show a refund. */
export async function books(harness: Harness, { orderId }: Pick<PaidOrder, "orderId">) {
  const { order } = await expectOk(
    harness.admin.call<{ order: Shown }>("GET", `/admin/orders/${orderId}?fields=${SHOWN}`),
  )
  const [collection] = order.payment_collections
  const { summary } = order
  return {
    status: order.status,
    paymentStatus: order.payment_status,
    total: order.total,
    creditTotal: order.credit_line_total,
    paid: summary.paid_total,
    refunded: summary.refunded_total,
    transactionTotal: summary.transaction_total,
    pending: summary.pending_difference,
    currentTotal: summary.current_order_total,
    accountingTotal: summary.accounting_total,
    transactions: sorted(order.transactions),
    creditLines: sorted(order.credit_lines),
    collection: collection?.status,
    collectionCaptured: collection?.captured_amount,
    collectionRefunded: collection?.refunded_amount ?? 0,
    rows: sorted(collection?.payments.flatMap(({ refunds }) => refunds) ?? []),
  }
}

export type RefundRow = {
  id: string
  state: string
  reason: string | null
  reference: string | null
  medusa_refund_id: string | null
  answered_at: Date | null
  recorded_at: Date | null
  undone_at: Date | null
}

export function refundsOf(harness: Harness, { collectionId }: Pick<PaidOrder, "collectionId">) {
  return harness.sql<RefundRow>(
    `select id, state, reason, reference, medusa_refund_id, answered_at, recorded_at, undone_at
       from mp_operation where payment_collection_id = $1 and type = 'REFUND' order by created_at`,
    [collectionId],
  )
}

export async function lastRefund(harness: Harness, order: PaidOrder): Promise<RefundRow> {
  const found = (await refundsOf(harness, order)).at(-1)
  if (!found) throw new Error("no refund was made")
  return found
}

/**
 * So much time has passed for the refunds of an order, and they are looked at. Not while a worker
 * is at one of them: its work takes no longer by it.
 */
async function letPass(harness: Harness, order: PaidOrder, ms: number): Promise<void> {
  await harness.sql(
    `update mp_operation
        set created_at = created_at - $2 * interval '1 ms',
            submitted_at = submitted_at - $2 * interval '1 ms',
            last_sent_at = last_sent_at - $2 * interval '1 ms',
            failed_at = failed_at - $2 * interval '1 ms',
            absent_at = absent_at - $2 * interval '1 ms',
            answered_at = answered_at - $2 * interval '1 ms',
            checked_at = checked_at - $2 * interval '1 ms',
            expires_at = expires_at - $2 * interval '1 ms',
            next_check_at = least(next_check_at, now())
      where payment_collection_id = $1 and type = 'REFUND' and next_check_at is not null
        and not exists (
          select from mp_operation held
           where held.payment_collection_id = $1 and held.lease_until > now())`,
    [order.collectionId, ms],
  )
}

/**
 * Lets time pass, a little at each look, until a refund of the order, the last one, is as wanted.
 * Without a step what is due later becomes due now, and nothing grows older.
 */
export function refundUntil(
  harness: Harness,
  order: PaidOrder,
  isSo: (refund: RefundRow) => boolean,
  what: string,
  { which = -1, stepMs = 20_000 } = {},
): Promise<RefundRow> {
  return until(async () => {
    const found = (await refundsOf(harness, order)).at(which)
    if (found && isSo(found)) return found
    await letPass(harness, order, stepMs)
    return undefined
  }, what).catch(async (cause: unknown) => {
    const found = JSON.stringify(await refundsOf(harness, order))
    throw new Error(`${what}, but ${found} ${harness.store.output().slice(-3_000)}`, { cause })
  })
}

export const isRecorded = ({ recorded_at }: RefundRow) => recorded_at !== null
export const isUndone = ({ undone_at }: RefundRow) => undone_at !== null
