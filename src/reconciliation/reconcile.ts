/**
 * The daily comparison of the three books: read, compare, ask about what looks wrong, put before a
 * person or make due what a machine may, list the rest, keep the result. It never captures, gives
 * back or cancels anything; two that run at once find the same and do it once.
 */
import { LIMITS } from "../core/limits"
import type { IncompleteCode } from "../core/messages"
import type { Gateway } from "../gateway"
import type { Account } from "../ledger/accounts/find-accounts"
import type { FlowDeps } from "../engine/deps"
import { closeDocuments } from "./close-documents"
import { isAsked, judgeDifference } from "./judge-difference"
import { readRefunds } from "./read-refunds"
import { readSides, type Period } from "./read-sides"
import { reportOf, type AccountReport, type Judged } from "./report"
import {
  compareSides,
  isWorthRepeating,
  type GatewayDocument,
  type SidesOfPeriod,
} from "./rules/reconciliation"
import { totalsOf } from "./rules/reconciliation-totals"
import { apart, runTask, type Again, type Keep } from "./run-task"
import { keepReconciliation, lastPeriod } from "./sql/reconciliations"

/** @returns false when it is not due, or another worker is at it */
export async function reconcileWhenDue(deps: FlowDeps, signal?: AbortSignal): Promise<boolean> {
  const work = async (keep: Keep): Promise<Again> => {
    const period = await lastPeriod(deps.database, LIMITS.reconcileDaysMs)
    const reports = await reconcile(deps, period, keep)
    return reports.some((report) => isWorthRepeating(report.incomplete_because))
      ? { inMs: LIMITS.reconcileRetryMs }
      : { atUtcHour: LIMITS.reconcileAtUtcHour }
  }
  return runTask(deps, "reconcile", work, signal)
}

/** One report for each account; each is kept. */
export async function reconcile(
  deps: FlowDeps,
  period: Period,
  keep: Keep = () => Promise.resolve(),
): Promise<AccountReport[]> {
  const reports: AccountReport[] = []
  for (const account of await deps.accounts()) {
    const { report, documents } = await reconcileAccount(deps, account, period, keep)
    reports.push(report)
    await apart(deps, `closing documents of ${account.id}`, async () => {
      const gateway = documents.length === 0 ? undefined : deps.gatewayOf(account)
      if (gateway) await closeDocuments(deps, gateway, account, documents, keep)
    })
  }
  return reports
}

/** What was found, which is kept, and the documents that it was found by. */
type Compared = { readonly report: AccountReport; readonly documents: readonly GatewayDocument[] }

/** One that throws is kept as stopped, and ends none of the others. */
export async function reconcileAccount(
  deps: FlowDeps,
  account: Account,
  period: Period,
  keep: Keep,
): Promise<Compared> {
  const what = `the comparison of ${account.id}`
  const compared = await apart(deps, what, () => compareAccount(deps, account, period, keep))
  if (compared) return compared
  const books = { documents: [], operations: [], payments: [] }
  const report = reportOf(account.id, books, [], ["stopped"])
  await store(deps, period, report, [])
  return { report, documents: [] }
}

async function compareAccount(
  deps: FlowDeps,
  account: Account,
  period: Period,
  keep: Keep,
): Promise<Compared> {
  const gateway = deps.gatewayOf(account)
  const { books, because } = await readSides(deps, gateway, account, period, keep)
  const judged = await judge(deps, gateway, books, because, keep)
  const report = reportOf(account.id, books, judged, [...because])
  const refunds = await readRefunds(deps, account, period)
  await store(deps, period, report, totalsOf({ books, period, ...refunds }))
  say(deps, account, judged)
  return { report, documents: books.documents }
}

async function store(
  { database }: FlowDeps,
  { from, until }: Period,
  report: AccountReport,
  totals: readonly object[],
): Promise<void> {
  await keepReconciliation(database, {
    accountId: report.account_id,
    from,
    until,
    isComplete: report.is_complete,
    counts: report.counts,
    differences: report.differences,
    leftOut: report.left_out,
    totals,
    incompleteBecause: report.incomplete_because,
  })
}

/** Checks each difference once more, as far as the number of questions allows. */
async function judge(
  deps: FlowDeps,
  gateway: Gateway | undefined,
  books: SidesOfPeriod,
  because: Set<IncompleteCode>,
  keep: Keep,
): Promise<Judged[]> {
  const judged: Judged[] = []
  let questions = 0
  for (const difference of compareSides(books)) {
    await keep()
    if (isAsked(difference)) questions += 1
    if (questions > LIMITS.reconcileQuestionsMax) {
      because.add("too_many_questions")
      judged.push({ ...difference, done: "listed" })
      continue
    }
    const verdict = gateway ? await judgeDifference(deps, gateway, books, difference) : "listed"
    if (verdict === "unanswered") because.add("not_all_answered")
    else if (verdict !== "none") judged.push({ ...difference, done: verdict })
  }
  return judged
}

function say(deps: FlowDeps, account: Account, judged: readonly Judged[]): void {
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
