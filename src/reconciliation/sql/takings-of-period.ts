/**
 * What came in, and how the tries ended, by day, way to pay and currency: one statement over the
 * payments that began in the period, by the index over account and age.
 *
 * A try has ended once it is completed, failed or expired. Drafts that were never sent are none,
 * nor is duplicate payments, nor what a person dismissed; what is under way or under review has not
 * ended.
 */
import { parseCurrency, type CurrencyCode } from "../../core/money"
import type { Database, Row } from "../../ledger/database"
import type { LedgerPeriod } from "./period"

export type Takings = {
  /** In UTC, `YYYY-MM-DD`. */
  readonly day: string
  readonly paymentMethod: string | null
  readonly carrier: string | null
  readonly currency: CurrencyCode
  /** Money that came in, second payments that were given back included. */
  readonly count: number
  readonly collectedMinor: bigint
  readonly completed: number
  readonly failed: number
  readonly expired: number
}

const TAKINGS = `
  select to_char(created_at at time zone 'utc', 'YYYY-MM-DD') as day,
         payment_method, carrier, currency_code,
         count(*) filter (where state = 'completed')::int as count,
         coalesce(sum(coalesce(collected_minor, amount_minor))
                    filter (where state = 'completed'), 0)::text as collected_minor,
         count(*) filter (where state = 'completed' and is_try)::int as completed,
         count(*) filter (where state = 'failed' and is_try)::int as failed,
         count(*) filter (where state = 'expired' and is_try)::int as expired
    from (select *, not surplus and submitted_at is not null and dismissed_at is null as is_try
            from mp_operation
           where account_id = any($1::text[]) and created_at >= $2 and created_at < $3
             and type = 'COLLECTION' and state in ('completed', 'failed', 'expired')) began
   group by 1, 2, 3, 4 order by 1, 4, 2 nulls last, 3 nulls last`

export async function readTakings(
  database: Database,
  { accountIds, from, until }: LedgerPeriod,
): Promise<Takings[]> {
  const rows = await database.query(TAKINGS, [[...accountIds], from, until])
  return rows.flatMap(takingsFrom)
}

function takingsFrom(row: Row): Takings[] {
  const currency = parseCurrency(row["currency_code"])
  if (!currency) return []
  return [
    {
      day: String(row["day"]),
      paymentMethod: textOrNull(row["payment_method"]),
      carrier: textOrNull(row["carrier"]),
      currency,
      count: Number(row["count"]),
      collectedMinor: BigInt(String(row["collected_minor"])),
      completed: Number(row["completed"]),
      failed: Number(row["failed"]),
      expired: Number(row["expired"]),
    },
  ]
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null
}
