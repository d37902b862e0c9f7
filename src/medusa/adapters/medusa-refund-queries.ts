/** A refund as Medusa holds it, read by SQL; Medusa's tables are written by Medusa alone. */
import { LIMITS } from "../../core/limits"
import { INTEGER_CURRENCIES } from "../../core/markets"

/** A row's age in milliseconds, by the database's clock. */
export const ageMs = (row: string) =>
  `(extract(epoch from now() - ${row}.created_at) * 1000)::float8`

/**
 * Medusa keeps sums as floats. Two that differ by less than this, which is below the smallest unit
 * of any currency, count as equal.
 */
export const LEAST_DIFFERENCE = 0.0001

const INTEGER_LIST = [...INTEGER_CURRENCIES].map((code) => `'${code}'`).join(", ")

/** The least amount, in major units, that a payer could pay: anything below rounds to nothing. */
export const leastPayable = (currency: string) =>
  `case when upper(${currency}) in (${INTEGER_LIST}) then 0.5 else 0.005 end`

/** What was captured of the payment `p`, in major units. */
export const CAPTURED = `(select coalesce(sum(c.amount), 0) from capture c
                    where c.payment_id = p.id and c.deleted_at is null)`

/** What was refunded of the payment `p`, in major units. */
export const REFUNDED = `(select coalesce(sum(r.amount), 0) from refund r
                    where r.payment_id = p.id and r.deleted_at is null)`

/** The order `o` of the payment `p`, if it has one. */
export const WITH_ORDER = `
    left join order_payment_collection oc
      on oc.payment_collection_id = p.payment_collection_id and oc.deleted_at is null
    left join "order" o on o.id = oc.order_id and o.deleted_at is null`

/**
 * The payment of a refund: the one that the refund's row names, else the session's, else the
 * newest. An undone completion leaves its payment on an earlier session.
 */
export const PAYMENT = `
  select p.id as "paymentId", o.id as "orderId",
         coalesce(o.status = 'canceled' or o.canceled_at is not null, false) as "isCanceled"
    from payment p ${WITH_ORDER}
   where p.payment_collection_id = $1 and p.provider_id = $2
     and p.deleted_at is null and p.captured_at is not null
   order by exists (select 1 from refund r where r.id = $4::text and r.payment_id = p.id) desc,
            p.payment_session_id = $3 desc, p.created_at desc, p.id
   limit 1`

export const ROWS = `
  select r.id, r.amount::text as amount, nullif(r.created_by, '') as "createdBy",
         ${ageMs("r")} as "ageMs"
    from refund r
   where r.payment_id = $1 and r.deleted_at is null
   order by r.created_at, r.id`

/**
 * The refund transactions of order `$1`, each with its payment. Medusa deletes the row of a refused
 * refund for good, so its transaction stands for no money: payment `$2` may remove it if all
 * captured payments of the order are ours (`$3`).
 */
export const TRANSACTIONS = `
  select t.id, coalesce(t.reference_id, '') as "referenceId", abs(t.amount)::text as amount,
         t.version, ${ageMs("t")} as "ageMs",
         coalesce(r.payment_id, p.id, case when t.reference_id like 'ref\\_%' and not exists (
           select from order_payment_collection oc
             join payment other on other.payment_collection_id = oc.payment_collection_id
            where oc.order_id = $1 and oc.deleted_at is null and other.deleted_at is null
              and other.captured_at is not null and other.provider_id <> all($3::text[])
         ) then $2 end) as "paymentId"
    from order_transaction t
    left join refund r on r.id = t.reference_id
    left join payment p on p.id = t.reference_id
   where t.order_id = $1 and t.deleted_at is null and t.reference = 'refund' and t.amount < 0
   order by t.created_at, t.id`

/**
 * Whether the stored sums count the credit lines. Medusa's own sum holds the lines that made the
 * version; our recount holds all live lines of the version. Either is right.
 */
const ARE_LINES_COUNTED = `exists (
  select from (
    select coalesce((s.totals ->> 'credit_line_total')::numeric, 0) as kept,
           coalesce(sum(x.amount), 0) as live,
           coalesce(sum(x.amount) filter (where o.version =
             coalesce((x.metadata ->> 'created_in_version')::int, x.version)), 0) as made
      from order_credit_line x
     where x.order_id = o.id and x.version = o.version and x.deleted_at is null
  ) lines
   where least(abs(lines.kept - lines.live), abs(lines.kept - lines.made))
         < ${LEAST_DIFFERENCE})`

const IS_COUNTED = `(
  abs(coalesce((s.totals ->> 'transaction_total')::numeric, 0)
      - coalesce((select sum(x.amount) from order_transaction x
                   where x.order_id = o.id and x.deleted_at is null), 0)) < ${LEAST_DIFFERENCE}
  and ${ARE_LINES_COUNTED})`

/**
 * The stored sums of an order, and whether they match its transactions and credit lines. `open` is
 * never less than what Medusa reads, because Medusa also subtracts what is to be returned.
 */
export const ORDER = `
  select o.id, o.version,
         greatest(coalesce((s.totals ->> 'pending_difference')::numeric, 0), 0)::text as open,
         ${IS_COUNTED} as "isCounted"
    from "order" o
    join order_summary s on s.order_id = o.id and s.version = o.version and s.deleted_at is null
   where o.id = $1`

