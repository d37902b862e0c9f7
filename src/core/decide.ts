/**
 * What an answer of the gateway means for a collection. The core decides, the flows act: `decide` takes
 * values and gives back a value, so each business case is one row of a table test.
 *
 * It never turns "we do not know" into "failed". FAILED counts when it was seen twice; COMPLETED counts
 * when the source agrees in status, amount and currency; 404 counts for nothing by itself.
 *
 * A decision may ask for more (`ask_source`, `close_source`, `resend`); the flow does that and decides
 * again with what it learned. `why` is kept with the event and shown in the admin.
 */
import { LIMITS } from "./limits"
import { sameMoney, type Money } from "./money"
import type { EndReason, Event, Operation, ReviewReason } from "./operation"

/** What one question to the gateway gave. */
export type Unanswered =
  | { readonly kind: "absent" } // 404: it knows no such thing, now
  | { readonly kind: "refused" } // 401, 403, 422: a matter for the merchant or for us
  | { readonly kind: "later"; readonly afterMs: number | undefined } // 429, 503 with Retry-After
  | { readonly kind: "unknown" } // unreachable, cut, nonsense

export type ExecutionLook =
  { readonly kind: "seen"; readonly status: string; readonly failure?: EndReason } | Unanswered

export type SourceLook =
  { readonly kind: "seen"; readonly status: string; readonly total: Money } | Unanswered

export type Looks = {
  readonly execution?: ExecutionLook
  readonly source?: SourceLook
  /** The cart is now owed another amount than the operation asks for. */
  readonly isAmountStale?: boolean
}

export type Next =
  | { readonly kind: "schedule" }
  | { readonly kind: "in"; readonly ms: number }
  | { readonly kind: "watch" }
  | { readonly kind: "now" }

export type Decision = {
  readonly event?: Event
  readonly reason?: EndReason | ReviewReason
  readonly action?: "ask_source" | "close_source" | "resend"
  /** Moments to remember or to forget, as columns of the ledger. */
  readonly marks?: {
    readonly absent?: boolean
    readonly failed?: boolean
    readonly contradicted?: boolean
    readonly closing?: EndReason
  }
  readonly next: Next
  readonly why: string
}

const SCHEDULE: Next = { kind: "schedule" }
const NOW: Next = { kind: "now" }
const WATCH: Next = { kind: "watch" }

export function decide(operation: Operation, looks: Looks): Decision {
  switch (operation.state) {
    case "submitted":
    case "in_flight":
      return orGiveUp(
        operation,
        operation.flow === "push" || operation.flow === "card"
          ? decidePush(operation, looks)
          : decideHosted(operation, looks),
      )
    case "failed":
    case "expired":
      return decideWatched(operation, looks)
    case "drafted":
    case "completed":
    case "review":
      return { next: SCHEDULE, why: `nothing to ask for while ${operation.state}` }
  }
}

function decidePush(operation: Operation, looks: Looks): Decision {
  const execution = looks.execution
  if (!execution) return { next: SCHEDULE, why: "the execution was not asked for" }
  switch (execution.kind) {
    case "seen":
      return decideExecution(operation, execution, looks.source)
    case "absent":
      return operation.closing && looks.source
        ? afterClosing(operation, operation.closing, looks)
        : decideAbsentExecution(operation)
    default:
      return unanswered(execution, "status of the execution")
  }
}

function decideExecution(
  operation: Operation,
  execution: { readonly status: string; readonly failure?: EndReason },
  source: SourceLook | undefined,
): Decision {
  if (execution.status === "COMPLETED") return decideCompleted(operation, source)
  if (execution.status === "FAILED") return decideFailed(operation, execution.failure, source)
  const seen: Decision = {
    marks: { absent: false, failed: false },
    next: SCHEDULE,
    why: `the gateway reports the execution as ${execution.status}`,
  }
  return operation.state === "submitted" ? { ...seen, event: "see" } : seen
}

/** Both models must agree before money counts: the execution's COMPLETED and the source's PAID. */
function decideCompleted(operation: Operation, source: SourceLook | undefined): Decision {
  if (!source) {
    return { action: "ask_source", next: NOW, why: "the execution is completed; asking its source" }
  }
  if (source.kind !== "seen") return unanswered(source, "status of the source")
  if (source.status === "PAID") return decidePaid(operation, source.total)
  return decideContradiction(
    operation,
    `the execution is COMPLETED but the source reads ${source.status}`,
  )
}

