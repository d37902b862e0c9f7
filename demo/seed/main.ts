/**
 * Fills a running demo with payments of every kind and state, all made over HTTP. All belong to the
 * day of the run: neither the store's clock nor the simulator's can be set from outside.
 */
import { many } from "../../bench/support/many"
import type { State } from "../run/state.cjs"
import { actorsOf } from "./actors"
import { ALONE, ONCE, ORDINARY, type Scene } from "./scenes"

/** A shopper thinks for longer than a store works: more at once only wait for each other. */
const AT_ONCE = 12

export type Seeded = {
  /** How often each scene was made. */
  readonly made: ReadonlyMap<string, number>
  /** Those that could not be made, with why. */
  readonly failed: readonly string[]
}

/**
 * @param count of scenes; each kind is made once, however small it is
 * @throws Error where the demo's gateway is not the simulator
 */
export async function seedDemo(state: State, count: number): Promise<Seeded> {
  const { simulator_url: url } = state
  if (url === null) throw new Error("The demo uses another gateway than the simulator.")
  const actors = actorsOf({ ...state, simulator_url: url }, Math.floor(Date.now() / 1_000))
  const more = Math.max(0, count - ONCE.length - ALONE.length)
  const ordinary = Array.from({ length: more }, (_, n) => ORDINARY[n % ORDINARY.length])
  const together = [...ONCE, ...ordinary.filter((scene) => scene !== undefined)]
  const made = new Map<string, number>()
  const failed: string[] = []
  const play = async ([makes, scene]: Scene) => {
    try {
      await scene(actors)
      made.set(makes, (made.get(makes) ?? 0) + 1)
    } catch (error) {
      failed.push(`${makes}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  await many(together, AT_ONCE, play)
  await many(ALONE, 1, play)
  return { made, failed }
}
