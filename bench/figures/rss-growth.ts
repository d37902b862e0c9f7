/**
 * What a worker's process grows by when its ledger grows from 1,000 live operations to a million:
 * it checks the same payments again and again in both, garbage is collected, twice, before the
 * memory is looked at.
 */
import type { LedgerDatabase } from "../../integration-tests/support/ledger-database"
import type { Benchmark, Figure } from "../figure"
import { startChecking } from "../support/checking-process"
import type { ClientFixture } from "../support/client-fixture"
import { addLiveRows, inLedger } from "../support/ledger"
import { startSimulator } from "../support/simulator"

const LIMIT_MB = 30
const FEW_ROWS = 1_000
const MANY_ROWS = 1_000_000
const ROUNDS = 20
const MB = 2 ** 20

export const rssGrowth: Benchmark = {
  name: "rss_growth_mb",
  on: "client",
  run: (fixture) => inLedger((ledger) => measure(fixture, ledger)),
}

async function measure(
  { root, say, withSimulator }: ClientFixture,
  ledger: LedgerDatabase,
): Promise<Figure> {
  await withSimulator()
  const simulator = await startSimulator(root, { latencyMs: 0 })
  const worker = startChecking(ledger.url, simulator.gateway)
  try {
    await worker.ask({ start: FEW_ROWS })
    let checks = 0
    const rssMb = async () => {
      let rssBytes = Number.NaN
      for (let round = 1; round <= ROUNDS; round += 1) {
        await ledger.sql(
          "update mp_operation set next_check_at = now() where cart_id like '%pay_col%'",
        )
        const checking = await worker.ask({ isCollected: round === ROUNDS })
        checks += checking.checks
        rssBytes = checking.rssBytes
      }
      return rssBytes / MB
    }
    // Until the code is compiled and the pools are full.
    await rssMb()
    const before = await rssMb()
    say(`  ${before.toFixed(1)} MB with ${FEW_ROWS} live rows`)
    const count = MANY_ROWS - FEW_ROWS
    await addLiveRows(ledger, { count, dueSinceSeconds: -3_600, dueInSeconds: 86_400 }, say)
    const after = await rssMb()
    return {
      value: after - before,
      unit: "MB",
      better: "lower",
      against: `the same process with ${FEW_ROWS} live rows, garbage collected both times`,
      limit: LIMIT_MB,
      samples: 1,
      rss_mb_few_rows: before,
      rss_mb_many_rows: after,
      live_rows: MANY_ROWS,
      checks,
      checks_least: 3 * ROUNDS * FEW_ROWS,
    }
  } finally {
    await worker.stop()
    await simulator.stop()
  }
}
