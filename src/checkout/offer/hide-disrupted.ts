/**
 * Leaves out disrupted mobile money, where the account says so. A few shoppers are offered it all
 * the same, so that its payments show when it works again. It is left out of what is offered, and
 * of nothing else: `start` takes a payment by it as by any other.
 */
import type { CartId } from "../../core/ids"
import { LIMITS } from "../../core/limits"
import { takeFromBuckets } from "../../ledger/limits/buckets"
import type { FlowDeps } from "../../engine/deps"
import { disruptedOf, withoutDisrupted, type OfferedMethod } from "../rules/disrupted-operators"

type Ports = Pick<FlowDeps, "database" | "digest">

/** @returns all methods where else none were left: a shopper who can try is better off than none */
export async function hideDisrupted<Method extends OfferedMethod>(
  deps: Ports,
  methods: readonly Method[],
  cartId: CartId,
): Promise<readonly Method[]> {
  const disrupted = disruptedOf(methods)
  if (disrupted.length === 0 || withoutDisrupted(methods).length === 0) return methods
  const offered = await Promise.all(disrupted.map((method) => isOffered(deps, method, cartId)))
  return withoutDisrupted(methods, new Set(disrupted.filter((_, at) => offered[at] === true)))
}

/**
 * One more cart each `LIMITS.disruptedTriedEveryMs`, of all processes. Both buckets are taken from
 * or none: a cart that had its turn has emptied its own, and is offered the method until that has
 * filled again. Nothing is lost if the database can't say it.
 */
async function isOffered(
  { database, digest }: Ports,
  method: string,
  cartId: CartId,
): Promise<boolean> {
  const ofCart = `disrupted offered:${digest(`disrupted method of cart:${method}:${cartId}`)}`
  const bucket = (key: string, ms: number) => ({ key, costMs: ms, fillsInMs: ms })
  const buckets = [
    bucket(`disrupted tried:${method}`, LIMITS.disruptedTriedEveryMs),
    bucket(ofCart, LIMITS.disruptedOfferKeptMs),
  ]
  const short = await takeFromBuckets(database, buckets).catch(() => new Map<string, number>())
  return short.size === 0 || short.has(ofCart)
}
