/**
 * What the shopper asks for with a start, checked before anything is written: the number to ask,
 * the cart's lines, and where to go afterwards. Bad input is refused here and leaves no trace.
 */
import { cartLines } from "../../core/cart-lines"
import { FLOWS } from "../../core/flows"
import { LIMITS } from "../../core/limits"
import { isPage, type Flow, type Line } from "../../core/operation"
import { parsePhone, parseWalletPhone, phoneRefusal, type Phone } from "../../core/phone"
import { isPreviewOf } from "../../core/preview-origin"
import { invalid, refusal, type RefusalKey } from "../../core/refusal"
import { payerWords } from "../../core/search-words"
import type { FlowDeps, Settings } from "../../engine/deps"
import type { MedusaBasket, MedusaPayable } from "../../engine/medusa-port"
import type { StartContext } from "../context"
import { refuseUnfit } from "../refuse-unfit"
import type { Draft } from "../sql/insert-draft"

export type Instructions = {
  readonly phone: Phone
  readonly lines: readonly Line[]
  /** What a payer reads on the source beside its lines. */
  readonly note: string
  readonly successUrl: string | null
  readonly cancelUrl: string | null
  readonly name: string | null
  readonly email: string | null
  /** Who pays, for an admin to read and to search. */
  readonly payer: Pick<Draft, "phoneHint" | "customerName" | "customerEmail" | "searchWords">
}

/**
 * @throws Refusal `invalid_request`, `not_configured`, `cart_not_ready`, `cart_changed`,
 *   `nothing_to_pay`, `payment_in_progress`, `phone_required`, `invalid_phone`,
 *   `origin_not_allowed`
 */
export async function readInstructions(
  deps: FlowDeps,
  context: StartContext,
): Promise<Instructions> {
  const { request, flow, amount, payable } = context
  if (!payable.isProviderEnabled) throw refusal("not_configured.shopper")
  const successUrl = checkedOrigin(deps.settings, request.successUrl, request.origin)
  const cancelUrl = checkedOrigin(deps.settings, request.cancelUrl, request.origin)
  if (isPage(context) && request.expectedPayerAmount !== undefined) {
    throw invalid("expected_payer_amount", "push_only")
  }
  const isByCard = FLOWS[flow].asks === "card"
  if (isByCard && !request.cardToken) throw invalid("card_token", "card_token")
  if (!isByCard && request.cardToken) throw invalid("card_token", "card_only")
  const unset = missingSetting(deps, flow)
  if (unset) throw refusal(unset)
  const basket = await basketOf(deps, payable)
  const { missing } = basket
  if (missing.length > 0) throw refusal("cart_not_ready", { missing }, { missing, payment: null })
  // Medusa compares neither a cart's total nor what an order has open with its session's amount.
  const { order } = basket
  const asked = order ? (payable.dueAmount ?? payable.amount) : basket.total
  await refuseUnfit(deps, context, { amount: asked, currency: payable.currency, order })
  const phone = readPhone(context, basket)
  const { name, email } = basket
  const lines = cartLines(basket.positions, amount, "Order")
  const payer = payerOf(deps, flow, { phone, name, email })
  const note = basket.title.slice(0, LIMITS.sourceNoteMax)
  return { phone, lines, note, successUrl, cancelUrl, name, email, payer }
}

/**
 * Which of the shop's settings a flow lacks: an address for the page to return to, or a key under
 * which the ledger keeps the secret with which the shopper authenticates the card.
 */
export function missingSetting(
  { box, settings }: Pick<FlowDeps, "box" | "settings">,
  flow: Flow,
): RefusalKey | undefined {
  const { asks, comesBack } = FLOWS[flow]
  if (asks === "card" && box.keyId === null) return "not_configured.shopper"
  return comesBack && !settings.publicUrl ? "not_configured.address" : undefined
}

/** A card payment has no number: no phone pays it. */
function payerOf(
  { digest }: FlowDeps,
  flow: Flow,
  { phone, name, email }: Pick<Instructions, "phone" | "name" | "email">,
): Instructions["payer"] {
  const number = FLOWS[flow].asks === "card" ? undefined : phone
  return {
    phoneHint: number?.hint ?? null,
    customerName: name,
    customerEmail: email,
    searchWords: payerWords({ name, email, phone: number?.digits ?? null }, digest),
  }
}

async function basketOf(deps: FlowDeps, payable: MedusaPayable): Promise<MedusaBasket> {
  const basket = payable.orderId
    ? await deps.medusa.basketOfOrder(payable.orderId)
    : payable.cartId
      ? await deps.medusa.basketOfCart(payable.cartId)
      : undefined
  if (!basket) throw refusal("cart_not_found")
  return basket
}

/** Where no wallet is asked to pay, the gateway wants a number of the payer all the same. */
export function readPhone(
  context: { readonly flow: Flow; readonly request: Pick<StartContext["request"], "phone"> },
  basket: Pick<MedusaBasket, "phone" | "country">,
): Phone {
  const isWallet = FLOWS[context.flow].asks === "phone"
  const text = context.request.phone ?? basket.phone ?? undefined
  if (text === undefined || text.trim() === "") {
    throw refusal(isWallet ? "phone_required" : "phone_required.contact")
  }
  const country = basket.country ?? undefined
  const result = isWallet ? parseWalletPhone(text, country) : parsePhone(text, country)
  if ("problem" in result) throw phoneRefusal(result.problem)
  return result.phone
}

/**
 * Returns the address to send the shopper back to, or null when none was asked for. Only the shop's
 * own origins are allowed: anything else would make the return route an open redirect. Of a
 * wildcard that is only the origin of the page that asks, which its browser names.
 */
export function checkedOrigin(
  settings: Settings,
  url: string | undefined,
  asking?: string,
): string | null {
  if (url === undefined || url === "") return null
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  const isWeb = parsed?.protocol === "https:" || parsed?.protocol === "http:"
  const isClean = parsed?.username === "" && parsed.password === ""
  if (parsed && isWeb && isClean && isOfShop(settings, parsed.origin, asking)) {
    return parsed.toString()
  }
  throw refusal("origin_not_allowed")
}

function isOfShop(
  { storefrontOrigins, previewOrigins = [] }: Settings,
  origin: string,
  asking: string | undefined,
): boolean {
  if (storefrontOrigins.includes(origin)) return true
  return origin === asking && previewOrigins.some((one) => isPreviewOf(one, origin))
}
