/**
 * How much later a store answers because the plugin is in it: the same store with and without it, on
 * databases that have its tables, started in turns from nothing to Medusa's "ready".
 */
import type { Benchmark, Figure } from "../figure"
import type { Fixture } from "../support/fixture"
import { median } from "../support/statistics"
import { startStore } from "../support/store"
import { storeWithoutPlugin } from "../support/store-without-plugin"

const LIMIT_MS = 250
const PAIRS = 7

export const boot: Benchmark = { name: "boot_ms", on: "store", run: measure }

async function measure(fixture: Fixture): Promise<Figure> {
  const databaseUrl = await fixture.newDatabase()
  const bare = storeWithoutPlugin(fixture)
  const bootMs = async (directory: string) => {
    const since = performance.now()
    const env = { DEMO_IS_SEEDED: "1" }
    const store = await startStore({ directory, databaseUrl, isUpToDate: true, env })
    const took = performance.now() - since
    await store.stop()
    return took
  }
  // What the disk has to be read for the first time is no matter of the plugin's.
  for (const directory of [bare, fixture.storeDirectory]) await bootMs(directory)
  const without: number[] = []
  const own: number[] = []
  for (let pair = 1; pair <= PAIRS; pair += 1) {
    without.push(await bootMs(bare))
    own.push(await bootMs(fixture.storeDirectory))
    fixture.say(
      `  pair ${pair} of ${PAIRS}: ${own.at(-1)?.toFixed()} over ${without.at(-1)?.toFixed()} ms`,
    )
  }
  return {
    value: median(own.map((ms, pair) => ms - (without[pair] ?? Number.NaN))),
    unit: "ms",
    better: "lower",
    against: "the same store without the plugin, started in turns",
    limit: LIMIT_MS,
    samples: PAIRS,
    with_the_plugin: median(own),
    without_it: median(without),
    ratio: median(own) / median(without),
  }
}
