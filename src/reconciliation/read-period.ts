/**
 * Reads what the reconciliation's page and file show: the stored comparison of a period, and the
 * ledger's figures. A new comparison begins where one is needed; the response does not wait for it.
 *
 * A comparison is one task for all workers, so admins who click together do not ask the gateway
 * twice. When it ends, its task row is gone and its result is stored. A row that stays behind shows
 * that the comparison stopped.
 */
import { errorText } from "../core/error-text"
import { LIMITS } from "../core/limits"
import { sentence } from "../core/messages"
import { refusal } from "../core/refusal"
import { UTC } from "../core/time-zone"
import { accountById, type Account } from "../ledger/accounts/find-accounts"
import { dropTask, findTask, finishTask, takeTask, type TaskState } from "../ledger/tasks"
import type { FlowDeps } from "../engine/deps"
import { methodLabels } from "../core/method-labels"
import type { AccountId } from "../core/ids"
import { reconcileAccount } from "./reconcile"
import { agreementOf } from "./rules/agreement"
import { figuresOfPeriod } from "./rules/period-figures"
import { isWorthRepeating, type Period } from "./rules/reconciliation"
import type { AccountReconciliation, ReconciliationResponse } from "./schemas/reconciliation"
import { keeping } from "./run-task"
import { countOfPeriod, readConfirmed, readTakings } from "./sql/figures-of-period"
import { findRemovedAccounts } from "./sql/find-for-period"
import { findReconciliations, type FoundReconciliation } from "./sql/reconciliations"

/** Begins work that outlives a request. The signal aborts when the process is to end. */
export type InBackground = (work: (signal: AbortSignal) => Promise<void>) => unknown

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export type PeriodAsked = Period & {
  /** The account that is compared; undefined: all accounts. */
  readonly accountId: AccountId | undefined
  /**
   * When a new comparison begins. True: always, because an admin clicked. Undefined: if the stored
   * one is too old. False: never, because a page polls.
   */
  readonly isFresh?: boolean | undefined
  /** The time zone by whose days the figures are counted; UTC by default. */
  readonly timeZone?: string
}

/**
 * @throws Refusal `account_not_found`, `period_too_long`, `reconciliation_running` while another
 *   period is compared
 */
export async function readPeriod(
  deps: FlowDeps,
  inBackground: InBackground,
  asked: PeriodAsked,
): Promise<ReconciliationResponse> {
  const { accounts, kept, task } = await stateAfter(deps, inBackground, asked, (one) => {
    if (asked.isFresh !== undefined) return !asked.isFresh
    const isPart = isWorthRepeating(one.incomplete_because)
    return one.ageMs < (isPart ? LIMITS.reconcilePartServesMs : LIMITS.reconcileServesMs)
  })
  const compared = answersOf(accounts, kept)
  const isWhole = compared.length === accounts.length
  const [oldest] = compared.map(({ compared_at }) => compared_at).sort()
  const { timeZone = UTC } = asked
  const period = { ...asked, accountIds: accounts.map(({ id }) => id) }
  const [takings, confirmed] = await Promise.all([
    readTakings(deps.database, period, timeZone),
    readConfirmed(deps.database, period),
  ])
  return {
    from: asked.from.toISOString(),
    to: asked.until.toISOString(),
    time_zone: timeZone,
    is_complete: isWhole && compared.every(({ is_complete }) => is_complete),
    is_running: task?.isRunning === true,
    has_stopped: task?.isRunning === false,
    begun_at: task?.begunAt.toISOString() ?? null,
    compared_at: (isWhole ? oldest : null) ?? null,
    accounts: compared,
    agreement: agreementOf(compared),
    figures: figuresOfPeriod(takings, confirmed, methodLabels(accounts)),
  }
}

/**
 * Reads for a file: a comparison of the last minutes, or, if asked for fresh, of the last seconds.
 * A program that asks again after a refusal gets the comparison that its first request began.
 *
 * @throws Refusal as `readPeriod`; `reconciliation_running` also while this period is compared
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
  /** The comparison of this period that is under way, or that stopped before its end. */
  readonly task: TaskState | undefined
}

/**
 * Begins a comparison where one is needed.
 * @returns what is then stored and under way
 */
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
  if (isNeeded) await compareNow(deps, inBackground, accounts, asked, subject)
  // The task is read before the result: once a task has ended, its result is stored.
  const task = await findTask(deps.database, "reconcile_now")
  const isOwn = task?.subject === subject
  if (isNeeded && task?.isRunning && !isOwn) throw refusal("reconciliation_running")
  const kept = await findReconciliations(deps.database, ids, asked)
  return { accounts, kept, task: isOwn ? task : undefined }
}

/**
 * Begins a comparison like the nightly one, unless one is under way, and never waits for its end.
 * It closes no sources; the sweep does.
 */
async function compareNow(
  deps: FlowDeps,
  inBackground: InBackground,
  accounts: readonly Account[],
  period: Period,
  subject: string,
): Promise<void> {
  const { database, logger } = deps
  const task = await takeTask(database, "reconcile_now", LIMITS.taskLeaseMs, {
    worker: deps.worker,
    subject,
  })
  if (!task) return
  inBackground(async (signal) => {
    const keep = keeping(deps, task, signal)
    try {
      for (const account of accounts) await reconcileAccount(deps, account, period, keep, true)
      await dropTask(database, task)
    } catch (error) {
      logger.error(`merchant payments: a comparison stopped: ${errorText(error)}`)
      // If this fails too, the lease ends by itself.
      await finishTask(database, task, { inMs: 0 }).catch(() => undefined)
    }
  })
}

/**
 * The accounts to compare, with removed accounts, whose gateway is not read; the result says so.
 */
async function chosen(deps: FlowDeps, asked: PeriodAsked): Promise<readonly Account[]> {
  const removed = await findRemovedAccounts(deps.database, asked)
  const accounts = [...(await deps.accounts()), ...removed]
  if (asked.accountId === undefined) return accounts
  const account = accountById(accounts, asked.accountId)
  if (!account) throw refusal("account_not_found")
  return [account]
}

/**
 * Refuses a period that is too large, because the whole period is in memory while it is compared.
 */
async function refuseTooMuch(
  { database }: FlowDeps,
  { from, until }: Period,
  accountIds: readonly AccountId[],
): Promise<void> {
  const { reconcileNowDays: days, reconcileNowPaymentsMax: payments } = LIMITS
  // In autumn a month is an hour longer where the clocks change.
  const isLong = until.getTime() - from.getTime() > days * DAY_MS + HOUR_MS
  if (isLong || (await countOfPeriod(database, { from, until, accountIds }, payments)) > payments) {
    const details = { days_max: days, payments_max: payments }
    throw refusal("period_too_long", { days, payments }, details)
  }
}

function answersOf(
  accounts: readonly Account[],
  found: readonly FoundReconciliation[],
): AccountReconciliation[] {
  return accounts.flatMap(({ id, label }) => {
    const kept = found.find(({ account_id }) => account_id === id)
    return kept ? [answerOf(label, kept)] : []
  })
}

function answerOf(
  label: string,
  { ageMs: _ageMs, ...kept }: FoundReconciliation,
): AccountReconciliation {
  return {
    ...kept,
    label,
    incomplete_because: kept.incomplete_because.map((code) => ({
      code,
      en: sentence("incomplete", code),
    })),
    differences: kept.differences.map((one) => ({ ...one, en: sentence("difference", one.code) })),
  }
}
