/** One store with a database and a simulator of its own, and a shopper's and a merchant's hands. */
import { adminAt, type Admin } from "../../integration-tests/http/support/admin"
import { shopAt, type Shop } from "../../integration-tests/http/support/shop"
import type { Fixture } from "./fixture"
import { startSimulator, type Simulator } from "./simulator"
import { startStore, type Store } from "./store"

export type Harness = {
  readonly store: Store
  readonly simulator: Simulator
  readonly databaseUrl: string
  readonly shop: Shop
  readonly admin: Admin
  close(): Promise<void>
}

export type HarnessOptions = {
  /** Of every gateway call; default 0. */
  readonly latencyMs?: number
  /** The folder of another build of the store. */
  readonly directory?: string
  readonly nodeFlags?: readonly string[]
}

async function openHarness(fixture: Fixture, options: HarnessOptions = {}): Promise<Harness> {
  const databaseUrl = await fixture.newDatabase()
  const simulator = await startSimulator(fixture.root, { latencyMs: options.latencyMs ?? 0 })
  try {
    const store = await startStore({
      directory: options.directory ?? fixture.storeDirectory,
      databaseUrl,
      isUpToDate: true,
      env: simulator.gateway,
      nodeFlags: options.nodeFlags ?? [],
    })
    const shop = shopAt(store.url, store.publishableKey)
    return {
      store,
      simulator,
      databaseUrl,
      shop,
      admin: adminAt(shop),
      async close() {
        await store.stop()
        await simulator.stop()
      },
    }
  } catch (error) {
    await simulator.stop()
    throw error
  }
}

/** Opens a harness for `work` and closes it, whatever happens. */
export async function inHarness<T>(
  fixture: Fixture,
  options: HarnessOptions,
  work: (harness: Harness) => Promise<T>,
): Promise<T> {
  const harness = await openHarness(fixture, options)
  try {
    return await work(harness)
  } finally {
    await harness.close()
  }
}
