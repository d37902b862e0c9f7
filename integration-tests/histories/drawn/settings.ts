/** Under what a history is played: the account's rules, the machines' clocks, its first and last. */
import fc from "fast-check"
import type { Method } from "../commands"
import type { Outcome } from "../../../packages/simulator/src/rules/timeline"
import { BEGINNINGS, isPaidAtFirst, type Beginning } from "./beginnings"
import { admins, MOMENTS_MAX, parts, refundOutcomes, ways } from "./commands"
import { FAULTS, type Fault } from "./faults"
import { AHEAD_MOST_MS, type Kind, type Worker } from "./kinds"
import { rules, type Rules } from "./merchant-rules"

export type Setting = {
  /** Those of the account at first; admins may change them. */
  readonly rules: Rules
  /** What has happened before the first command that is drawn. */
  readonly begins: Beginning
  /** The way that the shopper takes first. */
  readonly way: Method
  /** The currency of the payer's wallet on a phone; null: the cart's. */
  readonly payerCurrency: "LRD" | null
  /** What meets the first execution. */
  readonly firstExecution: Fault | null
  /** The first process of the shop dies after so many exits. */
  readonly firstDies: number | null
  /** How far the clock of each machine is ahead of the database's at first. */
  readonly aheadMs: Readonly<Record<Kind, number>>
  /** Whose machine runs the last release at first. */
  readonly lastRelease: Worker | null
  /** What becomes of prompts that wait, and of open pages, when the last command is over. */
  readonly atTheEnd: "paid" | "declined" | "left"
  /** What admins do once all is quiet, while both workers look. */
  readonly givesBack: {
    readonly part: string
    readonly admins: 1 | 2
    readonly outcome: Outcome
    /** The process of the first dies after so many exits. */
    readonly firstDies: number | null
  } | null
  /** Whether an admin decides about what waits for one, once all is quiet. */
  readonly decides: boolean
  /** Whether the gateway itself refuses to give back more than came. */
  readonly capsRefunds: boolean
  /** Of the ids, and of the gateway's. */
  readonly seed: number
}

const aheadMs = fc.oneof(fc.constant(0), fc.integer({ min: -AHEAD_MOST_MS, max: AHEAD_MOST_MS }))

const anySettings: fc.Arbitrary<Setting> = fc.record({
  rules,
  // About half of them with money.
  begins: fc.constantFrom<Beginning>("nothing", "nothing", "nothing", ...BEGINNINGS),
  way: ways,
  payerCurrency: fc.constantFrom(null, null, "LRD"),
  firstExecution: fc.oneof(fc.constant(null), fc.constant(null), fc.constantFrom(...FAULTS)),
  firstDies: fc.oneof(fc.constant(null), fc.constant(null), fc.nat(MOMENTS_MAX)),
  aheadMs: fc.record({ shop: aheadMs, A: aheadMs, B: aheadMs }),
  lastRelease: fc.constantFrom<Worker | null>(null, null, null, null, null, null, "A", "B"),
  atTheEnd: fc.constantFrom("paid", "paid", "declined", "left"),
  givesBack: fc.oneof(
    fc.constant(null),
    fc.record({
      part: parts,
      admins,
      outcome: refundOutcomes,
      firstDies: fc.oneof(fc.constant(null), fc.nat(MOMENTS_MAX)),
    }),
  ),
  decides: fc.boolean(),
  capsRefunds: fc.constantFrom(false, false, true),
  seed: fc.nat(),
})

/** What is paid at first was paid without a fault, or there would be few such histories. */
export const settings: fc.Arbitrary<Setting> = anySettings.map((setting) =>
  isPaidAtFirst(setting) ? { ...setting, firstExecution: null, firstDies: null } : setting,
)
