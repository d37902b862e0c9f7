/**
 * From what the gateway's client answers to what `decide` understands. Here, and only here, an
 * outcome becomes a check: 404 is "absent", a refusal is the merchant's matter, everything doubtful
 * is "unknown".
 *
 * Each question may be a job's or a shopper's: `options` carries the patience and what is left of
 * the time. Left out, it is a job's.
 */
import type { ExecutionFinding, SourceFinding, Unanswered } from "../core/decide"
import { failureReason } from "../core/failure-reason"
import { LIMITS } from "../core/limits"
import type { Operation } from "../core/operation"
import {
  Invalid,
  NotFound,
  RateLimited,
  type CallOptions,
  type Execution,
  type Failure,
  type Gateway,
  type Outcome,
  type SourceStatus,
} from "../gateway"

/** A check, and the answer behind it where there was one. */
export type Asked<Finding, Answer> = {
  readonly finding: Finding
  readonly answer?: Answer
  /** What was wrong with an answer that came whole and could not be used (N13, N27). */
  readonly unusable?: string
}

const JOB: CallOptions = { patience: "job" }

/**
 * The contract leaves open how an unknown reference is answered (17.8). The question holds nothing
 * but our reference, so a 422 can only mean that reference: not known there, like 404.
 */
export async function askExecution(
  gateway: Gateway,
  reference: string,
  options: CallOptions = JOB,
): Promise<Asked<ExecutionFinding, Execution>> {
  return underReference(await gateway.status.collection(reference, options))
}

/** As {@link askExecution}, of a refund. */
export async function askRefund(
  gateway: Gateway,
  reference: string,
  options: CallOptions = JOB,
): Promise<Asked<ExecutionFinding, Execution>> {
  return underReference(await gateway.status.refund(reference, options))
}

/** As {@link askExecution}, of a payout. */
export async function askPayout(
  gateway: Gateway,
  reference: string,
  options: CallOptions = JOB,
): Promise<Asked<ExecutionFinding, Execution>> {
  return underReference(await gateway.status.payout(reference, options))
}

/** As {@link askExecution}, of a transfer. */
export async function askTransfer(
  gateway: Gateway,
  reference: string,
  options: CallOptions = JOB,
): Promise<Asked<ExecutionFinding, Execution>> {
  return underReference(await gateway.status.transfer(reference, options))
}

function underReference(outcome: Outcome<Execution>): Asked<ExecutionFinding, Execution> {
  const isUnknown = outcome.kind === "refused" && outcome.error instanceof Invalid
  return isUnknown ? { finding: { kind: "absent" } } : executionAsked(outcome)
}

export function executionAsked(outcome: Outcome<Execution>): Asked<ExecutionFinding, Execution> {
  if (outcome.kind !== "done") return withoutAnswer(outcome)
  const { status, gatewayMessage, walletMessage } = outcome.value
  return {
    answer: outcome.value,
    finding:
      status === "FAILED"
        ? { kind: "seen", status, failure: failureReason(gatewayMessage, walletMessage) }
        : { kind: "seen", status },
  }
}

export async function askSource(
  gateway: Gateway,
  operation: Pick<Operation, "sourceType" | "sourceId">,
  options: CallOptions = JOB,
): Promise<Asked<SourceFinding, SourceStatus>> {
  if (operation.sourceId === null) return { finding: { kind: "unknown" } }
  const outcome = await gateway.status.source(
    { sourceType: operation.sourceType, sourceId: operation.sourceId },
    options,
  )
  if (outcome.kind !== "done") return withoutAnswer(outcome)
  const { status, total } = outcome.value
  return { answer: outcome.value, finding: { kind: "seen", status, total } }
}

/**
 * Cancels the source and reads what it is afterwards. A refused cancel proves nothing by itself;
 * one that met a limit is not followed by another question.
 */
export async function closeSource(
  gateway: Gateway,
  operation: Pick<Operation, "sourceType" | "sourceId">,
  options: () => CallOptions = () => JOB,
): Promise<Asked<SourceFinding, SourceStatus>> {
  if (operation.sourceId === null) return { finding: { kind: "unknown" } }
  const acts = operation.sourceType === "ORDER" ? gateway.orders : gateway.invoices
  const canceled = await acts.cancel(operation.sourceId, options())
  if (canceled.kind !== "done") {
    const finding = unanswered(canceled)
    if (finding.kind === "later") return { finding }
  }
  return askSource(gateway, operation, options())
}

function withoutAnswer(failure: Failure): Asked<Unanswered, never> {
  const { reason, fields = [] } = failure.error
  const finding = unanswered(failure)
  if (reason !== "wrong_shape") return { finding }
  return { finding, unusable: fields.map(({ path, message }) => `${path}: ${message}`).join("; ") }
}

/**
 * When the gateway asked to come back, as far as it is obeyed: the answer to one question says
 * nothing about tomorrow. All plans are made with this.
 */
export function askedWaitMs({ retryAfterMs }: Failure["error"]): number | undefined {
  return retryAfterMs === undefined ? undefined : Math.min(retryAfterMs, LIMITS.retryAfterCapMs)
}

export function unanswered(failure: Failure): Unanswered {
  const { error } = failure
  const afterMs = askedWaitMs(error)
  if (error instanceof RateLimited) return { kind: "later", afterMs, isTooMany: true }
  if (failure.kind === "refused") {
    return error instanceof NotFound ? { kind: "absent" } : { kind: "refused" }
  }
  return afterMs === undefined ? { kind: "unknown" } : { kind: "later", afterMs }
}
