/**
 * One check of one operation that the caller holds by lease: ask, decide, write. A decision may
 * ask for more (the source, a cancel, the same reference again), a few times at most. The lease
 * is given back and the next check set. After a crash another worker asks and decides the same.
 */
import { fieldsOf } from "../core/log-fields"
import type { Decision, Findings } from "../core/decide/decision"
import { isEndOfExecution } from "../core/decide/state-words"
import type { OperationId } from "../core/ids"
import { LIMITS } from "../core/limits"
import { endSentence, sentence, type Message } from "../core/messages"
import { majorText } from "../core/money"
import { hasEnded, hasExecution, type Operation, isUnderWay } from "../core/operation"
import { nextOf } from "../core/schedule"
import type { SecretBox } from "../core/secret-box"
import type { Gateway } from "../gateway"
import type { Changes } from "../ledger/advance-operation"
import { claimOperation } from "../ledger/claim-due-operations"
import {
  postponeOperation,
  releaseOperation,
  type Postponement,
} from "../ledger/postpone-operation"
import type { Asking, Learned, SourceQuestions } from "./collection"
import type { FlowDeps, MoneyDeps } from "./deps"
import { amountFacts, otherFacts } from "./execution-answer"
import { gatewayFor } from "./gateway-for"
import { KINDS, type Written } from "./kinds"
import { learnFromEnd } from "./learn-limit"
import { pauseIfAsked } from "./pause-checks"
import { alertReview, persist, persistWithParent } from "./persist"
import { holdSecondCharge } from "./second-charge"
import { sendAgain } from "./send"
import type { ShopperTime } from "./shopper-time"

/** Ask the execution, ask the source, close the source, ask again: more would be a loop. */
const ROUNDS = 4

export type How = {
  /** For a collection: its source is closed when Medusa no longer asks for the money. */
  readonly medusa?: FlowDeps["medusa"]
  /** How long a shopper waits for this check. Left out: a job's check, within the budget. */
  readonly shopper?: ShopperTime
  /** An admin waits: the source is asked too, whatever the execution reads. */
  readonly isForPerson?: boolean
  /**
   * Whether a payment that this check completes keeps its lease, because the caller records it at
   * once; asked just before the write. Left out: the lease is given back.
   */
  readonly keepsCompleted?: () => boolean
  /** Writes a check that changed nothing. Left out: such a check is written at once. */
  readonly postpone?: (operation: Operation, postponement: Postponement) => Promise<void> | void
}

/**
 * @returns the operation after the check; undefined when another writer has moved it meanwhile
 */
export async function check(
  deps: MoneyDeps,
  gateway: Gateway,
  operation: Operation,
  how: How = {},
): Promise<Written | undefined> {
  const { medusa } = how
  const kind = KINDS[operation.type]
  const asking = askingOf(deps, operation, how.shopper)
  const source = medusa && kind.source?.({ ...deps, medusa }, gateway, asking)
  let current = operation
  let learned = await firstAnswer(deps, gateway, current, asking, source)
  const again = () => firstAnswer(deps, gateway, current, asking, source)
  if (how.isForPerson && source) learned = await forPerson(current, learned, source, again)
  let decision = kind.decide(current, learned.findings)
  for (let round = 1; round < ROUNDS && decision.action; round++) {
    if (decision.action === "resend") {
      await asking.take()
      return sendAgain(deps, gateway, current)
    }
    if (!source) throw new Error(`${current.id} has no source to ask about`)
    const closing = decision.marks?.closing
    if (decision.action === "close_source" && closing && current.closing !== closing) {
      // Written before the call: after a crash our own cancel must not be read as the shopper's.
      const marked = await persist(deps.database, current, {
        event: { note: "closing" },
        code: decision.code,
        changes: { closing },
      })
      if (!marked) return undefined
      current = marked
    }
    learned =
      decision.action === "ask_source"
        ? await askSourceToo(current, learned, source, again)
        : await source.close(current, learned)
    const next = kind.decide(current, learned.findings)
    // The same action again means that it did not work just now: the next check tries it again.
    decision = next.action === decision.action ? { next: next.next, code: next.code } : next
  }
  const { findings } = learned
  await pauseIfAsked(deps, current.accountId, findings.execution, findings.source)
  const held = await holdSecondCharge(deps, current, findings)
  return held && write(deps, held, decision, learned, how)
}

