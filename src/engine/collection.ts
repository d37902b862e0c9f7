/**
 * What only a collection has: a source at the gateway, which is a second witness of the payment and
 * can be closed, and a gateway session that may run out before it is used.
 *
 * A retry takes over the source of a failed push, so several tries may share one source; and a
 * source may be paid without us. Before money is held, the gateway is asked which try it belongs
 * to: money that two operations hold could be given back twice.
 */
import {
  isPaidOtherwise,
  takenOf,
  type Decision,
  type Findings,
  type SourceOwner,
} from "../core/decide/decision"
import { payerChange } from "../core/payer-change"
import { hasEnded, isNewer, isPush, type Operation, isUnderWay } from "../core/operation"
import { isWithoutMoney } from "../core/decide/state-words"
import type { GatewaySessionId } from "../core/ids"
import {
  paymentIntentIn,
  type Execution,
  type Gateway,
  type Outcome,
  type SourceStatus,
} from "../gateway"
import type { Changes } from "../ledger/advance-operation"
import { bringForward } from "../ledger/bring-forward"
import { ageOfLastEvent } from "../ledger/find-events"
import { findOthersOfSource } from "../ledger/find-operations"
import { askExecution, askSource, closeSource, type Asked } from "./ask-gateway"
import type { FlowDeps, MoneyDeps } from "./deps"
import { newIntent } from "./execution-answer"
import { namesSession } from "./gateway-refusal"
import { isForOtherTotal } from "./open-amount"
import type { ShopperTime } from "./shopper-time"

/** The event of an operation that was given another gateway session; at most once for each. */
export const RENEWED = "session_renewed"

/** How one check asks. */
export type Asking = {
  /** How long a shopper waits for the check; undefined: it is a job's check. */
  readonly shopper: ShopperTime | undefined
  /** Resolves when one more question may go out. */
  take(): Promise<void>
  /** Reports why a complete answer can't be used; undefined: there is nothing to report. */
  complain(unusable: string | undefined): void
}

/** What the questions of one check have found so far. */
export type Learned = {
  readonly findings: Findings
  /** When the first question went out, on the monotonic clock. */
  readonly askedAtMs?: number
  readonly execution?: Execution | undefined
  readonly source?: SourceStatus | undefined
}

export type SourceQuestions = {
  /** From the ledger alone: an ended try shares its source with the try that took it over. */
  owner(operation: Operation): Promise<"another" | undefined>
  ask(operation: Operation, learned: Learned): Promise<Learned>
  close(operation: Operation, learned: Learned): Promise<Learned>
}

/**
 * Opens another gateway session, because the first may have run out. It may also have been used by
 * a sending whose answer was lost. Then the gateway opens none for a source that is being paid, or
 * it refuses the reference, which is the same one.
 *
 * @returns the id of the new session; undefined: the first was not refused, or none was opened
 */
export async function renewSession(
  deps: MoneyDeps,
  gateway: Gateway,
  { id, sourceId, sourceType, accountId, reference }: Operation,
  outcome: Outcome<Execution>,
): Promise<GatewaySessionId | undefined> {
  const isRefused = outcome.kind === "refused" && namesSession(outcome.error)
  if (!isRefused || sourceId === null) {
    return undefined
  }
  if ((await ageOfLastEvent(deps.database, id, RENEWED)) !== undefined) return undefined
  await deps.budget.take(accountId)
  const opened = await gateway.sessions.checkout({ sourceId, sourceType }, { patience: "job" })
  if (opened.kind !== "done" || opened.value.status !== "ACTIVE") return undefined
  await deps.budget.take(accountId)
  // The refused call may have been delivered twice, and its first delivery may have landed.
  const { finding } = await askExecution(gateway, reference)
  if (finding.kind !== "absent") return undefined
  await deps.budget.take(accountId)
  return opened.value.id
}

export function sourceQuestions(
  deps: MoneyDeps & Pick<FlowDeps, "medusa">,
  gateway: Gateway,
  { shopper, take, complain }: Asking,
): SourceQuestions {
  const withAnswer = async (
    operation: Operation,
    learned: Learned,
    { finding, answer }: Asked<NonNullable<Findings["source"]>, SourceStatus>,
  ): Promise<Learned> => {
    const findings = { ...learned.findings, source: finding }
    const { execution } = findings
    const isPaid = finding.kind === "seen" && finding.status === "PAID"
    const isOwn = execution?.kind === "seen" && execution.status === "COMPLETED"
    const isForeign = isPush(operation) && isPaid && !isOwn
    const owner = isForeign && {
      sourceOwner: await ownerOfPaid(deps, gateway, operation, shopper),
    }
    return { ...learned, findings: { ...findings, ...owner }, ...(answer && { source: answer }) }
  }
  return {
    owner: async (operation) =>
      isPush(operation) && hasEnded(operation) ? ownerByLedger(deps, operation) : undefined,
    async ask(operation, learned) {
      await take()
      const { askedAtMs = deps.clock.monotonicMs() } = learned
      const asked = await askSource(gateway, operation, shopper?.callOptions())
      complain(asked.unusable)
      const isAmountStale = isClosable(operation, asked.finding) && (await isStale(deps, operation))
      const findings = { ...learned.findings, isAmountStale }
      return withAnswer(operation, { ...learned, findings, askedAtMs }, asked)
    },
    async close(operation, learned) {
      // One question for the cancel, and one that reads the source afterwards.
      await take()
      await take()
      const asked = await closeSource(gateway, operation, shopper?.callOptions)
      return withAnswer(operation, learned, asked)
    },
  }
}

/**
 * Whether the source can still be closed. Only then does it matter what Medusa asks for now: paid
 * money counts even if Medusa can't be read.
 */
