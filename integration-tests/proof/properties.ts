/**
 * `properties`: sequences of what shoppers, workers, wallet, gateway and Medusa may do, drawn at
 * random, with processes that die and interleavings that a scheduler chooses, against the real
 * ledger and the gateway's book.
 */
import { runProperties } from "../properties/run-properties"
import { sum, type Proof } from "./proof"

const SEQUENCES = 300
const SHRINK_FOR_MS = 60_000
const EXAMPLES = 10
const SAY_EVERY = 50

export const properties: Proof = {
  name: "properties",
  async run({ seed, say }) {
    const since = performance.now()
    const drawn = await runProperties({
      sequences: SEQUENCES,
      seed,
      shrinkForMs: SHRINK_FOR_MS,
      onVerdict(_verdict, index) {
        if ((index + 1) % SAY_EVERY === 0) say(`${index + 1} of ${SEQUENCES}`)
      },
    })
    const { verdicts, violations, counterexample } = drawn
    const broken = violations.map((violation) => `BROKEN ${violation}\n${counterexample ?? ""}`)
    for (const example of broken) say(example)
    return {
      scenarios: verdicts.length,
      kills: sum(verdicts, ({ kills }) => kills),
      faults: sum(verdicts, ({ faults }) => faults),
      violations: violations.length,
      seed,
      seconds: Math.round((performance.now() - since) / 1_000),
      examples: broken.length > 0 ? broken : endings(verdicts.map(({ ending }) => ending)),
    }
  },
}

/** The endings that were met, the most frequent first. */
function endings(met: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const ending of met) counts.set(ending, (counts.get(ending) ?? 0) + 1)
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .slice(0, EXAMPLES)
    .map(([ending, count]) => `${count} times: ${ending}`)
}
