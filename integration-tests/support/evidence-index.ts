/**
 * The evidence by what the oracle looks it up by, so that a soak of thousands of payments is judged
 * in one go over it. Made once for each evidence, at the first question; the book is read then, as
 * one.
 */
import type { DocumentView, ExecutionView } from "../../packages/simulator/src/book/view"
import type { Evidence, LedgerEvent, LedgerOperation, MedusaPayment } from "./evidence"

export type EvidenceIndex = {
  readonly executions: readonly ExecutionView[]
  readonly documents: readonly DocumentView[]
  readonly executionByReference: ReadonlyMap<string, ExecutionView>
  readonly executionsBySource: ReadonlyMap<number, readonly ExecutionView[]>
  readonly documentById: ReadonlyMap<number, DocumentView>
  readonly eventsByOperation: ReadonlyMap<string, readonly LedgerEvent[]>
  readonly paymentsBySession: ReadonlyMap<string, readonly MedusaPayment[]>
  /** What has no source yet is under -1. */
  readonly operationsBySource: ReadonlyMap<number, readonly LedgerOperation[]>
}

const made = new WeakMap<Evidence, EvidenceIndex>()

export function indexOf(evidence: Evidence): EvidenceIndex {
  const known = made.get(evidence)
  if (known) return known
  const executions = evidence.book.executions()
  const documents = evidence.book.documents()
  const index: EvidenceIndex = {
    executions,
    documents,
    executionByReference: new Map(executions.map((one) => [one.reference, one])),
    executionsBySource: groupedBy(executions, ({ sourceId }) => sourceId),
    documentById: new Map(documents.map((one) => [one.id, one])),
    eventsByOperation: groupedBy(evidence.ledger.events, ({ operationId }) => operationId),
    paymentsBySession: groupedBy(evidence.medusa?.payments ?? [], ({ sessionId }) => sessionId),
    operationsBySource: groupedBy(evidence.ledger.operations, ({ sourceId }) => sourceId ?? -1),
  }
  made.set(evidence, index)
  return index
}

export function groupedBy<K, T>(list: readonly T[], keyOf: (one: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const one of list) {
    const key = keyOf(one)
    const group = groups.get(key)
    if (group) group.push(one)
    else groups.set(key, [one])
  }
  return groups
}

/** Digits in a row: shorter ones are no whole phone number. */
const DIGITS = /\d{8,}/g

/** Whether a text holds one of many phone numbers, at the cost of one reading of the text. */
export function phoneFinder(phones: readonly string[]): (text: string) => boolean {
  const known = new Set(phones)
  const lengths = [...new Set(phones.map(({ length }) => length))]
  const isSearchable = lengths.every((length) => length >= 8) && phones.every(isDigits)
  if (!isSearchable) return (text) => phones.some((phone) => text.includes(phone))
  return (text) =>
    (text.match(DIGITS) ?? []).some((run) =>
      lengths.some((length) => {
        for (let start = 0; start + length <= run.length; start++) {
          if (known.has(run.slice(start, start + length))) return true
        }
        return false
      }),
    )
}

const isDigits = (text: string) => /^\d+$/.test(text)
