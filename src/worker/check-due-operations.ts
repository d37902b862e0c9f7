/**
 * What the job does at each run: it claims operations that are due and checks them, and goes on
 * while more are due. A payment that completes is settled in the same run. A failed check does not
 * stop the others, and its operation is due again. An operation whose check can't begin in good
 * time is given back. If the database is away, the pass ends.
 *
 * A pass with `leave` leaves slow checks behind, with their places and leases. If Medusa answers
 * too late, the check stops at that call; the lease is kept until Medusa answers, and then the
 * operation is due again.
 */
import { setMaxListeners } from "node:events"
import { errorText } from "../core/error-text"
import { LIMITS } from "../core/limits"
import { hasOrderToClose, isToUndo, type Operation } from "../core/operation"
import { spendChecks } from "../ledger/check-budget"
import { claimDueOperations, claimOperation } from "../ledger/claim-due-operations"
import { databaseFault, isAway } from "../ledger/database-error"
import { postponeUnasked, unasked } from "../ledger/postpone-operation"
import type { FlowDeps, Held } from "../engine/deps"
import { abandoning, type MedusaLate } from "./bounded"
import { stepOn, type Checking, type HostWork } from "./due-steps"
import { heldBackWrites } from "./held-back-writes"
import { isAsked, passBudget, type PassBudget } from "./pass-budget"
import { closingOf, HOST_WORK } from "./under-way"
import { workOff } from "./work-off"

/** An operation that this worker holds, or work in Medusa that has to claim its operation again. */
type Check = { readonly operation: Operation } | HostWork

type Claimed = { readonly operation: Operation; readonly beginBeforeMs: number }

type Pass = {
  /**
   * Operations of one claim at most. A full claim is followed by another, for {@link LIMITS.passMs}
   * at most.
   */
  readonly atMost: number
  /** When aborted, nothing more begins and waiting operations are given back; running ones end. */
  readonly signal?: AbortSignal
  /**
   * Takes the work that is still under way {@link LIMITS.passLeavesAfterMs} after the last claim.
   * It never rejects. Left out: the pass waits for all of it.
   */
  readonly leave?: (rest: Promise<void>) => void
}

/**
 * @returns how many operations were claimed
 * @throws the database's error, when it is away: once, however many checks met it
 */
export async function checkDueOperations(
  deps: FlowDeps,
  { atMost, signal, leave }: Pass,
): Promise<number> {
  const { clock, underWay } = deps
  // Each check that waits for its turn adds a listener, so Node must not warn about their number.
  if (signal) setMaxListeners(0, signal)
  const endsAtMs = clock.monotonicMs() + LIMITS.passMs
  const budget = passBudget(deps.budget, clock, signal)
  const writes = heldBackWrites(deps)
  let claimed = 0
  const mayBegin = ({ operation, beginBeforeMs }: Claimed) => {
    const isPaused = isAsked(operation) && budget.isPaused(operation.accountId)
    return !isPaused && !signal?.aborted && clock.monotonicMs() <= beginBeforeMs
  }
  const giveBack = ({ operation }: Claimed) => {
    budget.ofCheck(operation).end()
    writes.giveBack(operation)
  }
  const over = await workOff<Claimed | HostWork>({
    places: underWay,
    groupOf,
    ...(leave && { leave: { clock, afterMs: LIMITS.passLeavesAfterMs } }),
    async more(busy) {
      if (signal?.aborted || clock.monotonicMs() >= endsAtMs) return { things: [], isMore: false }
      await underWay.keepLeases(deps.database)
      await settleBudget(deps, budget)
      const due = await claim(deps, atMost, busy)
      claimed += due.length
      const beginBeforeMs = clock.monotonicMs() + LIMITS.beginChecksWithinMs
      const things = due.map((operation) => ({ operation, beginBeforeMs }))
      return { things, isMore: due.length >= atMost }
    },
    async work(thing, thenInMedusa) {
      const { operation } = thing
      const isInMedusa = isHostWork(thing)
      if (!isInMedusa && !mayBegin(thing)) return giveBack(thing)
      const own = budget.ofCheck(operation, isAsked(operation) && !isInMedusa)
      try {
        await act({ ...deps, budget: own, writes, thenInMedusa }, thing, signal)
      } finally {
        own.end()
      }
    },
  })
  for (const thing of over.left) if (!isHostWork(thing)) giveBack(thing)
  const end = async () => {
    await writes.end()
    await settleBudget(deps, budget)
  }
  // If a write fails, its leases end by themselves, and the next pass reports the database.
  leave?.(over.rest.then(end).catch(() => undefined))
  if (over.failure) {
    // The first error is thrown; the last writes may meet the same one, which is no news.
    await writes.end().catch(() => undefined)
    throw over.failure.error
  }
  await end()
  return claimed
}

