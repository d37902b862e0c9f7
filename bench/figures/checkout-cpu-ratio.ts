/**
 * What a paid order costs the store's process with this plugin, over the floor: the same carts
 * completed with Medusa's own provider, which asks nobody. Both run in one process on one database,
 * taking turns, so that machine, warm-up and growing tables weigh on both alike.
 *
 * A window begins with carts that lack nothing but the payment session. It ends a moment after the
 * last order, because Medusa goes on with its events after it has answered. The shopper's questions
 * count: they are part of what waiting for a phone costs. What the store costs while nobody buys is
 * taken off.
 */
import { setTimeout as pause } from "node:timers/promises"
import type { Benchmark, Figure } from "../figure"
import type { Fixture } from "../support/fixture"
import {
  offerSystemProvider,
  payWithPhone,
  payWithSystem,
  readyCarts,
  SYSTEM,
} from "../support/orders"
import { median, sum } from "../support/statistics"
import { inHarness, type Harness } from "../support/harness"

const LIMIT = 1.35
const PAIRS = 5
const CARTS = 20
const IDLE_WINDOW_MS = 10_000
/** Medusa's events after an order, the last of the warm-up. */
const AFTERMATH_MS = 1_500

type Buyers = (cartIds: readonly string[]) => Promise<void>

export const checkoutCpuRatio: Benchmark = {
  name: "checkout_cpu_ratio",
  on: "store",
  run: (fixture) => inHarness(fixture, {}, (harness) => measure(fixture, harness)),
}

async function measure(fixture: Fixture, harness: Harness): Promise<Figure> {
  await offerSystemProvider(harness)
  await harness.simulator.plan({ outcome: "approve", afterMs: 0 })
  const reads: number[] = []
  const floor: Buyers = (cartIds) => payWithSystem(harness, cartIds)
  const ours: Buyers = async (cartIds) => void reads.push(await payWithPhone(harness, cartIds))

  // The first cart makes the customer whom all the others belong to.
  await harness.shop.cart()
  for (const buyers of [floor, ours]) await buyers(await readyCarts(harness, CARTS))
  await pause(AFTERMATH_MS)
  const idleMsPerMs = await idleCpu(harness)
  const perOrder = async (buyers: Buyers) => {
    const cartIds = await readyCarts(harness, CARTS)
    await pause(AFTERMATH_MS)
    const before = await harness.store.cpuMs({ collected: true })
    const since = performance.now()
    await buyers(cartIds)
    await pause(AFTERMATH_MS)
    const spent = (await harness.store.cpuMs()) - before
    return (spent - idleMsPerMs * (performance.now() - since)) / CARTS
  }
  reads.length = 0
  const floors: number[] = []
  const own: number[] = []
  await harness.simulator.resetCalls()
  for (let pair = 0; pair < PAIRS; pair += 1) {
    floors.push(await perOrder(floor))
    own.push(await perOrder(ours))
    fixture.say(
      `  pair ${pair + 1} of ${PAIRS}: ${own.at(-1)?.toFixed()} over ${floors.at(-1)?.toFixed()} ms`,
    )
  }
  const calls = Object.entries(await harness.simulator.calls())
  const ratios = own.map((ms, pair) => ms / (floors[pair] ?? Number.NaN))
  const statusReads = sum(reads) / (PAIRS * CARTS)
  return {
    value: median(ratios),
    unit: "times the floor",
    better: "lower",
    against: `the same carts completed with ${SYSTEM}, in the same process, in turns`,
    limit: LIMIT,
    samples: PAIRS,
    ratios,
    cpu_ms_per_order: median(own),
    cpu_ms_per_order_floor: median(floors),
    carts_at_once: CARTS,
    idle_cpu_percent_taken_off: idleMsPerMs * 100,
    status_reads_per_order: statusReads,
    gateway_calls_per_order: calls
      .map(([operation, count]) => `${operation} ${count / (PAIRS * CARTS)}`)
      .join(", "),
  }
}

/** Milliseconds of CPU per millisecond. */
async function idleCpu({ store }: Harness): Promise<number> {
  const before = await store.cpuMs({ collected: true })
  const since = performance.now()
  await pause(IDLE_WINDOW_MS)
  return ((await store.cpuMs()) - before) / (performance.now() - since)
}
