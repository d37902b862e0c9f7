/**
 * `properties`: sequences of what shoppers, workers, wallet, gateway and Medusa may do, drawn at
 * random, with processes that die and interleavings that a scheduler chooses, against the real
 * ledger and the gateway's book.
 */
import type { Temper } from "../../packages/simulator/src"
import type { Verdict } from "../properties/play"
import { runProperties } from "../properties/run-properties"
import { sum, type Proof } from "./proof"

/** Fewer in the other tempers: what differs there is how answers are read. */
const SEQUENCES: readonly (readonly [wire: Temper, sequences: number])[] = [
  ["tidy", 300],
  ["loose", 50],
  ["odd", 50],
]
const SHRINK_FOR_MS = 60_000
const EXAMPLES = 10
const SAY_EVERY = 50

export const properties: Proof = {
  name: "properties",
  async run({ seed, say }) {
    const since = performance.now()
    const verdicts: Verdict[] = []
    const broken: string[] = []
    for (const [wire, sequences] of SEQUENCES) {
      const drawn = await runProperties({
        sequences,
        seed,
        wire,
        shrinkForMs: SHRINK_FOR_MS,
        onVerdict(_verdict, index) {
          if ((index + 1) % SAY_EVERY === 0) say(`${wire}: ${index + 1} of ${sequences}`)
        },
      })
      const { violations, counterexample } = drawn
      verdicts.push(...drawn.verdicts)
      broken.push(...violations.map((one) => `BROKEN ${wire}: ${one}\n${counterexample ?? ""}`))
    }
    broken.push(...emptinessOf(verdicts))
    for (const example of broken) say(example)
    return {
      scenarios: verdicts.length,
      kills: sum(verdicts, ({ kills }) => kills),
      faults: sum(verdicts, ({ faults }) => faults),
      violations: broken.length,
      seed,
      seconds: Math.round((performance.now() - since) / 1_000),
      examples: broken.length > 0 ? broken : endings(verdicts.map(({ ending }) => ending)),
    }
  },
}

/** Sequences in which nothing happens break no promise, and prove none. */
function emptinessOf(verdicts: readonly Verdict[]): string[] {
  const charged = verdicts.filter(({ charges }) => charges > 0).length
  const has = (of: (verdict: Verdict) => number) => verdicts.some((verdict) => of(verdict) > 0)
  return [
    ...(charged > verdicts.length / 4 ? [] : [`BROKEN only ${charged} sequences charged`]),
    ...(has(({ returns }) => returns) ? [] : ["BROKEN no money went back"]),
    ...(has(({ kills }) => kills) ? [] : ["BROKEN no process died"]),
    ...(has(({ faults }) => faults) ? [] : ["BROKEN no call was struck"]),
  ]
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
