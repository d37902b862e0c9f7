/**
 * One look at one operation that the caller holds by lease: ask, decide, write. The decision may ask for
 * more (the source, a cancel, the same reference once more); that is done and decided again, a few times
 * at most. Whatever happens, the lease is given back and the next look is set.
 *
 * If the process dies between any two lines, the lease ends, another worker asks the gateway the same
 * question and comes to the same decision: nothing here is remembered outside the row.
 */
import { decide, type Decision, type Looks } from "../core/decide"
import { LIMITS } from "../core/limits"
import { moneyFromMajor } from "../core/money"
import type { Operation } from "../core/operation"
import { nextCheckInMs, nextWatchInMs } from "../core/schedule"
import type { Execution, Gateway, SourceStatus } from "../gateway"
import type { Changes } from "../ledger/advance-operation"
import { postponeOperation } from "../ledger/postpone-operation"
import { alertReview } from "./alert-review"
import { askExecution, askSource, closeSource } from "./ask-gateway"
import type { FlowDeps } from "./deps"
import { pauseAccount } from "./pause-checks"
import { persist } from "./persist"
import { executionChanges } from "./execution-changes"
import { sendMoneyCall } from "./send-money-call"

/** ask the execution, ask the source, close it, ask again: more would be a loop */
const ROUNDS = 4

type Learned = {
  looks: Looks
  execution?: Execution
  source?: SourceStatus
}

/** @returns the operation after the look; undefined when another writer has moved it meanwhile */
export async function checkOperation(
  deps: FlowDeps,
  gateway: Gateway,
  operation: Operation,
): Promise<Operation | undefined> {
  let current = operation
  deps.failpoints.at("look.before_call")
  let learned = await firstLook(deps, gateway, current)
  deps.failpoints.at("look.answered")
  let decision = decide(current, learned.looks)
  for (let round = 1; round < ROUNDS && decision.action; round++) {
    const closing = decision.marks?.closing
    switch (decision.action) {
      case "ask_source": {
        await deps.budget.take(current.accountId)
        deps.failpoints.at("source.before_call")
        const asked = await askSource(gateway, current)
        deps.failpoints.at("source.answered")
        learned = withSource(learned, asked.look, asked.answer)
        break
      }
      case "close_source": {
        // Remembered before the call: a crash after it must not read our own cancel as the shopper's.
        if (closing && current.closing !== closing) {
          deps.failpoints.at("closing.before_commit")
          const marked = await persist(deps.database, current, {
            event: { note: "closing" },
            why: decision.why,
            changes: { closing },
          })
          if (!marked) return undefined
          deps.failpoints.at("closing.committed")
          current = marked
        }
        // The cancel, and the look at what became of it.
        await deps.budget.take(current.accountId)
        await deps.budget.take(current.accountId)
        deps.failpoints.at("close.before_call")
        const asked = await closeSource(gateway, current)
        deps.failpoints.at("close.answered")
        learned = withSource(learned, asked.look, asked.answer)
        break
      }
      case "resend":
        await deps.budget.take(current.accountId)
        return sendMoneyCall(deps, gateway, current, "job")
    }
    const next = decide(current, learned.looks)
    // The source could not be closed just now: leave it for the next look.
    decision =
      next.action === decision.action ? { next: { kind: "schedule" }, why: next.why } : next
  }
  await pauseIfAsked(deps, current, learned.looks)
  deps.failpoints.at("verdict.before_commit")
  const written = await write(deps, current, decision, learned)
  deps.failpoints.at("verdict.committed")
  return written
}

async function firstLook(deps: FlowDeps, gateway: Gateway, operation: Operation): Promise<Learned> {
  const isPush = operation.flow === "push" || operation.flow === "card"
  await deps.budget.take(operation.accountId)
  if (isPush && operation.reference !== null) {
    const asked = await askExecution(gateway, operation.reference)
    return { looks: { execution: asked.look }, execution: asked.answer }
  }
  const asked = await askSource(gateway, operation)
  const isAmountStale = isPush ? false : await isStale(deps, operation)
  return { looks: { source: asked.look, isAmountStale }, source: asked.answer }
}

/** Another total, another currency or another way to pay is asked for now. */
async function isStale(deps: FlowDeps, operation: Operation): Promise<boolean> {
  if (operation.state !== "submitted" && operation.state !== "in_flight") return false
  const due = await deps.host.due(operation.paymentCollectionId)
  if (!due) return false
  const isOtherProvider =
    due.providerIds.length > 0 && !due.providerIds.includes(operation.providerId)
  const amount = moneyFromMajor(due.amount, operation.amount.currency)
  return (
    isOtherProvider ||
    due.currency.toUpperCase() !== operation.amount.currency ||
    amount?.minor !== operation.amount.minor
  )
}

function withSource(
  learned: Learned,
  look: Looks["source"],
  answer: SourceStatus | undefined,
): Learned {
  return {
    ...learned,
    looks: { ...learned.looks, ...(look ? { source: look } : {}) },
    ...(answer ? { source: answer } : {}),
  }
}

