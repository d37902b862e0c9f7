/**
 * What the reconciliation's route answers: types alone, for the flows that make it and for the
 * page. Amounts are exact decimal text in major units, with their currency beside; times ISO 8601
 * in UTC.
 */
import type { DifferenceCode } from "../../core/messages"
import type { SideAmount } from "./reconciliation"
import type { PeriodTotals } from "./reconciliation-totals"

export type DifferenceResponse = {
  readonly code: DifferenceCode
  /** The code in English. */
  readonly en: string
  /** What the comparison did about it: nothing, put before a person, or made due at once. */
  readonly done: "looked_at_again" | "held_for_review" | "listed"
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

export type AccountReconciliation = {
  readonly account_id: string
  readonly label: string
  readonly is_complete: boolean
  readonly incomplete_because: readonly { readonly code: string; readonly en: string }[]
  readonly compared_at: string
  /** What was compared, and how many differences of each code there were. */
  readonly counts: Readonly<Record<string, number>>
  readonly totals: readonly PeriodTotals[]
  readonly differences: readonly DifferenceResponse[]
  /** Differences beyond those above. */
  readonly left_out: number
}

/** How a payment was made, as the gateway names it; null where it has not said. */
export type Operator = {
  readonly payment_method: string | null
  readonly carrier: string | null
}

/** Tries that have ended. `rate`: completed of them, from 0 to 1; null where there are none. */
export type Success = {
  readonly completed: number
  readonly failed: number
  readonly expired: number
  readonly rate: number | null
}

/** Seconds from the prompt to the payer's yes, of those whose moment is known; null: of none. */
export type Confirming = {
  readonly count: number
  readonly p50_seconds: number | null
  readonly p90_seconds: number | null
}

export type PeriodFigures = {
  /** All money that came in, before fees and refunds. */
  readonly by_currency: readonly {
    readonly currency: string
    readonly count: number
    readonly amount: string
  }[]
  readonly by_operator: readonly (Operator & {
    readonly currency: string
    readonly count: number
    readonly amount: string
    readonly success: Success
    readonly confirming: Confirming
  })[]
  /** Days in UTC, `YYYY-MM-DD`; a day without money is left out. */
  readonly by_day: readonly (Operator & {
    readonly day: string
    readonly currency: string
    readonly count: number
    readonly amount: string
  })[]
  readonly success: Success
  readonly confirming: Confirming
}

/** `GET reconciliation` */
export type ReconciliationResponse = {
  readonly from: string
  /** The first moment that is not in it any more. */
  readonly to: string
  /** False: one of the accounts was not compared, or not as a whole. */
  readonly is_complete: boolean
  /** A comparison of this period is under way; this is what the last one found. */
  readonly is_running: boolean
  /** The last comparison of this period ended before its end, as its process did. */
  readonly has_stopped: boolean
  /** When the comparison began that is running or has stopped; null where there is none. */
  readonly begun_at: string | null
  /** The oldest of the accounts'; null while one of them was never compared. */
  readonly compared_at: string | null
  readonly accounts: readonly AccountReconciliation[]
  readonly figures: PeriodFigures
}
