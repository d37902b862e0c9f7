/** What a comparison found, in the form that is kept, printed as JSON and shown to people. */
import { LIMITS } from "../core/limits"
import type { DifferenceCode, IncompleteCode } from "../core/messages"
import type { SideAmount, SidesOfPeriod, Difference } from "./rules/reconciliation"

/**
 * `looked_at_again`: the job asks the gateway at once and decides · `held_for_review`: the
 * operation waits for a person · `listed`: nothing was done; a person has to look here.
 */
export type Done = "looked_at_again" | "held_for_review" | "listed"

export type Judged = Difference & { readonly done: Done }

/** All keys are always there; absent is null. */
export type ReportedDifference = {
  readonly code: DifferenceCode
  readonly done: Done
  readonly operation_id: string | null
  readonly state: string | null
  readonly source_type: string | null
  readonly source_id: number | null
  readonly document_reference: string | null
  readonly gateway_status: string | null
  readonly payment_id: string | null
  readonly order_id: string | null
  readonly gateway_amount: SideAmount | null
  readonly ledger_amount: SideAmount | null
  readonly medusa_amount: SideAmount | null
}

export type AccountReport = {
  readonly account_id: string
  /** False: the gateway could not be read, or not all that had to be asked was answered. */
  readonly is_complete: boolean
  readonly incomplete_because: readonly IncompleteCode[]
  /** What was compared, and how many differences of each code there were. */
  readonly counts: Readonly<Record<string, number>>
  readonly differences: readonly ReportedDifference[]
  /** Differences beyond those above. */
  readonly left_out: number
}

export function reportOf(
  accountId: string,
  books: Pick<SidesOfPeriod, "documents" | "operations" | "payments">,
  judged: readonly Judged[],
  because: readonly IncompleteCode[],
): AccountReport {
  const counts: Record<string, number> = {
    documents: books.documents.length,
    operations: books.operations.length,
    payments: books.payments.length,
  }
  for (const { code } of judged) counts[code] = (counts[code] ?? 0) + 1
  const shown = judged.slice(0, LIMITS.differencesKeptMax)
  return {
    account_id: accountId,
    is_complete: because.length === 0,
    incomplete_because: because,
    counts,
    differences: shown.map(reported),
    left_out: judged.length - shown.length,
  }
}

function reported(difference: Judged): ReportedDifference {
  return {
    code: difference.code,
    done: difference.done,
    operation_id: difference.operationId,
    state: difference.state,
    source_type: difference.sourceType,
    source_id: difference.sourceId,
    document_reference: difference.documentReference,
    gateway_status: difference.gatewayStatus,
    payment_id: difference.paymentId,
    order_id: difference.orderId,
    gateway_amount: difference.gatewayAmount,
    ledger_amount: difference.ledgerAmount,
    medusa_amount: difference.medusaAmount,
  }
}

/**
 * Of a run, whether a person still has to look: what is checked again puts itself right, or comes
 * back.
 */
export function hasDifferencesLeft(reports: readonly AccountReport[]): boolean {
  return reports.some(
    ({ differences, left_out }) =>
      left_out > 0 || differences.some(({ done }) => done !== "looked_at_again"),
  )
}
