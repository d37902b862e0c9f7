/**
 * The one place that sends money out: the execution of a payout or a transfer under its committed
 * reference. Write, then call, then write, as `send-money-call.ts` does for collections; but nothing
 * here is ever sent again.
 */
import { LIMITS } from "../../core/limits"
import type { Operation, Sending } from "../../core/operation"
import type { Refusal } from "../../core/refusal"
import {
  RateLimited,
  type Execution,
  type Failure,
  type Gateway,
  type Outcome,
} from "../../gateway"
import type { Changes } from "../../ledger/advance-operation"
import { askedWaitMs, askMoneyOut, executionAsked } from "../ask-gateway"
import { executionChanges } from "../execution-changes"
import { persist } from "../persist"
import type { PayoutDeps } from "./payout-deps"
import { pauseIfAsked, setbackOf } from "./setback"

/** @returns with a refusal: it surely did not go, and has ended */
export async function sendOnce(
  deps: PayoutDeps,
  gateway: Gateway,
  submitted: Operation,
  send: () => Promise<Outcome<Execution>>,
): Promise<{ readonly refusal?: Refusal }> {
  deps.failpoints.at("payout_execute.before_call")
  const outcome = await send()
  deps.failpoints.at("payout_execute.answered")
  const refusal = await writeOutcome(deps, gateway, submitted, outcome)
  deps.failpoints.at("payout_execute.committed")
  return refusal ? { refusal } : {}
}

async function writeOutcome(
  deps: PayoutDeps,
  gateway: Gateway,
  submitted: Operation,
  outcome: Outcome<Execution>,
): Promise<Refusal | undefined> {
  if (outcome.kind === "done") return writeAccepted(deps, submitted, outcome.value)
  const { error } = outcome
  const lastSending = sendingAfter(outcome)
  const { refusal, reason, why } = setbackOf(outcome)
  const isInDoubt = lastSending === "in_doubt"
  const changes: Changes = { lastSending, ...(isInDoubt ? {} : { reason }) }
  if (!isInDoubt && (await isAbsent(deps, gateway, submitted))) {
    deps.logger.warn(`merchant payments: ${error.code} for ${submitted.id}: ${why}`)
    const ended = await persist(deps.database, submitted, {
      event: "expire",
      why: `${why}; the gateway knows no such reference`,
      facts: { code: error.code, detail: error.detail ?? null },
      changes: { ...changes, checks: 0 },
      next: { inMs: LIMITS.expiredWatchMs[0] },
      lease: "release",
    })
    await pauseIfAsked(deps, submitted.accountId, outcome)
    // Somebody else has moved it meanwhile: what happened is found by asking.
    return ended && refusal
  }
  await persist(deps.database, submitted, {
    event: { note: "no_answer" },
    why: `the money call ended as ${outcome.kind}: ask, never guess`,
    facts: { code: error.code, reason: error.reason },
    changes,
    next: { inMs: askedWaitMs(error) ?? LIMITS.refundChecksMs[0] },
    lease: "release",
  })
  await pauseIfAsked(deps, submitted.accountId, outcome)
  return undefined
}

async function isAbsent(
  deps: PayoutDeps,
  gateway: Gateway,
  { type, reference }: Operation,
): Promise<boolean> {
  deps.failpoints.at("payout_refused.before_call")
  const { look } = await askMoneyOut(gateway, type, reference ?? "")
  deps.failpoints.at("payout_refused.answered")
  return look.kind === "absent"
}

/** Accepted is not done: COMPLETED, too, is believed of the status alone. */
async function writeAccepted(
  deps: PayoutDeps,
  submitted: Operation,
  execution: Execution,
): Promise<undefined> {
  const { look } = executionAsked({ kind: "done", value: execution })
  const failure = look.kind === "seen" && look.status === "FAILED" ? look.failure : undefined
  const isCompleted = execution.status === "COMPLETED"
  await persist(deps.database, submitted, {
    event: !failure && !isCompleted ? "see" : { note: failure ? "failed_once" : "answered" },
    why: `the gateway answered with ${execution.status}`,
    facts: { execution: execution.status },
    changes: {
      ...payoutChanges(submitted, execution),
      lastSending: "accepted",
      absentAt: false,
      ...(failure ? { failedAt: true, reason: failure } : {}),
    },
    next: { inMs: failure ? LIMITS.failedSecondLookMs : LIMITS.refundChecksMs[0] },
    lease: "release",
  })
}

/** As of a collection, but for the payment intent: nothing is given back of what went out. */
export function payoutChanges(operation: Operation, execution: Execution): Changes {
  const changes = executionChanges(operation, execution)
  delete changes.paymentIntentId
  const { payerCurrency } = execution
  return payerCurrency !== undefined && payerCurrency !== operation.payerCurrency
    ? { ...changes, payerCurrency }
    : changes
}

function sendingAfter(failure: Failure): Sending {
  if (failure.kind === "unknown") return "in_doubt"
  return failure.kind === "refused" && !(failure.error instanceof RateLimited)
    ? "refused"
    : "not_sent"
}
