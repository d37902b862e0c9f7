/**
 * Runs the figures one after the other, each on processes of its own: two at once would measure each
 * other. What has been measured is written even when a later figure fails.
 */
import fs from "node:fs"
import { StartFailure } from "../demo/run/failure.cjs"
import { excesses, type Benchmark, type Figure } from "./figure"
import { checkoutCpuRatio } from "./figures/checkout-cpu-ratio"
import { confirmToPaid } from "./figures/confirm-to-paid"
import { idleCpuPercent } from "./figures/idle-cpu-percent"
import { startRoundTrips } from "./figures/start-round-trips"
import { readBenchOptions } from "./options"
import { openGround } from "./support/ground"
import { tableOf } from "./table"

const BENCHMARKS: readonly Benchmark[] = [
  checkoutCpuRatio,
  startRoundTrips,
  confirmToPaid,
  idleCpuPercent,
]

/** @param argv the arguments after the script */
export async function main(argv: readonly string[]): Promise<void> {
  try {
    const known = BENCHMARKS.map(({ name }) => name)
    const { names, jsonFile } = readBenchOptions(argv, known)
    const figures = await measure(
      BENCHMARKS.filter(({ name }) => names.includes(name)),
      jsonFile,
    )
    const isBeyond = Object.values(figures).some((figure) => excesses(figure).length > 0)
    if (isBeyond) process.exitCode = 1
  } catch (error) {
    explain(error)
    process.exitCode = 1
  }
}

async function measure(
  benchmarks: readonly Benchmark[],
  jsonFile: string | undefined,
): Promise<Record<string, Figure>> {
  const figures: Record<string, Figure> = {}
  const say = (line: string) => console.log(line)
  const ground = await openGround(say)
  try {
    for (const { name, run } of benchmarks) {
      say(`Measuring ${name} …`)
      const since = performance.now()
      figures[name] = await run(ground)
      say(`Measured ${name} in ${((performance.now() - since) / 1_000).toFixed(0)} s`)
    }
  } finally {
    await ground.close()
    if (jsonFile !== undefined) fs.writeFileSync(jsonFile, `${JSON.stringify(figures, null, 2)}\n`)
    if (Object.keys(figures).length > 0) say(`\n${tableOf(figures)}\n`)
  }
  return figures
}

/** What a person can do something about is told without a stack. */
function explain(error: unknown): void {
  if (!(error instanceof StartFailure)) return console.error(error)
  console.error(error.message)
  if (error.logFile !== undefined) console.error(`The whole log: ${error.logFile}`)
}