async function pauseIfAsked(deps: FlowDeps, operation: Operation, looks: Looks): Promise<void> {
  for (const look of [looks.execution, looks.source]) {
    if (look?.kind !== "later") continue
    await pauseAccount(deps, operation.accountId, {
      forMs: look.afterMs,
      isTooMany: look.isTooMany === true,
    })
  }
}

async function write(
  deps: FlowDeps,
  operation: Operation,
  decision: Decision,
  learned: Learned,
): Promise<Operation | undefined> {
  const changes = changesOf(operation, decision, learned)
  const isEvent =
    decision.event !== undefined || Object.keys(changes).some((key) => key !== "sourceStatus")
  const isNews = learned.source && learned.source.status !== operation.sourceStatus
  if (!isEvent && !isNews) {
    await postponeOperation(deps.database, operation, {
      inMs: nextInMs(deps, operation, decision, false) ?? null,
      waitingForgottenMs: LIMITS.waitingForgottenMs,
      wasAnswered: learned.execution !== undefined || learned.source !== undefined,
      isCounted: decision.next.kind !== "in",
    })
    return operation
  }
  const inMs = nextInMs(deps, operation, decision, decision.event !== undefined)
  const written = await persist(deps.database, operation, {
    event: decision.event ?? { note: noteOf(decision, learned) },
    why: decision.why,
    facts: {
      execution: learned.looks.execution && describe(learned.looks.execution),
      source: learned.looks.source && describe(learned.looks.source),
    },
    changes: {
      ...changes,
      checkedAt: true,
      // An end starts the watch's own count; completed money starts the count of settling.
      checks: decision.event && decision.event !== "see" ? 0 : operation.checks + 1,
    },
    next: inMs === undefined ? "never" : { inMs },
    lease: "release",
  })
  alertReview(deps, operation, written, decision.why)
  return written
}

function changesOf(operation: Operation, decision: Decision, learned: Learned): Changes {
  const { marks } = decision
  const changes: Changes = {
    ...(learned.execution ? executionChanges(operation, learned.execution) : {}),
    ...(learned.source && learned.source.status !== operation.sourceStatus
      ? { sourceStatus: learned.source.status }
      : {}),
    ...(learned.source?.payerAmount && operation.payerAmount === null
      ? sourcePayer(learned.source)
      : {}),
    ...(decision.reason !== undefined && decision.reason !== operation.reason
      ? { reason: decision.reason }
      : {}),
    ...collectedBy(operation, decision, learned),
    ...(decision.event === "complete" &&
    operation.state !== "failed" &&
    operation.state !== "expired"
      ? { reason: null }
      : {}),
  }
  if (marks?.absent !== undefined && marks.absent !== (operation.absentAt !== null)) {
    changes.absentAt = marks.absent
  }
  if (marks?.failed !== undefined && marks.failed !== (operation.failedAt !== null)) {
    changes.failedAt = marks.failed
    // It said FAILED and then PROCESSING again: the reason that STATUS showed is taken back.
    if (!marks.failed) changes.reason = null
  }
  const isContradicted = operation.contradictedAt !== null
  if (marks?.contradicted !== undefined && marks.contradicted !== isContradicted) {
    changes.contradictedAt = marks.contradicted
  }
  return changes
}

/** What really came, which for money in doubt is not what was asked for; never in another currency. */
function collectedBy(operation: Operation, decision: Decision, learned: Learned): Changes {
  const isPaid = decision.event === "complete" || decision.event === "doubt"
  const total = learned.source?.status === "PAID" ? learned.source.total : undefined
  if (!isPaid || total?.currency !== operation.amount.currency) return {}
  return { collectedMinor: total.minor }
}

function sourcePayer(source: SourceStatus): Changes {
  const { payerAmount } = source
  if (!payerAmount) return {}
  return { payerCurrency: payerAmount.currency }
}

/** Undefined: never again. */
function nextInMs(
  deps: FlowDeps,
  operation: Operation,
  decision: Decision,
  isNewState: boolean,
): number | undefined {
  const { next } = decision
  const fraction = deps.random.fraction()
  switch (next.kind) {
    case "now":
      return 0
    case "in":
      return next.ms
    case "schedule":
      if (operation.state === "failed" || operation.state === "expired") return undefined
      if (decision.event === "doubt") return undefined
      return nextCheckInMs(operation, fraction)
    case "watch": {
      if (decision.event === "fail") return nextWatchInMs("failed", 0, fraction)
      if (decision.event === "expire") return nextWatchInMs("expired", 0, fraction)
      if (operation.state === "failed" || operation.state === "expired") {
        const checks = isNewState ? 0 : operation.checks + 1
        return nextWatchInMs(operation.state, checks, fraction)
      }
      return nextCheckInMs(operation, fraction)
    }
  }
}

function noteOf(decision: Decision, learned: Learned): string {
  if (decision.marks?.failed) return "failed_once"
  if (learned.looks.execution?.kind === "absent") return "absent"
  return "seen"
}

function describe(look: NonNullable<Looks["execution"] | Looks["source"]>): string {
  return look.kind === "seen" ? look.status : look.kind
}
