/**
 * Limits how often quotes and operators are asked for, over all processes of the store: each new
 * question uses the store's rate limit at the gateway. Each network has a share, so that one
 * caller's loop does not use it up. A shopper who is refused can still pay: `start` asks on its own.
 */
import type { CartId } from "../core/ids"
import { LIMITS } from "../core/limits"
import { tooMany } from "../core/refusal"
import { takeFromBuckets, type Bucket } from "../ledger/limits/buckets"
import type { FlowDeps } from "../engine/deps"

type Ask = {
  readonly what: "quote" | "operator"
  readonly network: string
  /** Left out: the question is not about a cart. */
  readonly cartId?: CartId
}

/**
 * Counts one question, in one statement.
 *
 * @throws Refusal `too_many_requests`; nothing is counted then
 */
export async function limitAsk(
  deps: Pick<FlowDeps, "database" | "digest" | "accounts">,
  { what, network, cartId }: Ask,
): Promise<void> {
  // The limit's name is in the digest, so that equal texts of two limits can't be linked.
  const keyOf = (limit: string, of: string) => `${limit}:${deps.digest(`ask of ${limit}:${of}`)}`
  const ofStore = LIMITS.asksOfStore
  const buckets: Bucket[] = [
    bucket(`${what} of all`, ofStore, await ofStoreBackMs(deps)),
    bucket(keyOf(`${what} of network`, network), LIMITS.asksOfNetwork, LIMITS.askOfNetworkBackMs),
  ]
  if (cartId !== undefined) {
    const key = keyOf(`${what} of cart`, cartId)
    buckets.push(bucket(key, LIMITS.quoteAsksOfCart, LIMITS.quoteAskOfCartBackMs))
  }
  const waits = await takeFromBuckets(deps.database, buckets)
  if (waits.size > 0) throw tooMany(Math.max(...waits.values()))
}

/** A quarter of what the largest account may ask a second. */
async function ofStoreBackMs({ accounts }: Pick<FlowDeps, "accounts">): Promise<number> {
  const all = await accounts()
  const bounds = all.map((one) => one.checksPerSecondMax ?? LIMITS.checksPerSecondMax)
  const perSecond = all.length === 0 ? LIMITS.checksPerSecondMax : Math.max(...bounds)
  return 1_000 / (perSecond * LIMITS.asksShare)
}

function bucket(key: string, atOnce: number, backMs: number): Bucket {
  return { key, costMs: backMs, fillsInMs: atOnce * backMs }
}
