/** A history that was drawn once, as a test that can be pasted, and how that plays it again. */
import type { Temper } from "../../../packages/simulator/src"
import { drivenClock } from "./clock"
import { startDrivenLedger } from "./ledger"
import { pickerOf } from "./picks"
import { play, type Sequence, type Verdict } from "./play"

export type Played = Sequence & {
  /** How the gateway writes its answers. Left out: as the contract says. */
  readonly wire?: Temper
  /** Whom the scheduler picked, as `picks.ts` writes it. */
  readonly picks: string
}

export async function playHistory({ wire = "tidy", picks, ...sequence }: Played): Promise<Verdict> {
  const clock = drivenClock()
  const ledger = await startDrivenLedger(clock)
  try {
    return await play({ ledger, clock, wire }, sequence, pickerOf(picks))
  } finally {
    await ledger.stop()
  }
}

/** For a spec in this folder, that imports {@link playHistory}. */
export function asTest({ setting, commands, wire, picks }: Played, title: string): string {
  return [
    `it(${JSON.stringify(title)}, async () => {`,
    "  const { violations } = await playHistory({",
    `    setting: ${literal(setting)},`,
    "    commands: [",
    ...commands.map((command) => `      ${literal(command)},`),
    "    ],",
    ...(wire === undefined || wire === "tidy" ? [] : [`    wire: ${literal(wire)},`]),
    `    picks: ${literal(picks)},`,
    "  })",
    "  expect(violations).toEqual([])",
    "})",
  ].join("\n")
}

const literal = (value: unknown): string => JSON.stringify(value).replace(/"(\w+)":/g, "$1: ")
