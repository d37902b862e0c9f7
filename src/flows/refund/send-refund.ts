/**
 * The one place that gives money back: the execution of a refund under its committed reference. Write,
 * then call, then write, as `send-money-call.ts` does for collections.
 */
import { failureReason } from "../../core/failure-reason"
import { LIMITS } from "../../core/limits"
import type { EndReason, Operation, Sending } from "../../core/operation"
import {
  Forbidden,
  RateLimited,
  Unauthenticated,
  type Execution,
  type Gateway,
  type GatewayError,
  type Outcome,
} from "../../gateway"
import type { Changes } from "../../ledger/advance-operation"
import { advanceRefund } from "../../ledger/advance-refund"
import { askedWaitMs, askRefund, executionAsked } from "../ask-gateway"
import { executionChanges, otherFacts } from "../execution-changes"
import { pauseAccount } from "../pause-checks"
import { amountFacts, withAmounts } from "./moved-amounts"
import type { RefundDeps } from "./refund-deps"

/** Sends it again, under the same reference. The caller holds it by lease; the lease is given back. */
export async function resendRefund(
  deps: RefundDeps,
  gateway: Gateway,
  refund: Operation,
): Promise<Operation | undefined> {
  deps.failpoints.at("refund_resend.before_commit")
  const sending = await advanceRefund(deps.database, refund, {
    event: { note: "sending" },
    why: "the same reference is sent again",
    changes: {
      // What never left us does not count: the next is the first that the gateway can see.
      sendings: refund.sendings + (refund.lastSending === "not_sent" ? 0 : 1),
      lastSentAt: true,
      lastSending: "sending",
      absentAt: false,
    },
    lease: { forMs: LIMITS.leaseMs },
  })
  deps.failpoints.at("refund_resend.committed")
  return sending && executeRefund(deps, gateway, sending.refund, "job")
}

/**
 * Carries out a refund whose sending is committed, and writes what came of it. Undefined: another writer
 * has moved it meanwhile; what happened is found by asking.
 */
export async function executeRefund(
  deps: RefundDeps,
  gateway: Gateway,
  refund: Operation,
  patience: "shopper" | "job",
): Promise<Operation | undefined> {
  const { reference, gatewaySessionId } = refund
  if (!reference || gatewaySessionId === null) {
    throw new Error(`${refund.id} is sent without its session or its reference`)
  }
  await deps.budget.take(refund.accountId)
  deps.failpoints.at("refund_execute.before_call")
  const outcome = await gateway.executions.refund(
    { sessionId: gatewaySessionId, referenceId: reference },
    { patience },
  )
  deps.failpoints.at("refund_execute.answered")
  const written = await writeOutcome(deps, gateway, refund, reference, outcome)
  deps.failpoints.at("refund_execute.committed")
  return written
}

async function writeOutcome(
  deps: RefundDeps,
  gateway: Gateway,
  refund: Operation,
  reference: string,
  outcome: Outcome<Execution>,
): Promise<Operation | undefined> {
  if (outcome.kind === "done") return writeAccepted(deps, refund, outcome.value)
  const { error } = outcome
  const isTooMany = error instanceof RateLimited
  const changes: Changes = { lastSending: sendingAfter(refund, outcome) }
  if (changes.lastSending === "refused") {
    changes.reason = refusedReason(error)
    deps.failpoints.at("refund_refused.before_call")
    const asked = await askRefund(gateway, reference)
    deps.failpoints.at("refund_refused.answered")
    if (asked.look.kind === "absent") {
      deps.logger.warn(
        `merchant payments: ${error.code} for ${refund.id}: the gateway refused the refund` +
          (error.detail === undefined ? "" : ` (${error.detail})`),
      )
      const ended = await advanceRefund(deps.database, refund, {
        event: "expire",
        why: "the gateway refused the first sending and knows no such refund",
        facts: { code: error.code, detail: error.detail ?? null },
        changes: { ...changes, checks: 0 },
        next: { inMs: LIMITS.expiredWatchMs[0] },
        lease: "release",
      })
      return ended?.refund
    }
  }
  const written = await advanceRefund(deps.database, refund, {
    event: { note: "no_answer" },
    why: `the refund call ended as ${outcome.kind}: ask, never guess`,
    facts: { code: error.code, reason: error.reason },
    changes,
    next: { inMs: askedWaitMs(error) ?? LIMITS.refundChecksMs[0] },
    lease: "release",
  })
  if (isTooMany || error.retryAfterMs !== undefined) {
    await pauseAccount(deps, refund.accountId, { forMs: error.retryAfterMs, isTooMany })
  }
  return written?.refund
}

/**
 * Accepted is not done: COMPLETED, too, is believed of the status alone. One that moves another amount than
 * was asked for is not on its way, whatever its status.
 */
async function writeAccepted(
  deps: RefundDeps,
  refund: Operation,
  execution: Execution,
): Promise<Operation | undefined> {
  const asked = executionAsked({ kind: "done", value: execution })
  const look = await withAmounts(deps.database, refund, asked.look, execution)
  const isOtherAmount = look.kind === "seen" && look.isOtherAmount === true
  const failure = look.kind === "seen" && look.status === "FAILED" ? look.failure : undefined
  const isCompleted = execution.status === "COMPLETED"
  const sees = refund.state === "submitted" && !failure && !isCompleted && !isOtherAmount
  const written = await advanceRefund(deps.database, refund, {
    event: sees ? "see" : { note: failure ? "failed_once" : "answered" },
    why: `the gateway answered the refund with ${execution.status}`,
    facts: {
      execution: execution.status,
      ...amountFacts(look, execution),
      ...otherFacts(refund, execution),
    },
    changes: {
      ...refundChanges(refund, execution),
      lastSending: "accepted",
      absentAt: false,
      ...(failure ? { failedAt: true, reason: failure } : {}),
    },
    next: { inMs: failure ? LIMITS.failedSecondLookMs : LIMITS.refundChecksMs[0] },
    lease: "release",
  })
  return written?.refund
}

/** As of a collection, but for the payment intent: a refund keeps the one that it gives back. */
export function refundChanges(refund: Operation, execution: Execution): Changes {
  const changes = executionChanges(refund, execution)
  delete changes.paymentIntentId
  return changes
}

/** After a sending in doubt a refusal proves nothing: the first may have used the session up. */
function sendingAfter(
  refund: Operation,
  outcome: Exclude<Outcome<never>, { kind: "done" }>,
): Sending {
  if (outcome.kind === "unknown" || refund.sendings !== 1) return "in_doubt"
  const isRefused = outcome.kind === "refused" && !(outcome.error instanceof RateLimited)
  return isRefused ? "refused" : "not_sent"
}

function refusedReason(error: GatewayError): EndReason {
  if (error instanceof Unauthenticated || error instanceof Forbidden) return "operator_unavailable"
  const said = [error.detail, ...(error.fields ?? []).map(({ message }) => message)]
  return failureReason(...said) === "insufficient_funds" ? "insufficient_funds" : "declined"
}
