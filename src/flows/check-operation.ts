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
import { majorText, moneyFromMajor } from "../core/money"
import { hasEnded, isPush, type Operation } from "../core/operation"
import { leftOfWatchMs, nextCheckInMs, nextWatchInMs, type Pace } from "../core/schedule"
import { takenOf } from "../core/taken"
import type { Execution, Gateway, SourceStatus } from "../gateway"
import type { Changes } from "../ledger/advance-operation"
import { postponeOperation, type Postponement } from "../ledger/postpone-operation"
import { alertReview } from "./alert-review"
import { askExecution, askSource, closeSource } from "./ask-gateway"
import { ownerByLedger, ownerOfPaid } from "./source-owner"
import type { FlowDeps } from "./deps"
import { asksForAll } from "./open-amount"
import { pauseIfAsked } from "./pause-checks"
import { persist } from "./persist"
import { executionChanges, otherFacts } from "./execution-changes"
import { sendMoneyCall } from "./send-money-call"
import type { ShopperTime } from "./shopper-time"

/** ask the execution, ask the source, close it, ask again: more would be a loop */
const ROUNDS = 4

type Postpone = (operation: Operation, postponement: Postponement) => Promise<void> | void

type Learned = {
  looks: Looks
  /** When the first question went out, on the monotonic clock. */
  askedAtMs: number
  execution?: Execution
  source?: SourceStatus
}

/**
 * @param how.shopper who waits for this look, and how long; left out: a job's, within the account's
 *   budget
 * @param how.postpone writes a look that changed nothing; left out: it is written at once
 * @returns the operation after the look; undefined when another writer has moved it meanwhile
 */
export async function checkOperation(
  deps: FlowDeps,
  gateway: Gateway,
  operation: Operation,
  how: { readonly shopper?: ShopperTime; readonly postpone?: Postpone } = {},
): Promise<Operation | undefined> {
  const { shopper, postpone = (...look) => postponeOperation(deps.database, ...look) } = how
  const take = async () => {
    if (!shopper) await deps.budget.take(operation.accountId)
  }
  let current = operation
  deps.failpoints.at("look.before_call")
  let learned = await firstLook(deps, gateway, current, take, shopper)
  deps.failpoints.at("look.answered")
  let decision = decide(current, learned.looks)
  for (let round = 1; round < ROUNDS && decision.action; round++) {
    const closing = decision.marks?.closing
    switch (decision.action) {
      case "ask_source": {
        await take()
        deps.failpoints.at("source.before_call")
        const asked = await askSource(gateway, current, shopper?.callOptions())
        deps.failpoints.at("source.answered")
        tellUnusable(deps, current, asked.unusable)
        learned = withSource(learned, asked.look, asked.answer)
        learned = await withOwner(deps, gateway, current, learned, shopper)
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
        await take()
        await take()
        deps.failpoints.at("close.before_call")
        const asked = await closeSource(gateway, current, shopper?.callOptions)
        deps.failpoints.at("close.answered")
        learned = withSource(learned, asked.look, asked.answer)
        learned = await withOwner(deps, gateway, current, learned, shopper)
        break
      }
      case "resend":
        await take()
        return sendMoneyCall(deps, gateway, current)
    }
    const next = decide(current, learned.looks)
    // The source could not be closed just now: leave it for the next look.
    decision = next.action === decision.action ? { next: next.next, why: next.why } : next
  }
  await pauseIfAsked(deps, current.accountId, learned.looks.execution, learned.looks.source)
  deps.failpoints.at("verdict.before_commit")
  const written = await write(deps, current, decision, learned, postpone)
  deps.failpoints.at("verdict.committed")
  return written
}

async function firstLook(
  deps: FlowDeps,
  gateway: Gateway,
  operation: Operation,
  take: () => Promise<void>,
  shopper: ShopperTime | undefined,
): Promise<Learned> {
  // What has ended shares its source with the try that took it over.
  const isShared = isPush(operation) && hasEnded(operation)
  const sourceOwner = isShared ? await ownerByLedger(deps, operation) : undefined
  const owned = sourceOwner && { sourceOwner }
  if (isPush(operation) && operation.reference !== null) {
    await take()
    const askedAtMs = deps.clock.monotonicMs()
    const asked = await askExecution(gateway, operation.reference, shopper?.callOptions())
    tellUnusable(deps, operation, asked.unusable)
    return { looks: { execution: asked.look, ...owned }, askedAtMs, execution: asked.answer }
  }
  if (sourceOwner === "another") {
    return { looks: { sourceOwner }, askedAtMs: deps.clock.monotonicMs() }
  }
  await take()
  const askedAtMs = deps.clock.monotonicMs()
  const asked = await askSource(gateway, operation, shopper?.callOptions())
  tellUnusable(deps, operation, asked.unusable)
  const isAmountStale = isClosable(operation, asked.look) && (await isStale(deps, operation))
  const learned = { looks: { source: asked.look, isAmountStale }, askedAtMs, source: asked.answer }
  return withOwner(deps, gateway, operation, learned, shopper)
}

