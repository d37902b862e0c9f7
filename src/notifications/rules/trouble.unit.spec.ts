import fc from "fast-check"
import { LIMITS } from "../../core/limits"
import { isInTrouble, recoveryOf } from "./trouble"

const counts = fc.nat({ max: 50 })

it("an operator's trouble never begins and ends by the same payments, and few begin none", () => {
  fc.assert(
    fc.property(counts, counts, counts, counts, (failed, completed, others, underWay) => {
      const tries = { failed, completed, ended: failed + completed + others, underWay }
      expect(isInTrouble(tries) && recoveryOf(tries) !== null).toBe(false)
      if (tries.ended < LIMITS.operatorTroubleLeast) expect(isInTrouble(tries)).toBe(false)
      if (failed > 0 && completed === 0) expect(recoveryOf(tries)).toBe(null)
    }),
  )
})

it("without a failure nothing begins, and once nothing is under way all is over", () => {
  fc.assert(
    fc.property(counts, counts, (completed, others) => {
      const tries = { failed: 0, completed, ended: completed + others, underWay: 0 }
      expect(isInTrouble(tries)).toBe(false)
      expect(recoveryOf(tries)).toBe(completed > 0 ? "payments" : "quiet")
    }),
  )
})

it.each([
  ["most of five failed", { ended: 5, failed: 3, completed: 2, underWay: 0 }, true, null],
  ["four are too few", { ended: 4, failed: 4, completed: 0, underWay: 0 }, false, null],
  ["half of them is not most", { ended: 6, failed: 3, completed: 3, underWay: 0 }, false, null],
  ["few fail again", { ended: 9, failed: 2, completed: 1, underWay: 3 }, false, "payments"],
  [
    "one that is under way is waited for",
    { ended: 0, failed: 0, completed: 0, underWay: 1 },
    false,
    null,
  ],
  ["none was tried", { ended: 0, failed: 0, completed: 0, underWay: 0 }, false, "quiet"],
])("%s", (_name, tries, begins, ends) => {
  expect([isInTrouble(tries), recoveryOf(tries)]).toEqual([begins, ends])
})
