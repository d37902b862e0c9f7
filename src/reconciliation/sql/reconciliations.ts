/** What each comparison found, kept for admins: `mp_reconciliation`. */
import { randomUUID } from "node:crypto"
import type { Database, Row } from "../../ledger/database"
import { storableJson } from "../../ledger/storable"
import type { AccountReport } from "../report"
import type { Period } from "../rules/reconciliation"
import type {
  AccountReconciliation,
  KeptDifference,
  PeriodTotals,
} from "../rules/reconciliation-responses"

const KEEP = `
  insert into mp_reconciliation
    (id, account_id, from_at, until_at, is_complete, counts, differences, left_out, totals,
     incomplete_because)
  values ($1, $2, $3, $4, $5, $6::jsonb, $7::jsonb, $8, $9::jsonb, $10::text[])`

export async function keepReconciliation(
  database: Database,
  { from, until }: Period,
  report: AccountReport,
  totals: readonly PeriodTotals[],
): Promise<void> {
  await database.query(KEEP, [
    `mprec_${randomUUID()}`,
    report.account_id,
    from,
    until,
    report.is_complete,
    storableJson(report.counts),
    storableJson(report.differences),
    report.left_out,
    storableJson(totals),
    [...report.incomplete_because],
  ])
}

export type FoundReconciliation = Omit<
  AccountReconciliation,
  "label" | "incomplete_because" | "differences"
> & {
  readonly incomplete_because: readonly string[]
  readonly differences: readonly KeptDifference[]
  readonly ageMs: number
}

const NEWEST = `
  select newest.*, extract(epoch from now() - newest.created_at) * 1000 as age_ms
    from unnest($1::text[]) as asked (id)
    cross join lateral (
      select * from mp_reconciliation
       where account_id = asked.id and from_at = $2 and until_at = $3
       order by created_at desc limit 1) newest`

/** The newest comparison of each account for exactly this period. */
export async function findReconciliations(
  database: Database,
  accountIds: readonly string[],
  { from, until }: Period,
): Promise<FoundReconciliation[]> {
  if (accountIds.length === 0) return []
  return (await database.query(NEWEST, [[...accountIds], from, until])).map(foundFrom)
}

function foundFrom(row: Row): FoundReconciliation {
  const comparedAt = row["created_at"]
  if (!(comparedAt instanceof Date)) throw new Error("mp_reconciliation: created_at can't be read")
  return {
    account_id: String(row["account_id"]),
    is_complete: row["is_complete"] === true,
    incomplete_because: listOf<unknown>(row["incomplete_because"]).map(String),
    compared_at: comparedAt.toISOString(),
    counts: Object.fromEntries(Object.entries(row["counts"] ?? {})),
    totals: listOf<PeriodTotals>(row["totals"]),
    differences: listOf<KeptDifference>(row["differences"]),
    left_out: Number(row["left_out"]),
    ageMs: Number(row["age_ms"]),
  }
}

/** Only `keepReconciliation` writes these lists, from the types that they are read as. */
function listOf<T>(value: unknown): readonly T[] {
  return Array.isArray(value) ? (value as T[]) : []
}

const PERIOD = `select now() - $1 * interval '1 ms' as "from", now() as until`

/** The last so many milliseconds, by the database's clock. */
export async function lastPeriod(database: Database, ms: number): Promise<Period> {
  const [row = {}] = await database.query(PERIOD, [ms])
  const { from, until } = row
  if (!(from instanceof Date) || !(until instanceof Date)) {
    throw new Error("the database did not tell its time")
  }
  return { from, until }
}
