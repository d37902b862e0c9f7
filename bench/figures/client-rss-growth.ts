/**
 * What the client keeps of calls that are over: growth of its process over a million reads, after
 * the first 50,000 have compiled the code and filled the pool. Garbage is collected, twice, before
 * the memory is looked at. More reads are under way than the pool has connections, so that it has
 * to hold some back.
 */
import { LIMITS } from "../../src/core/limits"
import type { Benchmark, Figure } from "../figure"
import { withFixedGateway, type ClientFixture } from "../support/client-fixture"
import { startReading } from "../support/reading-process"

const LIMIT_MB = 10
const CALLS = 1_000_000
const WARM_UP = 50_000
const LOOKS = 10
const IN_FLIGHT = 2 * LIMITS.connectionsPerOrigin
const MB = 2 ** 20

export const clientRssGrowth: Benchmark = {
  name: "client_rss_growth_mb",
  on: "client",
  run: measure,
}

async function measure({ say, calls = CALLS }: ClientFixture): Promise<Figure> {
  return withFixedGateway(async (gateway, beside) => {
    const client = beside(startReading("client", gateway.url))
    const rssMb = async (count: number) =>
      (await client.ask({ calls: count, inFlight: IN_FLIGHT, isCollected: true })).rssBytes / MB
    const before = await rssMb(WARM_UP)
    const readings: number[] = []
    for (const count of shares(calls, LOOKS)) {
      readings.push(await rssMb(count))
      say(
        `  ${readings.length} of ${LOOKS}: ${readings.at(-1)?.toFixed(1)} MB, ${before.toFixed(1)} before`,
      )
    }
    return {
      value: (readings.at(-1) ?? Number.NaN) - before,
      unit: "MB",
      better: "lower",
      against: `the same process after its first ${WARM_UP} reads, garbage collected both times`,
      limit: LIMIT_MB,
      samples: 1,
      calls,
      calls_of_the_promise: CALLS,
      rss_mb_before: before,
      rss_mb: readings,
      in_flight: IN_FLIGHT,
      open_sockets_max: await gateway.openMost(),
      open_sockets_max_limit: LIMITS.connectionsPerOrigin,
    }
  })
}

/** So many calls in so many parts. */
function shares(calls: number, parts: number): number[] {
  const each = Math.floor(calls / parts)
  return Array.from({ length: parts }, (_, part) =>
    part === parts - 1 ? calls - each * (parts - 1) : each,
  )
}
