/**
 * `histories`: what shoppers, admins, workers, wallet, gateway and Medusa may do, drawn at random,
 * with processes that die and interleavings that a scheduler chooses, against the real ledger and
 * the gateway's book. What people are shown on the way is judged too.
 */
import type { Temper } from "../../packages/simulator/src"
import type { Verdict } from "../histories/drawn/play"
import { runHistories } from "../histories/drawn/run-histories"
import { sum, type Proof } from "./proof"

const COUNT = 400
/** Fewer in the other tempers: what differs there is how answers are read. */
const SHARES: readonly (readonly [wire: Temper, share: number])[] = [
  ["tidy", 3 / 4],
  ["loose", 1 / 8],
  ["odd", 1 / 8],
]
const SHRINK_FOR_MS = 60_000
const EXAMPLES = 10
const SAY_EVERY = 50

export const histories: Proof = {
  name: "histories",
  async run({ seed, count = COUNT, say }) {
    const since = performance.now()
    const verdicts: Verdict[] = []
    const broken: string[] = []
    for (const [wire, share] of SHARES) {
      const own = Math.ceil(count * share)
      const drawn = await runHistories({
        count: own,
        seed,
        wire,
        shrinkForMs: SHRINK_FOR_MS,
        onVerdict(_verdict, index) {
          if ((index + 1) % SAY_EVERY === 0) say(`${wire}: ${index + 1} of ${own}`)
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

/** Histories in which nothing happens break no promise, and prove none. */
function emptinessOf(verdicts: readonly Verdict[]): string[] {
  const charged = verdicts.filter(({ charges }) => charges > 0).length
  const has = (of: (verdict: Verdict) => number) => verdicts.some((verdict) => of(verdict) > 0)
  return [
    ...(charged > verdicts.length / 4 ? [] : [`BROKEN only ${charged} histories charged`]),
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
