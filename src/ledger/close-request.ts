/** An admin refuses another's request, or withdraws an own one. */
import { isPerson } from "../core/account-policies"
import type { AdminId } from "../core/ids"
import { refusal } from "../core/refusal"
import type { Database } from "./database"
import {
  endedRefusal,
  IS_OPEN,
  kinds,
  REQUEST_COLUMNS,
  requestFrom,
  requestOfKind,
  type People,
  type RequestKind,
  type TwoAdminRequest,
} from "./requests"

/** SQL that closes a request. The page of a refund's payment says who refused or withdrew it. */
const closeOf = (people: People) => `
  with closed as (
    update mp_approval a
       set closed_at = now(), refused_by = $2, answer = $3, open_subject = null, sealed = null
     where a.id = $1 and a.kind = any ($4) and ${IS_OPEN}
       and (a.asked_by = $2 or ${kinds((kind) => `a.kind = '${kind}' and ${people.may("$2", kind)}`)})
    returning ${REQUEST_COLUMNS}
  ), payment as (
    update mp_operation o set version = o.version + 1, updated_at = now()
      from closed
     where closed.kind = 'REFUND' and o.id = closed.details -> 'refund' ->> 'payment_id'
    returning o.id, o.version, o.state, closed.request_state, closed.details
  ), noted as (
    insert into mp_operation_event (operation_id, seq, name, state, code, facts)
    select id, version, 'request_' || request_state, state,
           case when $3::text is null then 'refund_request_closed' else 'note' end,
           jsonb_build_object('by', $2::text, 'note', $3::text, 'amount', details -> 'amount',
                              'currency', details -> 'currency')
      from payment
  )
  select * from closed`

/**
 * @returns the request, refused, or withdrawn by who asked for it
 * @throws Refusal `request_not_found`, `request_ended`, `request_needs_person`
 */
export async function closeRequest(
  database: Database,
  people: People,
  given: {
    readonly id: string
    readonly kinds: readonly RequestKind[]
    readonly adminId: AdminId
    readonly answer: string | null
  },
): Promise<TwoAdminRequest> {
  const { id, adminId, answer } = given
  if (!isPerson(adminId)) throw refusal("request_needs_person")
  const [row] = await database.query(closeOf(people), [id, adminId, answer, given.kinds])
  if (row) return requestFrom(row)
  throw endedRefusal(await requestOfKind(database, id, given.kinds))
}
