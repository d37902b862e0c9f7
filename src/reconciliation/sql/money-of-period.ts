/**
 * Payments and refunds that began in a period and moved money, or still may: what a file of the
 * books has a row for, in pages, oldest first. What ended without money is left out, but for rows
 * that are named, because a difference is about them.
 */
import type { Operation } from "../../core/operation"
import type { Database } from "../../ledger/database"
import { OPERATION_COLUMNS, operationFrom } from "../../ledger/operation-row"
import type { LedgerPeriod } from "./period"

export type MoneyPage = { readonly operations: readonly Operation[]; readonly next?: string }

/** The place is exact: a driver's date would have lost its end. */
const PAGE = `
  select ${OPERATION_COLUMNS}, created_at::text || ' ' || id as place from mp_operation
   where account_id = any($1::text[]) and created_at >= $2 and created_at < $3
     and ((type in ('COLLECTION', 'REFUND')
           and state in ('submitted', 'in_flight', 'completed', 'review'))
          or id = any($4::text[]))
     and ($5::text is null or (created_at, id) > (
           regexp_replace($5, ' [^ ]+$', '')::timestamptz, regexp_replace($5, '^.* ', '')))
   order by created_at, id limit $6`

export async function findMoneyOfPeriod(
  database: Database,
  { accountIds, from, until }: LedgerPeriod,
  page: { readonly namedIds: readonly string[]; readonly after?: string; readonly limit: number },
): Promise<MoneyPage> {
  const { after, limit, namedIds } = page
  const parameters = [[...accountIds], from, until, [...namedIds], after ?? null, limit]
  const rows = await database.query(PAGE, parameters)
  const place = rows.length < limit ? undefined : rows.at(-1)?.["place"]
  return {
    operations: rows.map(operationFrom),
    ...(typeof place === "string" && { next: place }),
  }
}
