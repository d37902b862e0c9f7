/** What each comparison found, kept for admins: `mp_reconciliation`. */
import { randomUUID } from "node:crypto"
import type { AccountId } from "../../core/ids"
import { rowOf, rowsOf, type Database } from "../../ledger/database"
import { readAs } from "../../core/schemas/stored"
import { storableJson } from "../../core/storable"
import type { Period } from "../rules/reconciliation"
import type {
  AccountReconciliation,
  AccountReport,
  KeptDifference,
  PeriodTotals,
} from "../schemas/reconciliation"
import { storedReport } from "../schemas/stored-report"

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
  select newest.account_id, newest.is_complete, newest.incomplete_because,
         newest.created_at as compared_at, newest.counts, newest.totals, newest.differences,
         newest.left_out, (extract(epoch from now() - newest.created_at) * 1000)::float8 as "ageMs"
    from unnest($1::text[]) as asked (id)
    cross join lateral (
      select * from mp_reconciliation
       where account_id = asked.id and from_at = $2 and until_at = $3
       order by created_at desc limit 1) newest`

/**
 * The newest comparison of each account for exactly this period. One that another version stored in
 * a form of its own is none: it is made again.
 */
export async function findReconciliations(
  database: Database,
  accountIds: readonly AccountId[],
  { from, until }: Period,
): Promise<FoundReconciliation[]> {
  if (accountIds.length === 0) return []
  const rows = await rowsOf<Omit<FoundReconciliation, "compared_at"> & { compared_at: Date }>(
    database,
    NEWEST,
    [[...accountIds], from, until],
  )
  return rows.flatMap((row) => {
    const report = readAs(storedReport, row)
    return report ? [{ ...row, ...report, compared_at: row.compared_at.toISOString() }] : []
  })
}

const PERIOD = `select now() - $1 * interval '1 ms' as "from", now() as until`

/** The period of the last `ms` milliseconds, by the database's clock. */
export function lastPeriod(database: Database, ms: number): Promise<Period> {
  return rowOf<Period>(database, PERIOD, [ms])
}
