/**
 * Refunds that another admin approves. Where Medusa holds the payment they go through Medusa, which
 * hands on no more than who made its row. So who approves the request is noted first, and Medusa's
 * row names the request (`approvalMark`).
 */
import type { AdminId } from "../../core/ids"
import { rowsOf, type Database } from "../../ledger/database"
import { requestUsed, type People, type RequestUse } from "../../ledger/requests"

/** @returns false where the request can't be used any more */
export async function noteApproval(
  database: Database,
  people: People,
  { id, approvedBy, answer }: RequestUse,
): Promise<boolean> {
  const sql = `update mp_approval a set approved_by = $2, approved_at = now(), answer = $3
     from (${requestUsed(people, "REFUND", "$1::text", "$2::text")}) waiting
    where a.id = waiting.id returning a.id`
  return (await database.query(sql, [id, approvedBy, answer])).length > 0
}

/** A request for a refund, approved and perhaps used. */
export type ApprovedRefund = RequestUse & {
  readonly askedBy: AdminId
  readonly note: string | null
}

const APPROVED = `
  select id, approved_by as "approvedBy", answer, asked_by as "askedBy", note from mp_approval
   where id = $1 and kind = 'REFUND' and approved_by is not null`

export async function findApproved(
  database: Database,
  id: string,
): Promise<ApprovedRefund | undefined> {
  const [found] = await rowsOf<ApprovedRefund>(database, APPROVED, [id])
  return found
}
