/**
 * The payment providers as Medusa knows them: `pp_<identifier>_<id>`. The identifier says how a
 * shopper pays, the id is the same for all.
 */
import type { Flow } from "./operation"

/** The `id` under which the Payment module registers the providers. */
export const PROVIDER_ID = "merchant"

export const PROVIDERS = {
  push: { identifier: "mobile-money", providerId: `pp_mobile-money_${PROVIDER_ID}` },
  hosted: { identifier: "hosted-checkout", providerId: `pp_hosted-checkout_${PROVIDER_ID}` },
} as const satisfies Partial<Record<Flow, { identifier: string; providerId: string }>>

/** The flow of one of our providers, or undefined for another's. */
export function flowOfProvider(providerId: string): "push" | "hosted" | undefined {
  if (providerId === PROVIDERS.push.providerId) return "push"
  if (providerId === PROVIDERS.hosted.providerId) return "hosted"
  return undefined
}
