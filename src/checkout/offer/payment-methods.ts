/**
 * Which payment methods a cart has. A method that can't work is not offered: without credentials,
 * without the currency, without an address for the payment page to return to, without a key to keep
 * a card's secret under.
 */
import { operatorsOf } from "../../core/account-operators"
import { FLOWS, flowOfProvider } from "../../core/flows"
import type { CartId } from "../../core/ids"
import { parseCurrency } from "../../core/money"
import { parsePhone } from "../../core/phone"
import { refusal } from "../../core/refusal"
import type { FlowDeps } from "../../engine/deps"
import { accountFor } from "../../ledger/accounts/find-accounts"
import { disruptedMethods, statusOf } from "./disrupted-methods"
import type { PaymentMethod } from "../schemas/methods"
import { hideDisrupted } from "./hide-disrupted"
import { missingSetting } from "./read-instructions"

/** @throws Refusal `cart_not_found` */
export async function listPaymentMethods(
  deps: FlowDeps,
  cartId: CartId,
): Promise<readonly PaymentMethod[]> {
  const cart = await deps.medusa.payableCart(cartId)
  if (!cart) throw refusal("cart_not_found")
  const currency = parseCurrency(cart.currency)
  const account = currency && accountFor(await deps.accounts(), currency)
  if (!currency || !account?.currencies.includes(currency) || !deps.gatewayOf(account)) return []
  const disrupted = await disruptedMethods(deps)
  const methods = cart.providerIds.flatMap((providerId): PaymentMethod[] => {
    const flow = flowOfProvider(providerId)
    if (!flow || missingSetting(deps, flow)) return []
    const isWallet = FLOWS[flow].asks === "phone"
    const operators = isWallet ? operatorsOf(account, cart.country, currency) : []
    if (isWallet && operators.length === 0) return []
    const hasPhone =
      cart.phone !== null && "phone" in parsePhone(cart.phone, cart.country ?? undefined)
    return [
      {
        provider_id: providerId,
        flow,
        currencies: account.currencies,
        needs_phone: isWallet || !hasPhone,
        label_key: `merchant_payments.methods.${flow}`,
        operators: operators.map((one) => ({
          ...one,
          status: statusOf(disrupted, one.payment_method),
        })),
      },
    ]
  })
  const isHidden = account.policies.disrupted_methods === "hide"
  return isHidden ? hideDisrupted(deps, methods, cartId) : methods
}
