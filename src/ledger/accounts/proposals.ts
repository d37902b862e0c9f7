/**
 * Changes of accounts that wait for a second admin: requests of `requests.ts` with the change that
 * they propose. Another admin agrees by making the same change, and refuses here.
 */
import type { AccountProposal } from "../../core/account"
import { LIMITS } from "../../core/limits"
import { rowsOf, type Database } from "../database"
import { closeForsaken, type People } from "../requests"
import { accountEventInsert, accountEventValues, type AccountEventDraft } from "./account-events"

export type WaitingProposal = {
  readonly id: string
  readonly askedBy: string
  readonly askedAt: Date
  /** From this moment on the request counts as never made. */
  readonly endsAt: Date
  readonly proposal: AccountProposal
}

/** No proposal waits any more once its account was removed. */
const IS_WAITING = `
  kind = 'ACCOUNT' and proposal is not null and closed_at is null and asked_at > now() - $1 * interval '1 ms'
    and (proposal ->> 'name' = 'created' or exists (
      select from mp_account a
       where a.id = proposal ->> 'accountId' and a.deleted_at is null))`

const LIST = `
  select id, asked_by as "askedBy", asked_at as "askedAt",
         asked_at + $1 * interval '1 ms' as "endsAt", proposal
    from mp_approval
   where ${IS_WAITING} and ($2::text is null or id = $2)
   order by asked_at desc, id limit ${LIMITS.eventsShownMax}`

/** Proposals that wait for a second admin, newest first. */
export async function listProposals(
  database: Database,
  people: People,
  id?: string,
): Promise<WaitingProposal[]> {
  await closeForsaken(database, people)
  return rowsOf<WaitingProposal>(database, LIST, [LIMITS.secondAdminWithinMs, id ?? null])
}

const refuseOf = (people: People) => `
  with refused as (
    update mp_approval set closed_at = now(), refused_by = $3, open_subject = null
     where ${IS_WAITING} and id = $2 and (asked_by = $3 or ${people.may("$3", "ACCOUNT")})
    returning proposal ->> 'accountId' as account_id
  ), noted as (${accountEventInsert("account_id", 4)} from refused)
  select account_id from refused`

/** @returns false where the proposal does not wait any more */
export async function refuseProposal(
  database: Database,
  people: People,
  id: string,
  event: AccountEventDraft,
): Promise<boolean> {
  const values = [LIMITS.secondAdminWithinMs, id, event.by, ...accountEventValues(event)]
  return (await database.query(refuseOf(people), values)).length > 0
}
