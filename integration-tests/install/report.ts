/** What was seen, a line a step. */

type Outcome = "passed" | "failed" | "skipped"

export type StepResult = {
  /** A package manager, or a starter of Medusa. */
  readonly ground: string
  readonly step: string
  readonly outcome: Outcome
  readonly seen: string
  readonly seconds: number
}

export type Report = {
  readonly results: readonly StepResult[]
  /** Runs a step, whose answer says what was seen. @throws what the step threw, after its line */
  step(ground: string, step: string, work: () => Promise<string>): Promise<void>
  /** A part that this run leaves out, and why. */
  skip(ground: string, step: string, why: string): void
  count(outcome: Outcome): number
}

export function reportTo(say: (line: string) => void): Report {
  const results: StepResult[] = []
  function add(result: StepResult): void {
    results.push(result)
    const { ground, step, outcome, seen, seconds } = result
    const [first = "", ...rest] = seen.trim().split("\n")
    say(`${outcome} ${ground}: ${step} (${seconds} s): ${first}`)
    for (const line of rest) say(`    ${line}`)
  }
  return {
    results,
    async step(ground, step, work) {
      const since = performance.now()
      const seconds = () => Math.round((performance.now() - since) / 1_000)
      try {
        const seen = await work()
        add({ ground, step, outcome: "passed", seen, seconds: seconds() })
      } catch (error) {
        const seen = error instanceof Error ? error.message : String(error)
        add({ ground, step, outcome: "failed", seen, seconds: seconds() })
        throw error
      }
    },
    skip: (ground, step, why) => add({ ground, step, outcome: "skipped", seen: why, seconds: 0 }),
    count: (outcome) => results.filter((one) => one.outcome === outcome).length,
  }
}
