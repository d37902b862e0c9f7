/** What the home page of the admin reads. Amounts are exact decimal text in major units. */
import type { PeriodName } from "./overview-periods"
import type { PeriodFigures } from "./reconciliation-responses"

/** The money that moved in a period, in one currency. Below zero is what went out or was taken. */
export type MoneySums = {
  readonly currency: string
  /** Number of payments in `received`, with duplicate payments and those under review. */
  readonly payments: number
  /** What the gateway took of payers. */
  readonly received: string
  /** What the gateway kept of it; of payments whose fees are known. */
  readonly fees: string
  /** Number and amount of the payments whose fees are not known; nothing of them is in `fees`. */
  readonly without_fees: number
  readonly amount_without_fees: string
  readonly refunds: number
  readonly refunded: string
  /** Number and amount of payments that their operators took back. */
  readonly takings_back: number
  readonly taken_back: string
  /** `refunded` and `taken_back` together, as the accountant's sheet has them in one column. */
  readonly went_back: string
  /** `received`, `fees`, `refunded` and `taken_back` added up; at most this where fees are not known. */
  readonly net: string
  /** Number of payouts and transfers in `sent`. */
  readonly sendings: number
  readonly sent: string
}

/** Moments as ISO 8601; `to` is the first that is not in it. */
type Span = { readonly from: string; readonly to: string }

export type OverviewPeriod = Span & {
  readonly period: PeriodName
  /** One for each currency that moved in this period or in the one before. */
  readonly sums: readonly MoneySums[]
  /** As much of the period before as has passed of this one; of yesterday the whole day before. */
  readonly before: Span & { readonly sums: readonly MoneySums[] }
}

export type Waiting = {
  /** At most 1,000: at that number there may be more. */
  readonly count: number
  readonly sums: readonly {
    readonly currency: string
    readonly count: number
    readonly amount: string
  }[]
}

/** Mobile money of the last `minutes`, by operator: payments that began within them. */
type Lately = {
  readonly minutes: number
  readonly operators: readonly {
    readonly payment_method: string
    /** Null: not known by any account's names. */
    readonly label: string | null
    /** ISO 3166, two letters. Null: not known. */
    readonly country: string | null
    /** As shoppers' storefronts read it. */
    readonly status: "ok" | "disrupted"
    /** Since when it is disrupted, ISO 8601; null: it is not. */
    readonly disrupted_since: string | null
    readonly ended: number
    readonly completed: number
    /** Of `ended`: for the operator's own reason. */
    readonly failed: number
    readonly under_way: number
    /** Half of the payers took longer to confirm; null: not known. */
    readonly p50_seconds: number | null
  }[]
}

/** `GET overview`, without the gateway's line. */
export type Overview = {
  /** The moment up to which all figures count, ISO 8601. */
  readonly at: string
  /** The time zone by whose days everything counts. */
  readonly time_zone: string
  readonly periods: readonly OverviewPeriod[]
  /** The last 30 days with today, oldest first; `day` is `YYYY-MM-DD`. */
  readonly days: readonly (Span & {
    readonly day: string
    readonly sums: readonly MoneySums[]
  })[]
  /** How the tries of the last seven days ended, by operator. `from`: where they begin. */
  readonly tries: Pick<PeriodFigures, "by_operator" | "success" | "confirming"> & {
    readonly from: string
  }
  readonly lately: Lately
  /** What waits for an admin's decision. */
  readonly waiting: Waiting
}
