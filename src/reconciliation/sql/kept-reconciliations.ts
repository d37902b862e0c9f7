/**
 * The newest comparison of each account for exactly one period, as it was kept: what an admin reads
 * before, or instead of, asking the gateway again. By an index.
 */
import type { Database, Row } from "../../ledger/database"
import type { DifferenceResponse } from "../rules/reconciliation-responses"
import type { PeriodTotals } from "../rules/reconciliation-totals"

/** Its sentences are not kept: they are the version's that shows it. */
export type KeptDifference = Omit<DifferenceResponse, "en">

export type FoundReconciliation = {
  readonly id: string
  readonly accountId: string
  readonly isComplete: boolean
  readonly incompleteBecause: readonly string[]
  readonly counts: Readonly<Record<string, number>>
  readonly differences: readonly KeptDifference[]
  readonly totals: readonly PeriodTotals[]
  readonly leftOut: number
  readonly comparedAt: Date
  readonly ageMs: number
}

const NEWEST = `
  select newest.*, extract(epoch from now() - newest.created_at) * 1000 as age_ms
    from unnest($1::text[]) as asked (id)
    cross join lateral (
      select * from mp_reconciliation
       where account_id = asked.id and from_at = $2 and until_at = $3
       order by created_at desc limit 1) newest`

export async function findReconciliations(
  database: Database,
  accountIds: readonly string[],
  period: { readonly from: Date; readonly until: Date },
): Promise<FoundReconciliation[]> {
  if (accountIds.length === 0) return []
  const rows = await database.query(NEWEST, [[...accountIds], period.from, period.until])
  return rows.map(foundFrom)
}

function foundFrom(row: Row): FoundReconciliation {
  const comparedAt = row["created_at"]
  if (!(comparedAt instanceof Date)) throw new Error("mp_reconciliation: created_at can't be read")
  const because: unknown = row["incomplete_because"]
  return {
    id: String(row["id"]),
    accountId: String(row["account_id"]),
    isComplete: row["is_complete"] === true,
    incompleteBecause: Array.isArray(because) ? because.map(String) : [],
    counts: Object.fromEntries(Object.entries(row["counts"] ?? {})),
    differences: listOf<KeptDifference>(row["differences"]),
    totals: listOf<PeriodTotals>(row["totals"]),
    leftOut: Number(row["left_out"]),
    comparedAt,
    ageMs: Number(row["age_ms"]),
  }
}

/** Written by `keepReconciliation` alone, from the types that it is read as. */
function listOf<T extends object>(value: unknown): readonly T[] {
  return Array.isArray(value) ? (value as T[]) : []
}