/** Checks an operation now, unless another worker holds it or `isStill` no longer applies. */
export async function checkUnheld(
  deps: MoneyDeps,
  operationId: OperationId,
  isStill: (held: Operation) => boolean,
): Promise<void> {
  const held = await claimOperation(deps.database, operationId, LIMITS.leaseMs)
  if (!held) return
  const gateway = isStill(held) ? await gatewayFor(deps, held) : undefined
  if (gateway) await check(deps, gateway, held)
  else await releaseOperation(deps.database, held)
}

function askingOf(
  deps: MoneyDeps,
  { id, accountId }: Operation,
  shopper: ShopperTime | undefined,
): Asking {
  return {
    shopper,
    async take() {
      if (!shopper) await deps.budget.take(accountId)
    },
    // An incomplete answer, or one about another payment, is logged and not believed.
    complain(unusable) {
      if (unusable === undefined) return
      deps.logger.error(
        `merchant payments: ${id}: an answer of the gateway can't be used: ` +
          unusable.slice(0, LIMITS.messageLengthMax),
        fieldsOf({ id, accountId }, "answer_unusable"),
      )
    },
  }
}

async function firstAnswer(
  deps: MoneyDeps,
  gateway: Gateway,
  operation: Operation,
  asking: Asking,
  source: SourceQuestions | undefined,
): Promise<Learned> {
  const { id, reference } = operation
  const { ask, withAmounts } = KINDS[operation.type]
  const sourceOwner = await source?.owner(operation)
  const owned = sourceOwner && { sourceOwner }
  if (reference !== null && hasExecution(operation)) {
    await asking.take()
    const askedAtMs = deps.clock.monotonicMs()
    const { finding, answer, unusable } = await ask(
      gateway,
      reference,
      asking.shopper?.callOptions(),
    )
    asking.complain(unusable)
    const execution = (await withAmounts?.(deps.database, operation, finding, answer)) ?? finding
    const isHurried = asking.shopper !== undefined && finding.kind === "unknown"
    const findings = { execution, ...owned, ...(isHurried && { isHurried }) }
    return { findings, askedAtMs, execution: answer }
  }
  if (!source) throw new Error(`${id} was sent without a reference`)
  return sourceOwner === "another"
    ? { findings: { sourceOwner } }
    : source.ask(operation, { findings: {} })
}

/** An admin is shown what both witnesses say now, whatever the execution reads. */
async function forPerson(
  operation: Operation,
  learned: Learned,
  source: SourceQuestions,
  again: () => Promise<Learned>,
): Promise<Learned> {
  const { execution, source: known } = learned.findings
  const isEnd = execution?.kind === "seen" && isEndOfExecution(execution.status)
  if (!isUnderWay(operation) || !execution || isEnd || known) return learned
  const asked = await askSourceToo(operation, learned, source, again)
  return { ...asked, findings: { ...asked.findings, isForPerson: true } }
}

/**
 * Asks the source as well. If the source is paid and the execution has not completed, the execution
 * is asked once more: it may have completed between the two questions, and one odd answer decides
 * nothing. An execution that still reads FAILED then proves that the source was paid otherwise.
 */
async function askSourceToo(
  operation: Operation,
  learned: Learned,
  source: SourceQuestions,
  again: () => Promise<Learned>,
): Promise<Learned> {
  const asked = await source.ask(operation, learned)
  const asSource = asked.findings.source
  const isPaid = asSource?.kind === "seen" && asSource.status === "PAID"
  const { execution: before } = learned.findings
  const isCompleted = before?.kind === "seen" && before.status === "COMPLETED"
  if (!isPaid || !before || isCompleted) return asked
  const now = await again()
  const { execution, isHurried = false } = now.findings
  return {
    ...asked,
    execution: now.execution,
    findings: { ...asked.findings, ...(execution && { execution }), isHurried },
  }
}

function sinceAsked({ clock }: MoneyDeps, { askedAtMs }: Learned): number {
  return askedAtMs === undefined ? 0 : clock.monotonicMs() - askedAtMs
}

