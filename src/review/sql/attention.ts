/**
 * Defines what needs an admin's attention, and why. The list, the count, the health page and the
 * retry of refunds share this one definition. The shop's money is listed here unless it is where it
 * belongs, is on its way, or was dismissed by an admin.
 */

import { WITH_STRAY_ORDER } from "../../orders/sql/stray-orders"

/**
 * The sum of a payment's refunds that were sent and have not ended without money. `%` stands for
 * the payment's alias.
 */
const GOING_BACK = `select coalesce(sum(r.amount_minor), 0) from mp_operation r
  where r.parent_id = %.id and r.type = 'REFUND' and r.state not in ('failed', 'expired')
    and (r.is_duplicate or r.medusa_amount <> 0)`

/**
 * Whether some of the money that Medusa recorded of a payment has neither gone back nor is on its
 * way back.
 */
const isLeftOf = (payment: string): string =>
  `least(${payment}.collected_minor, ${payment}.amount_minor) >
    (${GOING_BACK.replace("%", payment)})`

const IS_OF_MEDUSA = "(o.medusa_refund_id is not null or o.answered_at is not null)"

/**
 * Whether the money of the failed refund `o` is still here. A refund that was never Medusa's waits
 * with the decision about its payment: once the payment is accepted or dismissed, there is nothing
 * left to give back.
 */
const IS_HERE = `exists (select from mp_operation p
  where p.id = o.parent_id and p.returned_at is null and p.taken_back_at is null
    and (p.state = 'review' and p.collected_minor > p.reserved_refund_minor
         or p.state = 'completed' and ${IS_OF_MEDUSA} and ${isLeftOf("p")}))`

/**
 * When the refund `o` ended. A refund that was made before that moment is not made in its place.
 */
const ENDED_AT = `coalesce((select max(e.created_at) from mp_operation_event e
  where e.operation_id = o.id and e.name in ('fail', 'expire')), o.created_at)`

/**
 * Whether another refund was made in place of the failed refund `o`. If that one fails too, it is
 * listed itself.
 */
export const IS_MADE_AGAIN = `exists (select from mp_operation again
  where again.parent_id = o.parent_id and again.type = 'REFUND'
    and (again.retry_of = o.id
         or again.retry_of is null and again.medusa_amount = o.medusa_amount
            and again.state not in ('failed', 'expired') and again.created_at > ${ENDED_AT}))`

/** Recorded money of a cancelled order that is neither given back nor taken back. */
const isOfCanceled = (payment: string): string =>
  `${payment}.type = 'COLLECTION' and ${payment}.state = 'completed'
  and ${payment}.recorded_at is not null
  and ${payment}.returned_at is null and ${payment}.taken_back_at is null
  and ${payment}.order_canceled_at is not null and ${isLeftOf(payment)}`

/**
 * A failed refund that Medusa, an admin or a policy asked for, whether Medusa has an answer to it
 * or not. With all that is left of a cancelled order's payment it is one case, and counts there.
 */
const REFUND_FAILED = `o.type = 'REFUND' and o.state in ('failed', 'expired')
  and not o.is_duplicate and o.dismissed_at is null and ${IS_HERE} and not ${IS_MADE_AGAIN}
  and not exists (select from mp_operation c where c.id = o.parent_id and ${isOfCanceled("c")})`

const isLeftByOrder = (payment: string): string =>
  `${isOfCanceled(payment)} and ${payment}.kept_at is null`

const ORDER_CANCELED = isLeftByOrder("o")

const hasStrayOrder = (payment: string): string => `${payment}.id = any(${WITH_STRAY_ORDER})`

/** The payment's completion left a second order behind, which waits to be cancelled. */
export const STRAY_ORDER = hasStrayOrder("o")

export const ATTENTION = `
  case when o.state = 'review' then 'review'
       when o.state = 'completed' and o.contradicted_at is not null then 'contradicted'
       when ${REFUND_FAILED} then 'refund_failed'
       when ${ORDER_CANCELED} then 'order_canceled'
       when ${STRAY_ORDER} then 'stray_order' end`

/** Repeats the condition of the index `operation_for_a_person`, so that Postgres can use it. */
export const MAY_NEED_DECISION = `(o.state = 'review' or o.contradicted_at is not null
     or (o.type = 'REFUND' and o.state in ('failed', 'expired') and o.dismissed_at is null)
     or (o.type = 'COLLECTION' and o.order_canceled_at is not null and o.kept_at is null))`

/** Payments with a stray order are few, and found by their ids. */
const MAY_NEED_ATTENTION = `(${MAY_NEED_DECISION} or ${STRAY_ORDER})`

/**
 * A refund of a payment that waits for an admin itself. The two are one case with the money once:
 * the payment is listed, and its page has its refunds.
 */
const IS_WITH_PAYMENT = `(o.type = 'REFUND' and exists (
  select from mp_operation p where p.id = o.parent_id
     and (p.state = 'review' or (p.state = 'completed' and p.contradicted_at is not null)
          or (${isLeftByOrder("p")}) or ${hasStrayOrder("p")})))`

export const FOR_A_PERSON = `${MAY_NEED_ATTENTION} and ${ATTENTION} is not null
  and not ${IS_WITH_PAYMENT}`

/** The first part holds for nearly every row, and the planner can tell so by its columns. */
export const NOT_FOR_A_PERSON = `(${MAY_NEED_ATTENTION} is not true or ${ATTENTION} is null
  or ${IS_WITH_PAYMENT})`
