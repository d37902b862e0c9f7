/**
 * Which regions unfinished money needs: Medusa makes no order of a paid cart whose region has not
 * its payment provider any more. So a provider leaves no region while a payment of it is under way
 * or waits for an admin, and what left too early, because a process died on the way, comes back.
 */
import type { AccountDeps } from "./deps"
import { readUnfinishedCarts } from "./sql/unfinished"

type Needs = ReadonlyMap<string, ReadonlySet<string>>

/** The providers that unfinished payments need, by the region of their carts. */
export async function neededProviders(deps: AccountDeps): Promise<Needs> {
  const carts = await readUnfinishedCarts(deps.database)
  const regionOf = await deps.setup.regionsOfCarts(carts.map(({ cartId }) => cartId))
  const needs = new Map<string, Set<string>>()
  for (const { cartId, providerId } of carts) {
    const regionId = regionOf.get(cartId)
    if (regionId === undefined) continue
    needs.set(regionId, (needs.get(regionId) ?? new Set()).add(providerId))
  }
  return needs
}

/** Offers again in each region what its unfinished payments need, and leaves the rest. */
export async function giveBackNeeded(deps: AccountDeps): Promise<void> {
  const [needs, { regions }] = await Promise.all([neededProviders(deps), deps.setup.read()])
  for (const { id, providerIds } of regions) {
    const missing = [...(needs.get(id) ?? [])].filter((one) => !providerIds.includes(one))
    if (missing.length > 0) await deps.setup.setRegionProviders(id, [...providerIds, ...missing])
  }
}
