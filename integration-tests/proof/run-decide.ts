/** Plays drawn pairs of an operation and looks; the first that breaks a rule is made small. */
import { inspect } from "node:util"
import fc from "fast-check"
import { brokenRules, pairs } from "./decide-pairs"

const SHRINK_FOR_MS = 20_000

export type Decided = {
  readonly pairs: number
  readonly violations: readonly string[]
  /** The smallest pair that breaks a rule, and how to draw it again. */
  readonly counterexample: string | undefined
}

export function runDecide(options: { readonly pairs: number; readonly seed: number }): Decided {
  let shrinkUntilMs: number | undefined
  const property = fc.property(pairs, ([operation, findings]) => {
    if (shrinkUntilMs !== undefined && performance.now() > shrinkUntilMs) return true
    if (brokenRules(operation, findings).length === 0) return true
    shrinkUntilMs ??= performance.now() + SHRINK_FOR_MS
    return false
  })
  const details = fc.check(property, { numRuns: options.pairs, seed: options.seed })
  const [pair] = details.counterexample ?? []
  return {
    pairs: details.numRuns,
    violations: pair ? brokenRules(...pair) : [],
    counterexample:
      pair && `seed ${details.seed}, path "${details.counterexamplePath ?? ""}", ${inspect(pair)}`,
  }
}
