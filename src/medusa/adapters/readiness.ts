/**
 * Finds what keeps a cart from being paid, before any money moves. Medusa itself is asked what
 * `complete-cart` would refuse, and one statement reads what a payment needs besides.
 */
import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MedusaError, Modules } from "@medusajs/framework/utils"
import { errorText } from "../../core/error-text"
import type { CartId } from "../../core/ids"
import { LIMITS } from "../../core/limits"
import { systemClock } from "../../core/ports"
import type { MedusaBasket, MissingPart } from "../../engine/medusa-port"
import type { BasketLines } from "./basket-lines"
import { askShopOfCompleteCart } from "./shop-check"

/**
 * Reads who buys. An e-mail is not required: Medusa orders without one, many shoppers have none,
 * and the gateway needs none. An address is: Medusa would order without it, and nothing could be
 * sent.
 */
export const BUYER = `
  select nullif(c.email, '') as email, nullif(a.phone, '') as phone,
         nullif(trim(concat_ws(' ', a.first_name, a.last_name)), '') as name,
         nullif(coalesce(a.country_code,
           (select min(rc.iso_2) from region_country rc where rc.region_id = c.region_id
             having count(*) = 1)), '') as country,
         array_remove(array[
           case when coalesce(a.address_1, '') = '' and exists (
                  select 1 from cart_line_item i
                   where i.cart_id = $1 and i.deleted_at is null and i.requires_shipping)
             then 'shipping_address' end], null) as missing
    from cart c
    left join cart_address a on a.id = c.shipping_address_id and a.deleted_at is null
   where c.id = $1 and c.deleted_at is null`

/** A row of `BUYER`; there is none if there is no such cart. */
export type Buyer = Omit<MedusaBasket, "positions" | "total" | "order">

/** The part that a cart misses, by the step of `merchant-payments-cart-ready` that failed. */
const MISSED: Readonly<Record<string, MissingPart>> = {
  "validate-cart-items": "items",
  "merchant-payments-has-products": "product",
  "validate-shipping": "shipping_method",
  "confirm-item-inventory-as-step": "stock",
  "merchant-payments-can-reserve": "stock",
  "merchant-payments-can-use-promotions": "promotion",
  validate: "shop",
}

type Ended = {
  readonly result?: ({ readonly id?: string } & BasketLines) | null
  readonly errors?: readonly { readonly action: string; readonly error: unknown }[]
}

/** What Medusa says of a cart: its lines, or what `complete-cart` would refuse it for. */
type Readiness =
  | { readonly missing?: undefined; readonly lines: BasketLines }
  | { readonly missing: MissingPart; readonly lines?: undefined }

/**
 * Whether `complete-cart` would take the cart, and the first thing that it would refuse it for.
 * @throws the error of a step if it is a fault, not a refusal: a database that does not answer is
 *   no missing stock
 */
export async function askReadiness(container: MedusaContainer, cartId: CartId): Promise<Readiness> {
  askShopOfCompleteCart()
  const engine = container.resolve(Modules.WORKFLOW_ENGINE)
  const options = { input: { id: cartId }, throwOnError: false }
  const answered = new AbortController()
  const asked = engine.run("merchant-payments-cart-ready", options) as Promise<Ended>
  const ended = await Promise.race([asked.finally(() => answered.abort()), late(answered.signal)])
  // The database bounds Medusa's own steps; only the shop's own check can take so long.
  const failed = ended ? ended.errors?.[0] : { action: "validate", error: new Error("no answer") }
  if (!failed) {
    // A workflow that did not run to its end has checked nothing.
    const result = ended?.result
    if (result?.id !== cartId) throw new Error(`cart ${cartId} could not be checked`)
    return { lines: { positions: result.positions, total: result.total } }
  }
  const { action, error } = failed
  const part = MISSED[action]
  if (part === undefined || (part !== "shop" && !isRefusal(error))) throw error
  container
    .resolve(ContainerRegistrationKeys.LOGGER)
    .info(`merchant payments: cart ${cartId} can't be ordered yet (${part}): ${errorText(error)}`)
  return { missing: part }
}

async function late(answered: AbortSignal): Promise<undefined> {
  await systemClock.sleep(LIMITS.cartCheckMs, answered).catch(() => undefined)
  return undefined
}

const REFUSALS: readonly unknown[] = [
  MedusaError.Types.INVALID_DATA,
  MedusaError.Types.NOT_ALLOWED,
  MedusaError.Types.NOT_FOUND,
]

function isRefusal(error: unknown): boolean {
  return (
    typeof error === "object" && error !== null && "type" in error && REFUSALS.includes(error.type)
  )
}
