/** Histories in which nothing happens break no promise, and prove none. */
import { isKnown, LAST_RELEASE } from "../../../scripts/old-version.cjs"
import type { Verdict } from "./play"

/** @returns what has never happened in them */
export function emptinessOf(verdicts: readonly Verdict[]): string[] {
  const charged = verdicts.filter(({ charges }) => charges > 0).length
  const has = (of: (verdict: Verdict) => number) => verdicts.some((verdict) => of(verdict) > 0)
  return [
    ...(charged > verdicts.length / 3 ? [] : [`only ${charged} histories charged`]),
    ...(has(({ returns }) => returns) ? [] : ["no money went back"]),
    ...(has(({ payouts }) => payouts) ? [] : ["no payout went through"]),
    ...(has(({ transfers }) => transfers) ? [] : ["no transfer went through"]),
    ...(has(({ ofLastRelease }) => ofLastRelease) || !isKnown(LAST_RELEASE)
      ? []
      : ["no process ran the last release"]),
    ...(has(({ kills }) => kills) ? [] : ["no process died"]),
    ...(has(({ faults }) => faults) ? [] : ["no call was struck"]),
  ]
}
