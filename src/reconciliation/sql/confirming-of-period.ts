/**
 * How long payers took to say yes, in a period: the middle one, and the one that nine in ten are
 * below, for each way to pay and for all. Only of payments whose moment is known
 * (`advance-operation.ts`): where nobody looked for minutes, nobody knows when it was.
 */
import type { Database } from "../../ledger/database"
import type { LedgerPeriod } from "./period"

export type Confirmed = {
  /** All ways to pay and all currencies together. */
  readonly isAll: boolean
  readonly paymentMethod: string | null
  readonly carrier: string | null
  readonly currency: string | null
  readonly count: number
  readonly p50Seconds: number
  readonly p90Seconds: number
}

const CONFIRMED = `
  select grouping(currency_code) = 1 as is_all, payment_method, carrier, currency_code,
         count(*)::int as count,
         percentile_cont(array[0.5, 0.9])
           within group (order by confirmed_after_ms / 1000.0) as seconds
    from mp_operation
   where account_id = any($1::text[]) and created_at >= $2 and created_at < $3
     and type = 'COLLECTION' and state = 'completed' and confirmed_after_ms is not null
   group by grouping sets ((), (payment_method, carrier, currency_code))
  having count(*) > 0`

export async function readConfirmed(
  database: Database,
  { accountIds, from, until }: LedgerPeriod,
): Promise<Confirmed[]> {
  const rows = await database.query(CONFIRMED, [[...accountIds], from, until])
  return rows.map((row) => {
    const seconds: unknown = row["seconds"]
    const [p50, p90] = Array.isArray(seconds) ? seconds.map(Number) : []
    return {
      isAll: row["is_all"] === true,
      paymentMethod: textOrNull(row["payment_method"]),
      carrier: textOrNull(row["carrier"]),
      currency: textOrNull(row["currency_code"]),
      count: Number(row["count"]),
      p50Seconds: p50 ?? 0,
      p90Seconds: p90 ?? 0,
    }
  })
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null
}
