/**
 * What a history is made of is drawn before it: about half of the commands and of the faults are
 * switched off, and how often the others come is drawn too. Where everything may happen always,
 * every long history looks alike, and what only shows without something is never seen: a payment
 * that nobody checks for an hour, ten refunds in a row.
 */
import fc from "fast-check"
import { COMMANDS, type Command, type CommandName, type Deed } from "./commands"
import { FAULTS, OPERATIONS } from "./faults"

/** Without these nothing can happen. */
const ALWAYS: readonly CommandName[] = ["start"]

/** Enough for a whole `start` without anybody beside it. */
const ALL_TURNS = 200
const SOME_TURNS = 12
const LENGTH_MAX = 24

const NAMES = Object.keys(COMMANDS) as CommandName[]

type Swarm = {
  /** How often each command comes beside the others; 0: never. */
  readonly weights: readonly number[]
  readonly faults: readonly Deed<"fault">["fault"][]
  readonly operations: readonly Deed<"fault">["operation"][]
}

const factors = (isAlways: boolean) =>
  isAlways ? fc.constantFrom(1, 1, 3) : fc.constantFrom(0, 0, 0, 1, 1, 4)

const swarms: fc.Arbitrary<Swarm> = fc.record({
  weights: fc
    .tuple(...NAMES.map((name) => factors(ALWAYS.includes(name))))
    .map((all) => NAMES.map((name, index) => COMMANDS[name].weight * (all[index] ?? 0))),
  faults: fc.subarray([...FAULTS], { minLength: 1 }),
  operations: fc.subarray([...OPERATIONS], { minLength: 1 }),
})

const turns = fc.oneof(
  { weight: 3, arbitrary: fc.nat(SOME_TURNS) },
  { weight: 2, arbitrary: fc.constant(ALL_TURNS) },
)

function deedsOf({ weights, faults, operations }: Swarm): fc.Arbitrary<Deed> {
  const fault = fc.record({
    operation: fc.constantFrom(...operations),
    fault: fc.constantFrom(...faults),
  })
  const all = NAMES.map((name, index) => {
    const given: fc.Arbitrary<object> = name === "fault" ? fault : COMMANDS[name].given
    return {
      weight: weights[index] ?? 0,
      // What is drawn for a command fits it, by the table.
      arbitrary: given.map((one) => ({ do: name, ...one }) as Deed),
    }
  })
  return fc.oneof(...all.filter(({ weight }) => weight > 0))
}

/** A swarm is not made smaller: its commands are, and each that is left is still of it. */
export const commands: fc.Arbitrary<Command[]> = fc.noShrink(swarms).chain((swarm) =>
  fc.array(
    fc.tuple(deedsOf(swarm), turns).map(([deed, given]): Command => ({ ...deed, turns: given })),
    { minLength: 1, maxLength: LENGTH_MAX, size: "max" },
  ),
)