async function write(
  deps: MoneyDeps,
  operation: Operation,
  decision: Decision,
  learned: Learned,
  how: How,
): Promise<Written | undefined> {
  const { postpone = (...given) => postponeOperation(deps.database, ...given) } = how
  const { event, code } = decision
  const { nextCheckMs } = KINDS[operation.type]
  const askedMs = sinceAsked(deps, learned)
  const roll = () => deps.random.fraction()
  const { inMs, isCounted } = nextOf(operation, decision, nextCheckMs, askedMs, roll)
  const changes = changesOf(operation, decision, learned, deps.box)
  if (event === undefined && Object.keys(changes).length === 0) {
    const wasAnswered = learned.execution !== undefined || learned.source !== undefined
    await postpone(operation, { inMs: inMs ?? null, wasAnswered, isCounted })
    return { operation }
  }
  // After an end the watch counts its checks from 0, or from -1 if a check comes before its first.
  // Completed money starts the count of settling.
  const begun = event === "expire" && decision.next.kind === "in" ? -1 : 0
  const checks = event && event !== "see" ? begun : operation.checks + (isCounted ? 1 : 0)
  const message = { code, facts: factsOf(operation, decision, learned) }
  const written = await persistWithParent(deps.database, operation, {
    event: event ?? { note: noteOf(decision, learned) },
    ...message,
    changes: { ...changes, checkedAt: true, checks },
    next: inMs === undefined ? "never" : { inMs },
    lease: event === "complete" && how.keepsCompleted?.() ? { forMs: LIMITS.leaseMs } : "release",
  })
  alertReview(deps, operation, written?.operation, message)
  const said = learned.execution?.gatewayMessage ?? learned.execution?.walletMessage
  logEnd(deps, operation, written?.operation, message, said)
  const isEnd = event === "complete" || event === "fail"
  const { execution } = learned.findings
  const failure = execution?.kind === "seen" ? execution.failure : undefined
  if (written && isEnd && learned.execution) {
    await learnFromEnd(deps, written.operation, learned.execution, failure)
  }
  return written
}

function changesOf(
  operation: Operation,
  decision: Decision,
  learned: Learned,
  box: SecretBox,
): Changes {
  const { marks, event, reason } = decision
  const kind = KINDS[operation.type]
  const { absentAt, failedAt, contradictedAt } = operation
  const isDoneInTime = event === "complete" && reason === undefined
  // The execution reads PROCESSING again after FAILED: the reason shown to the shopper is removed.
  const isTakenBack = marks?.failed === false && failedAt !== null
  return {
    ...(learned.execution && kind.learned(operation, learned.execution, box)),
    ...kind.concluded?.(operation, decision, learned),
    ...(reason !== undefined && reason !== operation.reason ? { reason } : {}),
    ...(isDoneInTime || isTakenBack ? { reason: null } : {}),
    ...(marks?.absent === "anew"
      ? { absentAt: true }
      : marked("absentAt", marks?.absent, absentAt)),
    ...marked("failedAt", marks?.failed, failedAt),
    ...marked("contradictedAt", marks?.contradicted, contradictedAt),
    ...(marks?.closing === null ? { closing: null } : {}),
  }
}

/** A mark that is already set keeps its moment: the first time counts. */
function marked(
  column: "absentAt" | "failedAt" | "contradictedAt",
  mark: boolean | undefined,
  since: Date | null,
): Changes {
  return mark === undefined || mark === (since !== null) ? {} : { [column]: mark }
}

function factsOf(
  operation: Operation,
  decision: Decision,
  { findings, execution }: Learned,
): Readonly<Record<string, unknown>> {
  return {
    execution: findings.execution && describe(findings.execution),
    source: findings.source && describe(findings.source),
    ...sourceTotal(decision, findings),
    ...(findings.execution && amountFacts(findings.execution, execution)),
    ...otherFacts(operation, execution, decision.event),
  }
}

/** The source's total, for an admin, if its amount or currency is not what was asked for. */
function sourceTotal({ reason }: Decision, { source }: Findings): object {
  const isOdd = reason === "amount_mismatch" || reason === "currency_mismatch"
  if (!isOdd || source?.kind !== "seen") return {}
  return { source_total: `${majorText(source.total)} ${source.total.currency}` }
}

function noteOf({ marks }: Decision, { findings }: Learned): string {
  if (marks?.failed) return "failed_once"
  return findings.execution?.kind === "absent" ? "absent" : "seen"
}

function describe(finding: NonNullable<Findings["execution"] | Findings["source"]>): string {
  if (finding.kind !== "seen") return finding.kind
  // The gateway's own word, because an admin may have to quote it to the gateway.
  return ("said" in finding && finding.said) || finding.status
}

/**
 * Logs once that money did not go back or out: the admin may have left the page, or Medusa may show
 * the money as given back.
 */
function logEnd(
  deps: MoneyDeps,
  before: Operation,
  after: Operation | undefined,
  { code, facts }: Message,
  said: string | undefined,
): void {
  const { type, state } = before
  if (!after || type === "COLLECTION" || !hasEnded(after) || after.state === state) return
  const whose = after.parentId === null ? "" : ` of ${after.parentId}`
  deps.logger.error(
    `merchant payments: the ${KINDS[type].word} ${after.id}${whose} did not go through: ` +
      `${sentence("event", code, facts)} ${endSentence(after.reason, said)}`,
    fieldsOf(after, code),
  )
}
