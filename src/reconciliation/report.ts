/** What a comparison found, as it is kept, printed as JSON and shown to admins. */
import { LIMITS } from "../core/limits"
import type { IncompleteCode } from "../core/messages"
import type { SidesOfPeriod } from "./rules/reconciliation"
import type { AccountReconciliation, KeptDifference } from "./rules/reconciliation-responses"

export type AccountReport = Pick<
  AccountReconciliation,
  "account_id" | "is_complete" | "counts" | "left_out"
> & {
  readonly incomplete_because: readonly IncompleteCode[]
  readonly differences: readonly KeptDifference[]
}

export function reportOf(
  accountId: string,
  sides: Pick<SidesOfPeriod, "documents" | "operations" | "payments">,
  judged: readonly KeptDifference[],
  because: readonly IncompleteCode[],
): AccountReport {
  const counts: Record<string, number> = {
    documents: sides.documents.length,
    operations: sides.operations.length,
    payments: sides.payments.length,
  }
  for (const { code } of judged) counts[code] = (counts[code] ?? 0) + 1
  const shown = judged.slice(0, LIMITS.differencesKeptMax)
  return {
    account_id: accountId,
    is_complete: because.length === 0,
    incomplete_because: because,
    counts,
    differences: shown.map(({ code, done, ...about }) => ({ code, done, ...about })),
    left_out: judged.length - shown.length,
  }
}

/** Whether an admin still has to look: what is checked again puts itself right, or comes back. */
export function hasDifferencesLeft(reports: readonly AccountReport[]): boolean {
  return reports.some(
    ({ differences, left_out }) =>
      left_out > 0 || differences.some(({ done }) => done !== "looked_at_again"),
  )
}
