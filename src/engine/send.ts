/**
 * The one place that moves money: the execution of an operation under its committed reference.
 *
 * Write, then call, then write. `sending` is committed before the call leaves. If the process dies
 * after that, the next worker finds the row and asks the gateway first. The reference was committed
 * with `submitted` and never changes; sending again sends the same one.
 */
import { fieldsOf } from "../core/log-fields"
import type { GatewaySessionId, Reference } from "../core/ids"
import { LIMITS } from "../core/limits"
import { sentence, type EventCode } from "../core/messages"
import type { Operation, Sending } from "../core/operation"
import { refusal, type Refusal } from "../core/refusal"
import { RateLimited, type Execution, type Failure, type Gateway, type Outcome } from "../gateway"
import type { Changes } from "../ledger/advance-operation"
import { isBehind } from "../ledger/database-mark"
import { releaseOperation } from "../ledger/postpone-operation"
import { askedWaitMs, executionAsked } from "./ask-gateway"
import { RENEWED } from "./collection"
import type { MoneyDeps } from "./deps"
import { abandonDraft, BY_REFUND_ORPHANS, saidIn } from "./end-draft"
import { amountFacts, otherFacts } from "./execution-answer"
import { mayBeOfRepeat, type NotSent } from "./gateway-refusal"
import { KINDS, type Patience, type Written } from "./kinds"
import { askLanded } from "./landed-draft"
import { learnLimit } from "./learn-limit"
import { pauseAfter } from "./pause-checks"
import { persist, persistWithParent } from "./persist"

/** The call that moves the money. Undefined: the row lacks what the call needs. */
export type Call = () => Promise<Outcome<Execution> | undefined>

export type Sent = {
  /** Undefined: another writer has moved the row, and only asking shows what happened. */
  readonly written: Written | undefined
  /** For the admin who waits: the gateway refused the call, or the call never left. */
  readonly refusal?: Refusal | undefined
}

/** An open gateway session, with what sending the money needs. All of it is in memory only. */
export type Opened = {
  readonly kind: "opened"
  readonly sessionId: GatewaySessionId
  readonly changes?: Changes
  /** Milliseconds for which the session can be executed, if the gateway sets its end. */
  readonly lifeMs?: number
  call(submitted: Operation, reference: Reference): Promise<Outcome<Execution> | undefined>
}

/** The money was refused before there was a session, and not by an answer of the gateway. */
export type NotOpened = { readonly kind: "not_opened"; readonly refused: NotSent }

/**
 * Sends the draft of money that goes back or out: opens the gateway session, then commits the
 * reference, then makes the call that moves money. If it stops before the commit, nothing was sent,
 * and the draft ends; a refund's part is then free again. The caller holds the draft by lease; the
 * lease is given back.
 *
 * Before a rule sends, and before anything is sent while the database may have lost commits, the
 * gateway is asked for the reference: the same intention has the same one, even if its row is lost.
 *
 * @param meaning says what a failure to open the session means
 * @returns the operation as sent, or as another writer has left it
 * @throws Refusal if nothing was sent, or if the gateway refused; a refused operation stays open
 *   until a 404 has lasted
 */
export async function carryOut(
  deps: MoneyDeps,
  gateway: Gateway,
  draft: Operation,
  open: () => Promise<Opened | NotOpened | Failure>,
  meaning: (failure: Failure) => NotSent,
): Promise<Operation> {
  const lost = await findLost(deps, gateway, draft)
  if (lost) return lost
  const opened = await open()
  if (opened.kind === "not_opened") {
    await abandonDraft(deps, draft, opened.refused)
    throw opened.refused.refusal
  }
  if (opened.kind !== "opened") {
    const refused = meaning(opened)
    await abandonDraft(deps, draft, { ...refused, failure: opened })
    await pauseAfter(deps, draft.accountId, opened)
    throw refused.refusal
  }
  const reference = draft.draftReference
  const submitted = await persist(deps.database, draft, {
    event: "submit",
    code: "ready_to_send",
    facts: { session: opened.sessionId },
    changes: {
      ...opened.changes,
      gatewaySessionId: opened.sessionId,
      reference,
      submittedAt: true,
      sendings: 1,
      lastSentAt: true,
      lastSending: "sending",
    },
    next: { inMs: KINDS[draft.type].firstCheckMs() },
    ...(opened.lifeMs === undefined ? {} : { expiresInMs: opened.lifeMs }),
    lease: { forMs: LIMITS.leaseMs },
  })
  // The lease ended while the gateway was slow, and the job has ended the draft.
  if (!submitted) throw refusal("gateway_unavailable")
  const sent = await send(deps, gateway, submitted, () => opened.call(submitted, reference))
  if (sent.refusal) throw sent.refusal
  return sent.written?.operation ?? submitted
}