/** A push's source is paid, and not by the operation's own execution. */
async function withOwner(
  deps: FlowDeps,
  gateway: Gateway,
  operation: Operation,
  learned: Learned,
  shopper: ShopperTime | undefined,
): Promise<Learned> {
  const { execution, source } = learned.looks
  const isPaid = source?.kind === "seen" && source.status === "PAID"
  const isOwn = execution?.kind === "seen" && execution.status === "COMPLETED"
  if (!isPush(operation) || !isPaid || isOwn) return learned
  const sourceOwner = await ownerOfPaid(deps, gateway, operation, shopper)
  return { ...learned, looks: { ...learned.looks, sourceOwner } }
}

/** An answer about another payment, or without what it needs: believed in nothing, and not silently. */
function tellUnusable(deps: FlowDeps, { id }: Operation, unusable: string | undefined): void {
  if (unusable === undefined) return
  deps.logger.error(
    `merchant payments: ${id}: an answer of the gateway can't be used: ` +
      unusable.slice(0, LIMITS.messageLengthMax),
  )
}

/** Only then does it matter what is owed now; what is paid counts also where the shop can't be read. */
function isClosable(operation: Operation, look: Looks["source"]): boolean {
  if (isPush(operation) || look?.kind !== "seen") return false
  return !["PAID", "PROCESSING", "CANCELED"].includes(look.status)
}

/** Another total, another currency or another way to pay is asked for now, or nothing at all. */
async function isStale(deps: FlowDeps, operation: Operation): Promise<boolean> {
  if (operation.state !== "submitted" && operation.state !== "in_flight") return false
  const due = await deps.host.due(operation.paymentCollectionId)
  if (!due || due.isOrderCanceled || due.isAbandoned) return true
  const isOtherProvider =
    due.providerIds.length > 0 && !due.providerIds.includes(operation.providerId)
  const amount = moneyFromMajor(due.amount, operation.amount.currency)
  return (
    isOtherProvider ||
    due.currency.toUpperCase() !== operation.amount.currency ||
    amount?.minor !== operation.amount.minor ||
    (await isPaidOtherwise(deps, operation))
  )
}

