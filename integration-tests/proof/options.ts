/** The command line of `npm run proof`. */
import { parseArgs } from "node:util"
import { StartFailure } from "../../demo/run/failure.cjs"
import { TEMPERS, type Temper } from "../../packages/simulator/src"

export type ProofOptions = {
  /** Names of the proofs to run, in their own order. */
  readonly names: readonly string[]
  /** The same seed, the same scenarios. */
  readonly seed: number
  /** Only scenarios of the crash proof, and mutants, that have this text in their names. */
  readonly scenario: string | undefined
  /** How many payments the soak lets be made; undefined: its own number. */
  readonly payments: number | undefined
  /** How many histories are drawn; undefined: the proof's own number. */
  readonly count: number | undefined
  /** How the soak's gateway writes its answers; undefined: as the contract says. */
  readonly wire: Temper | undefined
  /** Where the results are written as JSON, if anywhere. */
  readonly jsonFile: string | undefined
}

const SEED = 1

/** @throws StartFailure, a sentence, for a proof that does not exist or a seed that is none */
export function readProofOptions(argv: readonly string[], known: readonly string[]): ProofOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      only: { type: "string" },
      scenario: { type: "string" },
      payments: { type: "string" },
      count: { type: "string" },
      wire: { type: "string" },
      seed: { type: "string" },
      json: { type: "string" },
    },
  })
  const asked = values.only?.split(",").map((name) => name.trim())
  const unknown = asked?.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    throw new StartFailure(`There is no proof "${unknown}". There are: ${known.join(", ")}.`)
  }
  if (values.seed !== undefined && !/^\d{1,9}$/.test(values.seed)) {
    throw new StartFailure(`--seed takes a whole number, not "${values.seed}".`)
  }
  if (values.payments !== undefined && !/^[1-9]\d{0,3}$/.test(values.payments)) {
    throw new StartFailure(`--payments takes a number from 1 to 9999, not "${values.payments}".`)
  }
  if (values.count !== undefined && !/^[1-9]\d{0,5}$/.test(values.count)) {
    throw new StartFailure(`--count takes a number from 1 to 999999, not "${values.count}".`)
  }
  const wire = TEMPERS.find((temper) => temper === values.wire)
  if (values.wire !== undefined && wire === undefined) {
    throw new StartFailure(`--wire takes ${TEMPERS.join(", ")}, not "${values.wire}".`)
  }
  return {
    names: known.filter((name) => asked?.includes(name) ?? true),
    seed: values.seed === undefined ? SEED : Number(values.seed),
    scenario: values.scenario,
    payments: values.payments === undefined ? undefined : Number(values.payments),
    count: values.count === undefined ? undefined : Number(values.count),
    wire,
    jsonFile: values.json,
  }
}
