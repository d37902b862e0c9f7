/**
 * Medusa's records of a payment, read with SQL over the shared connection. The payment providers
 * have nothing else in their container, and on the path of every payment the query engine would
 * cost more than all the rest. Read only: Medusa alone writes its tables. Columns are named as the
 * fields of the port's types.
 */

const COLUMNS = `s.id, s.payment_collection_id as "paymentCollectionId", s.provider_id as "providerId",
         s.amount::text as amount, s.currency_code as currency, s.status,
         s.created_at as "createdAt"`

export const SESSION = `
  select ${COLUMNS}
    from payment_session s
   where s.id = $1 and s.deleted_at is null`

export const PAYABLE = `
  select ${COLUMNS}, pc.amount::text as "dueAmount", cc.cart_id as "cartId",
         coalesce(oc.order_id, ocart.order_id) as "orderId",
         coalesce(o.status = 'canceled' or o.canceled_at is not null, false) as "isOrderCanceled",
         exists (select 1 from payment p
                  where p.payment_collection_id = s.payment_collection_id
                    and p.deleted_at is null and p.canceled_at is null) as "hasPayment",
         coalesce(pp.is_enabled, false)
         and exists (select 1 from region_payment_provider rp
                      where rp.region_id = coalesce(c.region_id, o.region_id)
                        and rp.payment_provider_id = s.provider_id
                        and rp.deleted_at is null) as "isProviderEnabled",
         case when cu.has_account then cu.id end as "registeredCustomerId"
    from payment_session s
    join payment_collection pc on pc.id = s.payment_collection_id
    left join cart_payment_collection cc
      on cc.payment_collection_id = s.payment_collection_id and cc.deleted_at is null
    left join order_payment_collection oc
      on oc.payment_collection_id = s.payment_collection_id and oc.deleted_at is null
    left join order_cart ocart on ocart.cart_id = cc.cart_id and ocart.deleted_at is null
    left join "order" o on o.id = coalesce(oc.order_id, ocart.order_id)
    left join cart c on c.id = cc.cart_id
    left join customer cu on cu.id = coalesce(c.customer_id, o.customer_id)
    left join payment_provider pp on pp.id = s.provider_id
   where s.id = $1 and s.deleted_at is null
   limit 1`

/**
 * The registered customer of cart `$1`, else of order `$2`. A deleted cart counts, because deleting
 * it does not change whose payment it was.
 */
export const REGISTERED_CUSTOMER = `
  select cu.id
    from customer cu
   where cu.has_account and cu.id = coalesce(
           (select c.customer_id from cart c where c.id = $1),
           (select o.customer_id from "order" o where o.id = $2))`

/** `$2`: how many milliseconds ago the last session must have been deleted to count as gone. */
export const DUE = `
  select pc.amount::text as amount, pc.currency_code as currency, min(o.id) as "orderId",
         coalesce(array_agg(s.provider_id) filter (where s.deleted_at is null and s.id is not null),
                  '{}') as "providerIds",
         case when count(o.id) = 0 and count(c.region_id) > 0 then
           array(select rp.payment_provider_id from region_payment_provider rp
                  where rp.region_id = min(c.region_id) and rp.deleted_at is null)
         end as "servedProviderIds",
         coalesce(bool_or(o.status = 'canceled' or o.canceled_at is not null), false)
           as "isOrderCanceled",
         bool_or(c.deleted_at is not null)
         or (count(s.id) filter (where s.deleted_at is null) = 0
             and coalesce(max(s.deleted_at) < now() - $2 * interval '1 ms', true)) as "isAbandoned"
    from payment_collection pc
    left join payment_session s on s.payment_collection_id = pc.id
    left join cart_payment_collection cc
      on cc.payment_collection_id = pc.id and cc.deleted_at is null
    left join cart c on c.id = cc.cart_id
    left join order_payment_collection oc
      on oc.payment_collection_id = pc.id and oc.deleted_at is null
    left join order_cart ocart on ocart.cart_id = cc.cart_id and ocart.deleted_at is null
    left join "order" o
      on o.id = coalesce(oc.order_id, ocart.order_id) and o.deleted_at is null
   where pc.id = $1 and pc.deleted_at is null
   group by pc.id`

export const RECORD_SESSIONS = `
  select ${COLUMNS}
    from payment_session s
   where s.payment_collection_id = $1 and s.deleted_at is null
   order by s.created_at desc, s.id desc`

/** A payment is in the order if each of its captures is one of the order's transactions. */
export const RECORD_PAYMENTS = `
  select p.payment_session_id as "sessionId",
         p.captured_at is not null as "isCaptured",
         p.canceled_at is not null as "isCanceled",
         exists (select 1 from capture c where c.payment_id = p.id and c.deleted_at is null)
         and not exists (
           select 1 from capture c
            where c.payment_id = p.id and c.deleted_at is null
              and not exists (select 1 from order_transaction t
                               where t.reference = 'capture' and t.reference_id = c.id
                                 and t.deleted_at is null)) as "isInOrder"
    from payment p
   where p.payment_collection_id = $1 and p.deleted_at is null`

/**
 * Joins the cart and the order of a payment collection `pc`. A deleted cart can't be completed any
 * more.
 */
const CART_AND_ORDER = `
    left join cart_payment_collection cc
      on cc.payment_collection_id = pc.id and cc.deleted_at is null
    left join cart c on c.id = cc.cart_id and c.deleted_at is null
    left join order_payment_collection oc
      on oc.payment_collection_id = pc.id and oc.deleted_at is null
    left join order_cart ocart on ocart.cart_id = cc.cart_id and ocart.deleted_at is null
    left join "order" o
      on o.id = coalesce(oc.order_id, ocart.order_id) and o.deleted_at is null`

