/** What each comparison found, kept for admins: `mp_reconciliation`. */
import { randomUUID } from "node:crypto"
import { momentIn, type Database, type Row } from "../../ledger/database"
import { storableJson } from "../../ledger/storable"
import type { Period } from "../rules/reconciliation"
import type {
  AccountReconciliation,
  AccountReport,
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

/** Only `keepReconciliation` writes the lists, from the types that they are read as. */
function foundFrom(row: Row): FoundReconciliation {
  return {
    account_id: String(row["account_id"]),
    is_complete: row["is_complete"] === true,
    incomplete_because: row["incomplete_because"] as readonly string[],
    compared_at: momentIn(row["created_at"]).toISOString(),
    counts: row["counts"] as AccountReport["counts"],
    totals: row["totals"] as readonly PeriodTotals[],
    differences: row["differences"] as readonly KeptDifference[],
    left_out: Number(row["left_out"]),
    ageMs: Number(row["age_ms"]),
  }
}

const PERIOD = `select now() - $1 * interval '1 ms' as "from", now() as until`

/** The last so many milliseconds, by the database's clock. */
export async function lastPeriod(database: Database, ms: number): Promise<Period> {
  const [row = {}] = await database.query(PERIOD, [ms])
  return { from: momentIn(row["from"]), until: momentIn(row["until"]) }
}
