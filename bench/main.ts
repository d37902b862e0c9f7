/**
 * Runs the figures one after the other, each on processes of its own: two at once would measure
 * each other. What has been measured is written even when a later figure fails.
 */
import fs from "node:fs"
import { StartFailure } from "../demo/run/failure.cjs"
import { excesses, type Benchmark, type Figure } from "./figure"
import { adminBundle } from "./figures/admin-bundle"
import { adminList } from "./figures/admin-list"
import { boot } from "./figures/boot"
import { checksPerSecond } from "./figures/checks-per-second"
import { checkoutCpuRatio } from "./figures/checkout-cpu-ratio"
import { claimMs } from "./figures/claim-ms"
import { clientCpuRatio } from "./figures/client-cpu-ratio"
import { clientParallelRatio } from "./figures/client-parallel-ratio"
import { clientRssGrowth } from "./figures/client-rss-growth"
import { confirmToPaid } from "./figures/confirm-to-paid"
import { eventStreams } from "./figures/event-streams"
import { gatewayImport } from "./figures/gateway-import"
import { idleCpuPercent } from "./figures/idle-cpu-percent"
import { idleTransactions } from "./figures/idle-transactions"
import { kitSize } from "./figures/kit-size"
import { load } from "./figures/load"
import { refundAnswer } from "./figures/refund-answer"
import { rssGrowth } from "./figures/rss-growth"
import { settle } from "./figures/settle"
import { shopOnASlowLine } from "./figures/shop-on-a-slow-line"
import { shopperSeesIt } from "./figures/shopper-sees-it"
import { startRoundTrips } from "./figures/start-round-trips"
import { statementsPerOrder } from "./figures/statements-per-order"
import { meanDelay, statusCallsPerPayment } from "./figures/status-calls"
import { readBenchOptions, type BenchOptions } from "./options"
import { openClientFixture } from "./support/client-fixture"
import { openFixture, type Fixture } from "./support/fixture"
import { pageWith } from "./page"
import { tableOf } from "./table"

/** Those first that need the least. */
const BENCHMARKS: readonly Benchmark[] = [
  statusCallsPerPayment,
  meanDelay,
  gatewayImport,
  adminBundle,
  kitSize,
  clientCpuRatio,
  clientParallelRatio,
  clientRssGrowth,
  claimMs,
  checksPerSecond,
  rssGrowth,
  statementsPerOrder,
  checkoutCpuRatio,
  startRoundTrips,
  confirmToPaid,
  shopperSeesIt,
  refundAnswer,
  boot,
  settle,
  load,
  eventStreams,
  adminList,
  shopOnASlowLine,
  idleCpuPercent,
  idleTransactions,
]

/** What a shop's owner and the engineer who installs it ask for first. */
const USUAL: readonly Benchmark[] = [
  kitSize,
  statementsPerOrder,
  checkoutCpuRatio,
  startRoundTrips,
  confirmToPaid,
  shopperSeesIt,
  adminList,
  idleCpuPercent,
]

/** @param argv the arguments after the script */
export async function main(argv: readonly string[]): Promise<void> {
  try {
    const known = { all: BENCHMARKS.map(nameOf), usual: USUAL.map(nameOf) }
    const figures = await measure(readBenchOptions(argv, known))
    const isBeyond = Object.values(figures).some((figure) => excesses(figure).length > 0)
    if (isBeyond) process.exitCode = 1
  } catch (error) {
    explain(error)
    process.exitCode = 1
  }
}

const nameOf = ({ name }: Benchmark): string => name

async function measure({
  names,
  jsonFile,
  pageFile,
  calls,
}: BenchOptions): Promise<Record<string, Figure>> {
  const figures: Record<string, Figure> = {}
  const say = (line: string) => console.log(line)
  const measured = async (name: string, run: () => Promise<Figure>) => {
    say(`Measuring ${name} …`)
    const since = performance.now()
    figures[name] = await run()
    say(`Measured ${name} in ${((performance.now() - since) / 1_000).toFixed(0)} s`)
  }
  let store: Fixture | undefined
  try {
    for (const benchmark of BENCHMARKS.filter(({ name }) => names.includes(name))) {
      if (benchmark.on === "nothing") {
        await measured(benchmark.name, () => benchmark.run())
      } else if (benchmark.on === "client") {
        const fixture = await openClientFixture(say, calls)
        await measured(benchmark.name, () => benchmark.run(fixture))
      } else {
        const fixture = (store ??= await openFixture(say))
        await measured(benchmark.name, () => benchmark.run(fixture))
      }
    }
  } finally {
    await store?.close()
    if (jsonFile !== undefined) fs.writeFileSync(jsonFile, `${JSON.stringify(figures, null, 2)}\n`)
    if (pageFile !== undefined) writePage(pageFile, figures)
    if (Object.keys(figures).length > 0) say(`\n${tableOf(figures)}\n`)
  }
  return figures
}

function writePage(file: string, figures: Readonly<Record<string, Figure>>): void {
  const day = new Date().toISOString().slice(0, 10)
  const names = [...new Set([...USUAL, ...BENCHMARKS].map(nameOf))]
  fs.writeFileSync(file, pageWith(fs.readFileSync(file, "utf8"), { figures, names, day }))
}

/** What a person can do something about is told without a stack. */
function explain(error: unknown): void {
  if (!(error instanceof StartFailure)) return console.error(error)
  console.error(error.message)
  if (error.logFile !== undefined) console.error(`The whole log: ${error.logFile}`)
}
