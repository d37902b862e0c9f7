/** A refund as Medusa holds it, read by SQL; Medusa's tables are written by Medusa alone. */

/**
 * The payment that a refund is of: the one that its row names, else the one of its session, else the
 * newest; an undone completion leaves its payment on a session of before.
 */
export const PAYMENT = `
  select p.id as payment_id, o.id as order_id,
         coalesce(o.status = 'canceled' or o.canceled_at is not null, false) as is_canceled
    from payment p
    left join order_payment_collection oc
      on oc.payment_collection_id = p.payment_collection_id and oc.deleted_at is null
    left join "order" o on o.id = oc.order_id and o.deleted_at is null
   where p.payment_collection_id = $1 and p.provider_id = $2
     and p.deleted_at is null and p.captured_at is not null
   order by exists (select 1 from refund r where r.id = $4::text and r.payment_id = p.id) desc,
            p.payment_session_id = $3 desc, p.created_at desc, p.id
   limit 1`

/** Bound or marked, also those that were removed: a transaction may be left of one. */
export const ROWS = `
  select r.id, coalesce(r.created_by = $3, false) as is_marked,
         r.deleted_at is not null as is_removed
    from refund r
   where r.payment_id = $1 and (r.id = $2::text or r.created_by = $3)
   order by r.created_at, r.id`

export const TRANSACTIONS = `
  select t.id, t.reference_id, abs(t.amount)::text as amount, t.version,
         t.deleted_at is not null as is_removed
    from order_transaction t
   where t.order_id = $1 and t.reference = 'refund' and t.amount < 0
   order by t.created_at, t.id`

/**
 * Cancelling an order names the payment, not the refund row, and writes a transaction also where the
 * refund was refused. It is this refund's where the amount is, and no other row stands that it is of.
 */
export const IN_THE_PAYMENTS_NAME = `
  select t.id
    from order_transaction t
   where t.order_id = $1 and t.reference = 'refund' and t.reference_id = $2
     and t.amount = -($4::numeric)
     and not exists (
       select 1 from refund r
        where r.payment_id = $2 and r.deleted_at is null and r.id <> all ($3::text[])
          and r.amount = -t.amount
          and not exists (select 1 from order_transaction own
                           where own.reference = 'refund' and own.reference_id = r.id
                             and own.deleted_at is null))
   order by t.created_at, t.id`

/** Each version of an order copies its credit lines; what was written once is one here. */
export const CREDIT_LINES = `
  select array_agg(c.id order by c.version, c.id) as ids, c.amount::text as amount, c.reference_id,
         coalesce((c.metadata ->> 'created_in_version')::int, c.version) as made_version,
         bool_and(c.deleted_at is not null) as is_removed
    from order_credit_line c
   where c.order_id = $1
   group by c.amount, c.reference, c.reference_id,
            coalesce((c.metadata ->> 'created_in_version')::int, c.version)
   order by made_version`

/** Of a row of Medusa's, by the name that ours carry. */
export const CREDIT_LINE_OF = `
  select c.id from order_credit_line c
   where c.order_id = $1 and c.reference = 'refund' and c.reference_id = $2
     and c.deleted_at is null`

export const COLLECTION = `
  select pc.status,
         coalesce((select sum(r.amount) from refund r join payment p on p.id = r.payment_id
                    where p.payment_collection_id = pc.id and r.deleted_at is null
                      and p.deleted_at is null), 0)::text as refunded,
         coalesce(o.status = 'canceled' or o.canceled_at is not null, false) as is_order_canceled
    from payment_collection pc
    left join order_payment_collection oc
      on oc.payment_collection_id = pc.id and oc.deleted_at is null
    left join "order" o on o.id = oc.order_id and o.deleted_at is null
   where pc.id = $1 and pc.deleted_at is null`
