/** Starts under the limits of production, by processes that share nothing but the database. */
import type { Captcha, FlowDeps } from "../../src/engine/deps"
import { keyedDigest } from "../../src/medusa/secrets/keyed-digest"
import { shopperLimit } from "../../src/checkout/shopper-limit"
import type { FlowsHarness } from "./flows-harness"

/** A refused start is held for so long at most; a start's patience with the gateway is real. */
const HELD_MS = 5

let numbers = 0
/** A phone that no other start has named; its prompt waits for the handset. */
export const freshPhone = () => `+23177${String(1_000_000 + 100 * ++numbers + 42)}`

export function processOf(
  { deps }: Pick<FlowsHarness, "deps">,
  worker: string,
  given: { readonly clientSecret?: string; readonly captcha?: Captcha } = {},
): FlowDeps {
  const { database, clock, logger } = deps
  const { clientSecret = "of the store", captcha } = given
  const digest = keyedDigest({ MERCHANT_PAYMENTS_CLIENT_SECRET: clientSecret })
  return {
    ...deps,
    worker,
    digest,
    clock: {
      ...clock,
      // Only patience has a signal that ends it.
      sleep: (ms, signal) => clock.sleep(signal ? ms : Math.min(ms, HELD_MS), signal),
    },
    shopperLimit: shopperLimit({ database, clock, logger, digest }),
    ...(captcha && { captcha }),
  }
}
