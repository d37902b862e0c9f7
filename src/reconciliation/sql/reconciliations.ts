/** What each comparison of the three books found, kept for people. */
import { randomUUID } from "node:crypto"
import type { Database } from "../../ledger/database"
import { storableJson } from "../../ledger/storable"

export type KeptReconciliation = {
  readonly accountId: string
  readonly from: Date
  readonly until: Date
  /** False: the gateway could not be read, or not all of it. */
  readonly isComplete: boolean
  readonly counts: Readonly<Record<string, number>>
  readonly differences: readonly object[]
  /** Differences beyond those kept. */
  readonly leftOut: number
  /** What each side adds up to, by currency. */
  readonly totals: readonly object[]
  readonly incompleteBecause: readonly string[]
}

const KEEP = `
  insert into mp_reconciliation
    (id, account_id, from_at, until_at, is_complete, counts, differences, left_out, totals,
     incomplete_because)
  values ($1, $2, $3, $4, $5, $6::jsonb, $7::jsonb, $8, $9::jsonb, $10::text[])`

export async function keepReconciliation(
  database: Database,
  reconciliation: KeptReconciliation,
): Promise<void> {
  await database.query(KEEP, [
    `mprec_${randomUUID()}`,
    reconciliation.accountId,
    reconciliation.from,
    reconciliation.until,
    reconciliation.isComplete,
    storableJson(reconciliation.counts),
    storableJson(reconciliation.differences),
    reconciliation.leftOut,
    storableJson(reconciliation.totals),
    [...reconciliation.incompleteBecause],
  ])
}

const PERIOD = `select now() - $1 * interval '1 ms' as "from", now() as until`

/** The last so many milliseconds, by the database's clock. */
export async function lastPeriod(
  database: Database,
  ms: number,
): Promise<{ readonly from: Date; readonly until: Date }> {
  const [row = {}] = await database.query(PERIOD, [ms])
  const { from, until } = row
  if (!(from instanceof Date) || !(until instanceof Date)) {
    throw new Error("the database did not tell its time")
  }
  return { from, until }
}
