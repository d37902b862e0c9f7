/**
 * The daily comparison of gateway, ledger and Medusa. It reads, compares, asks about what differs,
 * puts it under review or makes it due where a machine may, lists the rest, and stores the result.
 * It never captures, refunds or cancels anything; two that run at once find the same and do it
 * once.
 */
import type { AccountId } from "../core/ids"
import { LIMITS } from "../core/limits"
import type { IncompleteCode } from "../core/messages"
import type { Gateway } from "../gateway"
import type { Account } from "../ledger/accounts/find-accounts"
import type { FlowDeps } from "../engine/deps"
import { sweepStrayOrders } from "../orders/stray-orders"
import { askCompletedAgain } from "./ask-completed-again"
import { clientOfAccount } from "./client-of-account"
import { closeListedSources } from "./close-listed-sources"
import { ofPeriod } from "./differences-of-period"
import { isAsked, judgeDifference } from "./judge-difference"
import { readRefunds, readSides } from "./read-sides"
import {
  compareSides,
  groupedBy,
  isElsewhere,
  isWorthRepeating,
  type Difference,
  type GatewaySource,
  type Period,
  type SidesOfPeriod,
} from "./rules/reconciliation"
import type {
  AccountReport,
  AccountSums,
  KeptDifference,
  PeriodTotals,
} from "./schemas/reconciliation"
import { totalsOf } from "./rules/reconciliation-totals"
import { apart, runTask, type Keep } from "./run-task"
import { findRemovedAccounts } from "./sql/find-for-period"
import { keepReconciliation, lastPeriod } from "./sql/reconciliations"
import { noteOrderCanceled } from "./sql/wake-operations"

/** @returns false when the task is not due, or another worker runs it */
export function reconcileWhenDue(deps: FlowDeps, signal?: AbortSignal): Promise<boolean> {
  return runTask(deps, "reconcile", signal, async (keep) => {
    const period = await lastPeriod(deps.database, LIMITS.reconcileDaysMs)
    const reports = await reconcile(deps, period, keep)
    await apart(deps, "looking for stray orders", () =>
      sweepStrayOrders(deps, LIMITS.reconcileDaysMs, keep),
    )
    return reports.some((report) => isWorthRepeating(report.incomplete_because))
      ? { inMs: LIMITS.reconcileRetryMs }
      : { atUtcHour: LIMITS.reconcileAtUtcHour }
  })
}

/**
 * Compares every account.
 * @returns one report for each account, with its sums; each is stored
 */
export async function reconcile(
  deps: FlowDeps,
  period: Period,
  keep: Keep = () => Promise.resolve(),
): Promise<AccountSums[]> {
  const reports: AccountSums[] = []
  for (const account of [...(await deps.accounts()), ...(await servedRemoved(deps, period))]) {
    const { report, totals, sources } = await reconcileAccount(deps, account, period, keep)
    reports.push({ ...report, totals })
    await apart(deps, `asking again about what is completed of ${account.id}`, () =>
      askCompletedAgain(deps, account, sources, keep),
    )
    await apart(deps, `closing sources of ${account.id}`, async () => {
      const gateway = sources.length === 0 ? undefined : deps.gatewayOf(account)
      if (gateway) await closeListedSources(deps, gateway, account, sources, keep)
    })
  }
  return reports
}

/** Removed accounts with money of the period that another account of their client can ask about. */
async function servedRemoved(deps: FlowDeps, period: Period): Promise<Account[]> {
  const served: Account[] = []
  for (const account of await findRemovedAccounts(deps.database, period)) {
    if ((await clientOfAccount(deps, account)).gateway) served.push(account)
  }
  return served
}

/** The report and its sums, which are stored, and the sources that they were made from. */
type Compared = {
  readonly report: AccountReport
  readonly totals: readonly PeriodTotals[]
  readonly sources: readonly GatewaySource[]
}

/**
 * @param isOwnOnly only differences of the period's own payments and refunds, as a page of a day
 *   shows them; the nightly comparison takes what it finds of others, too
 *
 * A comparison that throws is stored as stopped, and does not end the comparison of other accounts.
 */
