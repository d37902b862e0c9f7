/**
 * Draws histories and their interleavings, plays each, and makes the first that breaks a promise as
 * small as it gets within a bounded time. The same seed draws the same; seed and path of
 * fast-check's lead straight to one of them.
 */
import fc from "fast-check"
import type { Temper } from "../../../packages/simulator/src"
import { settings } from "./settings"
import { commands } from "./swarm"
import { drivenClock } from "./clock"
import { startDrivenLedger } from "./ledger"
import { play, type Verdict } from "./play"
import { asTest, type Played } from "./play-history"

export type Given = {
  readonly count: number
  readonly seed: number
  /** Of a counterexample: only that one is played. */
  readonly path?: string | undefined
  readonly shrinkForMs: number
  /** How the gateway writes its answers. Default: as the contract says. */
  readonly wire?: Temper | undefined
}

export type Broken = {
  /** Which of the histories. */
  readonly index: number
  /** Of the smallest counterexample. */
  readonly violations: readonly string[]
  /** How to see it again: seed and path, and a test to be pasted. */
  readonly counterexample: string
}

export type Drawn = {
  readonly verdicts: readonly Verdict[]
  /** The first that broke a promise; absent when all promises hold. */
  readonly broken: Broken | undefined
}

type Smallest = Played & { readonly violations: readonly string[] }

export async function runHistories(
  options: Given & {
    /** Whether one is played here. */
    readonly isPlayed?: (index: number) => boolean
    readonly onVerdict?: (verdict: Verdict, index: number, played: Played) => void
  },
): Promise<Drawn> {
  const { count, seed, path, shrinkForMs, wire = "tidy", isPlayed, onVerdict } = options
  const clock = drivenClock()
  const ledger = await startDrivenLedger(clock)
  const verdicts: Verdict[] = []
  let index = -1
  let smallest: Smallest | undefined
  let shrinkUntilMs: number | undefined
  const property = fc.asyncProperty(
    settings,
    commands,
    fc.scheduler(),
    async (setting, drawn, scheduler) => {
      // Smaller ones that are not tried any more count as harmless, so that the search comes to its
      // end.
      if (shrinkUntilMs !== undefined && performance.now() > shrinkUntilMs) return true
      if (smallest === undefined) index += 1
      if (smallest === undefined && isPlayed?.(index) === false) return true
      const sequence = { setting, commands: drawn }
      const verdict = await play({ ledger, clock, wire }, sequence, scheduler)
      const played = { ...sequence, wire, picks: verdict.picks }
      if (smallest === undefined) {
        verdicts.push(verdict)
        onVerdict?.(verdict, index, played)
      }
      if (verdict.violations.length === 0) return true
      smallest = { ...played, violations: verdict.violations }
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
    return { verdicts, broken: smallest && brokenFrom(index, smallest, details) }
  } finally {
    await ledger.stop()
  }
}

function brokenFrom(
  index: number,
  smallest: Smallest,
  details: { readonly seed: number; readonly counterexamplePath: string | null },
): Broken {
  const { violations, ...played } = smallest
  const { seed, counterexamplePath: path } = details
  const title = violations[0]?.split("\n")[0] ?? ""
  return {
    index,
    violations,
    counterexample: `// seed ${seed}, path "${path ?? ""}"\n${asTest(played, title)}`,
  }
}