/** Who made a link may have taken the money in another way meanwhile, through another collection. */
async function isPaidOtherwise(deps: FlowDeps, operation: Operation): Promise<boolean> {
  const { flow, orderId } = operation
  return flow === "link" && orderId !== null && !(await asksForAll(deps, orderId, operation))
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

async function write(
  deps: FlowDeps,
  operation: Operation,
  decision: Decision,
  learned: Learned,
  postpone: Postpone,
): Promise<Operation | undefined> {
  const changes = changesOf(operation, decision, learned)
  const pace = await paceOf(deps, operation, learned)
  const { inMs, isCounted } = nextOf(deps, operation, decision, pace)
  const isEvent =
    decision.event !== undefined || Object.keys(changes).some((key) => key !== "sourceStatus")
  const isNews = learned.source && learned.source.status !== operation.sourceStatus
  if (!isEvent && !isNews) {
    await postpone(operation, {
      inMs: inMs ?? null,
      wasAnswered: learned.execution !== undefined || learned.source !== undefined,
      isCounted,
    })
    return operation
  }
  const written = await persist(deps.database, operation, {
    event: decision.event ?? { note: noteOf(decision, learned) },
    why: decision.why,
    facts: {
      execution: learned.looks.execution && describe(learned.looks.execution),
      source: learned.looks.source && describe(learned.looks.source),
      ...sourceTotal(decision, learned),
      ...otherFacts(operation, learned.execution, decision.event),
    },
    changes: {
      ...changes,
      checkedAt: true,
      // An end starts the watch's own count; completed money starts the count of settling.
      checks:
        decision.event && decision.event !== "see" ? 0 : operation.checks + (isCounted ? 1 : 0),
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
    // From here on no 404 sends it again: its status lags.
    ...(learned.looks.execution?.kind === "seen" && isLastSendingOpen(operation)
      ? { lastSending: "accepted" }
      : {}),
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
    ...(decision.event === "complete" && !hasEnded(operation)
      ? {
          reason: null,
          confirmedAfter: true,
          ...(operation.contradictedAt ? { contradictedAt: false } : {}),
        }
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

function isLastSendingOpen({ state, lastSending }: Operation): boolean {
  return (state === "submitted" || state === "in_flight") && lastSending !== "accepted"
}

/**
 * What really came, which for money in doubt is not what was asked for; never in another currency. An
 * execution that is COMPLETED has taken its source's total, unless its own figures say otherwise, and
 * whatever state the source reads; where that can't be read, it is what was compared before the reference
 * went out.
 */
function collectedBy(operation: Operation, decision: Decision, learned: Learned): Changes {
  const { looks } = learned
  if (decision.event !== "complete" && decision.event !== "doubt") return {}
  const { execution, source } = looks
  const isPaid = source?.kind === "seen" && source.status === "PAID"
  const isExecuted = execution?.kind === "seen" && execution.status === "COMPLETED"
  if (!isPaid && !isExecuted) return {}
  const total = source?.kind === "seen" ? source.total : operation.amount
  const { payerAmount, payeeAmount } = (isExecuted && learned.execution) || {}
  const taken = takenOf(operation.amount, total, [payerAmount, payeeAmount])
  return taken.currency === operation.amount.currency ? { collectedMinor: taken.minor } : {}
}

/** What the gateway asks for, where it is not what was asked for: a person has to know. */
function sourceTotal(decision: Decision, { looks: { source } }: Learned): object {
  const isOdd = decision.reason === "amount_mismatch" || decision.reason === "currency_mismatch"
  if (!isOdd || source?.kind !== "seen") return {}
  return { source_total: `${majorText(source.total)} ${source.total.currency}` }
}

function sourcePayer(source: SourceStatus): Changes {
  const { payerAmount } = source
  if (!payerAmount) return {}
  return { payerCurrency: payerAmount.currency }
}

/** Only a payment that a shopper waits for is looked at by what is known of payers. */
async function paceOf(deps: FlowDeps, operation: Operation, { askedAtMs }: Learned): Promise<Pace> {
  const confirmations = operation.waiting ? await deps.confirmationsOf(operation) : undefined
  return { askedMs: deps.clock.monotonicMs() - askedAtMs, ...(confirmations && { confirmations }) }
}

/** When to look next, undefined: never again; and whether this look uses one of the schedule up. */
function nextOf(
  deps: FlowDeps,
  operation: Operation,
  decision: Decision,
  pace: Pace,
): { readonly inMs: number | undefined; readonly isCounted: boolean } {
  const { next } = decision
  const leftMs = leftOfWatchMs(operation)
  if (next.kind === "watch" && decision.event === undefined && leftMs > 0) {
    return { inMs: Math.min(leftMs, next.atMostMs ?? leftMs), isCounted: false }
  }
  const inMs = nextInMs(deps, operation, decision, pace)
  if (next.kind !== "watch" || next.atMostMs === undefined) {
    return { inMs, isCounted: next.kind !== "in" }
  }
  const isSooner = inMs === undefined || next.atMostMs < inMs
  return isSooner ? { inMs: next.atMostMs, isCounted: false } : { inMs, isCounted: true }
}

function nextInMs(
  deps: FlowDeps,
  operation: Operation,
  decision: Decision,
  pace: Pace,
): number | undefined {
  const { next } = decision
  const fraction = deps.random.fraction()
  switch (next.kind) {
    case "now":
      return 0
    case "in":
      return next.ms
    case "schedule":
      if (hasEnded(operation)) return undefined
      if (decision.event === "doubt") return undefined
      return nextCheckInMs(operation, fraction, pace)
    case "watch": {
      if (decision.event === "fail") return nextWatchInMs("failed", 0, fraction)
      if (decision.event === "expire") return nextWatchInMs("expired", 0, fraction)
      if (operation.state === "failed" || operation.state === "expired") {
        return nextWatchInMs(operation.state, operation.checks + 1, fraction)
      }
      return nextCheckInMs(operation, fraction, pace)
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
