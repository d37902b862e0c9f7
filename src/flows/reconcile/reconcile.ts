/**
 * The daily comparison of the three books: read, compare, ask about what looks wrong, put before a
 * person or make due what a machine may, list the rest, keep the result. It never captures, gives back
 * or cancels anything; two that run at once find the same and do it once.
 */
import { LIMITS } from "../../core/limits"
import type { IncompleteCode } from "../../core/difference-sentences"
import { compareBooks, type BookDocument, type Books } from "../../core/reconciliation"
import { totalsOf } from "../../core/reconciliation-totals"
import type { Gateway } from "../../gateway"
import type { Account } from "../../ledger/accounts"
import { keepReconciliation, lastPeriod } from "../../ledger/reconciliations"
import { closeDocuments } from "./close-documents"
import type { ReconcileDeps } from "./host"
import { inTime } from "./in-time"
import { isAsked, judgeDifference } from "./judge-difference"
import { readBooks, type Period, type Way } from "./read-books"
import { readRefunds } from "./read-refunds"
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
    const report = await reconcileAccount(deps, account, period, { keep })
    const gateway = deps.gatewayOf(account)
    if (gateway) await closeDocuments(deps, gateway, account, report.documents, keep)
    reports.push(report.report)
  }
  return reports
}

/** What was found, which is kept, and the documents that it was found by. */
export async function reconcileAccount(
  deps: ReconcileDeps,
  account: Account,
  period: Period,
  way: Way,
): Promise<{ readonly report: AccountReport; readonly documents: readonly BookDocument[] }> {
  const gateway = deps.gatewayOf(account)
  const books = await readBooks(deps, gateway, account, period, way)
  const { judged, because } = await judge(deps, gateway, books, way)
  const report = reportOf(account.id, books, judged, because.size === 0)
  await keepReconciliation(deps.database, {
    accountId: account.id,
    from: period.from,
    until: period.until,
    isComplete: report.is_complete,
    counts: report.counts,
    differences: report.differences,
    leftOut: report.left_out,
    totals: totalsOf({ books, period, ...(await readRefunds(deps, account, period)) }),
    incompleteBecause: [...because],
  })
  say(deps, account, judged)
  return { report, documents: books.documents }
}

/** Each difference looked at once more, as far as time and number of questions allow. */
async function judge(
  deps: ReconcileDeps,
  gateway: Gateway | undefined,
  books: Books,
  { keep, timeLeftMs }: Way,
): Promise<{ readonly judged: Judged[]; readonly because: Set<IncompleteCode> }> {
  const judged: Judged[] = []
  const because = new Set<IncompleteCode>()
  if (!gateway) because.add("not_configured")
  else if (books.listed.length < 2) because.add("gateway_not_read")
  let questions = 0
  for (const difference of compareBooks(books)) {
    await keep()
    const isQuestion = isAsked(difference)
    if (isQuestion) questions += 1
    const isTooMany = questions > LIMITS.reconcileQuestionsMax
    const isOver = isQuestion && timeLeftMs !== undefined && timeLeftMs() < LIMITS.shortestCallMs
    if (isTooMany || isOver) {
      because.add(isTooMany ? "too_many_questions" : "time_over")
      judged.push({ ...difference, done: "listed" })
      continue
    }
    const verdict = gateway
      ? await inTime(() => judgeDifference(deps, gateway, books, difference))
      : "listed"
    if (verdict === undefined) {
      because.add("time_over")
      judged.push({ ...difference, done: "listed" })
    } else if (verdict === "unanswered") because.add("not_all_answered")
    else if (verdict !== "none") judged.push({ ...difference, done: verdict })
  }
  return { judged, because }
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
