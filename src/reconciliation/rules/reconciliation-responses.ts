/**
 * The types of the reconciliation's route, for the flows that fill them and for the page. Amounts
 * are exact decimal text in major units, with their currency beside; times ISO 8601 in UTC.
 */
import type { AccountId, OperationId, OrderId } from "../../core/ids"
import type { DifferenceCode, IncompleteCode } from "../../core/messages"

/** `{ amount: "19.99", currency: "USD" }`. Medusa's amount has all of its digits. */
export type SideAmount = { readonly amount: string; readonly currency: string }

export type DifferenceResponse = {
  readonly code: DifferenceCode
  /** The code in English. */
  readonly en: string
  /**
   * `checked_again`: the job asks the gateway at once and decides. `held_for_review`: the operation
   * waits for an admin. `listed`: nothing was done; an admin has to sort it out.
   */
  readonly done: "checked_again" | "held_for_review" | "listed"
  readonly operation_id: OperationId | null
  readonly state: string | null
  readonly source_type: string | null
  readonly source_id: number | null
  readonly document_reference: string | null
  readonly gateway_status: string | null
  readonly payment_id: string | null
  readonly order_id: OrderId | null
  readonly gateway_amount: SideAmount | null
  readonly ledger_amount: SideAmount | null
  /** What Medusa holds as captured. */
  readonly medusa_amount: SideAmount | null
}

/**
 * A difference as it is stored. Its sentence is not stored: it comes from the version that shows
 * it.
 */
export type KeptDifference = Omit<DifferenceResponse, "en">

/** An amount is decimal text in major units. */
export type Total = { readonly count: number; readonly amount: string }

/** `exact`: with every digit that Medusa keeps; `amount` counts each payment as it was charged. */
export type MedusaTotal = Total & { readonly exact: string }

/**
 * Where the money that the gateway took has gone, by what came in of each payment; the parts add up
 * to what it lists as paid.
 */
export type PeriodBridge = {
  /** Payments that Medusa holds as captured, with what came in above the asked amount. */
  readonly recorded: Total
  readonly under_review: Total
  /** Money that was sent back without ever having been in Medusa. */
  readonly given_back: Total
  /** Money that an admin has dismissed, with a reason. */
  readonly dismissed: Total
  /** Money that is not confirmed yet, or on its way into Medusa. */
  readonly under_way: Total
  /** Money that no other part explains; the amount and the count may be negative. */
  readonly remainder: Total
}

export type PeriodTotals = {
  readonly currency: string
  /** Null: the gateway could not be read. */
  readonly bridge: PeriodBridge | null
  /** Null: the gateway could not be read. */
  readonly gateway: {
    readonly paid: Total
    /** Paid sources that none of this store's payments made. */
    readonly elsewhere: Total
  } | null
  readonly ledger: {
    readonly completed: Total
    /** Money that came in and waits for an admin. */
    readonly under_review: Total
    /**
     * All money that came in, wherever it is now. It equals what the gateway lists as paid, if the
     * two agree.
     */
    readonly received: Total
    /**
     * Payments recorded in Medusa, with what was asked for. It equals what Medusa holds, if the two
     * agree.
     */
    readonly recorded: Total
  }
  readonly medusa: { readonly captured: MedusaTotal }
  /** Refunds that were asked for in the period, whenever their money had come in. */
  readonly refunds: {
    /** Refunds that the gateway confirmed one by one. */
    readonly gateway: Total
    /** Refunds that were sent and are not known to have failed. */
    readonly ledger: Total
    /** The part of `ledger` that the gateway has not confirmed yet. */
    readonly under_way: Total
    /** The part of `ledger` that waits for an admin. */
    readonly under_review: Total
    /** The part of `ledger` whose money Medusa holds. It equals `medusa`, if the two agree. */
    readonly recorded: Total
    readonly medusa: MedusaTotal
  }
}

