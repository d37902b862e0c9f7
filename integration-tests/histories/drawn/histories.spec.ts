/**
 * Some of those that `npm run proof -- --only histories` draws: real flows in drawn interleavings,
 * over the real ledger and the gateway's book.
 */
import { emptinessOf } from "./emptiness"
import { runTogether } from "./run-together"

const HISTORIES = 200
const SEED = 1
const SHRINK_FOR_MS = 20_000

it("[I1–I4][I7][I8][B03] no promise is broken, whatever comes together in whatever order", async () => {
  const { verdicts, broken } = await runTogether({
    count: HISTORIES,
    seed: SEED,
    shrinkForMs: SHRINK_FOR_MS,
  })
  if (broken) throw new Error([...broken.violations, broken.counterexample].join("\n"))
  expect(verdicts).toHaveLength(HISTORIES)
  expect(emptinessOf(verdicts)).toEqual([])
})
