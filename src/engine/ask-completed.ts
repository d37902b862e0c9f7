/**
 * Asks about a completed movement of money again. Completed is final: no answer moves the state. An
 * operator may have taken the money back, or the gateway may contradict itself for another reason.
 * That is noted once, logged, and listed for an admin until the gateway agrees again.
 */
import { fieldsOf } from "../core/log-fields"
import type { Findings } from "../core/decide/decision"
import { isTakenBack } from "../core/decide/state-words"
import { sentence } from "../core/messages"
import { hasExecution, type Operation } from "../core/operation"
import type { CallOptions, Gateway } from "../gateway"
import { newestOf } from "../ledger/find-events"
import { askSource, unanswered } from "./ask-gateway"
import type { MoneyDeps } from "./deps"
import { gatewayFor } from "./gateway-for"
import { KINDS } from "./kinds"
import { pauseIfAsked } from "./pause-checks"
import { persist } from "./persist"
import { holdSecondCharge } from "./second-charge"

/** The events of an answer after COMPLETED. */
export const CONFIRMED = "confirmed_again"
export const CONTRADICTED = "contradicted"
/** The event of a contradiction that an admin has dealt with. */
export const DOUBT_CLOSED = "doubt_closed"
const AGREES_AGAIN = "agrees_again"
const TAKEN_BACK = "taken_back"

/** `unknown`: the gateway did not answer, or its answer proves nothing. */
export type AskedAgain = "agrees" | "contradicted" | "unknown"

type Asking = {
  /** Other words on the payment: its receipt's state, or its source's state in a list. */
  readonly beside?: readonly (string | undefined)[]
  /** Called before each question, which costs one of the account's budget. */
  readonly take: () => Promise<void>
  readonly options?: CallOptions
}

/** Asks the operation's execution, if it has one, and a collection's source. */
export async function askAgain(
  gateway: Gateway,
  operation: Operation,
  { beside = [], take, options }: Asking,
): Promise<Findings> {
  const { type, reference, sourceId } = operation
  const findings: { -readonly [Name in keyof Findings]: Findings[Name] } = {}
  if (hasExecution(operation)) {
    await take()
    findings.execution = (await KINDS[type].ask(gateway, reference, options)).finding
  }
  if (type === "COLLECTION" && sourceId !== null) {
    await take()
    findings.source = (await askSource(gateway, operation, options)).finding
  }
  return { ...findings, beside: beside.flatMap((word) => word ?? []) }
}

/**
 * The state on the payment's receipt: if an operator takes money back, one of the gateway's models
 * may show it before the others. Not every payment has a receipt, so a missing one proves nothing.
 */
export async function receiptReads(
  deps: MoneyDeps,
  gateway: Gateway,
  { accountId, sourceId, sourceType }: Operation,
): Promise<string | undefined> {
  if (sourceId === null) return undefined
  const acts = sourceType === "ORDER" ? gateway.orders : gateway.invoices
  const outcome = await acts.receipt(sourceId, { patience: "job" })
  if (outcome.kind === "done") return outcome.value.status
  await pauseIfAsked(deps, accountId, unanswered(outcome))
  return undefined
}

/**
 * Notes what the answers mean, if that is news.
 *
 * @param read a moment ago; its lease and its schedule stay unchanged
 */
