/**
 * What the promises of the client cost: deadline, token, checked request, checked answer, exact
 * amounts, outcome. CPU of one status read, over undici's own `request` with `JSON.parse` on a pool
 * with the same settings. Two other clients read the same beside it; they promise less and must
 * cost more.
 *
 * Each reader has a process of its own and the gateway another, so the CPU is the reader's alone.
 */
import { LIMITS } from "../../src/core/limits"
import type { Benchmark, Figure } from "../figure"
import type { ClientFixture } from "../support/client-fixture"
import type { ReaderName } from "../support/readers"
import { fromRounds, ratiosOf, readInRounds } from "../support/rounds"
import { median } from "../support/statistics"

const LIMIT = 1.35
const ROUNDS = 20
const CALLS = 5_000
const WARM_UP = 20_000
/** As many as the pool has connections. */
const IN_FLIGHT = LIMITS.connectionsPerOrigin

export const clientCpuRatio: Benchmark = {
  name: "client_cpu_ratio",
  on: "client",
  run: measure,
}

async function measure({ say }: ClientFixture): Promise<Figure> {
  const rounds = await readInRounds(
    {
      readers: ["undici", "client", "axios", "openapi-fetch"],
      warmUp: WARM_UP,
      rounds: ROUNDS,
      block: { calls: CALLS, inFlight: IN_FLIGHT },
    },
    say,
  )
  const cpu = (name: ReaderName) => fromRounds(rounds, name, ({ cpuMs }) => (cpuMs * 1_000) / CALLS)
  const floor = cpu("undici")
  const own = cpu("client")
  const axios = cpu("axios")
  const openapiFetch = cpu("openapi-fetch")
  const ratios = ratiosOf(own, floor)
  return {
    value: median(ratios),
    unit: "times the floor",
    better: "lower",
    against: "undici's request and JSON.parse on a pool with the same settings, in turns",
    limit: LIMIT,
    samples: ROUNDS,
    ratios,
    cpu_us_per_read: median(own),
    cpu_us_per_read_floor: median(floor),
    axios_cpu_ratio: median(ratiosOf(axios, floor)),
    openapi_fetch_cpu_ratio: median(ratiosOf(openapiFetch, floor)),
    // How many times as much as ours they cost.
    ahead_of_axios: median(ratiosOf(axios, own)),
    ahead_of_axios_least: 1,
    ahead_of_openapi_fetch: median(ratiosOf(openapiFetch, own)),
    ahead_of_openapi_fetch_least: 1,
    in_flight: IN_FLIGHT,
    connections: LIMITS.connectionsPerOrigin,
    reads_per_round: CALLS,
  }
}