/** Money of the order `o` that did not come through the payment collection `pc`. */
const OTHER_MONEY = `
         exists (select 1 from order_payment_collection x
                   join payment p on p.payment_collection_id = x.payment_collection_id
                  where x.order_id = o.id and x.deleted_at is null
                    and x.payment_collection_id <> pc.id
                    and p.deleted_at is null and p.canceled_at is null)
         or exists (select 1 from order_transaction t
                     where t.order_id = o.id and t.deleted_at is null and t.amount > 0
                       and not exists (select 1 from capture k join payment p on p.id = k.payment_id
                                        where k.id = t.reference_id
                                          and p.payment_collection_id = pc.id))`

/**
 * A cart's region must still have the provider, because Medusa completes no cart without it. An
 * order's region need not: Medusa captures onto the order all the same.
 */
export const RECORD_ORDER = `
  select c.id as "cartId", pc.amount::text as amount,
         case when o.id is not null then jsonb_build_object(
           'id', o.id, 'isCanceled', o.status = 'canceled' or o.canceled_at is not null,
           'isPaidOtherwise', ${OTHER_MONEY}) end as order,
         coalesce((select is_enabled from payment_provider where id = $2), false)
         and (o.id is not null or c.region_id is null
              or exists (select 1 from region_payment_provider rp
                          where rp.region_id = c.region_id and rp.payment_provider_id = $2
                            and rp.deleted_at is null)) as "isProviderEnabled"
    from payment_collection pc ${CART_AND_ORDER}
   where pc.id = $1
   limit 1`

export const ORDER = `
  select o.id, o.status = 'canceled' or o.canceled_at is not null as "isCanceled",
         o.status in ('pending', 'requires_action')
         and not exists (select 1 from order_fulfillment x
                           join fulfillment f on f.id = x.fulfillment_id
                          where x.order_id = o.id and x.deleted_at is null
                            and f.deleted_at is null and f.canceled_at is null) as "isCancelable",
         exists (select 1 from payment p
                  where p.payment_collection_id = pc.id
                    and p.deleted_at is null and p.canceled_at is null)
         or ${OTHER_MONEY} as "hasMoney",
         array(select distinct s.provider_id from payment_session s
                where s.deleted_at is null and s.status not in ('canceled', 'error')
                  and (s.payment_collection_id = pc.id or s.payment_collection_id in
                       (select x.payment_collection_id from order_payment_collection x
                         where x.order_id = o.id and x.deleted_at is null))) as "providerIds"
    from payment_collection pc ${CART_AND_ORDER}
   where pc.id = $1 and o.id is not null
   limit 1`

/** Payment collections of the order with an uncaptured payment, which may still be captured. */
export const UNCAPTURED_OF_ORDER = `
  select distinct p.payment_collection_id as id
    from order_payment_collection x
    join payment p on p.payment_collection_id = x.payment_collection_id
   where x.order_id = $1 and x.deleted_at is null
     and p.deleted_at is null and p.canceled_at is null and p.captured_at is null`

/** A session of this provider for the payment collection's whole amount that has no payment yet. */
export const OPEN_SESSION = `
  select s.id
    from payment_session s
    join payment_collection pc on pc.id = s.payment_collection_id
   where s.payment_collection_id = $1 and s.provider_id = $2 and s.deleted_at is null
     and s.amount = pc.amount
     and s.status in ('pending', 'pending_authorization', 'error', 'canceled')
     and not exists (select 1 from payment p
                      where p.payment_session_id = s.id and p.deleted_at is null)
   order by s.created_at desc, s.id desc
   limit 1`

export const COLLECTIONS_OF_ORDER = `
  select oc.payment_collection_id as id
    from order_payment_collection oc
   where oc.order_id = $1 and oc.deleted_at is null
  union
  select cc.payment_collection_id
    from order_cart ocart
    join cart_payment_collection cc on cc.cart_id = ocart.cart_id and cc.deleted_at is null
   where ocart.order_id = $1 and ocart.deleted_at is null`

export const CART = `
  select c.currency_code as currency,
         nullif(coalesce(a.country_code,
           (select min(rc.iso_2) from region_country rc where rc.region_id = c.region_id
             having count(*) = 1)), '') as country,
         nullif(a.phone, '') as phone,
         coalesce((select array_agg(rp.payment_provider_id order by rp.payment_provider_id)
                     from region_payment_provider rp
                     join payment_provider pp on pp.id = rp.payment_provider_id and pp.is_enabled
                    where rp.region_id = c.region_id and rp.deleted_at is null), '{}')
             as "providerIds"
    from cart c
    left join cart_address a on a.id = c.shipping_address_id
   where c.id = $1 and c.deleted_at is null`

/** The session behind a payment, or behind one of its captures or refunds. */
export const SESSION_OF_PAYMENT = `
  select p.payment_session_id as id
    from payment p
   where p.id = $1
      or p.id = (select c.payment_id from capture c where c.id = $1)
      or p.id = (select r.payment_id from refund r where r.id = $1)
   limit 1`

export const SESSIONS_OF_ORDER = `
  select p.payment_session_id as id
    from order_payment_collection oc
    join payment p on p.payment_collection_id = oc.payment_collection_id
   where oc.order_id = $1 and oc.deleted_at is null and p.deleted_at is null
     and p.canceled_at is null`
