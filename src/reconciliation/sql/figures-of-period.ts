/**
 * Counts and sums of the ledger for a period: one statement each, over the operations that began in
 * the period, by the index over account and age.
 */
import type { AccountId, MedusaRefundId, OperationId } from "../../core/ids"
import { parseCurrency } from "../../core/money"
import { UTC } from "../../core/time-zone"
import { rowsOf, UNCOMPILED, type Database } from "../../ledger/database"
import { RECEIVED_MINOR } from "../../review/sql/moved-money"
import type { Confirmed, Takings } from "../rules/period-figures"
import type { Period } from "../rules/reconciliation"
import type { LedgerRefund } from "../rules/reconciliation-totals"

/** The part of the ledger that belongs to some accounts and to the days of a period. */
export type LedgerPeriod = Period & { readonly accountIds: readonly AccountId[] }

const parametersOf = ({ accountIds, from, until }: LedgerPeriod) => [[...accountIds], from, until]

const BEGAN = "account_id = any($1::text[]) and created_at >= $2 and created_at < $3"

/**
 * A try has ended once it is completed, failed or expired. A draft that was never sent, a duplicate
 * payment and a dismissed payment are no tries. A payment under way or under review has not ended.
 */
const TAKINGS = `
  select to_char(created_at at time zone $4, 'YYYY-MM-DD') as day,
         payment_method as "paymentMethod", carrier, currency_code as currency,
         count(received_minor)::int as count,
         coalesce(sum(received_minor), 0)::text as "collectedMinor",
         count(*) filter (where state = 'completed' and is_try)::int as completed,
         count(*) filter (where state = 'failed' and is_try)::int as failed,
         count(*) filter (where state = 'expired' and is_try)::int as expired
    from (select *, not is_duplicate and submitted_at is not null and dismissed_at is null as is_try,
                 ${RECEIVED_MINOR} as received_minor
            from mp_operation
           where ${BEGAN} and type = 'COLLECTION'
             and (state in ('completed', 'failed', 'expired') or collected_minor is not null)) began
   group by 1, 2, 3, 4 order by 1, 4, 2 nulls last, 3 nulls last`

/** What came in, and how the tries ended, by day, payment method and currency. */
export async function readTakings(
  database: Database,
  period: LedgerPeriod,
  timeZone: string = UTC,
): Promise<Takings[]> {
  type Stored = Omit<Takings, "collectedMinor"> & { readonly collectedMinor: string }
  const rows = await rowsOf<Stored>(
    database,
    TAKINGS,
    [...parametersOf(period), timeZone],
    UNCOMPILED,
  )
  return rows.map((row) => ({ ...row, collectedMinor: BigInt(row.collectedMinor) }))
}

/**
 * Only payments whose moment of confirmation is known (`advance-operation.ts`), because they were
 * checked often enough.
 */
const CONFIRMED = `
  select grouping(currency_code) = 1 as "isAll", payment_method as "paymentMethod", carrier,
         currency_code as currency, count(*)::int as count,
         percentile_cont(0.5) within group (order by confirmed_after_ms / 1000.0)
           as "p50Seconds",
         percentile_cont(0.9) within group (order by confirmed_after_ms / 1000.0)
           as "p90Seconds"
    from mp_operation
   where ${BEGAN}
     and type = 'COLLECTION' and state = 'completed' and confirmed_after_ms is not null
   group by grouping sets ((), (payment_method, carrier, currency_code))
  having count(*) > 0`

/** How long payers took to confirm, for each payment method and for all. */
export function readConfirmed(database: Database, period: LedgerPeriod): Promise<Confirmed[]> {
  return rowsOf<Confirmed>(database, CONFIRMED, parametersOf(period), UNCOMPILED)
}

/**
 * `is_sent`: the refund was accepted, is under way or not known; a failed one gave nothing back.
 * `is_beside`: Medusa has no part in it, because the money was never recorded in Medusa, or went
 * back a second time.
 */
const REFUNDS = `
  select currency_code, amount_minor::text as minor, medusa_refund_id, medusa_amount::text, state,
         state in ('submitted', 'in_flight', 'completed', 'review') as is_sent,
         medusa_amount = 0 or is_duplicate or not exists (
           select from mp_operation p
            where p.id = began.parent_id and p.recorded_at is not null) as is_beside
    from (select * from mp_operation where ${BEGAN} and type = 'REFUND') began`

/** A refund of the period, even a failed one, and the row of Medusa that it is bound to. */
export type PeriodRefund = LedgerRefund & {
  readonly isSent: boolean
  readonly medusaRefundId: MedusaRefundId | null
  /** The amount as Medusa asked for it, in major units and not rounded. */
  readonly medusaAmount: string
}

/** The refunds that were asked for in the period. */
export async function readRefundsOfPeriod(
  database: Database,
  period: LedgerPeriod,
): Promise<PeriodRefund[]> {
  const rows = await database.query(REFUNDS, parametersOf(period), UNCOMPILED)
  return rows.flatMap((row) => {
    const currency = parseCurrency(row["currency_code"])
    if (!currency) return []
    return {
      amount: { minor: BigInt(String(row["minor"])), currency },
      isConfirmed: row["state"] === "completed",
      isUnderReview: row["state"] === "review",
      isBesideMedusa: row["is_beside"] === true,
      isSent: row["is_sent"] === true,
      medusaRefundId: row["medusa_refund_id"] as MedusaRefundId | null,
      medusaAmount: String(row["medusa_amount"]),
    }
  })
}

/** Only refunds that count among the payment's refunds: a late duplicate does not. */
const REST_BACK = `
  select parent_id, sum(amount_minor)::text as minor from mp_operation
   where parent_id = any($1::text[]) and type = 'REFUND' and state = 'completed'
     and not is_duplicate and medusa_amount = 0
   group by parent_id`

/**
 * The money of these payments that went back and was never in Medusa, in the smallest unit, each
 * under the payment's id.
 */
export async function readRestBack(
  database: Database,
  payments: readonly { readonly id: OperationId }[],
): Promise<[string, bigint][]> {
  const rows = await database.query(REST_BACK, [payments.map(({ id }) => id)])
  return rows.map((row) => [String(row["parent_id"]), BigInt(String(row["minor"]))])
}

const COUNT = `
  select count(*)::int as count from (
    select from mp_operation where ${BEGAN} and type in ('COLLECTION', 'REFUND') limit $4) began`

/**
 * Counts the payments and refunds of the period.
 *
 * @returns at most `most` and one more
 */
export async function countOfPeriod(
  database: Database,
  period: LedgerPeriod,
  most: number,
): Promise<number> {
  const [row] = await database.query(COUNT, [...parametersOf(period), most + 1])
  return Number(row?.["count"] ?? 0)
}
