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
import type { OperationFilter } from "../review/sql/list-filter"
import { countListed, type ListedOperation } from "../review/sql/list-operations"
import type { Beside } from "../review/view"
import { csvTable, type ColumnKind } from "./rules/csv"

type Line = ListedOperation &
  Beside & { readonly timeZone: string; readonly figures: SignedFigures }

const textOf = ({ figures: { currency } }: Line, minor: bigint | null) =>
  minor === null ? null : majorText({ minor, currency })

type Column = { readonly kind: ColumnKind; readonly of: (line: Line) => string | null }

const text = (of: Column["of"]): Column => ({ kind: "text", of })
const number = (of: Column["of"]): Column => ({ kind: "number", of })
const amount = (of: (line: Line) => bigint | null) => number((line) => textOf(line, of(line)))

const COLUMNS: Readonly<Record<string, Column>> = {
  date: { kind: "time", of: ({ operation, timeZone }) => isoIn(timeZone, operation.createdAt) },
  type: text(({ operation }) => operation.type),
  state: text(({ operation }) => operation.state),
  flow: text(({ operation }) => operation.flow),
  order_number: number(({ operation, numbers }) => numbers.get(operation.orderId ?? "") ?? null),
  customer_name: text(({ customer }) => customer?.name ?? null),
  customer_email: text(({ customer }) => customer?.email ?? null),
  phone_end: text(({ operation }) => payerHint(operation)),
  payment_method: text(({ operation }) => operation.paymentMethod),
  operator: text(({ operation, labelOf }) => labelOf(operation.paymentMethod)),
  currency: text(({ operation }) => operation.amount.currency),
  amount: amount(({ figures }) => figures.asked),
  gross: amount(({ figures }) => figures.gross),
  fee: amount(({ figures }) => figures.fee),
  net: amount(({ figures }) => figures.net),
  refunded: amount(({ operation }) => -operation.refundedMinor),
  reference: text(({ operation }) => operation.reference),
  transaction_id: text(({ providerTransactionId }) => providerTransactionId),
  document_number: text(({ operation }) => operation.sourceNumber),
  operation_id: text(({ operation }) => operation.id),
  order_id: text(({ operation }) => operation.orderId),
  account_id: text(({ operation }) => operation.accountId),
  payer_fee: amount(({ figures }) => figures.payerFee),
}

export const LIST_COLUMNS = Object.keys(COLUMNS)
const TABLE = csvTable(eachOf(({ kind }) => kind))

function eachOf<T>(of: (column: Column) => T): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(COLUMNS).map(([name, column]) => [name, of(column)]))
}

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
  yield TABLE.head()
  for await (const page of eachListed(deps.database, filter, LIMITS.listFileMax)) {
    const beside = await besideOf(deps, page)
    const lines = page.map((listed) => {
      const line = { ...listed, ...beside, timeZone, figures: signedFiguresOf(listed.operation) }
      return TABLE.line(eachOf(({ of }) => of(line)))
    })
    yield lines.join("")
  }
}
