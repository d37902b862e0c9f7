/**
 * Turns the outcome of the gateway's client into a finding, which `decide` understands. A 404 is
 * "absent", another refusal is a matter for the merchant, everything doubtful is "unknown".
 * `options` carry the patience and the time that is left; left out, it is a job's question.
 */
import type { ExecutionFinding, SourceFinding, Unanswered } from "../core/decide/decision"
import { failureReason } from "../core/failure-reason"
import { LIMITS } from "../core/limits"
import type { EndReason, Operation } from "../core/operation"
import { isWithoutMoney, reasonInWord } from "../core/decide/state-words"
import type { Reference } from "../core/ids"
import {
  Invalid,
  NotFound,
  RateLimited,
  type CallOptions,
  type Execution,
  type Failure,
  type Gateway,
  type GatewayError,
  type Outcome,
  type SourceStatus,
} from "../gateway"

/** The finding, and the gateway's answer if there was one. */
export type Asked<Finding, Answer> = {
  readonly finding: Finding
  readonly answer?: Answer
  /** Why a complete answer could not be used (N13, N27). */
  readonly unusable?: string
  /** A 404 in any form, also one that proves nothing by itself. */
  readonly isNotFound?: true
}

const JOB: CallOptions = { patience: "job" }

type Resource = "collection" | "refund" | "payout" | "transfer"

/**
 * Asks for an execution under its reference. How the gateway answers an unknown one is open
 * (contract, 17.8). The question holds nothing else, so 422 means "absent", like 404. A 400, or a
 * 422 without words in the contract's form, may be a proxy's and proves nothing.
 */
const asking =
  (resource: Resource) =>
  async (
    gateway: Gateway,
    reference: Reference | null,
    options: CallOptions = JOB,
  ): Promise<Asked<ExecutionFinding, Execution>> => {
    const outcome = await gateway.status[resource](reference ?? "", options)
    const isUnknown = outcome.kind === "refused" && outcome.error instanceof Invalid
    const isSaid = isUnknown && isInContractForm(outcome.error)
    return isSaid ? { finding: { kind: "absent" } } : executionAsked(outcome)
  }

const isInContractForm = ({ status, detail, fields, isOtherForm }: GatewayError): boolean =>
  status === 422 && !isOtherForm && (detail ?? fields) !== undefined

export const askExecution = asking("collection")
export const askRefund = asking("refund")
export const askPayout = asking("payout")
export const askTransfer = asking("transfer")

export function executionAsked(outcome: Outcome<Execution>): Asked<ExecutionFinding, Execution> {
  if (outcome.kind !== "done") return withoutAnswer(outcome)
  const { status, statusSaid: said } = outcome.value
  const failure = isWithoutMoney(status) ? failureOf(outcome.value) : undefined
  return {
    answer: outcome.value,
    finding: { kind: "seen", status, ...(said && { said }), ...(failure && { failure }) },
  }
}

/** The reason of a failed execution: from its texts, else from the gateway's word for its state. */
function failureOf({ statusSaid, gatewayMessage, walletMessage }: Execution): EndReason {
  const reason = failureReason(gatewayMessage, walletMessage)
  return reason === "unknown" ? (reasonInWord(statusSaid ?? "") ?? reason) : reason
}

/** What an ended payment's prompt reads, now that its source is paid; null: not known. */
export async function executionNow(
  gateway: Gateway,
  { reference }: Pick<Operation, "reference">,
  options: CallOptions = JOB,
): Promise<string | null> {
  if (reference === null) return null
  const { finding } = await askExecution(gateway, reference, options)
  return finding.kind === "seen" ? finding.status : null
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
 * Cancels the source and then reads its state. A refused cancel proves nothing by itself. After a
 * cancel that met a rate limit, no further question is asked.
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
  if (failure.error.status === 404) return { finding, isNotFound: true }
  if (reason !== "wrong_shape") return { finding }
  return { finding, unusable: fields.map(({ path, message }) => `${path}: ${message}`).join("; ") }
}

/**
 * Milliseconds that the gateway asked us to wait, cut to `LIMITS.retryAfterCapMs`: one answer says
 * nothing about tomorrow. Every schedule uses this value.
 */
export function askedWaitMs({ retryAfterMs }: Failure["error"]): number | undefined {
  return retryAfterMs === undefined ? undefined : Math.min(retryAfterMs, LIMITS.retryAfterCapMs)
}

export function unanswered(failure: Failure): Unanswered {
  const { error } = failure
  const afterMs = askedWaitMs(error)
  if (error instanceof RateLimited) return { kind: "later", afterMs }
  if (failure.kind === "refused") {
    return error instanceof NotFound ? { kind: "absent" } : { kind: "refused" }
  }
  return afterMs === undefined ? { kind: "unknown" } : { kind: "later", afterMs }
}
