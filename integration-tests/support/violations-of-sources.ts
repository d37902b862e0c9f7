/**
 * The oracle's view of sources: what the gateway lets be paid, whoever pays it. A push's source may
 * be tried with more than once, and somebody may pay it without us.
 */
import type { DocumentView, ExecutionView } from "../../packages/simulator/src/book/view"
import type { Evidence, LedgerOperation } from "./evidence"
import { groupedBy, indexOf } from "./evidence-index"

type Source = {
  readonly document: DocumentView
  readonly operations: readonly LedgerOperation[]
  readonly charged: readonly ExecutionView[]
}

/** @returns breaches of I1, I2 and I4, one sentence each */
export function sourceViolations(evidence: Evidence, isQuiet: boolean): string[] {
  const sources = sourcesOf(evidence)
  return [
    ...sources.flatMap((source) => chargedTwice(evidence, source, isQuiet)),
    ...sources.flatMap((source) => paidByHand(evidence, source, isQuiet)),
    ...sources.flatMap(heldTwice),
    ...twoOpen(sources),
    ...(isQuiet ? sources.flatMap(openAfterTheEnd) : []),
  ]
}

/** There is an execution of ours, by phone or by card; a page has none. */
export const isExecutedByUs = ({ flow }: { readonly flow: string }) =>
  flow === "push" || flow === "card"

/** Money that came to a push's source, and not by an execution of ours. */
export function isPaidByHand(evidence: Evidence, execution: ExecutionView): boolean {
  return (
    execution.channel === "hosted" &&
    operationsOf(evidence, execution.sourceId).some(isExecutedByUs)
  )
}

function sourcesOf(evidence: Evidence): Source[] {
  const { documents, executionsBySource } = indexOf(evidence)
  return documents.map((document) => ({
    document,
    operations: operationsOf(evidence, document.id),
    charged: (executionsBySource.get(document.id) ?? []).filter(({ charges }) => charges > 0),
  }))
}

function operationsOf(evidence: Evidence, sourceId: number): readonly LedgerOperation[] {
  return (
    indexOf(evidence)
      .operationsBySource.get(sourceId)
      ?.filter(({ type }) => type === "COLLECTION") ?? []
  )
}

/** Before a person, given back, or dismissed by one. */
function isHeld(evidence: Evidence, { id, state, isReturned }: LedgerOperation): boolean {
  const events = indexOf(evidence).eventsByOperation.get(id) ?? []
  return state === "review" || isReturned || events.some(({ name }) => name === "dismiss")
}

const isWatchedAfterEnd = ({ state, dueInSeconds }: LedgerOperation) =>
  (state === "failed" || state === "expired") && dueInSeconds !== null

function ownOf({ operations }: Source, execution: ExecutionView): LedgerOperation | undefined {
  return operations.find(({ reference }) => reference === execution.reference)
}

/** Who may hold what was paid by hand: a try whose own execution brought nothing. */
function withoutOwn(source: Source): readonly LedgerOperation[] {
  const paid = new Set(source.charged.map((execution) => ownOf(source, execution)?.id))
  return source.operations.filter(({ id }) => !paid.has(id))
}

function chargedTwice(evidence: Evidence, source: Source, isQuiet: boolean): string[] {
  const { id, charges } = source.document
  if (charges < 2) return []
  const isNoticed = (operation: LedgerOperation) =>
    isHeld(evidence, operation) || (!isQuiet && isWatchedAfterEnd(operation))
  const unnoticed = source.charged.filter((execution) => {
    const own = ownOf(source, execution)
    return own ? !isNoticed(own) : !withoutOwn(source).some(isNoticed)
  })
  const unseen = charges - source.charged.length
  return unnoticed.length + unseen > 1 ? [`I1: source ${id} was charged ${charges} times`] : []
}

function paidByHand(evidence: Evidence, source: Source, isQuiet: boolean): string[] {
  return source.charged
    .filter((execution) => isPaidByHand(evidence, execution))
    .filter(() => {
      const others = withoutOwn(source)
      if (others.some((one) => isHeld(evidence, one) || one.state === "completed")) return false
      return isQuiet || !others.some(({ dueInSeconds }) => dueInSeconds !== null)
    })
    .map(({ reference }) => `I2: nobody holds ${reference}, paid by hand on a push's source`)
}

/** What is held twice can be given back twice. */
function heldTwice({ document, operations, charged }: Source): string[] {
  const holders = operations.filter(
    ({ state, collectedMinor }) =>
      collectedMinor !== null && (state === "review" || state === "completed"),
  )
  return holders.length > charged.length
    ? [
        `I4: ${holders.map(({ id }) => id).join(", ")} hold money of source ${document.id}, ` +
          `which was charged ${charged.length} times`,
      ]
    : []
}

function twoOpen(sources: readonly Source[]): string[] {
  const open = sources.filter(
    ({ document, operations }) =>
      document.status === "ACTIVE" && document.charges === 0 && operations.length > 0,
  )
  return [...groupedBy(open, ({ operations }) => operations[0]?.collectionId ?? "")]
    .filter(([, own]) => own.length > 1)
    .map(([collectionId, own]) => {
      const ids = own.map(({ document }) => document.id).join(", ")
      return `I1: ${collectionId}: the sources ${ids} can be paid at the same time`
    })
}

function openAfterTheEnd({ document, operations }: Source): string[] {
  const isOver = operations.every(({ state }) => state === "failed" || state === "expired")
  return document.status === "ACTIVE" && operations.length > 0 && isOver
    ? [
        `I1: ${operations.map(({ id }) => id).join(", ")} ended, ` +
          `but source ${document.id} can still be paid`,
      ]
    : []
}
