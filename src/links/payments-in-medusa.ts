/**
 * How `query.graph` goes from Medusa's orders, carts and payments to the plugin's payments, and
 * back. Read only: the ids stand in the plugin's own rows, so no table links them.
 */
/* eslint-disable @medusajs/link-uses-linkable-properties -- `linkable` names the key of a table that links; here the joined field is another on either side, and there is no table. */
import { defineLink, Modules } from "@medusajs/framework/utils"
import { PAYMENT_ALIASES } from "../core/merchant-payment"
import type { MerchantPayment } from "../core/schemas/merchant-payment"
import { MERCHANT_PAYMENTS_MODULE } from "../medusa/service"

const OURS = {
  serviceName: MERCHANT_PAYMENTS_MODULE,
  entity: "MerchantPayment",
  alias: PAYMENT_ALIASES[0],
  field: "merchantPayment",
  linkable: "merchant_payment_id",
}

type Link = {
  readonly serviceName: string
  readonly entity: string
  readonly alias: string
  /** The field of Medusa's entity, which is in a field of payments. */
  readonly field: string
  readonly ours: keyof MerchantPayment
}

const LINKS: readonly Link[] = [
  { serviceName: Modules.ORDER, entity: "Order", alias: "order", field: "id", ours: "order_id" },
  { serviceName: Modules.CART, entity: "Cart", alias: "cart", field: "id", ours: "cart_id" },
  {
    serviceName: Modules.PAYMENT,
    entity: "Payment",
    alias: "payment",
    field: "payment_session_id",
    ours: "payment_session_id",
  },
]

for (const { ours, field, ...theirs } of LINKS) {
  const linkable = { ...theirs, field: theirs.alias, linkable: `${theirs.alias}_id` }
  // A cart may be tried several times until one payment succeeds, so this way there is a list.
  defineLink(
    { linkable: { ...linkable, primaryKey: field }, field },
    { linkable: { ...OURS, primaryKey: ours } },
    { readOnly: true, isList: true },
  )
  defineLink(
    { linkable: { ...OURS, primaryKey: ours }, field: ours },
    { linkable: { ...linkable, primaryKey: field } },
    { readOnly: true },
  )
}
