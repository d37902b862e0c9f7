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
  /** Never enabled by us: card fields on a shop's own page widen its PCI scope. */
  card: { identifier: "card", providerId: `pp_card_${PROVIDER_ID}` },
} as const satisfies Partial<Record<Flow, { identifier: string; providerId: string }>>

/** What a shopper can choose; a link is made by an admin, with the page's provider. */
export type ProviderFlow = keyof typeof PROVIDERS

const FLOWS = ["push", "hosted", "card"] as const satisfies readonly ProviderFlow[]

/** The flow of one of our providers, or undefined for another's. */
export function flowOfProvider(providerId: string): ProviderFlow | undefined {
  return FLOWS.find((flow) => PROVIDERS[flow].providerId === providerId)
}
