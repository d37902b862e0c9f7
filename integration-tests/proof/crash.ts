/**
 * `crash`: a worker dies at each of its moments under each fault script, two others go on; and
 * Medusa's answers go wrong, each in each way. The oracle compares book, ledger and Medusa.
 */
import { StartFailure } from "../../demo/run/failure.cjs"
import { callsUnmet, fullMatrix, rehearsals, type Scenario, type Way } from "../crash/matrix"
import type { Verdict } from "../crash/run-scenario"
import { rehearse, runSideBySide } from "../crash/run-matrix"
import { MEDUSA_CALLS, type MedusaCall } from "../crash/medusa-calls"
import { runMedusa, type MedusaVerdict } from "../crash/run-medusa"
import { sum, unjudged, type Proof } from "./proof"

const EXAMPLES = 10
const SAY_EVERY = 50

export const crash: Proof = {
  name: "crash",
  async run({ seed, scenario, say }) {
    if (scenario !== undefined && !isPlayed(scenario)) {
      throw new StartFailure(`No journey and no script has "${scenario}" in its name.`)
    }
    const since = performance.now()
    const rehearsed = await rehearse(seed, scenario)
    const scenarios = fullMatrix(rehearsed.ways, seed)
    let played = 0
    const onVerdict = ({ name, violations }: Verdict) => {
      for (const violation of violations) say(`BROKEN ${name}: ${violation}`)
      played += 1
      if (played % SAY_EVERY === 0) say(`${played} of ${scenarios.length} and Medusa's`)
    }
    rehearsed.verdicts.forEach(onVerdict)
    const deaths = await runSideBySide(scenarios, seed, onVerdict)
    const atMedusa = scenario === undefined ? await runMedusa({ seed, onVerdict }) : []
    const verdicts = [...rehearsed.verdicts, ...deaths, ...atMedusa]
    // Of some scenarios alone nothing can be said about what they come to.
    const judged = judgedIn(verdicts)
    const empty = [
      ...(scenario === undefined ? emptinessOf(rehearsed.ways, scenarios, deaths, atMedusa) : []),
      ...unjudged(judged),
    ]
    for (const one of empty) say(`BROKEN ${one}`)
    return {
      scenarios: verdicts.length,
      kills: sum(verdicts, ({ kills }) => kills),
      faults: sum(verdicts, ({ faults }) => faults),
      violations: empty.length + sum(verdicts, ({ violations }) => violations.length),
      judged,
      seed,
      seconds: Math.round((performance.now() - since) / 1_000),
      examples: empty.length > 0 ? empty : examplesOf(verdicts),
    }
  },
}

/** Scenarios in which nothing happened break no promise, and prove none. */
function emptinessOf(
  ways: readonly Way[],
  scenarios: readonly Scenario[],
  deaths: readonly Verdict[],
  atMedusa: readonly MedusaVerdict[],
): string[] {
  // Where two payments are checked at once, the order of their exits is not always that of the
  // rehearsal.
  const unmet = deaths.filter(({ kills }) => kills !== 1)
  const settled = deaths.filter(({ ending }) => /recorded; charged 1 times$/.test(ending))
  const met = new Set(atMedusa.flatMap(({ calls }) => [...calls]))
  return [
    ...callsUnmet(ways, scenarios).map((call) => `no worker dies at ${call}`),
    ...(unmet.length < deaths.length / 20 ? [] : unmet.map(({ name }) => `nobody died: ${name}`)),
    ...(settled.length > deaths.length / 3
      ? []
      : [`only ${settled.length} deaths ended in an order`]),
    ...atMedusa.filter(({ hasStruck }) => !hasStruck).map(({ name }) => `not struck: ${name}`),
    ...Object.keys(MEDUSA_CALLS)
      .filter((call) => !met.has(call as MedusaCall))
      .map((call) => `no journey asks Medusa for ${call}`),
  ]
}

/** A text that selects nothing would prove nothing, and look green. */
function isPlayed(text: string): boolean {
  return rehearsals().some(
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

function judgedIn(verdicts: readonly Verdict[]): Record<string, number> {
  const names = new Set(verdicts.flatMap(({ judged }) => Object.keys(judged)))
  return Object.fromEntries(
    [...names].map((name) => [name, sum(verdicts, ({ judged }) => judged[name] ?? 0)]),
  )
}
