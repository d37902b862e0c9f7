/**
 * Plays one sequence of commands, asks the judge after each of them and, when all is quiet, a last
 * time: then what was not noticed is lost.
 */
import type { Simulator, Temper } from "../../../packages/simulator/src"
import { breachesNow, endingOf, judge, statesOf } from "../judge"
import type { LedgerEvidence } from "../../support/evidence"
import { DAY } from "../../support/an-operation"
import { beginningOf } from "./beginnings"
import type { DrivenClock } from "./clock"
import type { Command } from "./commands"
import type { DrivenLedger } from "./ledger"
import { Harness } from "./harness"
import { writtenPicks, type Picker } from "./picks"
import type { Setting } from "./settings"

const LONG_AFTER_MS = 7 * DAY

export type Sequence = { readonly setting: Setting; readonly commands: readonly Command[] }

export type Verdict = {
  /** Processes that died. */
  readonly kills: number
  /** Calls to the gateway that a fault has struck. */
  readonly faults: number
  readonly charges: number
  /** Payments that were begun, and not only drafted. */
  readonly payments: number
  /** Refunds that went through. */
  readonly returns: number
  /** Payouts that went through. */
  readonly payouts: number
  /** Processes that ran the last release. */
  readonly ofLastRelease: number
  /** Transfers that went through. */
  readonly transfers: number
  readonly violations: readonly string[]
  /** How it ended, for a person. */
  readonly ending: string
  /** Whom the scheduler picked. */
  readonly picks: string
}

export async function play(
  fixture: { readonly ledger: DrivenLedger; readonly clock: DrivenClock; readonly wire: Temper },
  { setting, commands }: Sequence,
  scheduler: Picker,
): Promise<Verdict> {
  const harness = await Harness.open(fixture, setting, scheduler)
  try {
    const found = await brokenBy(harness, setting, commands)
    const { ledger, charges, returns, violations } = await judge(harness.history)
    return {
      kills: harness.kills,
      faults: harness.simulator.faults.history().length,
      charges,
      payments: ledger.operations.filter((one) => one.type === "COLLECTION" && one.isSubmitted)
        .length,
      returns,
      payouts: movedIn(harness.simulator.book.payouts()),
      ofLastRelease: harness.ofLastRelease,
      transfers: movedIn(harness.simulator.book.transfers()),
      violations: found ?? [
        ...knowable(harness, violations),
        ...harness.wrongPayouts,
        ...(harness.hasLost ? [] : chargedOnce(harness.simulator, ledger, commands)),
      ],
      ending: endingOf(statesOf(ledger.operations), charges, returns),
      picks: writtenPicks(harness.picks),
    }
  } finally {
    await harness.close()
  }
}

const movedIn = (sent: readonly { readonly moves: number }[]): number =>
  sent.filter(({ moves }) => moves > 0).length

/** @returns what was broken before the end; undefined: the sequence came to its end */
async function brokenBy(
  harness: Harness,
  setting: Setting,
  commands: readonly Command[],
): Promise<string[] | undefined> {
  try {
    for (const command of beginningOf(setting)) await harness.carryOut(command)
    for (const [index, command] of commands.entries()) {
      await harness.carryOut(command)
      const found = [
        // Until the lost time was compared, nobody can know of what the gateway alone has.
        ...((await harness.isBehind())
          ? []
          : knowable(harness, await breachesNow(harness.history))),
        // Payouts that were meant by a rule of now, and are watched before they are judged.
        ...(await harness.wrongWithAccount()),
        ...harness.wrongPayouts,
        ...(harness.onlooker.looksNow() ? await harness.onlooker.look() : []),
      ]
      if (found.length > 0) return found.map((one) => `after command ${index + 1}: ${one}`)
    }
    await harness.finish()
    await harness.typeSecretIn()
    await harness.shopperEnds()
    await harness.quiet()
    // All of it is looked at once more at the very end, after what admins do now.
    const before = harness.onlooker.looksNow() ? await harness.onlooker.look(true) : []
    await harness.decide()
    await harness.giveBack()
    await harness.upkeep()
    const shown = [...before, ...(await harness.onlooker.look(true, true))]
    if (shown.length > 0) return shown.map((one) => `at the end: ${one}`)
    harness.pass(LONG_AFTER_MS)
    return undefined
  } catch (error) {
    return [`the harness failed: ${error instanceof Error ? (error.stack ?? "") : String(error)}`]
  }
}

/** What brought no money, and was lost with the last commits, stands nowhere; money does, by I2. */
function knowable({ hasLost }: Harness, found: readonly string[]): readonly string[] {
  return hasLost
    ? found.filter((one) => !/^(I6: \S+ was sent, but no|I[49]: nobody knows of)/.test(one))
    : found
}

/**
 * Money that came twice for one of the order's payment collections, and was noticed, is no breach
 * by itself. But only a gateway that first says FAILED and then COMPLETED can make it come twice, or
 * a database that has lost the first time.
 */
function chargedOnce(
  { book }: Simulator,
  { operations }: LedgerEvidence,
  commands: readonly Command[],
): string[] {
  const contradicts = (command: Command) =>
    command.do === "wallet" && command.outcome === "decline_then_approve"
  if (commands.some(contradicts)) return []
  const collections = operations.filter(({ type }) => type === "COLLECTION")
  const charged = book.executions().filter(({ charges }) => charges > 0)
  const paid = charged.map(({ sourceId }) => {
    const own = collections.find((one) => one.sourceId === sourceId)
    return own?.collectionId ?? "no collection"
  })
  return [...new Set(paid)].flatMap((id) => {
    const times = paid.filter((one) => one === id).length
    return times > 1
      ? [`I1: ${id} was charged ${times} times, though the gateway has not contradicted itself`]
      : []
  })
}
