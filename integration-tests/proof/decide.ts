/**
 * `decide`: each business case, and any operation with any answers, against what may never be made
 * of them.
 */
import { runDecide } from "./run-decide"
import { BUSINESS_CASES, problemsOf } from "../support/decide-table"
import type { Proof } from "./proof"

const PAIRS = 100_000
const EXAMPLES = 10

export const decide: Proof = {
  name: "decide",
  run({ seed, say }) {
    const since = performance.now()
    const wrong = BUSINESS_CASES.flatMap(problemsOf)
    const { pairs, violations, counterexample } = runDecide({ pairs: PAIRS, seed })
    const broken = [
      ...wrong.map((problem) => `BROKEN ${problem}`),
      ...violations.map((violation) => `BROKEN ${violation}\n${counterexample ?? ""}`),
    ]
    for (const example of broken) say(example)
    return Promise.resolve({
      scenarios: BUSINESS_CASES.length + pairs,
      kills: 0,
      faults: 0,
      violations: broken.length,
      seed,
      seconds: Math.round((performance.now() - since) / 1_000),
      examples: broken.length > 0 ? broken : examples(),
    })
  },
}

/** Some of the cases, in the order of their ids. */
function examples(): string[] {
  const every = Math.ceil(BUSINESS_CASES.length / EXAMPLES)
  return BUSINESS_CASES.filter((_case, index) => index % every === 0).map(
    ({ id, name }) => `${id} ${name}`,
  )
}
