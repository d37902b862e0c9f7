/**
 * A refund in Medusa's records: read by SQL, written through Medusa's own workflow and services.
 * `refunds/rules/decide-delivery.ts` judges what was read.
 *
 * Medusa has no call that takes a refund back, so its services are called one by one. They only
 * mark rows as removed.
 *
 * An order's sums are recounted from its transactions and credit lines: Medusa changes only the
 * sums of the version in which a transaction was written, and a credit line makes another version.
 */
import type { IPaymentModuleService, MedusaContainer } from "@medusajs/framework/types"
import { BigNumber, MathBN, Modules } from "@medusajs/framework/utils"
import { PROVIDER_IDS } from "../../core/flows"
import type { MedusaPaymentId, OrderId } from "../../core/ids"
import type {
  MedusaCreditLine,
  MedusaRow,
  MedusaTransaction,
  RefundRecords,
} from "../../core/medusa-records"
import { rowsOf, type Database, type Row } from "../../ledger/database"
import type {
  MedusaRefundKey,
  MedusaRefundRecords,
  MedusaSuspect,
  MedusaSuspectsPage,
} from "../../engine/medusa-port"
import * as SQL from "./medusa-refund-queries"
import { runWorkflow } from "./workflows"

/**
 * Methods of the Order module. Medusa generates some of them from its models and does not declare
 * them.
 */
type Orders = {
  retrieveOrder(id: string, config: object): Promise<OrderSums>
  listOrderSummaries(where: object): Promise<{ readonly id: string; readonly totals: object }[]>
  updateOrderSummaries(summaries: readonly object[]): Promise<unknown>
  addOrderTransactions(transaction: object): Promise<unknown>
  softDeleteOrderTransactions(ids: readonly string[]): Promise<unknown>
  createOrderCreditLines(lines: readonly object[]): Promise<unknown>
  softDeleteOrderCreditLines(ids: readonly string[]): Promise<unknown>
}

type Amounts = readonly { readonly amount: number }[]

type OrderSums = {
  readonly version: number
  readonly currency_code: string
  readonly total: number
  readonly transactions?: Amounts
  readonly credit_lines?: Amounts
  readonly items?: readonly { readonly return_requested_total?: number }[]
}

type Payments = Pick<IPaymentModuleService, "refundPayment"> & {
  softDeleteRefunds(ids: readonly string[]): Promise<unknown>
  updatePaymentCollections(id: string, data: object): Promise<unknown>
}

type PaymentOfOrder = {
  readonly paymentId: MedusaPaymentId
  readonly orderId: OrderId | null
  readonly isCanceled: boolean
}
type Order = Omit<NonNullable<RefundRecords["order"]>, "isCanceled">

export function medusaRefundRecords(
  container: MedusaContainer,
  database: Database,
): MedusaRefundRecords {
  const payments = () => container.resolve<Payments>(Modules.PAYMENT)
  const orders = () => container.resolve<Orders>(Modules.ORDER)
  return {
    async refundRecords(key) {
      const records = await readRefundRecords(database, key)
      if (!records?.order || Number(records.order.open) === 0) return records
      const open = openOf(await readSums(orders(), records.order.id))
      const isOpen = MathBN.gte(open, SQL.LEAST_DIFFERENCE)
      return { ...records, order: { ...records.order, open: isOpen ? open.toString() : "0" } }
    },
    suspectRefunds: (page) => readSuspects(database, page),
    async makeRefund({ paymentId, amount, createdBy, note, isByWorkflow }) {
      const input = { payment_id: paymentId, amount: Number(amount), created_by: createdBy, note }
      if (isByWorkflow) await runWorkflow(container, "refund-payment-workflow", input)
      else await payments().refundPayment(input)
    },
    ...recordsOfPayment(payments, database),
    ...recordsOfOrder(orders, database),
  }
}

function recordsOfPayment(
  payments: () => Payments,
  database: Database,
): Pick<MedusaRefundRecords, "removeRefunds" | "recountCollection"> {
  return {
    async removeRefunds(rowIds) {
      await payments().softDeleteRefunds([...rowIds])
    },
    async recountCollection(paymentCollectionId, without = []) {
      const [row] = await database.query(SQL.COLLECTION, [paymentCollectionId, [...without]])
      if (!row) return
      const isCanceled = row["is_order_canceled"] === true
      await payments().updatePaymentCollections(paymentCollectionId, {
        refunded_amount: Number(row["refunded"]),
        ...(isCanceled && row["status"] !== "canceled" ? { status: "canceled" } : {}),
      })
    },
  }
}

type RecordsOfOrder = Pick<
  MedusaRefundRecords,
  | "removeRefundTransactions"
  | "removeCreditLines"
  | "addCreditLine"
  | "addRefundTransaction"
  | "recountOrder"
>

function recordsOfOrder(orders: () => Orders, database: Database): RecordsOfOrder {
  return {
    async removeRefundTransactions(ids) {
      await orders().softDeleteOrderTransactions([...ids])
    },
    async removeCreditLines(ids) {
      await orders().softDeleteOrderCreditLines([...ids])
    },
    async addCreditLine({ orderId, rowId, amount, isInTransactions }) {
      const lines = await database.query(SQL.CREDIT_LINE_OF, [orderId, rowId])
      if (lines.length > 0) return
      const sums = await recount(orders(), orderId)
      const { version } = sums
      // The open amount before the money went back, as Medusa's workflow reads it.
      const open = MathBN.sub(openOf(sums), isInTransactions ? amount : 0)
      const credit = MathBN.lt(open, 0) ? MathBN.add(amount, open) : MathBN.convert(amount)
      if (MathBN.lte(credit, 0)) return
      await orders().createOrderCreditLines([
        {
          order_id: orderId,
          version,
          amount: credit,
          reference: "refund",
          reference_id: rowId,
          metadata: { created_in_version: version },
        },
      ])
    },
    async addRefundTransaction({ orderId, rowId, amount }) {
      const { currency_code } = await orders().retrieveOrder(orderId, {
        select: ["id", "currency_code"],
      })
      await orders().addOrderTransactions({
        order_id: orderId,
        amount: MathBN.mult(amount, -1),
        currency_code,
        reference: "refund",
        reference_id: rowId,
      })
    },
    async recountOrder(orderId) {
      await recount(orders(), orderId)
    },
  }
}

