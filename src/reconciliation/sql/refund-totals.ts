/**
 * What went back in refunds that were asked for in a period, by currency; by the index over age.
 */
import { parseCurrency } from "../../core/money"
import type { Database } from "../../ledger/database"
import type { RefundTotals } from "../rules/reconciliation-totals"
import type { LedgerPeriod } from "./period"

/** Sent: accepted, under way or not known; a refund that failed gave nothing back. */
const TOTALS = `
  select currency_code,
         count(*) filter (where state = 'completed')::int as confirmed,
         coalesce(sum(amount_minor) filter (where state = 'completed'), 0)::text as confirmed_minor,
         count(*)::int as sent, coalesce(sum(amount_minor), 0)::text as sent_minor
    from mp_operation
   where account_id = any($1::text[]) and created_at >= $2 and created_at < $3
     and type = 'REFUND' and state in ('submitted', 'in_flight', 'completed', 'review')
   group by currency_code`

export async function readRefundTotals(
  database: Database,
  { accountIds, from, until }: LedgerPeriod,
): Promise<RefundTotals[]> {
  const rows = await database.query(TOTALS, [[...accountIds], from, until])
  return rows.flatMap((row) => {
    const currency = parseCurrency(row["currency_code"])
    if (!currency) return []
    const total = (name: string) => ({
      count: Number(row[name]),
      minor: BigInt(String(row[`${name}_minor`])),
    })
    return [{ currency, confirmed: total("confirmed"), sent: total("sent") }]
  })
}
