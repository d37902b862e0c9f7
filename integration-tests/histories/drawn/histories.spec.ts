/**
 * A few of those that `npm run proof -- --only histories` draws: real flows in drawn
 * interleavings, over the real ledger and the gateway's book.
 */
import { runHistories } from "./run-histories"

const HISTORIES = 6
const SEED = 1
const SHRINK_FOR_MS = 20_000

it("[I1–I4][I7][I8][B03] no promise is broken, whatever comes together in whatever order", async () => {
  const drawn = await runHistories({
    count: HISTORIES,
    seed: SEED,
    shrinkForMs: SHRINK_FOR_MS,
  })
  expect([...drawn.violations, ...(drawn.counterexample ? [drawn.counterexample] : [])]).toEqual([])
  expect(drawn.verdicts).toHaveLength(HISTORIES)
  expect(drawn.verdicts.some(({ charges }) => charges > 0)).toBe(true)
})