export async function reconcileAccount(
  deps: FlowDeps,
  account: Account,
  period: Period,
  keep: Keep,
  isOwnOnly = false,
): Promise<Compared> {
  const what = `the comparison of ${account.id}`
  const compared = await apart(deps, what, () =>
    compareAccount(deps, account, period, keep, isOwnOnly),
  )
  if (compared) return compared
  const sides = { sources: [], operations: [], payments: [] }
  const report = reportOf(account.id, sides, [], ["stopped"])
  await keepReconciliation(deps.database, period, report, [])
  return { report, totals: [], sources: [] }
}

async function compareAccount(
  deps: FlowDeps,
  account: Account,
  period: Period,
  keep: Keep,
  isOwnOnly: boolean,
): Promise<Compared> {
  const client = await clientOfAccount(deps, account)
  const { gateway } = client
  const { sides, because } = await readSides(deps, client, account, period, keep)
  const all = compareSides(sides)
  const found = isOwnOnly ? await ofPeriod(deps, sides, period, all) : all
  const judged = await judge(deps, gateway, { ...sides, found }, because, keep)
  const report = reportOf(account.id, sides, judged, [...because])
  const refunds = await readRefunds(deps, account, period)
  const totals = totalsOf({ sides, period, held: heldIn(judged), ...refunds })
  await keepReconciliation(deps.database, period, report, totals)
  say(deps, account, judged)
  return { report, totals, sources: sides.sources }
}

export function reportOf(
  accountId: AccountId,
  sides: Pick<SidesOfPeriod, "sources" | "operations" | "payments">,
  judged: readonly KeptDifference[],
  because: readonly IncompleteCode[],
): AccountReport {
  const counts: Record<string, number> = {
    documents: sides.sources.length,
    operations: sides.operations.length,
    payments: sides.payments.length,
  }
  for (const { code } of judged) counts[code] = (counts[code] ?? 0) + 1
  const most = LIMITS.differencesKeptMax
  const own = judged.filter((one) => !isElsewhere(one))
  const shown = [...own, ...judged.filter(isElsewhere)].slice(0, most)
  return {
    account_id: accountId,
    is_complete: because.length === 0,
    incomplete_because: because,
    counts,
    differences: shown.map(({ code, done, ...about }) => ({ code, done, ...about })),
    left_out: Math.max(0, own.length - most),
  }
}

/** Keys of the sources whose money this comparison has put under review. */
function heldIn(judged: readonly KeptDifference[]): ReadonlySet<string> {
  const held = judged.filter(({ done }) => done === "held_for_review")
  return new Set(held.map(({ source_type, source_id }) => `${source_type} ${source_id}`))
}

/** Judges each difference, as far as the number of questions to the gateway allows. */
async function judge(
  deps: FlowDeps,
  gateway: Gateway | undefined,
  sides: SidesOfPeriod & { readonly found: readonly Difference[] },
  because: Set<IncompleteCode>,
  keep: Keep,
): Promise<KeptDifference[]> {
  const judged: KeptDifference[] = []
  let questions = 0
  for (const difference of sides.found) {
    await keep()
    if (difference.code === "order_canceled_but_paid" && difference.operation_id !== null) {
      await noteOrderCanceled(deps.database, difference.operation_id)
    }
    if (isAsked(difference)) questions += 1
    if (questions > LIMITS.reconcileQuestionsMax) {
      because.add("too_many_questions")
      judged.push({ ...difference, done: "listed" })
      continue
    }
    const verdict = gateway ? await judgeDifference(deps, gateway, sides, difference) : "listed"
    if (verdict === "unanswered") because.add("not_all_answered")
    else if (verdict !== "none") judged.push({ ...difference, done: verdict })
  }
  return judged
}

function say(deps: FlowDeps, account: Account, judged: readonly KeptDifference[]): void {
  const listed = judged.filter((one) => one.done === "listed" && !isElsewhere(one))
  for (const [code, own] of groupedBy(listed, (difference) => difference.code)) {
    const [{ operation_id, payment_id, document_reference }] = own
    const ids = [operation_id, payment_id, document_reference].filter(Boolean)
    deps.logger.error(
      `merchant payments: the records of ${account.id} differ: ${code}, ${own.length} times, ` +
        `first ${ids.join(", ")}`,
    )
  }
}
