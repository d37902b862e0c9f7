/** A proof of the promises about money, as `npm run proof` runs it and writes it down. */
import { JUDGED_WHEN_QUIET } from "../histories/judges"
import type { Temper } from "../../packages/simulator/src"

/** Scenarios that were played, and what the oracle said. */
export type ScenarioResult = {
  readonly scenarios: number
  /** Processes that were killed, or frozen past their lease. */
  readonly kills: number
  /** Calls to the gateway that a fault has struck. */
  readonly faults: number
  readonly violations: number
  /** Where what people are shown was judged: how often by each property. */
  readonly judged?: Readonly<Record<string, number>>
  readonly seed: number
  readonly seconds: number
  /**
   * Violations, each with its scenario; where there are none, some scenarios and how they ended.
   */
  readonly examples: readonly string[]
}

/** Payments of a soak, and what became of their money. */
type SoakResult = ScenarioResult & {
  /** Carts that were charged exactly once. */
  readonly charged_once: number
  /** Payments that the shop knows, captured and in an order. */
  readonly settled: number
  readonly in_review: number
  /** That went through, in whole or in part. */
  readonly refunds: number
}

/** Rules that were broken on purpose, and whether that was noticed. */
type MutantResult = {
  readonly scenarios: number
  readonly caught: number
  readonly survived: number
  readonly survivors: readonly string[]
}

export type ProofResult = ScenarioResult | SoakResult | MutantResult

export type Proof = {
  readonly name: string
  run(options: {
    readonly seed: number
    /** Undefined: all. */
    readonly scenario?: string | undefined
    /** Undefined: the proof's own number. */
    readonly payments?: number | undefined
    /** Of drawn histories; undefined: the proof's own number. */
    readonly count?: number | undefined
    /** How the gateway writes its answers; undefined: as the contract says. */
    readonly wire?: Temper | undefined
    readonly say: (line: string) => void
  }): Promise<ProofResult>
}

/** A rule is broken, or one that was broken on purpose went unnoticed. */
export function isBroken(result: ProofResult): boolean {
  return "survived" in result ? result.survived > 0 : result.violations > 0
}

/** @returns a sentence for each property of what people are shown that nothing was held against */
export function unjudged(judged: Readonly<Record<string, number>>): string[] {
  return JUDGED_WHEN_QUIET.filter((name) => !judged[name]).map((name) => `not judged: ${name}`)
}

export function sum<One>(all: readonly One[], of: (one: One) => number): number {
  return all.reduce((total, one) => total + of(one), 0)
}
