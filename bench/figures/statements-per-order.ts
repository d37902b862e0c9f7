/**
 * Statements that a paid order sends to the database beside those of the same cart completed with
 * Medusa's own provider. Each is named, so that one too many is found by its name.
 *
 * Carts are paid one after the other: what several payments share, such as one claim of the job,
 * is counted for one. What the store asks while nobody buys is taken off.
 */
import { setTimeout as pause } from "node:timers/promises"
import type { Benchmark, Figure } from "../figure"
import type { Fixture } from "../support/fixture"
import { inHarness, type Harness } from "../support/harness"
import {
  offerSystemProvider,
  payWithPhone,
  payWithSystem,
  readyCarts,
  SYSTEM,
} from "../support/orders"
import { countedByName } from "../support/statement-names"

const LIMIT = 160
const CARTS = 10
const AFTERMATH_MS = 3_000

type Buyer = (cartId: string) => Promise<unknown>
type Counted = ReadonlyMap<string, number>

export const statementsPerOrder: Benchmark = {
  name: "statements_per_order",
  on: "store",
  run: (fixture) => inHarness(fixture, {}, (harness) => measure(fixture, harness)),
}

async function measure(fixture: Fixture, harness: Harness): Promise<Figure> {
  await offerSystemProvider(harness)
  await harness.simulator.plan({ outcome: "approve", afterMs: 0 })
  // The first cart makes the customer whom all the others belong to.
  await harness.shop.cart()
  const floor: Buyer = (cartId) => payWithSystem(harness, [cartId])
  const ours: Buyer = (cartId) => payWithPhone(harness, [cartId])
  const counted = async (buyer: Buyer): Promise<Counted> => {
    for (const cartId of await readyCarts(harness, 2)) await buyer(cartId)
    const cartIds = await readyCarts(harness, CARTS)
    await pause(AFTERMATH_MS)
    const since = performance.now()
    const statements = await fixture.statementsDuring(async () => {
      for (const cartId of cartIds) await buyer(cartId)
      await pause(AFTERMATH_MS)
    })
    const tookMs = performance.now() - since
    return less(countedByName(statements), await idle(tookMs), CARTS)
  }
  const idle = async (ms: number): Promise<Counted> => {
    await pause(AFTERMATH_MS)
    return countedByName(await fixture.statementsDuring(() => pause(ms)))
  }
  const floors = await counted(floor)
  await harness.simulator.resetCalls()
  const own = await counted(ours)
  const calls = Object.entries(await harness.simulator.calls())
  const over = less(own, floors, 1)
  return {
    value: total(own) - total(floors),
    unit: "statements",
    better: "lower",
    against: `the same carts completed with ${SYSTEM}, in the same process`,
    limit: LIMIT,
    samples: CARTS,
    statements: total(own),
    statements_floor: total(floors),
    by_name: listed(over),
    gateway_calls: listed(new Map(calls.map(([name, count]) => [name, count / (CARTS + 2)]))),
  }
}

/** What is left of `all` without `some`, for each of `count`. */
function less(all: Counted, some: Counted, count: number): Counted {
  const names = new Set([...all.keys(), ...some.keys()])
  return new Map(
    [...names].map((name) => [name, ((all.get(name) ?? 0) - (some.get(name) ?? 0)) / count]),
  )
}

const total = (counted: Counted) => [...counted.values()].reduce((sum, one) => sum + one, 0)

const listed = (counted: Counted) =>
  [...counted]
    .filter(([, count]) => Math.abs(count) >= 0.1)
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${Number(count.toFixed(1))}`)
    .join(", ")