async function readRefundRecords(
  database: Database,
  { paymentCollectionId, providerId, sessionId, medusaRefundId }: MedusaRefundKey,
): Promise<RefundRecords | undefined> {
  const key = [paymentCollectionId, providerId, sessionId, medusaRefundId]
  const [payment] = await rowsOf<PaymentOfOrder>(database, SQL.PAYMENT, key)
  if (!payment) return undefined
  const { paymentId, orderId, isCanceled } = payment
  const [collection] = await database.query(SQL.COLLECTION, [paymentCollectionId, []])
  const [order] = await rowsOf<Order>(database, SQL.ORDER, [orderId])
  const ofPayment = [orderId, paymentId, PROVIDER_IDS]
  const transactions = order
    ? await rowsOf<MedusaTransaction>(database, SQL.TRANSACTIONS, ofPayment)
    : []
  const creditLines = order
    ? await rowsOf<MedusaCreditLine>(database, SQL.CREDIT_LINES, [orderId])
    : []
  return {
    paymentId,
    isCollectionCounted: isCounted(collection),
    order: order ? { ...order, isCanceled } : null,
    rows: await rowsOf<MedusaRow>(database, SQL.ROWS, [paymentId]),
    transactions,
    creditLines,
  }
}

/**
 * Reads suspects among the rows and transactions younger than `since`, by the time that their ids
 * begin with.
 */
function readSuspects(
  database: Database,
  { since, after, limit }: MedusaSuspectsPage,
): Promise<MedusaSuspect[]> {
  const from = timeInId(since)
  return rowsOf<MedusaSuspect>(database, SQL.SUSPECTS, [
    `ref_${from}`,
    `ordtrx_${from}`,
    PROVIDER_IDS,
    limit,
    after?.paymentId ?? "",
  ])
}

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

/** Medusa's ids begin with their millisecond in ten digits of base 32, and so sort by it. */
function timeInId(moment: Date): string {
  let rest = moment.getTime()
  let text = ""
  for (let digit = 0; digit < 10; digit++) {
    text = `${DIGITS[rest % 32] ?? ""}${text}`
    rest = Math.floor(rest / 32)
  }
  return text
}

function isCounted(collection: Row | undefined): boolean {
  if (!collection) return true
  const isClosed = collection["status"] === "canceled"
  const difference = Number(collection["kept"]) - Number(collection["refunded"])
  return (
    Math.abs(difference) < SQL.LEAST_DIFFERENCE &&
    (isClosed || collection["is_order_canceled"] !== true)
  )
}

function readSums(orders: Orders, orderId: OrderId): Promise<OrderSums> {
  return orders.retrieveOrder(orderId, {
    select: ["id", "version", "currency_code", "total"],
    relations: ["transactions", "credit_lines"],
  })
}

const transactionsOf = ({ transactions }: OrderSums) =>
  (transactions ?? []).map(({ amount }) => amount)

const sumOf = (counted: readonly number[]) =>
  counted.length === 0 ? MathBN.convert(0) : MathBN.sum(...counted)

/**
 * What the customer owes, in major units; below 0, what the store owes. No stored sum holds it: the
 * store owes what comes back by a claim or a requested return, and Medusa subtracts that when it
 * reads.
 */
function openOf(order: OrderSums): ReturnType<typeof MathBN.convert> {
  const comesBack = (order.items ?? []).map((item) => item.return_requested_total ?? 0)
  return MathBN.sub(order.total, sumOf(comesBack), sumOf(transactionsOf(order)))
}

/**
 * Recounts the stored sums of an order.
 * @returns the order that was counted
 */
async function recount(orders: Orders, orderId: OrderId): Promise<OrderSums> {
  const order = await readSums(orders, orderId)
  const { version, total } = order
  const amounts = transactionsOf(order)
  const transactionTotal = sumOf(amounts)
  const counted = {
    transaction_total: transactionTotal,
    paid_total: sumOf(amounts.filter((amount) => amount > 0)),
    refunded_total: MathBN.abs(sumOf(amounts.filter((amount) => amount < 0))),
    pending_difference: MathBN.sub(total, transactionTotal),
    current_order_total: MathBN.convert(total),
    accounting_total: MathBN.convert(total),
    credit_line_total: sumOf((order.credit_lines ?? []).map(({ amount }) => amount)),
  }
  const [summary] = await orders.listOrderSummaries({ order_id: orderId, version })
  if (!summary) throw new Error(`Medusa has no summary of version ${version} of ${orderId}`)
  await orders.updateOrderSummaries([
    { id: summary.id, totals: { ...summary.totals, ...withRaw(counted) } },
  ])
  return order
}

/** Sums in Medusa's form: each as a number, and beside it the exact one (`raw_…`). */
function withRaw(sums: Readonly<Record<string, ReturnType<typeof MathBN.convert>>>): object {
  return Object.fromEntries(
    Object.entries(sums).flatMap(([name, sum]): [string, unknown][] => {
      const kept = new BigNumber(sum)
      return [
        [name, kept.numeric],
        [`raw_${name}`, kept.raw],
      ]
    }),
  )
}