/**
 * @returns the draft as sent, if the gateway knows it; undefined: nothing was sent, or not asked
 * @throws Refusal `gateway_unavailable`; `refund_in_progress.lost` for a person, who may have asked
 *   for another refund than the one that was found
 */
async function findLost(
  deps: MoneyDeps,
  gateway: Gateway,
  draft: Operation,
): Promise<Operation | undefined> {
  const isByRule = draft.askedBy === BY_REFUND_ORPHANS
  if (!isByRule && !(await isBehind(deps.database))) return undefined
  const landed = await askLanded(deps, gateway, draft)
  if (landed.kind === "absent") return undefined
  if (landed.kind === "unanswered") {
    await abandonDraft(deps, draft, { code: "no_answer" })
    throw refusal("gateway_unavailable")
  }
  await releaseOperation(deps.database, landed.operation)
  if (isByRule || draft.type !== "REFUND") return landed.operation
  throw refusal("refund_in_progress.lost", {}, { refund: draft.id })
}

/**
 * Sends the execution again. The caller holds the operation by lease, and it is `submitted`; the
 * lease is given back. If the gateway refuses the session, a new one of the same source takes its
 * place, once for an operation. It is committed before the same reference goes out with it.
 */
export async function sendAgain(
  deps: MoneyDeps,
  gateway: Gateway,
  operation: Operation,
): Promise<Written | undefined> {
  const sending = await commitSending(deps, operation, "sending", "sent_again")
  if (!sending) return undefined
  const outcome = await callOf(gateway, sending, "job")()
  const { renewSession } = KINDS[operation.type]
  const gatewaySessionId = outcome && (await renewSession?.(deps, gateway, sending, outcome))
  if (gatewaySessionId === undefined) {
    return (await writeOutcome(deps, gateway, sending, outcome)).written
  }
  const code = "sent_with_new_session"
  const renewed = await commitSending(deps, sending, RENEWED, code, gatewaySessionId)
  return renewed && (await send(deps, gateway, renewed, callOf(gateway, renewed, "job"))).written
}

/** Makes the call of an operation whose sending is committed, and writes its outcome. */
export async function send(
  deps: MoneyDeps,
  gateway: Gateway,
  operation: Operation,
  call: Call = callOf(gateway, operation, "shopper"),
): Promise<Sent> {
  return writeOutcome(deps, gateway, operation, await call())
}

/** @throws Error for a type of money that is never sent again */
export function callOf(gateway: Gateway, operation: Operation, patience: Patience): Call {
  const { execute, word } = KINDS[operation.type]
  if (!execute) throw new Error(`${operation.id}: a ${word} is not sent again`)
  return () => execute(gateway, operation, patience)
}

async function commitSending(
  deps: MoneyDeps,
  operation: Operation,
  note: string,
  code: EventCode,
  gatewaySessionId?: GatewaySessionId,
): Promise<Operation | undefined> {
  const isRenewed = gatewaySessionId !== undefined
  return persist(deps.database, operation, {
    event: { note },
    code,
    ...(isRenewed && { facts: { session_id: gatewaySessionId } }),
    changes: {
      ...(isRenewed && { gatewaySessionId }),
      // A sending that never left does not count: the next is the first that the gateway can see.
      sendings: operation.sendings + (operation.lastSending === "not_sent" ? 0 : 1),
      lastSentAt: true,
      lastSending: "sending",
      absentAt: false,
    },
    lease: { forMs: LIMITS.leaseMs },
  })
}

async function writeOutcome(
  deps: MoneyDeps,
  gateway: Gateway,
  operation: Operation,
  outcome: Outcome<Execution> | undefined,
): Promise<Sent> {
  if (outcome?.kind === "done") {
    return { written: await writeAccepted(deps, operation, outcome.value) }
  }
  if (outcome) return writeFailure(deps, gateway, operation, outcome)
  const written = await persistWithParent(deps.database, operation, {
    event: { note: "not_executable" },
    code: "not_executable",
    next: { inMs: LIMITS.neverLandedAfterMs },
    lease: "release",
  })
  return { written }
}

