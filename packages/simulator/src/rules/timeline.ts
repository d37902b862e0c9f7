/**
 * The course of one execution as data: moments, and the status from each of them on. No timer runs;
 * a reading looks up its time. Only a person on the handset adds a step later.
 *
 * PENDING -> PROCESSING -> COMPLETED | FAILED      and, for one scenario, FAILED -> COMPLETED
 */

export type ExecutionStatus = "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED"

export type Step = { atMs: number; status: ExecutionStatus; message: string | null }

export const OUTCOMES = [
  "approve",
  "decline",
  "insufficient_funds",
  "never",
  "pending",
  "pending_then_approve",
  "handset",
  "decline_then_approve",
] as const

/**
 * - `approve`, `decline`, `insufficient_funds`: the payer answers after the delay.
 * - `never`: stays `PROCESSING`; the handset is ignored too.
 * - `pending`: stays `PENDING`.
 * - `pending_then_approve`: `PROCESSING` after half of the delay, `COMPLETED` after all of it.
 * - `handset`: `PROCESSING` until a person answers on the handset page.
 * - `decline_then_approve`: `FAILED` after the delay, `COMPLETED` a minute after that.
 */
export type Outcome = (typeof OUTCOMES)[number]

export const DECLINED = "Payment declined by the payer"
export const NOT_ENOUGH = "Insufficient funds in the payer's account"
const APPROVED = "Payment approved by the payer"
/** How long after it failed such a payment completes. */
const LATE_APPROVAL_MS = 60_000

/** The words of an execution at its end. */
export type Texts = { approved: string; declined: string; notEnough: string }

/** These words for every end. */
export const saying = (text: string): Texts => ({
  approved: text,
  declined: text,
  notEnough: text,
})

export const COLLECTION_TEXTS: Texts = {
  approved: APPROVED,
  declined: DECLINED,
  notEnough: NOT_ENOUGH,
}

/** The same for payouts, transfers and refunds. `notEnough` is the wallet's text. */
export const MONEY_OUT_TEXTS: Texts = {
  approved: "Money received",
  declined: "Refused at the recipient's side",
  notEnough: "Insufficient funds in the wallet",
}

/** The steps of an outcome that starts at `startMs`; `delayMs` applies the simulator's speed. */
export function stepsOf(
  outcome: Outcome,
  startMs: number,
  afterMs: number,
  delayMs: (plannedMs: number) => number,
  texts: Texts = COLLECTION_TEXTS,
): Step[] {
  const endMs = startMs + delayMs(afterMs)
  const processing: Step = { atMs: startMs, status: "PROCESSING", message: null }
  switch (outcome) {
    case "approve":
      return [processing, completedStep(endMs, texts.approved)]
    case "decline":
      return [processing, failedStep(endMs, texts.declined)]
    case "insufficient_funds":
      return [processing, failedStep(endMs, texts.notEnough)]
    case "never":
    case "handset":
      return [processing]
    case "pending":
      return [{ ...processing, status: "PENDING" }]
    case "pending_then_approve":
      return [
        { ...processing, status: "PENDING" },
        { ...processing, atMs: startMs + delayMs(afterMs / 2) },
        completedStep(endMs, texts.approved),
      ]
    case "decline_then_approve":
      return [
        processing,
        failedStep(endMs, texts.declined),
        completedStep(startMs + delayMs(afterMs + LATE_APPROVAL_MS), texts.approved),
      ]
  }
}

export const completedStep = (atMs: number, message = APPROVED): Step => ({
  atMs,
  status: "COMPLETED",
  message,
})

export const failedStep = (atMs: number, message: string): Step => ({
  atMs,
  status: "FAILED",
  message,
})

/** The last step reached at `nowMs`; at equal moments the later one in the list. */
export function stepAt(steps: readonly Step[], nowMs: number): Step {
  const reached = steps.filter((step) => step.atMs <= nowMs).at(-1) ?? steps[0]
  if (!reached) throw new Error("An execution has at least one step.")
  return reached
}

/** When the first step of this status was reached; null if it has not been. */
export const reachedMs = (
  steps: readonly Step[],
  status: ExecutionStatus,
  nowMs: number,
): number | null => steps.find((step) => step.status === status && step.atMs <= nowMs)?.atMs ?? null
