/**
 * The one place that moves money: the execution of a collection under its committed reference.
 *
 * Write, then call, then write. `sending` is committed before the call leaves, so a process that dies
 * anywhere after finds the row and asks the gateway first. The reference was committed with `submitted`
 * and never changes; sending again sends the same one.
 */
import { LIMITS } from "../core/limits"
import type { EndReason, Operation, Sending } from "../core/operation"
import { Forbidden, Invalid, NotFound, RateLimited, Unauthenticated } from "../gateway"
import type { Execution, Gateway, GatewayError, Outcome } from "../gateway"
import type { Changes } from "../ledger/advance-operation"
import { ageOfLastEvent } from "../ledger/last-event"
import { askedWaitMs, askExecution, executionAsked } from "./ask-gateway"
import type { FlowDeps } from "./deps"
import { executionChanges, otherFacts } from "./execution-changes"
import { pauseAccount } from "./pause-checks"
import { persist } from "./persist"

/** Noted once for each operation that was given another gateway session. */
const RENEWED = "session_renewed"

/**
 * Sends the execution again. The caller holds the operation by lease and it is `submitted`; the lease is
 * given back. Where the gateway refuses the session, a new one of the same source takes its place, once
 * for an operation, and is committed before the same reference goes out with it.
 */
export async function sendMoneyCall(
  deps: FlowDeps,
  gateway: Gateway,
  operation: Operation,
): Promise<Operation | undefined> {
  const sending = await commitSending(deps, operation, {
    note: "sending",
    why: "the same reference is sent again",
  })
  if (!sending) return undefined
  const outcome = await call(deps, gateway, sending, "job")
  const gatewaySessionId = outcome && (await newSession(deps, gateway, sending, outcome))
  if (gatewaySessionId === undefined) return write(deps, gateway, sending, outcome)
  const renewed = await commitSending(deps, sending, {
    note: RENEWED,
    why: "the gateway refused the session; the same reference is sent with a new one",
    gatewaySessionId,
  })
  return renewed && execute(deps, gateway, renewed, "job")
}

async function commitSending(
  deps: FlowDeps,
  operation: Operation,
  sent: { readonly note: string; readonly why: string; readonly gatewaySessionId?: number },
): Promise<Operation | undefined> {
  const { note, why, gatewaySessionId } = sent
  deps.failpoints.at("resend.before_commit")
  const sending = await persist(deps.database, operation, {
    event: { note },
    why,
    ...(gatewaySessionId === undefined ? {} : { facts: { session_id: gatewaySessionId } }),
    changes: {
      ...(gatewaySessionId === undefined ? {} : { gatewaySessionId }),
      // What never left us does not count: the next is the first that the gateway can see.
      sendings: operation.sendings + (operation.lastSending === "not_sent" ? 0 : 1),
      lastSentAt: true,
      lastSending: "sending",
      absentAt: false,
    },
    lease: { forMs: LIMITS.leaseMs },
  })
  deps.failpoints.at("resend.committed")
  return sending
}

/**
 * A session lives shortly, and the first one may have run out. It may as well have been used by a sending
 * whose answer was lost: then the gateway opens none for a source that is being paid, or refuses the
 * reference, which is the same.
 *
 * @returns the id of a session in its place; undefined where it was not refused, or there is none
 */
async function newSession(
  deps: FlowDeps,
  gateway: Gateway,
  operation: Operation,
  outcome: Outcome<Execution>,
): Promise<number | undefined> {
  const { id, sourceId, sourceType } = operation
  if (outcome.kind !== "refused" || !namesSession(outcome.error) || sourceId === null) {
    return undefined
  }
  if ((await ageOfLastEvent(deps.database, id, RENEWED)) !== undefined) return undefined
  await deps.budget.take(operation.accountId)
  deps.failpoints.at("session.before_call")
  const opened = await gateway.sessions.checkout({ sourceId, sourceType }, { patience: "job" })
  deps.failpoints.at("session.answered")
  if (opened.kind !== "done" || opened.value.status !== "ACTIVE") return undefined
  await deps.budget.take(operation.accountId)
  return opened.value.id
}

/** The refusal is of the session: named by its field, or in plain words (contract, section 14). */
function namesSession(error: GatewayError): boolean {
  if (!(error instanceof Invalid)) return false
  const fields = error.fields ?? []
  return fields.length > 0
    ? fields.some(({ path }) => path.split(".").at(-1) === "session_id")
    : /\bsession\b/i.test(error.detail ?? "")
}

/**
 * Carries out the execution of an operation whose sending is committed, and writes what came of it.
 * Undefined: another writer has moved the operation meanwhile; what happened is found by asking.
 */
export async function execute(
  deps: FlowDeps,
  gateway: Gateway,
  operation: Operation,
  patience: "shopper" | "job",
): Promise<Operation | undefined> {
  return write(deps, gateway, operation, await call(deps, gateway, operation, patience))
}

