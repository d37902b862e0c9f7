/**
 * What the reconciliation's page and file show: the kept comparison of a period, and the ledger's
 * figures of it. Where a new comparison is needed it begins; the answer does not wait for it.
 */
import { LIMITS } from "../core/limits"
import { MESSAGES, sentence, type DifferenceCode } from "../core/messages"
import { refusal } from "../core/refusal"
import { accountById, type Account } from "../ledger/accounts/find-accounts"
import { findTask, type TaskState } from "../ledger/tasks"
import type { FlowDeps } from "../engine/deps"
import { compareNow, type InBackground } from "./compare-now"
import type { Period } from "./read-sides"
import { figuresOfPeriod } from "./rules/period-figures"
import { isWorthRepeating } from "./rules/reconciliation"
import type {
  AccountReconciliation,
  DifferenceResponse,
  ReconciliationResponse,
} from "./rules/reconciliation-responses"
import { readConfirmed } from "./sql/confirming-of-period"
import { countOfPeriod } from "./sql/count-of-period"
import {
  findReconciliations,
  type FoundReconciliation,
  type KeptDifference,
} from "./sql/kept-reconciliations"
import { findRemovedAccounts } from "./sql/removed-accounts"
import { readTakings } from "./sql/takings-of-period"

const DAY_MS = 86_400_000

export type PeriodAsked = Period & {
  /** All of them where none is named. */
  readonly accountId: string | undefined
  /**
   * Whether a comparison begins: true, by a click; undefined, where the kept one is too old; false,
   * never, for a page that polls.
   */
  readonly isFresh?: boolean | undefined
}

/**
 * @throws Refusal `account_not_found`, `period_too_long`, `reconciliation_running` of another
 *   period
 */
export async function readPeriod(
  deps: FlowDeps,
  inBackground: InBackground,
  asked: PeriodAsked,
): Promise<ReconciliationResponse> {
  const { accounts, kept, task } = await stateAfter(deps, inBackground, asked, (one) => {
    if (asked.isFresh !== undefined) return !asked.isFresh
    const isPart = isWorthRepeating(one.incompleteBecause)
    return one.ageMs < (isPart ? LIMITS.reconcilePartServesMs : LIMITS.reconcileServesMs)
  })
  const compared = answersOf(accounts, kept)
  const isWhole = compared.length === accounts.length
  const [oldest] = compared.map(({ compared_at }) => compared_at).sort()
  const period = { ...asked, accountIds: accounts.map(({ id }) => id) }
  const [takings, confirmed] = await Promise.all([
    readTakings(deps.database, period),
    readConfirmed(deps.database, period),
  ])
  return {
    from: asked.from.toISOString(),
    to: asked.until.toISOString(),
    is_complete: isWhole && compared.every(({ is_complete }) => is_complete),
    is_running: task?.isRunning === true,
    has_stopped: task?.isRunning === false,
    begun_at: task?.begunAt.toISOString() ?? null,
    compared_at: (isWhole ? oldest : null) ?? null,
    accounts: compared,
    figures: figuresOfPeriod(takings, confirmed),
  }
}

/**
 * For a file: a comparison of the last minutes, or, asked for fresh, of the last seconds. A program
 * that asks again after a refusal gets the comparison that its first request began.
 *
 * @throws Refusal as `readPeriod`; `reconciliation_running` also of the period's own
 */
export async function comparedPeriod(
  deps: FlowDeps,
  inBackground: InBackground,
  asked: PeriodAsked,
): Promise<readonly AccountReconciliation[]> {
  const servesMs = asked.isFresh ? LIMITS.reconcilePartServesMs : LIMITS.reconcileServesMs
  const isOfUse = ({ ageMs }: FoundReconciliation) => ageMs < servesMs
  const { accounts, kept } = await stateAfter(deps, inBackground, asked, isOfUse)
  if (kept.length < accounts.length || !kept.every(isOfUse)) throw refusal("reconciliation_running")
  return answersOf(accounts, kept)
}

