/** Which operator a phone number belongs to, as the gateway says. */
import type { Operator } from "../schemas/methods"
import { LIMITS } from "../../core/limits"
import { methodLabels } from "../../core/method-labels"
import { parseWalletPhone, phoneRefusal } from "../../core/phone"
import { refusal } from "../../core/refusal"
import type { FlowDeps } from "../../engine/deps"
import { Invalid, NotFound } from "../../gateway"
import { startRefusalOf } from "../start-refusal"
import { disruptedMethods, statusOf } from "./disrupted-methods"

/** @throws Refusal `invalid_phone`, `operator_unknown`, `gateway_unavailable`, `not_configured` */
export async function predictOperator(
  deps: FlowDeps,
  request: { readonly phone: string; readonly countryCode?: string | undefined },
): Promise<Operator> {
  const result = parseWalletPhone(request.phone, request.countryCode)
  if ("problem" in result) throw phoneRefusal(result.problem)
  const accounts = await deps.accounts()
  const [gateway] = accounts.flatMap((account) => deps.gatewayOf(account) ?? [])
  if (!gateway) throw refusal("not_configured.shopper")
  const outcome = await gateway.predictions.mmoProviderInfo(
    { phone: result.phone.digits },
    { patience: "shopper", deadlineMs: LIMITS.readDeadlineMs },
  )
  if (outcome.kind !== "done") {
    const { error } = outcome
    const isUnknown = error instanceof NotFound || error instanceof Invalid
    if (isUnknown) throw refusal("operator_unknown.shopper")
    throw startRefusalOf(outcome).refusal
  }
  const disrupted = await disruptedMethods(deps)
  return {
    payment_method: outcome.value.paymentMethod,
    label: methodLabels(accounts)(outcome.value.paymentMethod) ?? outcome.value.carrier ?? null,
    carrier: outcome.value.carrier ?? null,
    country: result.phone.country ?? "",
    currencies: outcome.value.currencies,
    phone_hint: result.phone.hint,
    status: statusOf(disrupted, outcome.value.paymentMethod),
  }
}
