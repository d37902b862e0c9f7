/**
 * Receipts of payments, and which of them are still to be fetched. A payment's own row says by
 * default, from its first moment, that its receipt is due, so that no writer has to set it. That
 * takes effect once the payment is completed, and recorded in Medusa or given back.
 */
import type { OperationId } from "../../core/ids"
import { LIMITS } from "../../core/limits"
import type { Operation } from "../../core/operation"
import { IS_OPEN, LEFT } from "../../ledger/limits/check-budget"
import { momentIn, type Database } from "../../ledger/database"
import { json, OPERATION_COLUMNS, operationFrom } from "../../ledger/operation-row"
import { storableJson } from "../../core/storable"
import type { FetchedReceipt } from "../rules/receipt"
import { keptReceipt, type KeptReceipt } from "../schemas/stored-receipt"

/** A payment whose receipt a worker has claimed; `tries` counts this try. */
export type DueReceipt = { readonly operation: Operation; readonly tries: number }

/** A payment `o` whose receipt is due, whatever its account's budget says. */
export const IS_RECEIPT_DUE = `o.receipt_due_at is not null and o.type = 'COLLECTION'
       and o.state = 'completed' and o.source_id is not null and o.receipt_due_at <= now()
       and (o.recorded_at is not null or o.returned_at is not null)`

/**
 * Claims the longest due first. An account that is paused, or whose budget the payments have used
 * up, is left out: checking a payment comes before reading its receipt. The claim moves the time at
 * which the receipt is due, so if a worker dies, another takes it.
 */
const CLAIM = `
  with due as materialized (
    select o.id from mp_operation o join mp_account a on a.id = o.account_id
     where ${IS_RECEIPT_DUE}
       and ${IS_OPEN} and ${LEFT} >= 1 and a.id <> all($2::text[])
     order by o.receipt_due_at limit ${LIMITS.receiptsPerRun}
       for update of o skip locked
  ), claimed as (
    update mp_operation o
       set receipt_due_at = now() + $1 * interval '1 ms', receipt_tries = receipt_tries + 1
      from due where o.id = due.id
    returning o.*
  )
  select ${OPERATION_COLUMNS} from claimed order by id`

export async function claimReceipts(
  database: Database,
  /** Accounts whose earlier receipts this worker is still fetching. */
  busyAccounts: readonly string[],
): Promise<DueReceipt[]> {
  const rows = await database.query(CLAIM, [LIMITS.leaseMs, busyAccounts])
  return rows.map((row) => ({ operation: operationFrom(row), tries: Number(row["receipt_tries"]) }))
}

/** Its try is not counted: nothing was asked. */
const GIVE_BACK = `
  update mp_operation
     set receipt_due_at = now() + $2::float8 * interval '1 ms',
         receipt_tries = greatest(0, receipt_tries - 1)
   where id = any($1::text[]) and receipt_due_at is not null`

/** Gives claimed receipts back that were not asked for. */
export async function giveBackReceipts(
  database: Database,
  operationIds: readonly OperationId[],
): Promise<void> {
  if (operationIds.length === 0) return
  await database.query(GIVE_BACK, [[...operationIds], LIMITS.receiptUnaskedMs])
}

const POSTPONE = `
  update mp_operation set receipt_due_at = now() + $2::float8 * interval '1 ms'
   where id = $1 and receipt_due_at is not null`

/** @param inMs milliseconds until the next try; undefined: there is none */
export async function postponeReceipt(
  database: Database,
  operationId: OperationId,
  inMs: number | undefined,
): Promise<void> {
  await database.query(POSTPONE, [operationId, inMs ?? null])
}

const KEEP = `
  insert into mp_receipt (operation_id, body) values ($1, $2::jsonb)
  on conflict (operation_id) do update set body = excluded.body, fetched_at = now()`

/**
 * Stores the receipt. Its fetching ends with the write that follows, which also has the figures. If
 * the process dies before that, the receipt is fetched and stored once more.
 */
export async function keepReceipt(
  database: Database,
  operationId: OperationId,
  receipt: KeptReceipt,
): Promise<void> {
  await database.query(KEEP, [operationId, storableJson(receipt)])
}

const FIND = `select operation_id as id, body, fetched_at from mp_receipt where operation_id = $1`

export async function findReceipt(
  database: Database,
  operationId: OperationId,
): Promise<FetchedReceipt | undefined> {
  const [row] = await database.query(FIND, [operationId])
  return row && { receipt: json(row, "body", keptReceipt), fetchedAt: momentIn(row["fetched_at"]) }
}

const GIVEN_UP = `
  select from mp_operation o
   where o.id = $1 and o.receipt_due_at is null
     and not exists (select from mp_receipt r where r.operation_id = o.id)`

/** Whether the operation has no receipt, and the gateway was asked for it to the end. */
export async function isReceiptGivenUp(database: Database, id: OperationId): Promise<boolean> {
  return (await database.query(GIVEN_UP, [id])).length > 0
}