type PeriodState = {
  readonly accounts: readonly Account[]
  readonly kept: readonly FoundReconciliation[]
  /** The comparison of this period that is under way, or that ended before its end. */
  readonly task: TaskState | undefined
}

/** What is kept, and what is under way, once a comparison has begun where one is needed. */
async function stateAfter(
  deps: FlowDeps,
  inBackground: InBackground,
  asked: PeriodAsked,
  isOfUse: (kept: FoundReconciliation) => boolean,
): Promise<PeriodState> {
  const accounts = await chosen(deps, asked)
  const ids = accounts.map(({ id }) => id)
  await refuseTooMuch(deps, asked, ids)
  const { from, until, accountId } = asked
  const subject = [from.toISOString(), until.toISOString(), accountId ?? "all accounts"].join(" ")
  const before = await findReconciliations(deps.database, ids, asked)
  const isKept = before.length === accounts.length || asked.isFresh === false
  const isNeeded = !isKept || !before.every(isOfUse)
  if (isNeeded) await compareNow(deps, inBackground, { accounts, period: asked, subject })
  // The task first: where it has ended, what it found is kept by then.
  const task = await findTask(deps.database, "reconcile_now")
  const isOwn = task?.subject === subject
  if (isNeeded && task?.isRunning && !isOwn) throw refusal("reconciliation_running")
  const kept = await findReconciliations(deps.database, ids, asked)
  return { accounts, kept, task: isOwn ? task : undefined }
}

/** With those that were removed since: the gateway is not read for them, and that is said. */
async function chosen(
  deps: FlowDeps,
  asked: Pick<PeriodAsked, "accountId" | "from" | "until">,
): Promise<readonly Account[]> {
  const removed = await findRemovedAccounts(deps.database, asked)
  const accounts = [...(await deps.accounts()), ...removed]
  if (asked.accountId === undefined) return accounts
  const account = accountById(accounts, asked.accountId)
  if (!account) throw refusal("account_not_found")
  return [account]
}

/** All of it is in memory while it is compared. */
async function refuseTooMuch(
  deps: FlowDeps,
  { from, until }: Period,
  accountIds: readonly string[],
): Promise<void> {
  const { reconcileNowDays: daysMax, reconcileNowPaymentsMax: paymentsMax } = LIMITS
  const tooLong = () =>
    refusal(
      "period_too_long",
      { days: daysMax, payments: paymentsMax },
      { days_max: daysMax, payments_max: paymentsMax },
    )
  if (until.getTime() - from.getTime() > daysMax * DAY_MS) throw tooLong()
  const count = await countOfPeriod(deps.database, { from, until, accountIds }, paymentsMax)
  if (count > paymentsMax) throw tooLong()
}

function answersOf(
  accounts: readonly Account[],
  found: readonly FoundReconciliation[],
): AccountReconciliation[] {
  return accounts.flatMap(({ id, label }) => {
    const kept = found.find(({ accountId }) => accountId === id)
    return kept ? [answerOf(label, kept)] : []
  })
}

function answerOf(label: string, kept: FoundReconciliation): AccountReconciliation {
  return {
    account_id: kept.accountId,
    label,
    is_complete: kept.isComplete,
    incomplete_because: kept.incompleteBecause.map((code) => ({
      code,
      en: sentence("incomplete", code),
    })),
    compared_at: kept.comparedAt.toISOString(),
    counts: kept.counts,
    totals: kept.totals,
    differences: kept.differences.flatMap(differenceOf),
    left_out: kept.leftOut,
  }
}

/** One of a code that this version has no words for is none that it could have kept. */
function differenceOf(kept: KeptDifference): DifferenceResponse[] {
  const isKnown = (code: string): code is DifferenceCode => Object.hasOwn(MESSAGES.difference, code)
  return isKnown(kept.code) ? [{ ...kept, en: sentence("difference", kept.code) }] : []
}
