/**
 * A few of the sequences that `npm run proof -- --only properties` draws: real flows in drawn
 * interleavings, over the real ledger and the gateway's book.
 */
import { runProperties } from "./run-properties"

const SEQUENCES = 6
const SEED = 1
const SHRINK_FOR_MS = 20_000

it("[I1–I4][I7][I8][B03] no promise is broken, whatever comes together in whatever order", async () => {
  const drawn = await runProperties({
    sequences: SEQUENCES,
    seed: SEED,
    shrinkForMs: SHRINK_FOR_MS,
  })
  expect([...drawn.violations, ...(drawn.counterexample ? [drawn.counterexample] : [])]).toEqual([])
  expect(drawn.verdicts).toHaveLength(SEQUENCES)
  expect(drawn.verdicts.some(({ charges }) => charges > 0)).toBe(true)
})