function decideFailed(
  operation: Operation,
  failure: EndReason | undefined,
  source: SourceLook | undefined,
): Decision {
  const reason = failure ?? "unknown"
  if (operation.failedAt === null) {
    return {
      reason,
      marks: { failed: true, absent: false },
      next: { kind: "in", ms: LIMITS.failedSecondLookMs },
      why: "the gateway reports FAILED; looking a second time before believing it",
    }
  }
  const leftMs = LIMITS.failedSecondLookMs - age(operation, operation.failedAt)
  if (leftMs > 0) {
    // A shopper on screen or a return visit has brought the look forward: not yet the second.
    return { reason, next: { kind: "in", ms: leftMs }, why: "FAILED again, too soon to believe it" }
  }
  if (!source) {
    return { action: "ask_source", next: NOW, why: "FAILED a second time; asking its source" }
  }
  if (source.kind !== "seen") return unanswered(source, "status of the source")
  if (source.status === "PAID") {
    return decideContradiction(operation, "the execution is FAILED but the source reads PAID")
  }
  if (source.status === "PROCESSING") {
    return { reason, next: SCHEDULE, why: "the execution is FAILED but the source is PROCESSING" }
  }
  return { event: "fail", reason, next: WATCH, why: "the gateway reported FAILED twice" }
}

/** 404 for our reference. Ask, then send the same one again; never make a second. */
function decideAbsentExecution(operation: Operation): Decision {
  const sentAgo = age(operation, operation.lastSentAt)
  if (operation.lastSending === "refused" && operation.sendings === 1) {
    return {
      event: "expire",
      reason: endReason(operation.reason) ?? "never_landed",
      next: WATCH,
      why: "the gateway refused the first sending and knows no such execution",
    }
  }
  if (sentAgo >= LIMITS.neverLandedAfterMs) {
    return {
      action: "close_source",
      marks: { closing: "never_landed" },
      next: { kind: "in", ms: LIMITS.resendEveryMs },
      why: "no trace of the execution since the last sending; closing the source decides",
    }
  }
  const isOpen = operation.expiresAt.getTime() > operation.readAt.getTime()
  const isSure =
    operation.lastSending === "not_sent" ||
    (operation.absentAt !== null &&
      age(operation, operation.absentAt) >= LIMITS.absentConfirmAfterMs)
  if (isOpen && isSure && sentAgo >= resendGapMs(operation)) {
    return { action: "resend", next: SCHEDULE, why: "not known there; the same reference again" }
  }
  return {
    marks: { absent: true },
    next: { kind: "in", ms: Math.max(LIMITS.waitingCheckFloorMs, gapLeftMs(operation)) },
    why: "the gateway does not know the reference yet",
  }
}

/** What never left us may go at once; what may have arrived waits its minute. */
function resendGapMs(operation: Operation): number {
  return operation.lastSending === "not_sent" ? LIMITS.waitingCheckFloorMs : LIMITS.resendEveryMs
}

function gapLeftMs(operation: Operation): number {
  const confirmLeft =
    operation.lastSending === "not_sent"
      ? 0
      : LIMITS.absentConfirmAfterMs - (operation.absentAt ? age(operation, operation.absentAt) : 0)
  const resendLeft = resendGapMs(operation) - age(operation, operation.lastSentAt)
  return Math.min(LIMITS.absentConfirmAfterMs, Math.max(confirmLeft, resendLeft))
}

function decideHosted(operation: Operation, looks: Looks): Decision {
  const source = looks.source
  if (!source) return { action: "ask_source", next: NOW, why: "asking the source" }
  if (source.kind === "absent") {
    if (age(operation, operation.absentAt) >= LIMITS.neverLandedAfterMs) {
      return {
        event: "doubt",
        reason: "credentials",
        next: SCHEDULE,
        why: "the gateway has not known the source for 15 minutes",
      }
    }
    return { marks: { absent: true }, next: SCHEDULE, why: "the gateway does not know the source" }
  }
  if (source.kind !== "seen") return unanswered(source, "status of the source")
  if (source.status === "PAID") return decidePaid(operation, source.total)
  if (source.status === "CANCELED") {
    return {
      event: "expire",
      reason: operation.closing ?? "canceled",
      next: WATCH,
      why: "the source is canceled: nobody can pay it any more",
    }
  }
  if (source.status === "PROCESSING") {
    const seen: Decision = {
      marks: { absent: false },
      next: SCHEDULE,
      why: "the shopper's payment of the source is being processed",
    }
    return operation.state === "submitted" ? { ...seen, event: "see" } : seen
  }
  if (operation.closing) {
    return { action: "close_source", next: SCHEDULE, why: "the source is to be closed" }
  }
  if (looks.isAmountStale) {
    return {
      action: "close_source",
      marks: { closing: "canceled" },
      next: SCHEDULE,
      why: "the cart is owed another amount now; closing the old source",
    }
  }
  if (operation.expiresAt.getTime() <= operation.readAt.getTime()) {
    return {
      action: "close_source",
      marks: { closing: "window_closed" },
      next: SCHEDULE,
      why: "the time to pay is over; closing the source",
    }
  }
  return { marks: { absent: false }, next: SCHEDULE, why: `the source reads ${source.status}` }
}

/** After an end we keep asking for a while: money can still come, and is then held for a person. */
function decideWatched(operation: Operation, looks: Looks): Decision {
  const isPush = operation.flow === "push" || operation.flow === "card"
  if (isPush && looks.execution?.kind === "seen" && looks.execution.status === "COMPLETED") {
    if (!looks.source) return { action: "ask_source", next: NOW, why: "late; asking its source" }
    return decideLateExecution(operation, looks.source)
  }
  if (!isPush && looks.source) return decideLate(operation, looks.source)
  return { next: WATCH, why: "nothing came after the end" }
}

