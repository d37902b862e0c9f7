/**
 * How long the shopper waits for `start`, in round trips to the gateway. With the gateway 200 ms
 * away the three that can't be made side by side (source, then session and account, then execution)
 * cost 600 ms; what is above 3 is the store's own work.
 */
import { PUSH, type Shop } from "../../integration-tests/http/support/shop"
import type { Benchmark, Figure } from "../figure"
import { startPaying } from "../support/shopper"
import { median, percentile } from "../support/statistics"
import { inHarness, type Harness } from "../support/harness"

const LIMIT = 3.3
const LATENCY_MS = 200
const STARTS = 20
/** The first fetches the token, the others warm the code up. */
const STARTS_BEFORE = 5
/** Each start has its own: a number that never pays is asked a few times a day only. */
const FIRST_PHONE = 231_886_400_010
/** Declined, so that hardly any work on one payment falls into the next one's start. */
const DECLINED_AFTER_MS = 1_000

export const startRoundTrips: Benchmark = {
  name: "start_round_trips",
  on: "store",
  run: (fixture) => inHarness(fixture, { latencyMs: LATENCY_MS }, measure),
}

async function measure({ shop, simulator }: Harness): Promise<Figure> {
  await simulator.plan({ outcome: "decline", afterMs: DECLINED_AFTER_MS })
  const sessionIds: string[] = []
  for (let cart = 0; cart < STARTS_BEFORE + STARTS; cart += 1) {
    sessionIds.push(await shop.session(await shop.cart(), PUSH))
  }
  let phone = FIRST_PHONE
  const next = (sessionId: string) => roundTrips(shop, sessionId, `+${phone++}`)
  for (const sessionId of sessionIds.slice(0, STARTS_BEFORE)) await next(sessionId)
  await simulator.resetCalls()
  const taken: number[] = []
  for (const sessionId of sessionIds.slice(STARTS_BEFORE)) {
    taken.push(await next(sessionId))
  }
  return {
    value: median(taken),
    unit: "round trips",
    better: "lower",
    against: `${LATENCY_MS} ms, the time of one gateway call`,
    limit: LIMIT,
    samples: STARTS,
    p50: median(taken),
    p95: percentile(taken, 0.95),
    fastest: Math.min(...taken),
    p50_ms: median(taken) * LATENCY_MS,
    token_calls: (await simulator.calls())["createToken"] ?? 0,
  }
}

async function roundTrips(shop: Shop, sessionId: string, phone: string): Promise<number> {
  const since = performance.now()
  await startPaying(shop, sessionId, phone)
  return (performance.now() - since) / LATENCY_MS
}
