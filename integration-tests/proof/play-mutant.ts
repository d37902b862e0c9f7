/**
 * Run inside of a copy: plays what one mutant has to be noticed by, and tells what the oracle says.
 */
import { runHistories } from "../histories/drawn/run-histories"
import type { Scenario } from "../crash/matrix"
import { runMatrix } from "../crash/run-matrix"
import { MUTANTS } from "./mutant-table"
import type { Noticed } from "./mutants"

async function play(name: string | undefined, seed: number): Promise<Noticed> {
  const mutant = MUTANTS.find((one) => one.name === name)
  if (!mutant) throw new Error(`there is no mutant "${name}"`)
  const { scenarios, histories } = mutant
  return {
    ...(scenarios.length > 0 && { crash: await brokenIn(scenarios, seed) }),
    ...(histories !== undefined && { drawn: await brokenAmong(histories, seed) }),
  }
}

async function brokenIn(scenarios: readonly Scenario[], seed: number): Promise<readonly string[]> {
  const verdicts = await runMatrix(scenarios, seed)
  return verdicts.flatMap(({ violations }) => violations)
}

async function brokenAmong(count: number, seed: number): Promise<readonly string[]> {
  const { broken } = await runHistories({ count, seed, shrinkForMs: 0 })
  return broken?.violations ?? []
}

play(process.argv[2], Number(process.argv[3])).then(
  // The answer is out before the process ends.
  (noticed) => process.send?.(noticed, () => process.exit(0)),
  (error: unknown) => {
    console.error(error)
    process.exit(1)
  },
)
