/**
 * Draws histories and their interleavings, plays each, and makes the first that breaks a promise as
 * small as it gets within a bounded time. The same seed draws the same; seed and path of
 * fast-check's lead straight to one of them.
 */
import fc from "fast-check"
import type { Temper } from "../../../packages/simulator/src"
import type { Command } from "./commands"
import { settings } from "./settings"
import { commands } from "./swarm"
import { drivenClock } from "./clock"
import { startDrivenLedger } from "./ledger"
import { play, type Verdict } from "./play"

export type Drawn = {
  readonly verdicts: readonly Verdict[]
  /** Of the smallest counterexample; empty when all promises hold. */
  readonly violations: readonly string[]
  /** How to see it again: seed, path, the commands. */
  readonly counterexample: string | undefined
}

export async function runHistories(options: {
  readonly count: number
  readonly seed: number
  /** Of a counterexample: only that one is played. */
  readonly path?: string | undefined
  readonly shrinkForMs: number
  /** How the gateway writes its answers. Default: as the contract says. */
  readonly wire?: Temper | undefined
  readonly onVerdict?: (verdict: Verdict, index: number) => void
}): Promise<Drawn> {
  const { count, seed, path, shrinkForMs, wire = "tidy", onVerdict } = options
  const clock = drivenClock()
  const ledger = await startDrivenLedger(clock)
  const verdicts: Verdict[] = []
  let smallest: Verdict | undefined
  let shrinkUntilMs: number | undefined
  const property = fc.asyncProperty(
    settings,
    commands,
    fc.scheduler(),
    async (setting, drawn, scheduler) => {
      // Smaller ones that are not tried any more count as harmless, so that the search comes to its
      // end.
      if (shrinkUntilMs !== undefined && performance.now() > shrinkUntilMs) return true
      const verdict = await play({ ledger, clock, wire }, { setting, commands: drawn }, scheduler)
      if (smallest === undefined) {
        verdicts.push(verdict)
        onVerdict?.(verdict, verdicts.length - 1)
      }
      if (verdict.violations.length === 0) return true
      smallest = verdict
      shrinkUntilMs ??= performance.now() + shrinkForMs
      return false
    },
  )
  try {
    const details = await fc.check(property, {
      numRuns: count,
      seed,
      ...(path === undefined ? {} : { path }),
    })
    const example = details.counterexample
    return {
      verdicts,
      violations: smallest?.violations ?? [],
      counterexample:
        details.failed && example
          ? told(details.seed, details.counterexamplePath, example[0], example[1])
          : undefined,
    }
  } finally {
    await ledger.stop()
  }
}

function told(
  seed: number,
  path: string | null,
  setting: object,
  drawn: readonly Command[],
): string {
  const lines = drawn.map((command) => `  ${JSON.stringify(command)}`)
  return [`seed ${seed}, path "${path ?? ""}", ${JSON.stringify(setting)}`, ...lines].join("\n")
}
