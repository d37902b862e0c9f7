/**
 * What differs between the ways to pay, one row for each. Code that treats flows differently asks a
 * row for the reason, or keeps a record with an entry for each flow. So the compiler names every
 * place that has to decide about a new flow.
 */
import type { Account } from "./account"
import { LIMITS } from "./limits"
import { FLOW_NAMES, type FeeBearer, type Flow } from "./operation-types"

/** The `id` under which the Payment module registers the providers. */
export const PROVIDER_ID = "merchant"

/** A payment provider as Medusa knows it: its id is `pp_<identifier>_<PROVIDER_ID>`. */
type Provider = { readonly identifier: string; readonly providerId: string }

/** Who confirms what the plugin executes: the payer on their phone, or the card's bank. */
export type Asked = "phone" | "card"

type FlowFacts = {
  /** What a shopper chooses in Medusa; null: only an admin makes it, with the page's provider. */
  readonly provider: Provider | null
  /** Null: the plugin executes nothing, and the shopper pays on the gateway's page. */
  readonly asks: Asked | null
  /** The gateway's page sends the shopper back, through an address of the shop's server. */
  readonly comesBack: boolean
  /** Who bears the fees where the account does not say it; null: the payment does not either. */
  readonly feeBearer: FeeBearer | null
  /** The account's setting of how long it can be paid. */
  readonly window: keyof Pick<Account, "pushWindowMinutes" | "hostedWindowMinutes">
  /** It can be paid at least as long, whatever the account says. */
  readonly leastWindowMs: number
  /** The longest gap between two checks while no shopper waits. */
  readonly longestGapMs: number
}

const ROWS = {
  push: {
    provider: provider("mobile-money"),
    asks: "phone",
    comesBack: false,
    feeBearer: null,
    window: "pushWindowMinutes",
    leastWindowMs: 0,
    longestGapMs: Infinity,
  },
  hosted: {
    provider: provider("hosted-checkout"),
    asks: null,
    comesBack: true,
    feeBearer: null,
    window: "hostedWindowMinutes",
    leastWindowMs: 0,
    longestGapMs: Infinity,
  },
  /** Never enabled by us: card fields on a shop's own page widen its PCI scope. */
  card: {
    provider: provider("card"),
    asks: "card",
    comesBack: false,
    feeBearer: null,
    window: "pushWindowMinutes",
    leastWindowMs: 0,
    longestGapMs: Infinity,
  },
  /** Paid from a message that may lie for days. Its payer pays just the amount that was shown. */
  link: {
    provider: null,
    asks: null,
    comesBack: false,
    feeBearer: "PAYEE",
    window: "hostedWindowMinutes",
    leastWindowMs: LIMITS.linkWindowMs,
    longestGapMs: LIMITS.linkCheckCapMs,
  },
} as const satisfies Readonly<Record<Flow, FlowFacts>>

export const FLOWS: Readonly<Record<Flow, FlowFacts>> = ROWS

/** What a shopper can choose. */
export type ProviderFlow = {
  [Name in Flow]: (typeof ROWS)[Name]["provider"] extends null ? never : Name
}[Flow]

export const isOnlyMadeByAdmins = (flow: Flow): boolean => FLOWS[flow].provider === null

export const PROVIDER_FLOWS = FLOW_NAMES.filter(
  (flow): flow is ProviderFlow => FLOWS[flow].provider !== null,
)

export const PROVIDER_IDS = PROVIDER_FLOWS.map((flow) => providerOf(flow).providerId)

export function providerOf(flow: ProviderFlow): Provider {
  return ROWS[flow].provider
}

/** The flow of one of our providers, or undefined for another's. */
export function flowOfProvider(providerId: string): ProviderFlow | undefined {
  return PROVIDER_FLOWS.find((flow) => providerOf(flow).providerId === providerId)
}

/** Whom a provider asks to confirm; null: nobody. Undefined for another's provider. */
export function askedBy(providerId: string): Asked | null | undefined {
  const flow = flowOfProvider(providerId)
  return flow && FLOWS[flow].asks
}

function provider(identifier: string): Provider {
  return { identifier, providerId: `pp_${identifier}_${PROVIDER_ID}` }
}
