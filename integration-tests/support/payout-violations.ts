/**
 * The oracle's word on payouts and transfers (I9): what left a wallet was asked for, once, for the
 * amount that was asked for; and what the ledger says of it is what became of it.
 */
import type { MoneyOutView } from "../../packages/simulator/src/book/money-out-view"
import type { Evidence, LedgerOperation } from "./evidence"
import { indexOf } from "./evidence-index"
import { minorOf } from "./minor-of"

export function payoutViolations(evidence: Evidence, isQuiet: boolean): string[] {
  const { book, ledger } = evidence
  const inBook = [...(book.payouts?.() ?? []), ...(book.transfers?.() ?? [])]
  const rows = ledger.operations.filter(({ type }) => type === "PAYOUT" || type === "TRANSFER")
  const known = new Map(rows.map((row) => [row.reference, row]))
  return [
    ...inBook.flatMap((money) => moved(evidence, money, known.get(money.reference), isQuiet)),
    ...rows.flatMap((row) => said(row, inBook)),
    ...twiceUnderOneKey(rows),
  ]
}

function moved(
  evidence: Evidence,
  money: MoneyOutView,
  row: LedgerOperation | undefined,
  isQuiet: boolean,
): string[] {
  const { reference, operationType, timesCalled, status } = money
  if (!row) return [`I9: nobody knows of the ${operationType} ${reference}`]
  const isSame =
    row.type === operationType &&
    row.currency === money.currency &&
    row.amountMinor === minorOf(money.amount, money.currency)
  const isEnded = row.state === "failed" || row.state === "expired"
  const isWatched = !isQuiet && row.dueInSeconds !== null
  const events = indexOf(evidence).eventsByOperation.get(row.id) ?? []
  const isDismissed = events.some(({ name }) => name === "dismiss")
  return [
    ...(isSame ? [] : [`I9: ${row.id} is not what was sent under ${reference}`]),
    ...(timesCalled === 1 ? [] : [`I9: ${row.id} was sent ${timesCalled} times`]),
    ...(status === "COMPLETED" && isEnded && !isWatched && !isDismissed
      ? [`I9: ${row.id} is ${row.state}, but its money went out`]
      : []),
  ]
}

function said(row: LedgerOperation, inBook: readonly MoneyOutView[]): string[] {
  const { id, state, reference } = row
  if (state !== "completed") return []
  const money = inBook.find((one) => one.reference === reference)
  return money?.status === "COMPLETED" ? [] : [`I9: ${id} is completed without the gateway's word`]
}

function twiceUnderOneKey(rows: readonly LedgerOperation[]): string[] {
  const keys = rows.map(({ idempotencyKey }) => idempotencyKey)
  const twice = keys.filter((key, index) => keys.indexOf(key) !== index)
  return twice.map((key) => `I9: ${String(key)} was used for two movements of money`)
}
