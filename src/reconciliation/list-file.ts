/**
 * A filtered list of operations as a file, newest first, read in pages to bound the memory. Amounts
 * are exact text, times ISO 8601 in the time zone that was asked for; the columns never change
 * places. `gross`, `fee` and `net` count only money that moved; money that went out is below zero.
 */
import { LIMITS } from "../core/limits"
import { majorText } from "../core/money"
import { payerHint } from "../core/payer-hint"
import { refusal } from "../core/refusal"
import { isoIn, UTC } from "../core/time-zone"
import { eachListed } from "../review/list-totals"
import { besideOf, filterFrom, type ListAsked, type ListPorts } from "../review/read-operations"
import { signedFiguresOf, type SignedFigures } from "../review/rules/signed-figures"
import {
  countListed,
  type ListedOperation,
  type OperationFilter,
} from "../review/sql/list-operations"
import type { Beside } from "../review/view"
import { BYTE_ORDER_MARK, csvLine } from "./rules/csv"

type Line = ListedOperation &
  Beside & { readonly timeZone: string; readonly figures: SignedFigures }

const textOf = ({ figures: { currency } }: Line, minor: bigint | null) =>
  minor === null ? null : majorText({ minor, currency })

const CELLS: Readonly<Record<string, (line: Line) => string | null>> = {
  date: ({ operation, timeZone }) => isoIn(timeZone, operation.createdAt),
  type: ({ operation }) => operation.type,
  state: ({ operation }) => operation.state,
  flow: ({ operation }) => operation.flow,
  order_number: ({ operation, numbers }) => numbers.get(operation.orderId ?? "") ?? null,
  customer_name: ({ customer }) => customer?.name ?? null,
  customer_email: ({ customer }) => customer?.email ?? null,
  phone_end: ({ operation }) => payerHint(operation),
  payment_method: ({ operation }) => operation.paymentMethod,
  operator: ({ operation, labelOf }) => labelOf(operation.paymentMethod),
  currency: ({ operation }) => operation.amount.currency,
  amount: (line) => textOf(line, line.figures.asked),
  gross: (line) => textOf(line, line.figures.gross),
  fee: (line) => textOf(line, line.figures.fee),
  net: (line) => textOf(line, line.figures.net),
  refunded: (line) => textOf(line, -line.operation.refundedMinor),
  reference: ({ operation }) => operation.reference,
  transaction_id: ({ providerTransactionId }) => providerTransactionId,
  document_number: ({ operation }) => operation.sourceNumber,
  operation_id: ({ operation }) => operation.id,
  order_id: ({ operation }) => operation.orderId,
  account_id: ({ operation }) => operation.accountId,
  payer_fee: (line) => textOf(line, line.figures.payerFee),
}

export const LIST_COLUMNS = Object.keys(CELLS)

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
    const lines = page.map((listed) => {
      const line = { ...listed, ...beside, timeZone, figures: signedFiguresOf(listed.operation) }
      return csvLine(Object.values(CELLS).map((cellOf) => cellOf(line)))
    })
    yield lines.join("")
  }
}
