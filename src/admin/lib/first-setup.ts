/**
 * The four steps from an installed plugin to the first payment, and what is missing of each. The
 * setup is complete when a shopper can choose a payment method in some region.
 */
import { MARKET_CURRENCIES } from "../../core/markets"
import type { AccountResponse, AccountsResponse, RegionResponse } from "./responses"

/** `key`: secrets can be kept · `account`: it can be used · then its currencies and a region's methods. */
export const SETUP_STEPS = ["key", "account", "currencies", "region"] as const
export type SetupStep = (typeof SETUP_STEPS)[number]

export type Setup = {
  readonly isDone: Readonly<Record<SetupStep, boolean>>
  readonly isComplete: boolean
  /** Currencies of mobile money that the shop's regions sell in and no account takes. */
  readonly missing: readonly string[]
  /** Whether the shop has regions, and none in a currency of mobile money. */
  readonly isElsewhere: boolean
  /** The region whose payment methods are to be enabled next; undefined: none can be yet. */
  readonly region: RegionResponse | undefined
  readonly hasRegion: boolean
}

/** What an admin can do with a region's payment methods. */
export type RegionActs = {
  readonly canEnable: boolean
  readonly canDisable: boolean
  /**
   * What has to be there before enabling helps a shopper: a region in a currency of mobile money, an
   * account that takes it, one that works. Null: nothing, or all is enabled.
   */
  readonly missing: "market" | "currency" | "account" | null
}

/** Enabling is offered where a shopper could pay afterwards: an account that works takes the currency. */
export function regionActsOf(
  region: Pick<RegionResponse, "providers" | "account_id" | "currency_code">,
  accounts: Pick<AccountsResponse, "accounts">["accounts"],
): RegionActs {
  const { providers, account_id: id, currency_code: code } = region
  const isAll = providers.every((one) => one.is_enabled)
  const canDisable = providers.some((one) => one.is_enabled)
  const isUsable = accounts.some((one) => one.id === id && isReady(one))
  const ofAccount = isPaidIn(code) ? "currency" : "market"
  const missing = isUsable ? null : id === null ? ofAccount : "account"
  return { canEnable: !isAll && isUsable, canDisable, missing: isAll ? null : missing }
}

const MARKETS: readonly string[] = MARKET_CURRENCIES

/** Whether some wallet can be charged in it. */
const isPaidIn = (code: string) => MARKETS.includes(code.toUpperCase())

/** One that the gateway refuses has its secret, and takes no payment with it. */
const isReady = ({ state, state_code: problem }: Pick<AccountResponse, "state" | "state_code">) =>
  state === "ready" && problem === null

export function setupOf(
  { accounts, encryption }: Pick<AccountsResponse, "accounts" | "encryption">,
  regions: readonly RegionResponse[],
): Setup {
  const ready = accounts.filter(isReady)
  const served = regions.filter(({ account_id: id }) => ready.some((one) => one.id === id))
  const isOffered = ({ providers }: RegionResponse) => providers.some((one) => one.is_enabled)
  const isDone = {
    // The environment's account keeps its secret outside of the database.
    key: encryption.message === null || ready.length > 0,
    account: ready.length > 0,
    // Without a region nothing is sold yet, so any currency will do.
    currencies:
      regions.length === 0
        ? ready.some(({ currencies }) => currencies.length > 0)
        : served.length > 0,
    region: served.some(isOffered),
  }
  const codes = regions.map(({ currency_code: code }) => code.toUpperCase())
  const taken = new Set(ready.flatMap(({ currencies }) => currencies))
  return {
    isDone,
    isComplete: SETUP_STEPS.every((step) => isDone[step]),
    missing: [...new Set(codes)].filter((code) => isPaidIn(code) && !taken.has(code)).sort(),
    isElsewhere: codes.length > 0 && !codes.some(isPaidIn),
    region: served.find((region) => !isOffered(region)),
    hasRegion: regions.length > 0,
  }
}
