/**
 * `crash`: a worker dies at each of its moments under each fault script, two others go on; and
 * Medusa's answers go wrong, each in each way. The oracle compares book, ledger and host.
 */
import { StartFailure } from "../../demo/run/failure.cjs"
import { fullMatrix, rehearsals } from "../crash/matrix"
import type { Verdict } from "../crash/run-scenario"
import { rehearse, runSideBySide } from "../crash/run-matrix"
import { runMedusa } from "../crash/run-medusa"
import type { Proof } from "./proof"

const EXAMPLES = 10
const SAY_EVERY = 50

export const crash: Proof = {
  name: "crash",
  async run({ seed, scenario, say }) {
    if (scenario !== undefined && !isPlayed(scenario)) {
      throw new StartFailure(`No journey and no script has "${scenario}" in its name.`)
    }
    const since = performance.now()
    const rehearsed = await rehearse(false, seed, scenario)
    const scenarios = fullMatrix(rehearsed.ways, seed)
    let played = 0
    const onVerdict = ({ name, violations }: Verdict) => {
      for (const violation of violations) say(`BROKEN ${name}: ${violation}`)
      played += 1
      if (played % SAY_EVERY === 0) say(`${played} of ${scenarios.length} and Medusa's`)
    }
    rehearsed.verdicts.forEach(onVerdict)
    const verdicts = [
      ...rehearsed.verdicts,
      ...(await runSideBySide(scenarios, seed, onVerdict)),
      ...(scenario === undefined ? await runMedusa({ seed, isShort: false, onVerdict }) : []),
    ]
    return {
      scenarios: verdicts.length,
      kills: sum(verdicts, ({ kills }) => kills),
      faults: sum(verdicts, ({ faults }) => faults),
      violations: sum(verdicts, ({ violations }) => violations.length),
      seed,
      seconds: Math.round((performance.now() - since) / 1_000),
      examples: examplesOf(verdicts),
    }
  },
}

/** A text that selects nothing would prove nothing, and look green. */
function isPlayed(text: string): boolean {
  return rehearsals(false).some(
    ({ journey, script }) => journey.name.includes(text) || script.name.includes(text),
  )
}

function examplesOf(verdicts: readonly Verdict[]): string[] {
  const broken = verdicts.flatMap(({ name, violations }) => violations.map((v) => `${name}: ${v}`))
  if (broken.length > 0) return broken.slice(0, EXAMPLES)
  const every = Math.max(1, Math.floor(verdicts.length / EXAMPLES))
  return verdicts
    .filter((_verdict, index) => index % every === 0)
    .slice(0, EXAMPLES)
    .map(({ name, ending }) => `${name}: ${ending}`)
}

function sum(verdicts: readonly Verdict[], of: (verdict: Verdict) => number): number {
  return verdicts.reduce((total, verdict) => total + of(verdict), 0)
}