/**
 * The money has moved, whatever its source reads: one that was closed for another payment stays
 * `CANCELED`. It is never forgotten, and only a person can say where it belongs.
 */
function decideLateExecution(operation: Operation, source: SourceLook): Decision {
  if (source.kind === "seen" && source.status === "PAID") return decideLate(operation, source)
  const reads = source.kind === "seen" ? source.status : source.kind
  const isFinal = source.kind === "seen" && source.status === "CANCELED"
  if (isFinal || age(operation, operation.contradictedAt) >= LIMITS.neverLandedAfterMs) {
    return {
      event: "doubt",
      reason: "source_disagrees",
      next: SCHEDULE,
      why: `the execution is COMPLETED after the end, but its source reads ${reads}`,
    }
  }
  return {
    marks: { contradicted: true },
    next: { kind: "in", ms: LIMITS.neverLandedAfterMs },
    why: `the execution is COMPLETED after the end; its source reads ${reads} so far`,
  }
}

function decideLate(operation: Operation, source: SourceLook): Decision {
  if (source.kind !== "seen" || source.status !== "PAID") {
    return { next: WATCH, why: "nothing came after the end" }
  }
  const doubt = mismatch(operation, source.total)
  return {
    event: "complete",
    reason: doubt ?? "late_payment",
    next: SCHEDULE,
    why: "money came after the operation had ended",
  }
}

function decidePaid(operation: Operation, total: Money): Decision {
  const reason = mismatch(operation, total)
  if (reason) {
    return {
      event: "doubt",
      reason,
      next: SCHEDULE,
      why: "the source is paid, but not for the amount and currency that were asked for",
    }
  }
  return { event: "complete", next: NOW, why: "the gateway says paid, amount and currency equal" }
}

function mismatch(operation: Operation, total: Money): ReviewReason | undefined {
  if (total.currency !== operation.amount.currency) return "currency_mismatch"
  return sameMoney(total, operation.amount) ? undefined : "amount_mismatch"
}

function decideContradiction(operation: Operation, why: string): Decision {
  if (age(operation, operation.contradictedAt) >= LIMITS.neverLandedAfterMs) {
    return { event: "doubt", reason: "source_disagrees", next: SCHEDULE, why }
  }
  return { marks: { contradicted: true }, next: SCHEDULE, why }
}

function afterClosing(operation: Operation, closing: EndReason, looks: Looks): Decision {
  const source = looks.source
  if (source?.kind === "seen" && source.status === "CANCELED") {
    return { event: "expire", reason: closing, next: WATCH, why: "the source is canceled" }
  }
  if (source?.kind === "seen" && (source.status === "PROCESSING" || source.status === "PAID")) {
    return { marks: { absent: false }, next: SCHEDULE, why: "the source moved: it landed" }
  }
  if (source?.kind === "absent" || source?.kind === "refused") {
    return {
      event: "doubt",
      reason: "credentials",
      next: SCHEDULE,
      why: "neither the execution nor its source can be read",
    }
  }
  return { next: { kind: "in", ms: LIMITS.resendEveryMs }, why: "the source is not closed yet" }
}

function unanswered(look: Unanswered, what: string): Decision {
  switch (look.kind) {
    case "later":
      return look.afterMs === undefined
        ? { next: SCHEDULE, why: `${what}: asked to come back later` }
        : { next: { kind: "in", ms: look.afterMs }, why: `${what}: asked to come back later` }
    case "refused":
      return { next: SCHEDULE, why: `${what}: refused, the merchant must look` }
    case "absent":
      return { next: SCHEDULE, why: `${what}: not known there` }
    case "unknown":
      return { next: SCHEDULE, why: `${what}: no trustworthy answer` }
  }
}

/**
 * Nothing is asked for ever: whatever the last answer was, or was not, once the schedule is over a
 * person looks. What the decision still asks for is done first, and closing is tried once.
 */
function orGiveUp(operation: Operation, decision: Decision): Decision {
  const isTry =
    decision.action === "close_source" ? operation.closing === null : decision.action !== undefined
  const isOver = age(operation, operation.submittedAt) >= LIMITS.collectionAskMs
  if (decision.event !== undefined || isTry || !isOver) return decision
  return {
    event: "doubt",
    reason: "no_answer",
    next: SCHEDULE,
    why: `no final answer after ${operation.checks} looks; the last: ${decision.why}`,
  }
}

/** Milliseconds since a moment, both by the database's clock; 0 where the moment never was. */
function age(operation: Operation, since: Date | null): number {
  return since === null ? 0 : operation.readAt.getTime() - since.getTime()
}

function endReason(reason: string | null): EndReason | undefined {
  switch (reason) {
    case "declined":
    case "insufficient_funds":
    case "wrong_pin":
    case "limit":
    case "operator_unavailable":
    case "canceled":
    case "never_landed":
    case "window_closed":
    case "returned":
    case "unknown":
      return reason
    default:
      return undefined
  }
}
