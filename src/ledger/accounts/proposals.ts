/** Ends a change of an account that waits for a second admin: it is refused, or withdrawn. */
import type { Database } from "../database"
import { IS_WAITING, type People } from "../requests"
import { accountEventInsert, accountEventValues, type AccountEventDraft } from "./account-events"

const refuseOf = (people: People) => `
  with refused as (
    update mp_approval a
       set closed_at = now(), refused_by = $2, answer = $3, open_subject = null, sealed = null
     where a.id = $1 and a.kind = 'ACCOUNT' and ${IS_WAITING}
       and (a.asked_by = $2 or ${people.may("$2", "ACCOUNT")})
    returning proposal ->> 'accountId' as account_id
  ), noted as (${accountEventInsert("account_id", 4)} from refused)
  select account_id from refused`

/** @returns false where the proposal does not wait any more */
export async function refuseProposal(
  database: Database,
  people: People,
  { id, answer }: { readonly id: string; readonly answer: string | null },
  event: AccountEventDraft,
): Promise<boolean> {
  const values = [id, event.by, answer, ...accountEventValues(event)]
  return (await database.query(refuseOf(people), values)).length > 0
}