async function writeFailure(
  deps: MoneyDeps,
  gateway: Gateway,
  operation: Operation,
  failure: Failure,
): Promise<Sent> {
  const { error } = failure
  const kind = KINDS[operation.type]
  const lastSending = sendingAfter(operation, failure)
  // A type of money that is never sent again is over as soon as its call surely did not leave.
  const isUnsent = !kind.execute && lastSending === "not_sent"
  const isNo = failure.kind === "refused" && operation.sendings === 1
  const refused = isUnsent || isNo ? kind.refused(failure) : undefined
  const isReason = isUnsent || lastSending === "refused"
  const changes: Changes = { lastSending, ...(isReason && { reason: refused?.reason ?? null }) }
  let sent: Sent
  if (refused && isUnsent && (await isAbsent(gateway, operation))) {
    deps.logger.warn(
      `merchant payments: ${error.code} for the ${kind.word} ${operation.id}: ` +
        sentence("event", refused.code),
      fieldsOf(operation, refused.code),
    )
    const written = await persistWithParent(deps.database, operation, {
      event: "expire",
      code: refused.code,
      facts: saidIn(error),
      changes: { ...changes, checks: 0 },
      next: { inMs: LIMITS.expiredWatchMs[0] },
      lease: "release",
    })
    sent = { written, refusal: written && refused.refusal }
  } else {
    const written = await persistWithParent(deps.database, operation, {
      event: { note: "no_answer" },
      code: "call_ended",
      facts: { outcome: failure.kind, reason: error.reason, ...saidIn(error) },
      changes,
      next: { inMs: askedWaitMs(error) ?? kind.firstCheckMs() },
      lease: "release",
    })
    sent = { written, refusal: written && refused?.refusal }
  }
  await pauseAfter(deps, operation.accountId, failure)
  if (failure.kind === "refused" && operation.type === "COLLECTION") {
    await learnLimit(deps, operation, error)
  }
  return sent
}

async function isAbsent(gateway: Gateway, { type, reference }: Operation): Promise<boolean> {
  return (await KINDS[type].ask(gateway, reference)).finding.kind === "absent"
}

/**
 * Accepted is not done: COMPLETED, too, is believed only from a status check. A refund that moves
 * another amount than was asked for is not on its way, whatever its status.
 */
async function writeAccepted(
  deps: MoneyDeps,
  operation: Operation,
  execution: Execution,
): Promise<Written | undefined> {
  const kind = KINDS[operation.type]
  const asked = executionAsked({ kind: "done", value: execution }).finding
  const finding = (await kind.withAmounts?.(deps.database, operation, asked, execution)) ?? asked
  const isOtherAmount = finding.kind === "seen" && finding.isOtherAmount === true
  const failure =
    finding.kind === "seen" && finding.status === "FAILED" ? finding.failure : undefined
  const isCompleted = execution.status === "COMPLETED"
  const seen = operation.state === "submitted" && !failure && !isCompleted && !isOtherAmount
  return persistWithParent(deps.database, operation, {
    event: seen ? "see" : { note: failure ? "failed_once" : "answered" },
    code: "execution_reads",
    facts: {
      execution: execution.status,
      ...amountFacts(finding, execution),
      ...otherFacts(operation, execution),
    },
    changes: {
      ...kind.learned(operation, execution, deps.box),
      lastSending: "accepted",
      absentAt: false,
      ...(failure ? { failedAt: true, reason: failure } : {}),
    },
    next: { inMs: failure ? LIMITS.failedSecondCheckMs : kind.firstCheckMs(execution.status) },
    lease: "release",
  })
}

/**
 * A refusal of the reference or of the session proves nothing: a sending that landed earlier may
 * have used them up, be it ours in doubt or one that a proxy delivered twice.
 */
function sendingAfter({ type, sendings }: Operation, { kind, error }: Failure): Sending {
  if (kind === "unknown" || sendings !== 1) return "in_doubt"
  if (kind === "not_sent") return "not_sent"
  if (mayBeOfRepeat(error)) return "in_doubt"
  const isSentAgain = KINDS[type].execute !== undefined
  return error instanceof RateLimited && isSentAgain ? "not_sent" : "refused"
}
