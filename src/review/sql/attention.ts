/**
 * What stands in "needs attention", and why: the one definition for list, count, health page and
 * what can be made once more. No money of the shop's is outside of it unless it is where it
 * belongs, on its way, or a person has dismissed it.
 */

/** Sent back and not ended without money; `%` is the payment's alias. */
const GOING_BACK = `select coalesce(sum(r.amount_minor), 0) from mp_operation r
  where r.parent_id = %.id and r.type = 'REFUND' and r.state not in ('failed', 'expired')
    and (r.is_duplicate or r.host_amount <> 0)`

/** Of what Medusa recorded of a payment, something has neither gone back nor is on its way. */
const isLeftOf = (payment: string): string =>
  `least(${payment}.collected_minor, ${payment}.amount_minor) >
    (${GOING_BACK.replace("%", payment)})`

const IS_OF_MEDUSA = "(o.host_refund_id is not null or o.answered_at is not null)"

/**
 * The money is still here. What was never Medusa's waits with its payment's decision: accepted or
 * dismissed, there is nothing left to give back.
 */
const IS_HERE = `exists (select from mp_operation p
  where p.id = o.parent_id and p.returned_at is null
    and (p.state = 'review' and p.collected_minor > p.reserved_refund_minor
         or p.state = 'completed' and ${IS_OF_MEDUSA} and ${isLeftOf("p")}))`

/** When it ended: a refund that was made before is another one, and none in its place. */
const ENDED_AT = `coalesce((select max(e.created_at) from mp_operation_event e
  where e.operation_id = o.id and e.name in ('fail', 'expire')), o.created_at)`

/** Each refund stands for one that failed; where it fails, too, it is listed itself. */
const IS_MADE_AGAIN = `exists (select from mp_operation again
  where again.parent_id = o.parent_id and again.type = 'REFUND'
    and (again.retry_of = o.id
         or again.retry_of is null and again.host_amount = o.host_amount
            and again.state not in ('failed', 'expired') and again.created_at > ${ENDED_AT}))`

/** Asked for by Medusa, an admin or a policy, and answered to Medusa or not. */
const REFUND_FAILED = `o.type = 'REFUND' and o.state in ('failed', 'expired')
  and not o.is_duplicate and o.dismissed_at is null and ${IS_HERE} and not ${IS_MADE_AGAIN}`

/** Recorded money of a cancelled order that is not given back. */
const ORDER_CANCELED = `o.type = 'COLLECTION' and o.state = 'completed'
  and o.recorded_at is not null and o.returned_at is null
  and o.order_canceled_at is not null and o.kept_at is null and ${isLeftOf("o")}`

export const ATTENTION = `
  case when o.state = 'review' then 'review'
       when o.state = 'completed' and o.contradicted_at is not null then 'contradicted'
       when ${REFUND_FAILED} then 'refund_failed'
       when ${ORDER_CANCELED} then 'order_canceled' end`

/** The first lines as the index `operation_for_a_person` says them. */
export const FOR_A_PERSON = `(o.state = 'review' or o.contradicted_at is not null
     or (o.type = 'REFUND' and o.state in ('failed', 'expired') and o.dismissed_at is null)
     or (o.type = 'COLLECTION' and o.order_canceled_at is not null and o.kept_at is null))
  and ${ATTENTION} is not null`
