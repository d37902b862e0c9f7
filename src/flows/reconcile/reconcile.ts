/**
 * The daily comparison of the three books: read, compare, ask about what looks wrong, put before a
 * person or make due what a machine may, list the rest, keep the result. It never captures, gives back
 * or cancels anything; two that run at once find the same and do it once.
 */
import { LIMITS } from "../../core/limits"
import { compareBooks } from "../../core/reconciliation"
import type { Account } from "../../ledger/accounts"
import { keepReconciliation, lastPeriod } from "../../ledger/reconciliations"
import { closeDocuments } from "./close-documents"
import type { ReconcileDeps } from "./host"
import { isAsked, judgeDifference } from "./judge-difference"
import { readBooks, type Period } from "./read-books"
import { reportOf, type AccountReport, type Judged } from "./report"
import { runTask, type Again, type Keep } from "./run-task"

/** @returns false when it is not due, or another worker is at it */
export async function reconcileWhenDue(
  deps: ReconcileDeps,
  signal?: AbortSignal,
): Promise<boolean> {
  const work = async (keep: Keep): Promise<Again> => {
    const period = await lastPeriod(deps.database, LIMITS.reconcileDaysMs)
    const reports = await reconcile(deps, period, keep)
    return reports.every(({ is_complete }) => is_complete)
      ? { atUtcHour: LIMITS.reconcileAtUtcHour }
      : { inMs: LIMITS.reconcileRetryMs }
  }
  return runTask(deps, "reconcile", work, signal)
}

/** One report for each account; each is kept. */
export async function reconcile(
  deps: ReconcileDeps,
  period: Period,
  keep: Keep = () => Promise.resolve(),
): Promise<AccountReport[]> {
  const reports: AccountReport[] = []
  for (const account of await deps.accounts()) {
    reports.push(await reconcileAccount(deps, account, period, keep))
  }
  return reports
}

async function reconcileAccount(
  deps: ReconcileDeps,
  account: Account,
  period: Period,
  keep: Keep,
): Promise<AccountReport> {
  const gateway = deps.gatewayOf(account)
  const books = await readBooks(deps, gateway, account, period, keep)
  const judged: Judged[] = []
  let questions = 0
  let isAllAsked = books.listed.length === 2
  for (const difference of compareBooks(books)) {
    await keep()
    if (isAsked(difference)) questions += 1
    if (questions > LIMITS.reconcileQuestionsMax) {
      isAllAsked = false
      judged.push({ ...difference, done: "listed" })
      continue
    }
    const verdict = gateway ? await judgeDifference(deps, gateway, books, difference) : "listed"
    if (verdict === "unanswered") isAllAsked = false
    else if (verdict !== "none") judged.push({ ...difference, done: verdict })
  }
  if (gateway) await closeDocuments(deps, gateway, account, books.documents, keep)
  const report = reportOf(account.id, books, judged, isAllAsked)
  await keepReconciliation(deps.database, {
    accountId: account.id,
    ...period,
    isComplete: report.is_complete,
    counts: report.counts,
    differences: report.differences,
    leftOut: report.left_out,
  })
  say(deps, account, judged)
  return report
}

function say(deps: ReconcileDeps, account: Account, judged: readonly Judged[]): void {
  const listed = judged.filter(({ done }) => done === "listed")
  const codes = new Set(listed.map(({ code }) => code))
  for (const code of codes) {
    const own = listed.filter((difference) => difference.code === code)
    const [first] = own
    const ids = [first?.operationId, first?.paymentId, first?.documentReference].filter(Boolean)
    deps.logger.error(
      `merchant payments: the books of ${account.id} differ: ${code}, ${own.length} times, ` +
        `first ${ids.join(", ")}`,
    )
  }
}
