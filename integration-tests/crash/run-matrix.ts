/**
 * Runs scenarios over one throw-away Postgres, one after the other: each with a fresh process to
 * die, and the same two to go on. Processes are started while the scenario before is still played.
 */
import { startLedgerDatabase } from "../support/ledger-database"
import { Reader } from "../histories/reader"
import { rehearsals, type Scenario, type Way } from "./matrix"
import { nameOf, runScenario, type Verdict } from "./run-scenario"
import { startWorker } from "../histories/worker-process"

const SURVIVORS = 2
const SIDE_BY_SIDE = 2

/**
 * Two halves side by side, each with a Postgres of its own: most of a scenario is waiting for
 * processes to start and to end.
 */
export async function runSideBySide(
  scenarios: readonly Scenario[],
  seed: number,
  onVerdict: (verdict: Verdict) => void = () => {},
): Promise<Verdict[]> {
  const halves = Array.from({ length: SIDE_BY_SIDE }, (_, hand) =>
    scenarios.filter((_scenario, index) => index % SIDE_BY_SIDE === hand),
  )
  const verdicts = await Promise.all(halves.map((half) => runMatrix(half, seed, onVerdict)))
  return scenarios.flatMap(
    (_scenario, index) => verdicts[index % SIDE_BY_SIDE]?.[Math.floor(index / SIDE_BY_SIDE)] ?? [],
  )
}

/**
 * Plays each journey while nobody dies: its moments of death, and whether it keeps the promises as
 * it is.
 *
 * @param named only journeys and scripts with this text in their names; all by default
 */
export async function rehearse(
  seed: number,
  named = "",
): Promise<{ readonly ways: readonly Way[]; readonly verdicts: readonly Verdict[] }> {
  const scenarios = rehearsals().filter(
    ({ journey, script }) => journey.name.includes(named) || script.name.includes(named),
  )
  const verdicts = await runSideBySide(scenarios, seed)
  const ways = scenarios.map((scenario, index) => ({
    ...scenario,
    passed: verdicts[index]?.passed ?? [],
  }))
  return { ways, verdicts }
}

/** @param onVerdict told of each scenario as it ends */
export async function runMatrix(
  scenarios: readonly Scenario[],
  seed: number,
  onVerdict: (verdict: Verdict, index: number) => void = () => {},
): Promise<Verdict[]> {
  const ledger = await startLedgerDatabase()
  const reader = await Reader.open(ledger.url)
  const survivors = Array.from({ length: SURVIVORS }, () => startWorker(ledger.url))
  let next = startWorker(ledger.url)
  const verdicts: Verdict[] = []
  try {
    for (const [index, scenario] of scenarios.entries()) {
      const victim = next
      const isToDie = scenario.death !== null
      if (isToDie) next = startWorker(ledger.url)
      const verdict = await runScenario(
        { ledger, victim, survivors, reader },
        scenario,
        seed,
      ).catch((error: unknown): Verdict => ({
        name: nameOf(scenario),
        kills: 0,
        faults: 0,
        violations: [`the harness failed: ${String(error)}`],
        ending: "",
        passed: [],
        judged: {},
      }))
      if (!isToDie && victim.isStuck()) next = startWorker(ledger.url)
      verdicts.push(verdict)
      onVerdict(verdict, index)
    }
    return verdicts
  } finally {
    await Promise.all([...survivors, next].map((worker) => worker.end()))
    await reader.close()
    await ledger.stop()
  }
}