/** Undefined: the row lacks what an execution needs. */
async function call(
  deps: FlowDeps,
  gateway: Gateway,
  operation: Operation,
  patience: "shopper" | "job",
): Promise<Outcome<Execution> | undefined> {
  const { reference, gatewaySessionId, paymentAccountId, payerCurrency } = operation
  if (!reference || gatewaySessionId === null || paymentAccountId === null || !payerCurrency) {
    return undefined
  }
  deps.failpoints.at("execute.before_call")
  const outcome = await gateway.executions.collection(
    {
      sessionId: gatewaySessionId,
      paymentAccountId,
      currency: payerCurrency,
      referenceId: reference,
    },
    { patience },
  )
  deps.failpoints.at("execute.answered")
  return outcome
}

async function write(
  deps: FlowDeps,
  gateway: Gateway,
  operation: Operation,
  outcome: Outcome<Execution> | undefined,
): Promise<Operation | undefined> {
  if (!outcome) {
    return persist(deps.database, operation, {
      event: { note: "not_executable" },
      why: "the row lacks what an execution needs",
      next: { inMs: LIMITS.neverLandedAfterMs },
      lease: "release",
    })
  }
  const written = await writeOutcome(deps, gateway, operation, outcome)
  deps.failpoints.at("execute.committed")
  return written
}

async function writeOutcome(
  deps: FlowDeps,
  gateway: Gateway,
  operation: Operation,
  outcome: Outcome<Execution>,
): Promise<Operation | undefined> {
  if (outcome.kind === "done") return writeAccepted(deps, operation, outcome.value)
  const { error } = outcome
  const isFirst = operation.sendings === 1
  const lastSending = sendingAfter(operation, outcome)
  const changes: Changes = { lastSending }
  if (outcome.kind === "refused" && isFirst && !(error instanceof RateLimited)) {
    const reason = refusedReason(outcome.error)
    deps.failpoints.at("refused.before_call")
    const isAbsent = (await askExecution(gateway, reference(operation))).look.kind === "absent"
    deps.failpoints.at("refused.answered")
    if (isAbsent) {
      deps.logger.warn(
        `merchant payments: ${error.code} for ${operation.id}: the gateway refused the payment`,
      )
      return persist(deps.database, operation, {
        event: "expire",
        why: "the gateway refused the first sending and knows no such execution",
        facts: { code: error.code, detail: error.detail ?? null },
        changes: { ...changes, reason, checks: 0 },
        next: { inMs: LIMITS.expiredWatchMs[0] },
        lease: "release",
      })
    }
    changes.reason = reason
  }
  const written = await persist(deps.database, operation, {
    event: { note: "no_answer" },
    why: `the execution call ended as ${outcome.kind}: ask, never guess`,
    facts: { code: error.code, reason: error.reason },
    changes,
    next: { inMs: askedWaitMs(error) ?? LIMITS.waitingCheckFloorMs },
    lease: "release",
  })
  const isTooMany = error instanceof RateLimited
  if (isTooMany || error.retryAfterMs !== undefined) {
    await pauseAccount(deps, operation.accountId, { forMs: error.retryAfterMs, isTooMany })
  }
  return written
}

async function writeAccepted(
  deps: FlowDeps,
  operation: Operation,
  execution: Execution,
): Promise<Operation | undefined> {
  const { look } = executionAsked({ kind: "done", value: execution })
  const isFailed = look.kind === "seen" && look.status === "FAILED"
  const isCompleted = execution.status === "COMPLETED"
  const seen = operation.state === "submitted" && !isFailed && !isCompleted
  return persist(deps.database, operation, {
    event: seen ? "see" : { note: isFailed ? "failed_once" : "answered" },
    why: `the gateway answered the execution with ${execution.status}`,
    facts: { execution: execution.status, ...otherFacts(operation, execution) },
    changes: {
      ...executionChanges(operation, execution),
      lastSending: "accepted",
      absentAt: false,
      ...(isFailed && look.kind === "seen"
        ? { failedAt: true, reason: look.failure ?? "unknown" }
        : {}),
    },
    next: {
      inMs: isFailed ? LIMITS.failedSecondLookMs : isCompleted ? 0 : LIMITS.waitingCheckFloorMs,
    },
    lease: "release",
  })
}

/** After a sending in doubt a refusal proves nothing: the first may have used the session up. */
function sendingAfter(
  operation: Operation,
  outcome: Exclude<Outcome<never>, { kind: "done" }>,
): Sending {
  const wasClean = operation.sendings === 1
  if (outcome.kind === "unknown") return "in_doubt"
  if (!wasClean) return "in_doubt"
  if (outcome.kind === "refused" && !(outcome.error instanceof RateLimited)) return "refused"
  return "not_sent"
}

function refusedReason(error: unknown): EndReason {
  if (error instanceof Unauthenticated || error instanceof Forbidden) return "operator_unavailable"
  if (error instanceof NotFound) return "never_landed"
  return "declined"
}

function reference(operation: Operation): string {
  return operation.reference ?? ""
}
