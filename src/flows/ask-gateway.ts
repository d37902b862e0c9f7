/**
 * From what the gateway's client answers to what `decide` understands. Here, and only here, an outcome
 * becomes a look: 404 is "absent", a refusal is the merchant's matter, everything doubtful is "unknown".
 */
import type { ExecutionLook, SourceLook, Unanswered } from "../core/decide"
import { failureReason } from "../core/failure-reason"
import type { Operation } from "../core/operation"
import {
  NotFound,
  RateLimited,
  type CallOptions,
  type Execution,
  type Failure,
  type Gateway,
  type Outcome,
  type SourceStatus,
} from "../gateway"

/** A look, and the answer behind it where there was one. */
export type Asked<Look, Answer> = { readonly look: Look; readonly answer?: Answer }

export async function askExecution(
  gateway: Gateway,
  reference: string,
): Promise<Asked<ExecutionLook, Execution>> {
  return executionAsked(await gateway.status.collection(reference, { patience: "job" }))
}

export function executionAsked(outcome: Outcome<Execution>): Asked<ExecutionLook, Execution> {
  if (outcome.kind !== "done") return { look: unanswered(outcome) }
  const { status, gatewayMessage, walletMessage } = outcome.value
  return {
    answer: outcome.value,
    look:
      status === "FAILED"
        ? { kind: "seen", status, failure: failureReason(gatewayMessage, walletMessage) }
        : { kind: "seen", status },
  }
}

/** @param options a shopper's, where one waits for the answer */
export async function askSource(
  gateway: Gateway,
  operation: Pick<Operation, "sourceType" | "sourceId">,
  options: CallOptions = { patience: "job" },
): Promise<Asked<SourceLook, SourceStatus>> {
  if (operation.sourceId === null) return { look: { kind: "unknown" } }
  const outcome = await gateway.status.source(
    { sourceType: operation.sourceType, sourceId: operation.sourceId },
    options,
  )
  if (outcome.kind !== "done") return { look: unanswered(outcome) }
  const { status, total } = outcome.value
  return { answer: outcome.value, look: { kind: "seen", status, total } }
}

/** Cancels the source and reads what it is afterwards. A refused cancel proves nothing by itself. */
export async function closeSource(
  gateway: Gateway,
  operation: Pick<Operation, "sourceType" | "sourceId">,
): Promise<Asked<SourceLook, SourceStatus>> {
  if (operation.sourceId !== null) {
    const acts = operation.sourceType === "ORDER" ? gateway.orders : gateway.invoices
    await acts.cancel(operation.sourceId, { patience: "job" })
  }
  return askSource(gateway, operation)
}

export function unanswered(failure: Failure): Unanswered {
  const { error } = failure
  if (error instanceof RateLimited) {
    return { kind: "later", afterMs: error.retryAfterMs, isTooMany: true }
  }
  if (failure.kind === "refused") {
    return error instanceof NotFound ? { kind: "absent" } : { kind: "refused" }
  }
  return error.retryAfterMs === undefined
    ? { kind: "unknown" }
    : { kind: "later", afterMs: error.retryAfterMs }
}
