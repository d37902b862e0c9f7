/** What the home page of the admin reads. Amounts are exact decimal text in major units. */
import { z } from "zod"
import { count, number, type Output, text, time, timeZone } from "../../core/schemas/shapes"
import { periodFigures } from "./reconciliation"
import { PERIODS } from "../rules/overview-periods"

/** The money that moved in a period, in one currency. Below zero is what went out or was taken. */
export const moneySums = z.strictObject({
  currency: text,
  /** Number of payments in `received`. */
  payments: number,
  /** What the gateway took of payers, also of duplicate payments and of those under review. */
  received: text,
  /** What the gateway kept of it; of payments whose fees are known. */
  fees: text,
  /** Number and amount of the payments whose fees are not known; nothing of them is in `fees`. */
  without_fees: number,
  amount_without_fees: text,
  refunds: number,
  refunded: text,
  /** Number and amount of payments that their operators took back, when that became known. */
  takings_back: number,
  taken_back: text,
  /** `refunded` and `taken_back` together, as the accountant's sheet has them in one column. */
  went_back: text,
  /** `received`, `fees`, `refunded` and `taken_back` added up; less where fees are not known. */
  net: text,
  /** Number of payouts and transfers in `sent`; nothing of them is in `net`. */
  sendings: number,
  sent: text,
})
export type MoneySums = Output<typeof moneySums>

/** Moments as ISO 8601; `to` is the first that is not in it. */
const span = z.strictObject({
  from: text,
  to: text,
})

export const overviewPeriod = z.strictObject({
  ...span.shape,
  period: z.enum(PERIODS),
  /** One for each currency that moved in this period or in the one before. */
  sums: z.array(moneySums),
  /** As much of the period before as has passed of this one; of yesterday the whole day before. */
  before: z.strictObject({
    ...span.shape,
    sums: z.array(moneySums),
  }),
})
export type OverviewPeriod = Output<typeof overviewPeriod>

export const waiting = z.strictObject({
  /** At most 1,000: at that number there may be more. */
  count,
  sums: z.array(
    z.strictObject({
      currency: text,
      count,
      amount: text,
    }),
  ),
})
export type Waiting = Output<typeof waiting>

/** Mobile money of the last `minutes`, by operator: payments that began within them. */
const lately = z.strictObject({
  minutes: number,
  operators: z.array(
    z.strictObject({
      payment_method: text,
      /** Null: not known by any account's names. */
      label: text.nullable(),
      /** ISO 3166, two letters. Null: not known. */
      country: text.nullable(),
      /** As shoppers' storefronts read it. */
      status: z.enum(["ok", "disrupted"]),
      /** Since when it is disrupted, ISO 8601; null: it is not. */
      disrupted_since: text.nullable(),
      ended: number,
      completed: number,
      /** Of `ended`: for the operator's own reason. */
      failed: number,
      under_way: number,
      /** Half of the payers took longer to confirm; null: not known. */
      p50_seconds: number.nullable(),
    }),
  ),
})

/** `GET overview`, without the gateway's line. */
export const overview = z.strictObject({
  /** The moment up to which all figures count, ISO 8601. */
  at: time,
  /** The time zone by whose days everything counts. */
  time_zone: text,
  periods: z.array(overviewPeriod),
  /** The last 30 days with today, oldest first; `day` is `YYYY-MM-DD`. */
  days: z.array(
    z.strictObject({
      ...span.shape,
      day: text,
      sums: z.array(moneySums),
    }),
  ),
  /** How the tries of the last seven days ended, by operator. `from`: where they begin. */
  tries: z.strictObject({
    ...periodFigures.pick({ by_operator: true, success: true, confirming: true }).shape,
    from: text,
  }),
  lately,
  /** What waits for an admin's decision. */
  waiting,
})
export type Overview = Output<typeof overview>

export const overviewQuery = z.strictObject({
  /** Left out: the shop's time zone, else `otherwise`, else UTC. */
  time_zone: timeZone.optional(),
  /** The zone for a shop that has set none; of a page the browser's. */
  otherwise: timeZone.optional(),
})
