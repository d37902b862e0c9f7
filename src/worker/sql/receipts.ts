/**
 * Receipts of what was paid, and which are still to be fetched. That a payment is due for one
 * stands in its own row, from its first moment and by default, so that no writer has to think of
 * it; it shows only once the payment is completed and Medusa has it, or it was given back.
 */
import type { Operation } from "../../core/operation"
import { IS_OPEN, LEFT } from "../../ledger/check-budget"
import { momentIn, type Database, type Row } from "../../ledger/database"
import { OPERATION_COLUMNS, operationFrom } from "../../ledger/operation-row"
import { storableJson } from "../../ledger/storable"
import type { FetchedReceipt, KeptLine, KeptReceipt } from "../rules/receipt"

/** A payment whose receipt a worker has taken to fetch; `tries` counts this one. */
export type DueReceipt = { readonly operation: Operation; readonly tries: number }

/**
 * The longest due first. An account that is paused, or whose budget the payments have used up, is
 * left alone: checking a payment comes before reading its receipt. The claim is the time until it
 * is due again, so who dies leaves it to the next.
 */
const claimStatement = (limit: number) => `
  with due as materialized (
    select o.id from mp_operation o join mp_account a on a.id = o.account_id
     where o.receipt_due_at is not null and o.type = 'COLLECTION' and o.state = 'completed'
       and o.source_id is not null and o.receipt_due_at <= now()
       and (o.recorded_at is not null or o.returned_at is not null)
       and ${IS_OPEN} and ${LEFT} >= 1 and a.id <> all($2::text[])
     order by o.receipt_due_at limit ${Math.trunc(limit)}
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
  claim: {
    readonly limit: number
    readonly forMs: number
    /** The worker is still at earlier ones of these. */
    readonly busyAccounts?: readonly string[]
  },
): Promise<DueReceipt[]> {
  const { limit, forMs, busyAccounts = [] } = claim
  const rows = await database.query(claimStatement(limit), [forMs, busyAccounts])
  return rows.map((row) => ({ operation: operationFrom(row), tries: Number(row["receipt_tries"]) }))
}

const POSTPONE = `
  update mp_operation set receipt_due_at = now() + $2::float8 * interval '1 ms'
   where id = $1 and receipt_due_at is not null`

/** @param inMs undefined: it is not tried again */
export async function postponeReceipt(
  database: Database,
  operationId: string,
  inMs: number | undefined,
): Promise<void> {
  await database.query(POSTPONE, [operationId, inMs ?? null])
}

const KEEP = `
  with done as (
    update mp_operation set receipt_due_at = null where id = $1 returning id
  )
  insert into mp_receipt (operation_id, body) select id, $2::jsonb from done
  on conflict (operation_id) do update set body = excluded.body, fetched_at = now()`

/** Keeps it and ends the fetching of it, or neither. */
export async function keepReceipt(
  database: Database,
  operationId: string,
  receipt: KeptReceipt,
): Promise<void> {
  await database.query(KEEP, [operationId, storableJson(receipt)])
}

const FIND = `select body, fetched_at from mp_receipt where operation_id = $1`

export async function findReceipt(
  database: Database,
  operationId: string,
): Promise<FetchedReceipt | undefined> {
  const [row] = await database.query(FIND, [operationId])
  return row && receiptFrom(row)
}

/** For people: a text that is not there is null, and never keeps the rest from being read. */
function receiptFrom(row: Row): FetchedReceipt {
  const body = fieldsOf(row["body"])
  const text = (name: string) => textIn(body, name)
  const lines = body["lines"]
  return {
    fetchedAt: momentIn(row["fetched_at"]),
    receipt: {
      number: text("number") ?? "",
      paidAt: text("paidAt"),
      total: text("total") ?? "0",
      currency: text("currency") ?? "",
      feeBearer: text("feeBearer"),
      paymentMethod: text("paymentMethod"),
      transactionId: text("transactionId"),
      lines: Array.isArray(lines) ? lines.map(lineFrom) : null,
      link: text("link"),
    },
  }
}

function lineFrom(value: unknown): KeptLine {
  const line = fieldsOf(value)
  return {
    name: textIn(line, "name") ?? "",
    quantity: Number(line["quantity"]) || 1,
    unitAmount: textIn(line, "unitAmount") ?? "0",
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {}
}

function textIn(fields: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = fields[name]
  return typeof value === "string" ? value : null
}