function claim(deps: FlowDeps, limit: number, busy: readonly string[]): Promise<Operation[]> {
  return claimDueOperations(deps.database, {
    leaseMs: LIMITS.leaseMs,
    limit,
    worker: deps.worker,
    unanswered: deps.underWay.unanswered(),
    busyAccounts: busy,
    isInMedusa: !busy.includes(HOST_WORK),
    onRate: (accountId, perSecond) => deps.budget.allow(accountId, perSecond),
    onUnreadable: (error) => deps.logger.error(`merchant payments: ${error.message}`),
  })
}

async function settleBudget(deps: FlowDeps, budget: PassBudget): Promise<void> {
  for (const [accountId, questions] of budget.takeUnpaid()) {
    await spendChecks(deps.database, accountId, questions)
  }
}

const isHostWork = (what: object): what is HostWork => "isOwed" in what

/** The group whose places a check takes: its account's, or one of those for work in Medusa. */
function groupOf(what: Check): string {
  if (isHostWork(what)) return what.group
  const { operation } = what
  const { state, accountId } = operation
  if (state === "completed") return HOST_WORK
  const isClosing = state === "review" || hasOrderToClose(operation) || isToUndo(operation)
  return isClosing ? closingOf(accountId) : accountId
}

/** Checks one operation now, whatever its schedule says, unless another worker holds it. */
export async function checkNow(
  deps: FlowDeps,
  operationId: string,
  { isForPerson = false } = {},
): Promise<void> {
  const held = await claimOperation(deps.database, operationId, LIMITS.leaseMs)
  if (!held) return
  const writes = heldBackWrites(deps)
  const rest: HostWork[] = []
  const thenInMedusa = (work: HostWork) => void rest.push(work)
  const own = { ...deps, writes, thenInMedusa, isForPerson }
  try {
    await act(own, { operation: held })
    for (const work of rest) await act(own, work)
  } finally {
    await writes.end()
  }
}

/** Runs a check to its end, or until Medusa is late with an answer. */
async function act(deps: Checking, what: Check, signal?: AbortSignal): Promise<void> {
  const held: Held = { operation: what.operation }
  let onLate: (late: MedusaLate) => void = () => undefined
  const late = new Promise<MedusaLate>((resolve) => (onLate = resolve))
  const letGo = deps.underWay.hold(held)
  let unanswered: MedusaLate | undefined
  try {
    const own = { ...deps, host: abandoning(deps.host, onLate) }
    const step = () => (isHostWork(what) ? inMedusa(own, what, held) : stepOn(own, what.operation))
    const done = untilDone(own, held, step, signal).then(() => undefined)
    unanswered = await Promise.race([done, late])
  } finally {
    if (!unanswered) letGo()
  }
  if (unanswered) leaveUnanswered(deps, groupOf(what), { held, letGo, late: unanswered })
}

/** Keeps the lease while Medusa may still do the work; then the operation is due at once. */
function leaveUnanswered(
  { underWay, database, logger }: Checking,
  group: string,
  { held, letGo, late }: { held: Held; letGo: () => void; late: MedusaLate },
): void {
  const { id } = held.operation
  logger.error(
    `merchant payments: ${id}: ${late.message}; ` +
      "the payment is held until it does, and the others go on",
  )
  const answered = underWay.leave(group, held)
  const end = async () => {
    await late.ended
    answered()
    letGo()
    await postponeUnasked(database, held.operation, 0)
    logger.info(`merchant payments: ${id}: Medusa has answered ${late.method}`)
  }
  // If the database is away, the lease ends by itself.
  end().catch(() => undefined)
}

async function inMedusa(deps: Checking, work: HostWork, held: Held): Promise<void> {
  const operation = await claimOperation(deps.database, work.operation.id, LIMITS.leaseMs)
  if (!operation) return
  held.operation = operation
  if (work.isOwed(operation)) await work.act(deps, operation)
  else deps.writes.giveBack(operation)
}

async function untilDone(
  { writes, logger }: Checking,
  held: Held,
  step: () => Promise<void>,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    await step()
  } catch (error) {
    // The check was waiting for its turn to ask when the process had to end.
    if (signal?.aborted && isAbort(error)) return writes.giveBack(held.operation)
    // Due again soon: at once it would fail the same way each second, and the lease lasts too long.
    writes.postpone(held.operation, unasked(LIMITS.checkFailedRetryMs))
    if (isAway(databaseFault(error))) throw error
    logger.error(`merchant payments: the check of ${held.operation.id} failed: ${errorText(error)}`)
  }
}

function isAbort(error: unknown): boolean {
  return (
    typeof error === "object" && error !== null && "name" in error && error.name === "AbortError"
  )
}
