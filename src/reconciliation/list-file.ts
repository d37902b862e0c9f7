/**
 * A filtered list of operations as a file, newest first, read in pages to bound the memory. Amounts
 * are exact text, times ISO 8601 in the time zone that was asked for; the columns never change
 * places. `gross`, `fee` and `net` are of money that moved.
 */
import { figuresOf } from "../core/figures"
import { LIMITS } from "../core/limits"
import { decimalText, majorText } from "../core/money"
import { refusal } from "../core/refusal"
import { isoIn, UTC } from "../core/time-zone"
import { eachListed } from "../review/list-totals"
import { besideOf, filterFrom, type ListAsked, type ListPorts } from "../review/read-operations"
import {
  countListed,
  type ListedOperation,
  type OperationFilter,
} from "../review/sql/list-operations"
import type { Beside } from "../review/view"
import { BYTE_ORDER_MARK, csvLine } from "./rules/csv"

export const LIST_COLUMNS = [
  "date",
  "type",
  "state",
  "flow",
  "order_number",
  "customer_name",
  "customer_email",
  "phone_end",
  "payment_method",
  "operator",
  "currency",
  "amount",
  "gross",
  "fee",
  "net",
  "refunded",
  "reference",
  "transaction_id",
  "document_number",
  "operation_id",
  "order_id",
  "account_id",
] as const

/** @throws Refusal `period_too_long` before the first line */
export async function listFile(
  deps: ListPorts,
  asked: ListAsked,
  timeZone = UTC,
): Promise<AsyncIterable<string>> {
  const filter = await filterFrom(deps, asked)
  const payments = LIMITS.listFileMax
  if ((await countListed(deps.database, filter, payments + 1)) > payments) {
    throw refusal("period_too_long.list", { payments }, { payments_max: payments })
  }
  return linesOf(deps, filter, timeZone)
}

async function* linesOf(
  deps: ListPorts,
  filter: OperationFilter,
  timeZone: string,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(LIST_COLUMNS)
  for await (const page of eachListed(deps.database, filter, LIMITS.listFileMax)) {
    const beside = await besideOf(deps, page)
    yield page.map((listed) => lineOf(listed, beside, timeZone)).join("")
  }
}

function lineOf(listed: ListedOperation, { labelOf, numbers }: Beside, timeZone: string): string {
  const { operation, customer, providerTransactionId } = listed
  const { amount, refundedMinor } = operation
  const { gross, fee, net } = figuresOf(operation)
  const text = (figure: number | null) => (figure === null ? null : (decimalText(figure) ?? null))
  const cells: Record<(typeof LIST_COLUMNS)[number], string | null> = {
    date: isoIn(timeZone, operation.createdAt),
    type: operation.type,
    state: operation.state,
    flow: operation.flow,
    order_number: numbers.get(operation.orderId ?? "") ?? null,
    customer_name: customer?.name ?? null,
    customer_email: customer?.email ?? null,
    phone_end: operation.phoneHint,
    payment_method: operation.paymentMethod,
    operator: labelOf(operation.paymentMethod),
    currency: amount.currency,
    amount: majorText(amount),
    gross: text(gross),
    fee: text(fee),
    net: text(net),
    refunded: majorText({ minor: refundedMinor, currency: amount.currency }),
    reference: operation.reference,
    transaction_id: providerTransactionId,
    document_number: operation.sourceNumber,
    operation_id: operation.id,
    order_id: operation.orderId,
    account_id: operation.accountId,
  }
  return csvLine(LIST_COLUMNS.map((column) => cells[column]))
}
