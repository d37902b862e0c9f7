/**
 * The life of an invoice or an order (specification, "States and transitions"; contract notes, 4
 * and 5).
 *
 *   IDLE -publish-> ACTIVE -an execution runs-> PROCESSING -it completes-> PAID (final)
 *   IDLE, ACTIVE -cancel-> CANCELED (final)
 *   PROCESSING -it fails-> ACTIVE, or CANCELED by setting
 *
 * Only publishing and cancelling are stored. The rest follows from the source's executions, read at
 * the time of asking.
 */
import type { Document, Execution, Party, SourceType } from "../book/records"
import { oneMajorUnit, type Money } from "../money"
import { notFound, wrongState } from "../problem"
import type { World } from "../world"
import { reachedMs, stepAt } from "./timeline"

export type DocumentStatus = "IDLE" | "ACTIVE" | "PROCESSING" | "PAID" | "CANCELED"

export type DocumentState = { status: DocumentStatus; paidAtMs: number | null }

/** The state of a source now. Money that arrives for a canceled source leaves it `CANCELED`. */
export function stateOf(world: World, document: Document): DocumentState {
  const nowMs = world.time.nowMs()
  const executions = world.book.executionsOf(document.id)
  const paidAtMs = earliest(executions, "COMPLETED", nowMs)
  const failedAtMs = earliest(executions, "FAILED", nowMs)
  const canceledAtMs =
    document.canceledAtMs ?? (world.settings.afterFailure === "CANCELED" ? failedAtMs : null)
  if (canceledAtMs !== null && (paidAtMs === null || canceledAtMs < paidAtMs)) {
    return { status: "CANCELED", paidAtMs: null }
  }
  if (paidAtMs !== null) return { status: "PAID", paidAtMs }
  const isRunning = executions.some(({ steps }) =>
    ["PENDING", "PROCESSING"].includes(stepAt(steps, nowMs).status),
  )
  if (isRunning) return { status: "PROCESSING", paidAtMs: null }
  return { status: document.publishedAtMs === null ? "IDLE" : "ACTIVE", paidAtMs: null }
}

function earliest(executions: readonly Execution[], status: "COMPLETED" | "FAILED", nowMs: number) {
  const moments = executions
    .map(({ steps }) => reachedMs(steps, status, nowMs))
    .filter((ms) => ms !== null)
  return moments.length > 0 ? Math.min(...moments) : null
}

/** What is really asked for: the sum of the lines. */
export const totalOf = (document: Document): Money => ({
  currency: document.currency,
  minor: document.lines.reduce((sum, { qty, unitMinor }) => sum + qty * unitMinor, 0),
})

/**
 * What reads of the document say it costs. One scenario reads 1.00 more once it is paid: late, so
 * that the money has moved and only a comparison of amounts can notice.
 */
export function reportedTotalOf(world: World, document: Document): Money {
  const total = totalOf(document)
  const nowMs = world.time.nowMs()
  const isOverstated = world.book
    .executionsOf(document.id)
    .some((it) => it.overstatesTotal && reachedMs(it.steps, "COMPLETED", nowMs) !== null)
  return isOverstated ? { ...total, minor: total.minor + oneMajorUnit(total.currency) } : total
}

/** A merchant's own document. Throws 404 for an unknown id, another type and another merchant's. */
export function ownDocument(world: World, ownerId: number, type: SourceType, id: number): Document {
  const document = world.book.documents.get(id)
  if (!document || document.ownerId !== ownerId || document.type !== type) {
    throw notFound(type === "INVOICE" ? "Invoice" : "Order")
  }
  return document
}

/** Who is asked to pay. */
export function partyOf(world: World, document: Document): Party {
  const counterparty = world.book.counterparties.get(document.counterpartyId)
  const party = counterparty && world.book.parties.get(counterparty.partyId)
  if (!party) throw notFound("Party")
  return party
}

export function publish(world: World, document: Document): Document {
  const { status } = stateOf(world, document)
  if (status !== "IDLE" || document.lines.length === 0) {
    throw wrongState(["path", "id"], `A document that is ${status} cannot be published`)
  }
  return world.book.update(document, { publishedAtMs: world.time.nowMs() })
}

export function cancel(world: World, document: Document): Document {
  const { status } = stateOf(world, document)
  if (status !== "IDLE" && status !== "ACTIVE") {
    throw wrongState(["path", "id"], `A document that is ${status} cannot be canceled`)
  }
  return world.book.update(document, { canceledAtMs: world.time.nowMs() })
}
