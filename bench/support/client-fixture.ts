/** What the figures of the gateway client stand on: the built package, and nothing of a store. */
import path from "node:path"
import { buildPlugin, buildSimulator } from "../../demo/run/build.cjs"
import { startFixedGateway, type FixedGateway } from "./fixed-gateway"

const ROOT = path.resolve(__dirname, "../..")

export type ClientFixture = {
  /** Tells how far a long measurement is. */
  readonly say: (line: string) => void
  /** The checkout. */
  readonly root: string
  /** How many reads the memory figure was asked to make, if not its own number. */
  readonly calls: number | undefined
  /** Builds the simulator unless it is fresh; {@link startSimulator} starts what was built. */
  withSimulator(): Promise<void>
}

export async function openClientFixture(
  say: (line: string) => void,
  calls: number | undefined,
): Promise<ClientFixture> {
  const logs = path.join(ROOT, ".demo/bench/logs")
  const context = { root: ROOT, logs, say, signal: new AbortController().signal }
  await buildPlugin(context)
  return { say, root: ROOT, calls, withSimulator: () => buildSimulator(context) }
}

/** Something that runs beside the bench. */
type Beside = { stop(): Promise<void> }

/**
 * Starts a gateway of its own for `work` and ends it afterwards, whatever happens, together with
 * all that was started through `beside`.
 */
export async function withFixedGateway<T>(
  work: (gateway: FixedGateway, beside: <B extends Beside>(started: B) => B) => Promise<T>,
): Promise<T> {
  const started: Beside[] = []
  const beside = <B extends Beside>(one: B): B => {
    started.push(one)
    return one
  }
  const gateway = beside(await startFixedGateway())
  try {
    return await work(gateway, beside)
  } finally {
    await Promise.all(started.map((one) => one.stop()))
  }
}
