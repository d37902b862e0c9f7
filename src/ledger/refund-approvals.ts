/** Refunds that one admin has asked for and another has to confirm. */
import { randomUUID } from "node:crypto"
import type { Money } from "../core/money"
import type { Database } from "./database"

export type RefundToApprove = {
  /** The collection whose money goes back. */
  readonly operationId: string
  readonly amount: Money
  /** The admin who asks now. */
  readonly adminId: string
  /** An older request of another admin counts no more. */
  readonly withinMs: number
}

/**
 * Takes the request of another admin for the same refund and closes every other one with it: of two
 * admins who confirm each other at once, the second finds nothing left and asks anew. The rows are locked
 * in the order of their ids, so neither waits for the other.
 */
const APPROVE = `
  with open as materialized (
    select id, asked_by, asked_at from mp_refund_approval
     where operation_id = $1 and closed_at is null and amount_minor = $2 and currency_code = $3
     order by id for update
  ), other as (
    select id from open
     where asked_by <> $4 and asked_at > now() - $5 * interval '1 ms'
     order by asked_at limit 1
  ), closed as (
    update mp_refund_approval a
       set closed_at = now(),
           approved_at = case when a.id = other.id then now() end,
           approved_by = case when a.id = other.id then $4 end
      from open, other
     where a.id = open.id
    returning a.id, a.asked_by, a.approved_by
  )
  select id, asked_by from closed where approved_by is not null`

/** One that is there already is not asked for twice. */
const ASK = `
  insert into mp_refund_approval (id, operation_id, amount_minor, currency_code, asked_by)
  select $6, $1, $2, $3, $4
   where not exists (
     select from mp_refund_approval
      where operation_id = $1 and closed_at is null and amount_minor = $2 and currency_code = $3
        and asked_by = $4 and asked_at > now() - $5 * interval '1 ms')`

/** @returns the request that is confirmed by this, and who made it; undefined: now it is asked for */
export async function approveOrAsk(
  database: Database,
  refund: RefundToApprove,
): Promise<{ readonly id: string; readonly askedBy: string } | undefined> {
  const parameters = [
    refund.operationId,
    refund.amount.minor.toString(),
    refund.amount.currency,
    refund.adminId,
    refund.withinMs,
  ]
  const [row] = await database.query(APPROVE, parameters)
  if (row) return { id: String(row["id"]), askedBy: String(row["asked_by"]) }
  await database.query(ASK, [...parameters, `mpappr_${randomUUID().replaceAll("-", "")}`])
  return undefined
}

const REOPEN = `
  update mp_refund_approval set closed_at = null, approved_at = null, approved_by = null
   where id = $1 and approved_at is not null`

/** Nothing was sent for it: the first admin's word stands as it did. */
export async function reopenApproval(database: Database, id: string): Promise<void> {
  await database.query(REOPEN, [id])
}