export async function noteAskedAgain(
  deps: MoneyDeps,
  read: Operation,
  findings: Findings,
): Promise<AskedAgain> {
  const { execution, source, beside } = findings
  await pauseIfAsked(deps, read.accountId, execution, source)
  const operation = await holdSecondCharge(deps, read, findings)
  if (!operation) return "unknown"
  const { id, type } = operation
  const kind = KINDS[type]
  const { marks, code } = kind.decide(operation, findings)
  const isContradicted = marks?.contradicted
  if (isContradicted === undefined) return "unknown"
  const result = isContradicted ? "contradicted" : "agrees"
  const facts = {
    execution: execution?.kind === "seen" ? (execution.said ?? execution.status) : null,
    source: source?.kind === "seen" ? source.status : null,
    ...(beside && beside.length > 0 ? { beside: beside.join(", ") } : {}),
  }
  const isTaken = isContradicted && type === "COLLECTION" && isSaidTaken(facts)
  // Money that went back or out is not asked about twice, so the event of the first answer is kept.
  const isNews = isContradicted !== (operation.contradictedAt !== null)
  const isDealtWith = !isNews || (isContradicted && (await isDismissedDoubt(deps, id, facts)))
  const isAgreed = !isContradicted && type === "COLLECTION" && !isNews
  if (isAgreed && !(await endsDismissal(deps, operation))) return result
  if (isContradicted && isDealtWith && (type === "COLLECTION" || isNews)) {
    if (isTaken) await noteTakenBack(deps, operation, facts)
    return result
  }
  const agreed = type === "COLLECTION" ? AGREES_AGAIN : CONFIRMED
  const isBack = !isContradicted && operation.takenBackAt !== null
  const noted = await persist(deps.database, operation, {
    event: { note: isContradicted ? CONTRADICTED : agreed },
    code,
    facts,
    changes: {
      ...(isNews ? { contradictedAt: isContradicted } : {}),
      ...(isBack ? { takenBackAt: false } : {}),
    },
  })
  if (noted && isNews && isContradicted) {
    deps.logger.error(
      `merchant payments: the gateway contradicts the ${kind.word} ${id}, which stays ` +
        `completed: ${sentence("event", code, facts)}`,
      fieldsOf(operation, code),
    )
    if (isTaken && (await isSaidAgain(deps, noted))) await noteTakenBack(deps, noted, facts)
  }
  return result
}

type Said = {
  readonly execution?: unknown
  readonly source?: unknown
  readonly beside?: unknown
}

/** What contradicts a completed payment; that it is paid does not. */
const wordsOf = ({ execution, source, beside }: Said): string[] =>
  [execution, source, ...(typeof beside === "string" ? beside.split(", ") : [])]
    .filter((word) => typeof word === "string")
    .filter((word) => word !== "COMPLETED" && word !== "PAID")

const isSaidTaken = (said: Said) => wordsOf(said).some(isTakenBack)

/**
 * Whether an admin has dealt with just this contradiction: a dismissal ends the words that were said
 * then, until the gateway agrees again, and no others.
 */
async function isDismissedDoubt(
  { database }: MoneyDeps,
  id: Operation["id"],
  said: Said,
): Promise<boolean> {
  const last = await newestOf(database, id, [CONTRADICTED, DOUBT_CLOSED, AGREES_AGAIN])
  if (last?.name !== DOUBT_CLOSED) return false
  const before = await newestOf(database, id, [CONTRADICTED])
  const known = wordsOf(before?.facts ?? {})
  return wordsOf(said).every((word) => known.includes(word))
}

/** The gateway agrees after a dismissal, or after it said that the money was taken back. */
async function endsDismissal({ database }: MoneyDeps, operation: Operation): Promise<boolean> {
  if (operation.takenBackAt !== null) return true
  const names = [CONTRADICTED, DOUBT_CLOSED, AGREES_AGAIN]
  return (await newestOf(database, operation.id, names))?.name === DOUBT_CLOSED
}

/** One odd answer decides nothing: the execution is asked a second time at once. */
async function isSaidAgain(deps: MoneyDeps, operation: Operation): Promise<boolean> {
  const gateway = hasExecution(operation) ? await gatewayFor(deps, operation) : undefined
  if (!gateway) return false
  await deps.budget.take(operation.accountId)
  const { finding } = await KINDS[operation.type].ask(gateway, operation.reference)
  return finding.kind === "seen" && isTakenBack(finding.said ?? finding.status)
}

/** From now on the money counts as gone. Nothing is sent back for it any more. */
async function noteTakenBack(deps: MoneyDeps, operation: Operation, said: Said): Promise<void> {
  if (operation.takenBackAt !== null) return
  await persist(deps.database, operation, {
    event: { note: TAKEN_BACK },
    code: TAKEN_BACK,
    facts: said,
    changes: { takenBackAt: true },
  })
}
