/**
 * The short form of `npm run proof -- --only properties`: real flows in drawn sequences and
 * interleavings, over the real ledger and the gateway's book.
 */
import { runProperties, type Drawn } from "./run-properties"

const SEQUENCES = 25
const SEED = 1
const SHRINK_FOR_MS = 20_000
/** Fewer in the other tempers: what differs there is how answers are read. */
const SEQUENCES_OF_OTHERS = 10

let drawn: Drawn

beforeAll(async () => {
  drawn = await runProperties({ sequences: SEQUENCES, seed: SEED, shrinkForMs: SHRINK_FOR_MS })
})

it("[I1–I4][I7][I8][B03] whatever comes together, in whatever order, no promise is broken", () => {
  expect([...drawn.violations, ...(drawn.counterexample ? [drawn.counterexample] : [])]).toEqual([])
})

it("the sequences are about something: shoppers are charged and money goes back, processes die, calls are struck", () => {
  const { verdicts } = drawn
  expect(verdicts).toHaveLength(SEQUENCES)
  expect(verdicts.filter(({ charges }) => charges > 0).length).toBeGreaterThan(SEQUENCES / 4)
  expect(verdicts.some(({ returns }) => returns > 0)).toBe(true)
  expect(verdicts.some(({ kills }) => kills > 0)).toBe(true)
  expect(verdicts.some(({ faults }) => faults > 0)).toBe(true)
})

it.each(["loose", "odd"] as const)(
  "[I1–I4][I7][I8] no promise is broken where the gateway writes otherwise: %s",
  async (wire) => {
    const others = await runProperties({
      sequences: SEQUENCES_OF_OTHERS,
      seed: SEED,
      shrinkForMs: SHRINK_FOR_MS,
      wire,
    })
    expect([
      ...others.violations,
      ...(others.counterexample ? [others.counterexample] : []),
    ]).toEqual([])
    expect(others.verdicts.some(({ charges }) => charges > 0)).toBe(true)
  },
)
