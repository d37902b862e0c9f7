import { isBroken, type ScenarioResult } from "./proof"

const quiet: ScenarioResult = {
  scenarios: 2,
  kills: 2,
  faults: 1,
  violations: 0,
  seed: 1,
  seconds: 1,
  examples: [],
}

it("a proof is broken by one violation, and by one mutant that survives", () => {
  expect(isBroken(quiet)).toBe(false)
  expect(isBroken({ ...quiet, violations: 1 })).toBe(true)
  expect(isBroken({ scenarios: 3, caught: 3, survived: 0, survivors: [] })).toBe(false)
  expect(isBroken({ scenarios: 3, caught: 2, survived: 1, survivors: ["a rule"] })).toBe(true)
})
