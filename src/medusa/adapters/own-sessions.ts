/**
 * Whether this plugin's money can be in something of Medusa's. It reads Medusa's tables alone, so
 * it answers while the plugin's own tables are missing.
 */
import { PROVIDER_IDS } from "../../core/flows"
import { rowOf, type Database } from "../../ledger/database"

/** What is about to be changed: one of the three. */
export type Changed = {
  readonly paymentCollectionId?: string
  readonly cartId?: string
  readonly orderId?: string
}

/** A deleted session counts: it may have been paid before it was replaced. */
const HAS_OWN_SESSION = `
  select exists (
    select 1 from payment_session
     where provider_id = any($4) and payment_collection_id in (
             select $1::text
              union all
             select payment_collection_id from cart_payment_collection where cart_id = $2
              union all
             select payment_collection_id from order_payment_collection where order_id = $3
              union all
             select cc.payment_collection_id from order_cart oc
               join cart_payment_collection cc on cc.cart_id = oc.cart_id
              where oc.order_id = $3)) as "isOwn"`

export async function hasOwnSession(
  database: Database,
  { paymentCollectionId, cartId, orderId }: Changed,
): Promise<boolean> {
  const parameters = [paymentCollectionId ?? null, cartId ?? null, orderId ?? null, PROVIDER_IDS]
  return (await rowOf<{ isOwn: boolean }>(database, HAS_OWN_SESSION, parameters)).isOwn
}