function isClosable(operation: Operation, finding: Findings["source"]): boolean {
  if (isPush(operation) || finding?.kind !== "seen") return false
  return !["PAID", "PROCESSING", "CANCELED"].includes(finding.status)
}

async function isStale(deps: Pick<FlowDeps, "medusa">, operation: Operation): Promise<boolean> {
  return isUnderWay(operation) && (await isForOtherTotal(deps, operation, true))
}

/**
 * What execution and source together add to the ledger. What the execution adds alone is
 * in `execution-answer.ts`.
 */
export function concludedOf(operation: Operation, decision: Decision, learned: Learned): Changes {
  const { findings, source } = learned
  const isDone = decision.event === "complete" && !hasEnded(operation)
  const isMoney = decision.event === "complete" || decision.event === "doubt"
  const { execution } = findings
  // The source was paid in another way, which has another payment intent.
  const isOtherwise = isMoney && execution?.kind === "seen" && isWithoutMoney(execution.status)
  return {
    // The gateway knows the execution: a later 404 is a lagging read and sends nothing again.
    ...(execution?.kind === "seen" && isLastSendingOpen(operation)
      ? { lastSending: "accepted" }
      : {}),
    ...(source && source.status !== operation.sourceStatus ? { sourceStatus: source.status } : {}),
    ...(source?.payerAmount && operation.payerAmount === null
      ? { payerCurrency: source.payerAmount.currency }
      : {}),
    ...collectedBy(operation, decision, learned),
    ...(isDone ? { confirmedAfter: true } : {}),
    ...(isOtherwise && operation.paymentIntentId !== null ? { paymentIntentId: null } : {}),
    ...(isDone && !isOtherwise ? intentOfSource(operation, learned) : {}),
    ...(isDone && operation.contradictedAt ? { contradictedAt: false } : {}),
    ...(operation.paidOtherwiseAt === null && isPaidOtherwise(findings)
      ? { paidOtherwiseAt: true }
      : {}),
    ...payerChange(operation, {
      execution: execution?.kind === "seen" ? execution.status : null,
      isPaid: isMoney && isPaidHere(findings),
    }),
  }
}

/** The source is paid, and not by another try of the same source. */
const isPaidHere = ({ source, sourceOwner }: Findings): boolean =>
  sourceOwner !== "another" && source?.kind === "seen" && source.status === "PAID"

/** Of a page there is no execution: only its source, and later its receipt, can name the intent. */
function intentOfSource(operation: Operation, { execution, source }: Learned): Changes {
  if (source === undefined || execution?.paymentIntentId !== undefined) return {}
  const paymentIntentId = newIntent(operation, paymentIntentIn(source.wire))
  return paymentIntentId === undefined ? {} : { paymentIntentId }
}

function isLastSendingOpen(operation: Operation): boolean {
  return isUnderWay(operation) && operation.lastSending !== "accepted"
}

/**
 * The amount that really came, never in another currency. A COMPLETED execution has taken its
 * source's total, unless its own figures say otherwise. If the source can't be read, the total is
 * the amount that was compared before the reference went out.
 */
function collectedBy(operation: Operation, decision: Decision, learned: Learned): Changes {
  const { execution, source } = learned.findings
  if (decision.event !== "complete" && decision.event !== "doubt") return {}
  // Money of another try of the same source is held by that try, so that it is given back once.
  const isPaid = isPaidHere(learned.findings)
  const isExecuted = execution?.kind === "seen" && execution.status === "COMPLETED"
  if (!isPaid && !isExecuted) return {}
  const total = source?.kind === "seen" ? source.total : operation.amount
  const { payerAmount, payeeAmount } = (isExecuted && learned.execution) || {}
  const taken = takenOf(operation.amount, total, [payerAmount, payeeAmount])
  return taken.currency === operation.amount.currency ? { collectedMinor: taken.minor } : {}
}

/**
 * Whose a source is, from the ledger alone. `another`: another operation with this source is open,
 * or ever had money. Undefined: all others with this source ended without money.
 */
export async function ownerByLedger(
  deps: Pick<MoneyDeps, "database">,
  operation: Operation,
): Promise<"another" | undefined> {
  if (operation.sourceId === null) return undefined
  const others = await findOthersOfSource(deps.database, operation)
  return others.some((other) => !isSpent(other)) ? "another" : undefined
}

/**
 * Whose a source is that reads `PAID` though the operation's own execution did not complete. The
 * other tries are asked for now: the one that completed has the money, and is made due. If none
 * completed, the source was paid without us, and the newest try holds the money.
 */
export async function ownerOfPaid(
  deps: MoneyDeps,
  gateway: Gateway,
  operation: Operation,
  shopper?: ShopperTime,
): Promise<SourceOwner> {
  const others = await findOthersOfSource(deps.database, operation)
  if (others.some((other) => !isSpent(other))) return "another"
  for (const other of others) {
    if (other.reference === null) continue
    if (!shopper) await deps.budget.take(other.accountId)
    const { finding } = await askExecution(gateway, other.reference, shopper?.callOptions())
    if (finding.kind === "seen" && finding.status === "COMPLETED") {
      await bringForward(deps.database, other.id, 0)
      return "another"
    }
    const broughtNothing =
      finding.kind === "absent" || (finding.kind === "seen" && finding.status === "FAILED")
    if (!broughtNothing) return "unsure"
  }
  const newer = others.find((other) => isNewer(other, operation))
  if (!newer) return "this"
  await bringForward(deps.database, newer.id, 0)
  return "another"
}

/** The operation ended and never held money. */
function isSpent(operation: Operation): boolean {
  return hasEnded(operation) && operation.collected === null
}
