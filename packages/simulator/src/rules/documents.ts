/**
 * The states of an invoice or an order (specification, "States and transitions"; contract notes, 4
 * and 5).
 *
 * IDLE -publish-> ACTIVE -an execution runs-> PROCESSING -it completes-> PAID (final)
 * IDLE, ACTIVE -cancel-> CANCELED (final)
 * PROCESSING -it fails-> ACTIVE, or CANCELED by setting
 * IDLE, ACTIVE -`expires_at` passes-> the same, or CANCELED by setting
 *
 * Only publishing and cancelling are stored. Each reading computes the rest from the source's
 * executions.
 */
import type { Counterparty, Document, Execution, Party, SourceType } from "../book/records"
import { oneMajorUnit, type Money } from "../money"
import { notFound, wrongState } from "../problem"
import type { World } from "../world"
import { reachedMs, stepAt } from "./timeline"

export type DocumentStatus = "IDLE" | "ACTIVE" | "PROCESSING" | "PAID" | "CANCELED"

export type DocumentState = { status: DocumentStatus; paidAtMs: number | null }

/**
 * The state of a source, `lagMs` ago. A source that is `CANCELED` stays so when money arrives late.
 */
export function stateOf(world: World, document: Document, lagMs = 0): DocumentState {
  const nowMs = world.time.nowMs() - lagMs
  const executions = world.book.executionsOf(document.id)
  const paidAtMs = earliest(executions, "COMPLETED", nowMs)
  const { afterFailure, promptedSource } = world.settings
  // Nobody cancels what is paid: of two in one millisecond the cancel was first.
  const askedAtMs = document.canceledAtMs === null ? null : document.canceledAtMs - 1
  const canceledAtMs =
    (lagMs > 0 && (document.canceledAtMs ?? 0) > nowMs ? null : askedAtMs) ??
    (afterFailure === "CANCELED" ? earliest(executions, "FAILED", nowMs) : null) ??
    expiredAtMs(world, document, executions)
  if (canceledAtMs !== null && (paidAtMs === null || canceledAtMs < paidAtMs)) {
    return { status: "CANCELED", paidAtMs: null }
  }
  if (paidAtMs !== null) return { status: "PAID", paidAtMs }
  const isPaying = (execution: Execution) =>
    isRunningAt(execution, nowMs) && !(promptedSource === "ACTIVE" && isPrompt(execution))
  if (executions.some(isPaying)) return { status: "PROCESSING", paidAtMs: null }
  return { status: document.publishedAtMs === null ? "IDLE" : "ACTIVE", paidAtMs: null }
}

function earliest(executions: readonly Execution[], status: "COMPLETED" | "FAILED", nowMs: number) {
  const moments = executions
    .map(({ steps }) => reachedMs(steps, status, nowMs))
    .filter((ms) => ms !== null)
  return moments.length > 0 ? Math.min(...moments) : null
}

const isPrompt = ({ channel, waitsForHandset }: Execution): boolean =>
  channel === "api" && waitsForHandset

const isRunningAt = ({ createdAtMs, steps }: Execution, ms: number): boolean =>
  createdAtMs <= ms && ["PENDING", "PROCESSING"].includes(stepAt(steps, ms).status)

/**
 * When `expires_at` canceled a source, if that is set: the first moment from then on without a
 * payment under way. A payment that was under way pays the source if it completes.
 */
function expiredAtMs(world: World, document: Document, executions: readonly Execution[]) {
  if (world.settings.afterExpiry !== "canceled" || !isPastExpiry(world, document)) return null
  const expiresAtMs = document.checkout?.expiresAtMs ?? 0
  const moments = executions
    .flatMap(({ steps }) => steps.map(({ atMs }) => atMs))
    .filter((atMs) => atMs > expiresAtMs && atMs <= world.time.nowMs())
    .sort((one, other) => one - other)
  return (
    [expiresAtMs, ...moments].find(
      (ms) => !executions.some((execution) => isRunningAt(execution, ms)),
    ) ?? null
  )
}

export const isPastExpiry = (world: World, { checkout }: Document): boolean =>
  checkout !== null && checkout.expiresAtMs !== null && world.time.nowMs() >= checkout.expiresAtMs

/** The true total: the sum of the lines. */
export const totalOf = ({ currency, lines }: Pick<Document, "currency" | "lines">): Money => ({
  currency,
  minor: lines.reduce((sum, { qty, unitMinor }) => sum + qty * unitMinor, 0),
})

/** What an execution takes: the true total, or with one scenario 1.00 more. */
export function billedOf(document: Document, by: { overstatesTotal: boolean }): Money {
  const total = totalOf(document)
  const more = by.overstatesTotal ? oneMajorUnit(total.currency) : 0
  return { ...total, minor: total.minor + more }
}

/**
 * The total that reads of the document report: once the source is paid, what was taken, so that
 * only a caller that compares amounts notices 1.00 too much.
 */
export function reportedTotalOf(world: World, document: Document): Money {
  const nowMs = world.time.nowMs()
  const overstatesTotal = world.book
    .executionsOf(document.id)
    .some((it) => it.overstatesTotal && reachedMs(it.steps, "COMPLETED", nowMs) !== null)
  return billedOf(document, { overstatesTotal })
}

/**
 * A merchant's own document. Throws 404 for an unknown id, another type and another merchant's
 * document.
 */
export const ownDocument = (
  world: World,
  ownerId: number,
  type: SourceType,
  id: number,
): Document => theirs(world.book.documents.get(id), ownerId, type)

/** The same by the document's number. */
export const ownDocumentByNumber = (
  world: World,
  ownerId: number,
  type: SourceType,
  number: string,
): Document => theirs(world.book.documentByNumber(number), ownerId, type)

function theirs(document: Document | undefined, ownerId: number, type: SourceType): Document {
  if (!document || document.ownerId !== ownerId || document.type !== type) {
    throw notFound(type === "INVOICE" ? "Invoice" : "Order")
  }
  return document
}

/** The counterparty that is asked to pay. */
export function counterpartyOf(world: World, document: Document): Counterparty {
  const counterparty = world.book.counterparties.get(document.counterpartyId)
  if (!counterparty) throw notFound("Counterparty")
  return counterparty
}

/** The party that is asked to pay. */
export function partyOf(world: World, document: Document): Party {
  const { partyId } = counterpartyOf(world, document)
  const party = partyId === null ? undefined : world.book.parties.get(partyId)
  if (!party) throw notFound("Party")
  return party
}

/** Publishes a draft. Throws 422 unless it is `IDLE` and has a line. */
export function publish(world: World, document: Document): Document {
  const { status } = stateOf(world, document)
  if (status !== "IDLE") {
    throw wrongState(["path", "id"], `A document that is ${status} cannot be published`)
  }
  if (document.lines.length === 0) {
    throw wrongState(["path", "id"], "A document without lines cannot be published")
  }
  const nowMs = world.time.nowMs()
  return world.book.update(document, { publishedAtMs: nowMs, updatedAtMs: nowMs })
}

/** Cancels. Throws 422 unless the document is `IDLE` or `ACTIVE`. */
export function cancel(world: World, document: Document): Document {
  const { status } = stateOf(world, document)
  if (status !== "IDLE" && status !== "ACTIVE") {
    throw wrongState(["path", "id"], `A document that is ${status} cannot be canceled`)
  }
  const nowMs = world.time.nowMs()
  return world.book.update(document, { canceledAtMs: nowMs, updatedAtMs: nowMs })
}