/**
 * The credit lines of an order's refunds: by the job in a row's name, by Medusa's workflow in the
 * name of the payment collection or of the refund's reason. Each version of an order copies them;
 * the copies of one line are one row here.
 */
export const CREDIT_LINES = `
  select array_agg(c.id order by c.version, c.id) as ids, c.amount::text as amount,
         case when c.reference = 'refund' then c.reference_id end as "rowId"
    from order_credit_line c
   where c.order_id = $1 and c.deleted_at is null
     and (c.reference in ('refund', 'payment_collection') or exists (
       select from refund_reason reason
        where reason.label = c.reference and reason.code = c.reference_id))
   group by c.amount, c.reference, c.reference_id,
            coalesce((c.metadata ->> 'created_in_version')::int, c.version)
   order by min(c.version), ids`

/** The credit line of refund row `$2`: the lines that we write name the row. */
export const CREDIT_LINE_OF = `
  select c.id from order_credit_line c
   where c.order_id = $1 and c.reference = 'refund' and c.reference_id = $2
     and c.deleted_at is null`

/** A payment collection, and the sum of its refund rows without the rows `$2`. */
export const COLLECTION = `
  select pc.status, coalesce(pc.refunded_amount, 0)::text as kept,
         coalesce((select sum(r.amount) from refund r join payment p on p.id = r.payment_id
                    where p.payment_collection_id = pc.id and r.deleted_at is null
                      and p.deleted_at is null and r.id <> all($2::text[])), 0)::text as refunded,
         coalesce(o.status = 'canceled' or o.canceled_at is not null, false) as is_order_canceled
    from payment_collection pc
    left join order_payment_collection oc
      on oc.payment_collection_id = pc.id and oc.deleted_at is null
    left join "order" o on o.id = oc.order_id and o.deleted_at is null
   where pc.id = $1 and pc.deleted_at is null`

/**
 * Payments whose records of refunds may be wrong, in this order: rows whose own transaction is
 * missing; more transactions in a payment's name, as cancelling an order writes them, than rows of
 * the amount; transactions of a row that is gone, and orders not recounted after a removal; payment
 * collections whose sum is not that of their refunds.
 *
 * Rows that were just made are left out: their process may still be at work. `$5` is the last
 * payment of the page before.
 */
export const SUSPECTS = `
  with found as (
    select r.payment_id
      from refund r
     where r.id >= $1 and r.deleted_at is null
       and r.created_at < now() - ${LIMITS.refundRowAbandonedMs} * interval '1 ms'
       and not exists (
         select from order_transaction t
          where t.reference_id = r.id and t.deleted_at is null and t.reference = 'refund'
            and t.amount = -r.amount
            and t.created_at <= r.created_at + ${LIMITS.leaseMs} * interval '1 ms')
    union
    select t.reference_id
      from order_transaction t
     where t.id >= $2 and t.deleted_at is null and t.reference = 'refund' and t.amount < 0
       and t.created_at < now() - ${LIMITS.refundMedusaQuietMs} * interval '1 ms'
       and t.reference_id like 'pay\\_%'
     group by t.reference_id, t.amount
    having count(*) > (
         select count(*) from refund r
          where r.payment_id = t.reference_id and r.deleted_at is null and r.amount = -t.amount
            and not exists (select from order_transaction own
                             where own.reference_id = r.id and own.deleted_at is null))
    union
    select p.id
      from order_transaction t
      join "order" o on o.id = t.order_id
      join order_summary s on s.order_id = o.id and s.version = o.version and s.deleted_at is null
      join order_payment_collection oc on oc.order_id = o.id and oc.deleted_at is null
      join payment p on p.payment_collection_id = oc.payment_collection_id
     where t.id >= $2 and t.reference = 'refund' and t.amount < 0
       and case when t.deleted_at is not null then not ${IS_COUNTED}
                else t.reference_id like 'ref\\_%' and not exists (
                  select from refund r where r.id = t.reference_id and r.deleted_at is null) end
    union
    select r.payment_id
      from refund r
      join payment p on p.id = r.payment_id
      join payment_collection pc on pc.id = p.payment_collection_id
      cross join lateral (
        select coalesce(sum(x.amount) filter (where x.deleted_at is null), 0) as refunded,
               max(x.created_at) as newest
          from refund x join payment y on y.id = x.payment_id
         where y.payment_collection_id = pc.id and y.deleted_at is null) sums
     where r.id >= $1
       and sums.newest < now() - ${LIMITS.refundRowAbandonedMs} * interval '1 ms'
       and abs(coalesce(pc.refunded_amount, 0) - sums.refunded) >= ${LEAST_DIFFERENCE}
  )
  select p.id as "paymentId", p.payment_session_id as "sessionId",
         p.payment_collection_id as "paymentCollectionId", p.provider_id as "providerId"
    from found f join payment p on p.id = f.payment_id
   where p.provider_id = any($3::text[]) and p.deleted_at is null and p.captured_at is not null
     and p.id > $5::text
   order by p.id limit $4`
