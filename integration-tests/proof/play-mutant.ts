/**
 * Run inside of a copy: plays what one mutant has to be noticed by, and tells what the oracle says.
 */
import { runProperties } from "../properties/run-properties"
import { runMatrix } from "../crash/run-matrix"
import { MUTANTS } from "./mutant-table"
import type { Noticed } from "./mutants"

async function play(name: string | undefined, seed: number): Promise<Noticed> {
  const mutant = MUTANTS.find((one) => one.name === name)
  if (!mutant) throw new Error(`there is no mutant "${name}"`)
  const verdicts = await runMatrix(mutant.scenarios, seed)
  const crash = verdicts.flatMap(({ violations }) => violations)
  if (mutant.sequences === undefined) return { crash }
  const { sequences } = mutant
  const { violations } = await runProperties({ sequences, seed, shrinkForMs: 0 })
  return { crash, properties: violations }
}

play(process.argv[2], Number(process.argv[3])).then(
  // The answer is out before the process ends.
  (noticed) => process.send?.(noticed, () => process.exit(0)),
  (error: unknown) => {
    console.error(error)
    process.exit(1)
  },
)
