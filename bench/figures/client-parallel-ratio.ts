/**
 * How much of what the connections can carry the client leaves: reads a second with 64 under way,
 * over undici's own `request` with `JSON.parse` on a pool with the same settings. The gateway
 * answers faster than either asks, or both would be as fast as the gateway.
 */
import { LIMITS } from "../../src/core/limits"
import type { Benchmark, Figure } from "../figure"
import type { ClientFixture } from "../support/client-fixture"
import type { ReaderName } from "../support/readers"
import { fromRounds, ratiosOf, readInRounds } from "../support/rounds"
import { median } from "../support/statistics"

const LIMIT = 0.8
const ROUNDS = 30
const CALLS = 10_000
const WARM_UP = 40_000
const IN_FLIGHT = 64

export const clientParallelRatio: Benchmark = {
  name: "client_parallel_ratio",
  on: "client",
  run: measure,
}

async function measure({ say }: ClientFixture): Promise<Figure> {
  const rounds = await readInRounds(
    {
      readers: ["undici", "client"],
      warmUp: WARM_UP,
      rounds: ROUNDS,
      block: { calls: CALLS, inFlight: IN_FLIGHT },
    },
    say,
  )
  const perSecond = (name: ReaderName) =>
    fromRounds(rounds, name, ({ elapsedMs }) => (CALLS * 1_000) / elapsedMs)
  const floor = perSecond("undici")
  const own = perSecond("client")
  const ratios = ratiosOf(own, floor)
  return {
    value: median(ratios),
    unit: "of the floor's reads",
    better: "higher",
    against: "undici's request and JSON.parse on a pool with the same settings, in turns",
    limit: LIMIT,
    samples: ROUNDS,
    ratios,
    reads_per_second: median(own),
    reads_per_second_floor: median(floor),
    in_flight: IN_FLIGHT,
    connections: LIMITS.connectionsPerOrigin,
    reads_per_round: CALLS,
  }
}
