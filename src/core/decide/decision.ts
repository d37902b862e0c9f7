/**
 * What a decision is made of and what it says, and the few rules that all decisions share: when
 * money counts, what a contradiction is, what a check without an answer means.
 */
import { LIMITS } from "../limits"
import type { EventCode } from "../messages"
import { sameMoney, type Money } from "../money"
import { END_REASONS, type EndReason, isUnderWay } from "../operation"
import type { Event, Operation, ReviewReason } from "../operation"

/** How a question to the gateway ended without showing what was asked about. */
export type Unanswered =
  | { readonly kind: "absent" } // 404: it knows no such thing, now
  | { readonly kind: "refused" } // 401, 403, 422: a matter for the merchant or for us
  // 429, 503 with Retry-After
  | { readonly kind: "later"; readonly afterMs: number | undefined }
  | { readonly kind: "unknown" } // unreachable, cut, nonsense

export type ExecutionFinding =
  | {
      readonly kind: "seen"
      /** The execution's state: the contract's word, or the gateway's where no other is known. */
      readonly status: string
      /** The gateway's own word, where `status` has another. */
      readonly said?: string
      readonly failure?: EndReason
      /** Of a refund: it can't move the amount that was asked for (`refund-moved.ts`). */
      readonly isOtherAmount?: boolean
    }
  | Unanswered

export type SourceFinding =
  { readonly kind: "seen"; readonly status: string; readonly total: Money } | Unanswered

export type Findings = {
  readonly execution?: ExecutionFinding
  readonly source?: SourceFinding
  /** Further states of a completed payment: its receipt's, or its source's in a list. */
  readonly beside?: readonly string[]
  /** The cart is now owed another amount than the operation asks for. */
  readonly isAmountStale?: boolean
  /** An admin asks now: the answers of this moment are enough, and no lag is waited out. */
  readonly isForPerson?: boolean
  /** A shopper waits, and the execution's answer may only have had too little time. */
  readonly isHurried?: boolean
  /** Of a push: which operation paid the source, with which several tries may have been made. */
  readonly sourceOwner?: SourceOwner
}

/**
 * `this`: no other operation explains money on the source · `another`: another operation of ours
 * has that money, or pays the source now · `unsure`: not known yet. Left out: not asked.
 */
export type SourceOwner = "this" | "another" | "unsure"

export type Next =
  | { readonly kind: "schedule" }
  | { readonly kind: "in"; readonly ms: number }
  /** The next check after an end; sooner where `atMostMs` says so. */
  | { readonly kind: "watch"; readonly atMostMs?: number }
  | { readonly kind: "now" }

export type Decision = {
  readonly event?: Event
  readonly reason?: EndReason | ReviewReason
  readonly action?: "ask_source" | "close_source" | "resend"
  /** Moments to remember or to forget, as columns of the ledger. */
  readonly marks?: {
    /** `anew`: its moment is now, whatever was remembered before. */
    readonly absent?: boolean | "anew"
    readonly failed?: boolean
    readonly contradicted?: boolean
    /** Null: the source that was to be closed is being paid, and is not closed any more. */
    readonly closing?: EndReason | null
  }
  readonly next: Next
  /** Kept with the event; what the gateway was seen to say is in its facts. */
  readonly code: EventCode
}

/** The next check comes by the schedule of the state. Beside `doubt` and `complete`: never. */
export const SCHEDULE: Next = { kind: "schedule" }
const NOW: Next = { kind: "now" }
export const WATCH: Next = { kind: "watch" }
export const ASK_SOURCE: Decision = { action: "ask_source", next: NOW, code: "source_next" }

export function decidePaid(operation: Operation, total: Money): Decision {
  const reason = mismatch(operation, total)
  if (reason) return { event: "doubt", reason, next: SCHEDULE, code: "paid_other_amount" }
  return { event: "complete", next: NOW, code: "paid" }
}

export function mismatch(operation: Operation, total: Money): ReviewReason | undefined {
  if (total.currency !== operation.amount.currency) return "currency_mismatch"
  return sameMoney(total, operation.amount) ? undefined : "amount_mismatch"
}

/**
 * What the gateway took, where a paid source reads another total than was asked for: more must not
 * be refunded. Fees stand between payer and payee, and one of the two has the billed amount
 * (contract, 8): an amount on neither side was not billed. A missing side, or one in another
 * currency, says nothing.
 *
 * @param sides the payer's and the payee's amount, as the execution or the receipt says
 */
export function takenOf(asked: Money, total: Money, sides: readonly (Money | undefined)[]): Money {
  if (sameMoney(asked, total) || asked.currency !== total.currency) return total
  const own = sides.flatMap((side) => (side?.currency === total.currency ? side : []))
  const billed = [asked, total].filter((amount) => own.some((side) => sameMoney(side, amount)))
  if (billed.length > 0) return billed.reduce(lesser)
  const most = own.reduce((one, other) => (one.minor > other.minor ? one : other), own[0] ?? total)
  return lesser(total, most)
}

