/**
 * Asks about a completed movement of money again. Completed is final: no answer moves the state. An
 * operator may have taken the money back, or the gateway may contradict itself for another reason.
 * That is noted once, logged, and listed for an admin until the gateway agrees again.
 */
import { fieldsOf } from "../core/log-fields"
import type { Findings } from "../core/decide/decision"
import { sentence } from "../core/messages"
import { hasExecution, type Operation } from "../core/operation"
import type { CallOptions, Gateway } from "../gateway"
import { ageOfLastEvent } from "../ledger/find-events"
import { askSource, unanswered } from "./ask-gateway"
import type { MoneyDeps } from "./deps"
import { KINDS } from "./kinds"
import { pauseIfAsked } from "./pause-checks"
import { persist } from "./persist"
import { holdSecondCharge } from "./second-charge"

/** The events of an answer after COMPLETED. */
export const CONFIRMED = "confirmed_again"
export const CONTRADICTED = "contradicted"
/** The event of a contradiction that an admin has dealt with. */
export const DOUBT_CLOSED = "doubt_closed"

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
  // Money that went back or out is not asked about twice, so the event of the first answer is kept.
  const isNews = isContradicted !== (operation.contradictedAt !== null)
  if (!isNews && type === "COLLECTION") return result
  const isClosed =
    isContradicted && (await ageOfLastEvent(deps.database, id, DOUBT_CLOSED)) !== undefined
  if (isClosed) return result
  const facts = {
    execution: execution?.kind === "seen" ? (execution.said ?? execution.status) : null,
    source: source?.kind === "seen" ? source.status : null,
    ...(beside && beside.length > 0 ? { beside: beside.join(", ") } : {}),
  }
  const agreed = type === "COLLECTION" ? "agrees_again" : CONFIRMED
  const noted = await persist(deps.database, operation, {
    event: { note: isContradicted ? CONTRADICTED : agreed },
    code,
    facts,
    ...(isNews ? { changes: { contradictedAt: isContradicted } } : {}),
  })
  if (noted && isNews && isContradicted) {
    deps.logger.error(
      `merchant payments: the gateway contradicts the ${kind.word} ${id}, which stays ` +
        `completed: ${sentence("event", code, facts)}`,
      fieldsOf(operation, code),
    )
  }
  return result
}
