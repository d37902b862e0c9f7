/**
 * The four steps from an installed plugin to the first payment, and what is missing of each. The
 * setup is complete when a shopper can choose a payment method in some region.
 */
import type { AccountsResponse, RegionResponse } from "./responses"

/** `key`: secrets can be kept · `account`: it can be used · then its currencies and a region's methods. */
export const SETUP_STEPS = ["key", "account", "currencies", "region"] as const
export type SetupStep = (typeof SETUP_STEPS)[number]

export type Setup = {
  readonly isDone: Readonly<Record<SetupStep, boolean>>
  readonly isComplete: boolean
  /** Currencies that the shop's regions sell in and no account takes. */
  readonly missing: readonly string[]
  /** The region whose payment methods are to be enabled next; undefined: none can be yet. */
  readonly region: RegionResponse | undefined
  readonly hasRegion: boolean
}

export function setupOf(
  { accounts, encryption }: Pick<AccountsResponse, "accounts" | "encryption">,
  regions: readonly RegionResponse[],
): Setup {
  // One that the gateway refuses has its secret, and takes no payment with it.
  const ready = accounts.filter((one) => one.state === "ready" && one.state_code === null)
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
    missing: [...new Set(codes)].filter((code) => !taken.has(code)).sort(),
    region: served.find((region) => !isOffered(region)),
    hasRegion: regions.length > 0,
  }
}