export type AccountReconciliation = {
  readonly account_id: AccountId
  readonly label: string
  /** False: the gateway could not be read, or not all that had to be asked was answered. */
  readonly is_complete: boolean
  readonly incomplete_because: readonly { readonly code: string; readonly en: string }[]
  readonly compared_at: string
  /** What was compared, and how many differences of each code there were. */
  readonly counts: Readonly<Record<string, number>>
  readonly totals: readonly PeriodTotals[]
  readonly differences: readonly DifferenceResponse[]
  /** The number of differences that `differences` leaves out. */
  readonly left_out: number
}

/** What a comparison found, as it is stored and printed. */
export type AccountReport = Pick<
  AccountReconciliation,
  "account_id" | "is_complete" | "counts" | "left_out"
> & {
  readonly incomplete_because: readonly IncompleteCode[]
  readonly differences: readonly KeptDifference[]
}

/** A report, with what each side adds up to, by currency. */
export type AccountSums = AccountReport & { readonly totals: readonly PeriodTotals[] }

/** How a payment was made, as the gateway names it; null where it has not said. */
export type Operator = {
  readonly payment_method: string | null
  /** The operator's name; null where it is not known. */
  readonly label: string | null
  readonly carrier: string | null
}

/**
 * How the ended tries ended. `rate`: the completed part of them, from 0 to 1; null where there are
 * none.
 */
export type Success = {
  readonly completed: number
  readonly failed: number
  readonly expired: number
  readonly rate: number | null
}

/**
 * Seconds from the prompt to the payer's confirmation, of payments whose moment is known; null:
 * there are none.
 */
export type Confirming = {
  readonly count: number
  readonly p50_seconds: number | null
  readonly p90_seconds: number | null
}

type Sum = Total & { readonly currency: string }

export type PeriodFigures = {
  /** All money that came in, wherever it is now, before fees and refunds. */
  readonly by_currency: readonly Sum[]
  readonly by_operator: readonly (Operator &
    Sum & { readonly success: Success; readonly confirming: Confirming })[]
  /** Days in the `time_zone` of the response, `YYYY-MM-DD`; a day without money is left out. */
  readonly by_day: readonly (Operator & Sum & { readonly day: string })[]
  readonly success: Success
  readonly confirming: Confirming
}

/**
 * `waits`: not settled yet. `unequal`: settled, and two sides that count the same money have other
 * sums. `received`: gateway and ledger; `recorded` and `refunded`: ledger and Medusa;
 * `not_explained`: money that the gateway took is in no known place, or the places hold more than
 * it took.
 */
export type Open = {
  readonly kind: "waits" | "unequal"
  readonly what:
    | "under_review"
    | "under_way"
    | "refunds_under_way"
    | "refunds_under_review"
    | "received"
    | "recorded"
    | "refunded"
    | "not_explained"
  readonly currency: string
  /** The sum that waits or is not explained; null for two sums that are not equal. */
  readonly sum: Total | null
  /** The two sums that are not equal, the ledger's among them; else null. */
  readonly sums: readonly [Total, Total] | null
}

export type Agreement = {
  readonly is_green: boolean
  readonly open: readonly Open[]
}

/** `GET reconciliation` */
export type ReconciliationResponse = {
  readonly from: string
  /** The end of the period, not included. */
  readonly to: string
  /** The time zone by whose days `figures` counts. */
  readonly time_zone: string
  /** False: one of the accounts was not compared, or not as a whole. */
  readonly is_complete: boolean
  /** A comparison of this period is under way; the response shows what the last one found. */
  readonly is_running: boolean
  /** The last comparison of this period stopped before its end, because its process ended. */
  readonly has_stopped: boolean
  /** When the running or stopped comparison began; null where there is none. */
  readonly begun_at: string | null
  /** When the account that was compared longest ago was compared; null while one never was. */
  readonly compared_at: string | null
  readonly accounts: readonly AccountReconciliation[]
  /** Whether the three sides agree, and if not, what waits or is not equal. */
  readonly agreement: Agreement
  readonly figures: PeriodFigures
}
