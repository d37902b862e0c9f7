/**
 * What `complete-cart` will require of a cart, checked in one statement before any money moves.
 * Medusa checks it again; this keeps a shopper from paying for what can't be ordered.
 */
import type { HostBasket } from "../../engine/host"

/**
 * Stock as Medusa's `getVariantAvailability` computes it: for each inventory item stocked less
 * reserved, divided by what one piece needs; the scarcest item decides.
 */
export const READINESS = `
  with wanted as (
    select i.variant_id, sum(i.quantity) as pieces
      from cart_line_item i
      join product_variant v on v.id = i.variant_id
     where i.cart_id = $1 and i.deleted_at is null and v.manage_inventory and not v.allow_backorder
     group by i.variant_id
  ), stock as (
    select w.variant_id, w.pieces, vi.inventory_item_id, vi.required_quantity,
           coalesce(sum(l.stocked_quantity - l.reserved_quantity)
             filter (where sl.stock_location_id is not null), 0) as available
      from wanted w
      join product_variant_inventory_item vi
        on vi.variant_id = w.variant_id and vi.deleted_at is null
      join cart c on c.id = $1
      left join inventory_level l
        on l.inventory_item_id = vi.inventory_item_id and l.deleted_at is null
      left join sales_channel_stock_location sl
        on sl.stock_location_id = l.location_id and sl.sales_channel_id = c.sales_channel_id
       and sl.deleted_at is null
     group by w.variant_id, w.pieces, vi.inventory_item_id, vi.required_quantity
  ), shipped as (
    select i.id, ps.shipping_profile_id
      from cart_line_item i
      left join product_shipping_profile ps
        on ps.product_id = i.product_id and ps.deleted_at is null
     where i.cart_id = $1 and i.deleted_at is null and i.requires_shipping
  ), offered as (
    select o.shipping_profile_id
      from cart_shipping_method m
      join shipping_option o on o.id = m.shipping_option_id
     where m.cart_id = $1 and m.deleted_at is null
  )
  select nullif(c.email, '') as email, nullif(a.phone, '') as phone,
         nullif(trim(concat_ws(' ', a.first_name, a.last_name)), '') as name,
         nullif(coalesce(a.country_code,
           (select min(rc.iso_2) from region_country rc where rc.region_id = c.region_id
             having count(*) = 1)), '') as country,
         array_remove(array[
           case when not exists (select 1 from cart_line_item i
                                  where i.cart_id = $1 and i.deleted_at is null)
             then 'items' end,
           case when coalesce(c.email, '') = '' then 'email' end,
           case when coalesce(a.address_1, '') = '' and exists (select 1 from shipped)
             then 'shipping_address' end,
           case when exists (select 1 from shipped s where not exists (
                       select 1 from offered o
                        where o.shipping_profile_id is not distinct from s.shipping_profile_id))
             then 'shipping_method' end,
           case when exists (
                  select 1 from stock where floor(available / required_quantity) < pieces)
             then 'stock' end], null) as missing
    from cart c
    left join cart_address a on a.id = c.shipping_address_id and a.deleted_at is null
   where c.id = $1 and c.deleted_at is null`

/** No row if there is no such cart. */
export type Readiness = Omit<HostBasket, "positions" | "total">
