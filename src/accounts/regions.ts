import { parseCurrency } from "../core/money"
import { askedBy, flowOfProvider, PROVIDER_IDS } from "../core/flows"
import { invalid, refusal } from "../core/refusal"
import { accountFor, type Account } from "../ledger/accounts/find-accounts"
import type { AccountDeps, SetupRegion } from "./deps"
import { giveBackNeeded, neededProviders } from "./needed-regions"
import type { RegionResponse } from "./schemas/regions"

export async function readRegions(deps: AccountDeps): Promise<RegionResponse[]> {
  const [{ regions, providerIds }, accounts] = await Promise.all([
    deps.setup.read(),
    deps.accounts(),
  ])
  const ours = providerIds.filter((id) => flowOfProvider(id) !== undefined)
  return regions.map((region) => answerRegion(region, ours, accounts))
}

/** What one click offers. Cards on the shop's own page are the merchant's own decision (PCI). */
const OFFERED = PROVIDER_IDS.filter((id) => askedBy(id) !== "card")

const isOffered = (id: string) => OFFERED.includes(id)

/**
 * Adds our providers to a region and keeps its other ones. By default it adds those that put no
 * card fields on the shop's page.
 *
 * @throws Refusal `region_not_found`, `invalid_request`, `not_configured`
 */
export async function enableRegion(
  deps: AccountDeps,
  regionId: string,
  wanted: readonly string[] | undefined,
): Promise<RegionResponse> {
  const { region, providerIds } = await regionIn(deps, regionId)
  const asked = wanted ?? OFFERED
  if (asked.some((id) => flowOfProvider(id) === undefined))
    throw invalid("provider_ids", "provider")
  const added = asked.filter((id) => providerIds.includes(id))
  if (added.length < asked.length && (wanted || added.length === 0)) {
    throw refusal("not_configured.providers")
  }
  const all = [...new Set([...region.providerIds, ...added])]
  if (all.length > region.providerIds.length) await deps.setup.setRegionProviders(regionId, all)
  return shownRegion(deps, regionId)
}

/**
 * Takes all our providers out of a region and keeps its other ones. Prices, orders and the region
 * itself stay as they are.
 *
 * @throws Refusal `region_not_found`, `payment_in_progress.region`
 */
export async function disableRegion(deps: AccountDeps, regionId: string): Promise<RegionResponse> {
  const before = (await regionIn(deps, regionId)).region.providerIds
  const kept = before.filter((id) => flowOfProvider(id) === undefined)
  if (await isNeeded(deps, regionId)) {
    await giveBackNeeded(deps)
    throw refusal("payment_in_progress.region")
  }
  if (kept.length < before.length) await deps.setup.setRegionProviders(regionId, kept)
  // A payment may have begun while the region still offered it.
  if (await isNeeded(deps, regionId)) {
    await deps.setup.setRegionProviders(regionId, before)
    throw refusal("payment_in_progress.region")
  }
  return shownRegion(deps, regionId)
}

async function isNeeded(deps: AccountDeps, regionId: string): Promise<boolean> {
  return (await neededProviders(deps)).has(regionId)
}

async function regionIn(deps: AccountDeps, regionId: string) {
  const { regions, providerIds } = await deps.setup.read()
  const region = regions.find(({ id }) => id === regionId)
  if (!region) throw refusal("region_not_found")
  return { region, providerIds }
}

async function shownRegion(deps: AccountDeps, regionId: string): Promise<RegionResponse> {
  const region = (await readRegions(deps)).find(({ id }) => id === regionId)
  if (!region) throw refusal("region_not_found")
  return region
}

function answerRegion(
  region: SetupRegion,
  ours: readonly string[],
  accounts: readonly Account[],
): RegionResponse {
  const shown = ours.filter((id) => isOffered(id) || region.providerIds.includes(id))
  const currency = parseCurrency(region.currency)
  const account = currency && accountFor(accounts, currency)
  return {
    id: region.id,
    name: region.name,
    currency_code: region.currency,
    countries: region.countries,
    providers: shown.flatMap((id) => {
      const flow = flowOfProvider(id)
      return flow ? [{ provider_id: id, flow, is_enabled: region.providerIds.includes(id) }] : []
    }),
    account_id: currency && account?.currencies.includes(currency) ? account.id : null,
  }
}