const lesser = (one: Money, other: Money): Money => (one.minor <= other.minor ? one : other)

/** Whether the source is paid in another way than by the operation's execution, which FAILED. */
export function isPaidOtherwise({ execution, source, sourceOwner }: Findings): boolean {
  const hasFailed = execution?.kind === "seen" && execution.status === "FAILED"
  return hasFailed && source?.kind === "seen" && source.status === "PAID" && sourceOwner === "this"
}

export function decideContradiction(operation: Operation): Decision {
  const code = "reports_differ"
  if (age(operation, operation.contradictedAt) >= LIMITS.neverLandedAfterMs) {
    return { event: "doubt", reason: "source_disagrees", next: SCHEDULE, code }
  }
  return { marks: { contradicted: true }, next: SCHEDULE, code }
}

export function unanswered(finding: Unanswered): Decision {
  switch (finding.kind) {
    case "later":
      return {
        next: finding.afterMs === undefined ? SCHEDULE : { kind: "in", ms: finding.afterMs },
        code: "answer_later",
      }
    case "refused":
      return { next: SCHEDULE, code: "answer_refused" }
    case "absent":
      return { next: SCHEDULE, code: "not_known" }
    case "unknown":
      return { next: SCHEDULE, code: "no_answer" }
  }
}

/** The gateway works on the operation, so a submitted one is in flight. */
export function seen(operation: Operation, decision: Decision): Decision {
  return operation.state === "submitted" ? { ...decision, event: "see" } : decision
}

/** FAILED counts when it is seen twice, some seconds apart; undefined: this is the second time. */
export function firstFailed(operation: Operation, reason: EndReason): Decision | undefined {
  if (operation.failedAt === null) {
    return {
      reason,
      marks: { failed: true, absent: false },
      next: { kind: "in", ms: LIMITS.failedSecondCheckMs },
      code: "failed_once",
    }
  }
  const leftMs = LIMITS.failedSecondCheckMs - age(operation, operation.failedAt)
  if (leftMs > 0) {
    // A shopper on screen or a return visit brought the check forward: not yet the second time.
    return { reason, next: { kind: "in", ms: leftMs }, code: "failed_once" }
  }
  return undefined
}

/**
 * Milliseconds until the second FAILED of a payment under way may count; undefined: FAILED was not
 * said, or is decided.
 */
export function failedLeftMs(operation: Operation): number | undefined {
  const { failedAt } = operation
  if (failedAt === null || !isUnderWay(operation)) return undefined
  return Math.max(0, LIMITS.failedSecondCheckMs - age(operation, failedAt))
}

/**
 * No operation is checked for ever: after `afterMs` without an end an admin decides, and money that
 * went out stays counted as gone. The decision's action is done first; closing is tried once.
 */
export function orGiveUp(operation: Operation, decision: Decision, afterMs: number): Decision {
  const { action, event } = decision
  const isTry = action === "close_source" ? operation.closing === null : action !== undefined
  const isOver = age(operation, operation.submittedAt) >= afterMs
  if (event !== undefined || isTry || !isOver) return decision
  return { event: "doubt", reason: "no_answer", next: SCHEDULE, code: "no_final_answer" }
}

/**
 * The gateway refused the only sending. That says what the end will be, but does not prove it:
 * where a proxy delivers a call twice, the first one lands and the repeat is refused.
 */
export function wasRefused({ lastSending, sendings }: Operation): boolean {
  return lastSending === "refused" && sendings === 1
}

/**
 * Milliseconds until one more 404 for the reference proves that nothing landed; 0: this one does.
 * The first 404 may be a status that lags, after a refusal as after a lost answer. A call that
 * never left this machine can't land.
 *
 * @param isWitnessed the source is asked as well
 */
export function absenceLeftMs(operation: Operation, isWitnessed: boolean): number {
  if (operation.lastSending === "not_sent") return 0
  const pauseMs = isWitnessed ? LIMITS.absentWitnessedAfterMs : LIMITS.absentConfirmAfterMs
  return Math.max(0, pauseMs - age(operation, operation.absentAt))
}

/** Why an operation ended without a trace: the reason of the gateway's refusal, if it refused. */
export function reasonOfAbsence({ reason }: Operation): EndReason {
  return END_REASONS.find((known) => known === reason) ?? "never_landed"
}

/** Milliseconds since a moment, both by the database's clock; 0 where the moment never was. */
export function age(operation: Operation, since: Date | null): number {
  return since === null ? 0 : operation.readAt.getTime() - since.getTime()
}
