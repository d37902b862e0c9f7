/** Takes the plugin out of the shop, before it is removed: once no money needs it any more. */
import { flowOfProvider } from "../core/flows"
import type { AccountDeps, SetupRegion } from "./deps"
import { giveBackNeeded } from "./needed-regions"
import { readUnfinished, type Unfinished } from "./sql/unfinished"

export type Leaving = Unfinished & {
  /** The regions that offered our providers when this began. */
  readonly regions: readonly SetupRegion[]
  /** Whether no region offers them now. */
  readonly isOut: boolean
}

const isOurs = (id: string) => flowOfProvider(id) !== undefined

const offeringOurs = (regions: readonly SetupRegion[]) =>
  regions.filter(({ providerIds }) => providerIds.some(isOurs))

/**
 * Takes our providers out of every region and keeps the others. Takes nothing while money is under
 * way or waits for a decision: Medusa makes no order of a paid cart whose region has not its
 * provider any more. It remembers nothing: a run after one that died reads what is so, gives back
 * what money needs, and takes the rest once none does.
 *
 * @param isLook only says what is so
 */
export async function leaveRegions(deps: AccountDeps, isLook: boolean): Promise<Leaving> {
  const { regions: all } = await deps.setup.read()
  const regions = offeringOurs(all)
  const before = await readUnfinished(deps.database)
  if (isLook) return { ...before, regions, isOut: regions.length === 0 }
  if (!isDone(before)) {
    await giveBackNeeded(deps)
    const now = offeringOurs((await deps.setup.read()).regions)
    return { ...before, regions: now, isOut: now.length === 0 }
  }
  for (const { id, providerIds } of regions) {
    await deps.setup.setRegionProviders(
      id,
      providerIds.filter((one) => !isOurs(one)),
    )
  }
  // A payment may have begun while a region still offered it.
  const after = await readUnfinished(deps.database)
  if (isDone(after)) {
    // Medusa never takes a provider off its list by itself, and a region's form offers the list.
    await deps.setup.unlistProviders()
    return { ...after, regions, isOut: true }
  }
  for (const { id, providerIds } of regions) await deps.setup.setRegionProviders(id, providerIds)
  return { ...after, regions, isOut: false }
}

function isDone({ underWay, needDecision }: Unfinished): boolean {
  return underWay === 0 && needDecision === 0
}
