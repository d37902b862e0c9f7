/**
 * `histories`: what shoppers, admins, workers, wallet, gateway and Medusa may do, drawn at random,
 * with processes that die and interleavings that a scheduler chooses, against the real ledger and
 * the gateway's book. What people are shown on the way is judged too.
 */
import type { Temper } from "../../packages/simulator/src"
import { emptinessOf } from "../histories/drawn/emptiness"
import type { Verdict } from "../histories/drawn/play"
import { runTogether } from "../histories/drawn/run-together"
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
      let played = 0
      const drawn = await runTogether({
        count: own,
        seed,
        wire,
        shrinkForMs: SHRINK_FOR_MS,
        onVerdict() {
          played += 1
          if (played % SAY_EVERY === 0) say(`${wire}: ${played} of ${own}`)
        },
      })
      verdicts.push(...drawn.verdicts)
      if (!drawn.broken) continue
      const { violations, counterexample } = drawn.broken
      broken.push(...violations.map((one) => `BROKEN ${wire}: ${one}`), counterexample)
    }
    broken.push(...emptinessOf(verdicts).map((one) => `BROKEN ${one}`))
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

/** The endings that were met, the most frequent first. */
function endings(met: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const ending of met) counts.set(ending, (counts.get(ending) ?? 0) + 1)
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .slice(0, EXAMPLES)
    .map(([ending, count]) => `${count} times: ${ending}`)
}
