/**
 * What the reconciliation's page and file show: the comparison of a period, and the ledger's
 * figures of it. A comparison that was kept a short while ago answers again; else one is made now.
 * While another is being made, the last one of the period is answered, whatever its age, and said
 * to be so.
 */
import { LIMITS } from "../core/limits"
import { MESSAGES, sentence, type DifferenceCode } from "../core/messages"
import { refusal } from "../core/refusal"
import { accountById, type Account } from "../ledger/accounts/find-accounts"
import type { FlowDeps } from "../engine/deps"
import { compareNow } from "./compare-now"
import type { Period } from "./read-books"
import { figuresOfPeriod } from "./rules/period-figures"
import { isWorthRepeating } from "./rules/reconciliation"
import type {
  AccountReconciliation,
  DifferenceAnswer,
  ReconciliationAnswer,
} from "./rules/reconciliation-answers"
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
  /** Whatever was kept, it is compared now. */
  readonly isFresh: boolean
}

export type ComparedPeriod = {
  readonly accounts: readonly AccountReconciliation[]
  readonly isRunning: boolean
}

/** @throws Refusal `account_not_found`, `period_too_long`, `reconciliation_running` */
export async function readPeriod(
  deps: FlowDeps,
  asked: PeriodAsked,
): Promise<ReconciliationAnswer> {
  const { accounts, isRunning } = await comparedPeriod(deps, asked)
  const period = { ...asked, accountIds: accounts.map(({ account_id }) => account_id) }
  const [takings, confirmed] = await Promise.all([
    readTakings(deps.database, period),
    readConfirmed(deps.database, period),
  ])
  return {
    from: asked.from.toISOString(),
    to: asked.until.toISOString(),
    is_complete: accounts.every(({ is_complete }) => is_complete),
    is_running: isRunning,
    compared_at: accounts.map(({ compared_at }) => compared_at).sort()[0] ?? null,
    accounts,
    figures: figuresOfPeriod(takings, confirmed),
  }
}

/** @throws Refusal as `readPeriod` */
export async function comparedPeriod(deps: FlowDeps, asked: PeriodAsked): Promise<ComparedPeriod> {
  const accounts = await chosen(deps, asked)
  const ids = accounts.map(({ id }) => id)
  await refuseTooMuch(deps, asked, ids)
  const kept = await findReconciliations(deps.database, ids, asked)
  const isKept = kept.length === accounts.length && kept.every(isOfUse)
  if (isKept && !asked.isFresh) return { accounts: answersOf(accounts, kept), isRunning: false }
  // Whoever clicked together with us, and was through before our turn came, has asked for us as
  // well. Told by which ones are there, not by their age: the database's answer takes its time,
  // too.
  const before = new Set(kept.map(({ id }) => id))
  const isDone = async () => {
    const since = await findReconciliations(deps.database, ids, asked)
    return since.length === accounts.length && since.every(({ id }) => !before.has(id))
  }
  const now = await compareNow(deps, accounts, asked, isDone)
  const found = await findReconciliations(deps.database, ids, asked)
  if (found.length < accounts.length) {
    throw refusal("reconciliation_running")
  }
  return { accounts: answersOf(accounts, found), isRunning: now === "busy" }
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

function isOfUse({ incompleteBecause, ageMs }: FoundReconciliation): boolean {
  const isPart = isWorthRepeating(incompleteBecause)
  return ageMs < (isPart ? LIMITS.reconcilePartServesMs : LIMITS.reconcileServesMs)
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
function differenceOf(kept: KeptDifference): DifferenceAnswer[] {
  const isKnown = (code: string): code is DifferenceCode => Object.hasOwn(MESSAGES.difference, code)
  return isKnown(kept.code) ? [{ ...kept, en: sentence("difference", kept.code) }] : []
}
