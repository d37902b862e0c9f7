/** One store with a database and a simulator of its own, and a shopper's and a merchant's hands. */
import { adminAt, type Admin } from "../../integration-tests/http/support/admin"
import { shopAt, type Shop } from "../../integration-tests/http/support/shop"
import type { Ground } from "./ground"
import { startSimulator, type Simulator } from "./simulator"
import { startStore, type Store } from "./store"

export type World = {
  readonly store: Store
  readonly simulator: Simulator
  readonly databaseUrl: string
  readonly shop: Shop
  readonly admin: Admin
  close(): Promise<void>
}

export type WorldOptions = {
  /** Of every gateway call; default 0. */
  readonly latencyMs?: number
  /** The folder of another build of the store. */
  readonly directory?: string
  readonly nodeFlags?: readonly string[]
}

export async function openWorld(ground: Ground, options: WorldOptions = {}): Promise<World> {
  const databaseUrl = await ground.newDatabase()
  const simulator = await startSimulator(ground.root, { latencyMs: options.latencyMs ?? 0 })
  try {
    const store = await startStore({
      directory: options.directory ?? ground.storeDirectory,
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

/** Opens a world for `work` and closes it, whatever happens. */
export async function inWorld<T>(
  ground: Ground,
  options: WorldOptions,
  work: (world: World) => Promise<T>,
): Promise<T> {
  const world = await openWorld(ground, options)
  try {
    return await work(world)
  } finally {
    await world.close()
  }
}
