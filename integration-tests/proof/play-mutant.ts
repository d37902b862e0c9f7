/** Run inside of a copy: plays the scenarios of one mutant, and tells what the oracle says. */
import { runMatrix } from "../crash/run-matrix"
import { MUTANTS } from "./mutant-table"

async function play(name: string | undefined, seed: number): Promise<string[]> {
  const mutant = MUTANTS.find((one) => one.name === name)
  if (!mutant) throw new Error(`there is no mutant "${name}"`)
  const verdicts = await runMatrix(mutant.scenarios, seed)
  return verdicts.flatMap(({ violations }) => violations)
}

play(process.argv[2], Number(process.argv[3])).then(
  // The answer is out before the process ends.
  (violations) => process.send?.(violations, () => process.exit(0)),
  (error: unknown) => {
    console.error(error)
    process.exit(1)
  },
)
