/**
 * A mutant whose text is gone from the source breaks nothing, and would be noticed only when the
 * long proof runs. What the mutants do is played by `npm run proof -- --only mutants`.
 */
import fs from "node:fs"
import path from "node:path"
import { MUTANTS } from "./mutant-table"

const ROOT = path.resolve(__dirname, "../..")

it("there are at least eight rules that are broken on purpose, each by a name of its own", () => {
  expect(MUTANTS.length).toBeGreaterThanOrEqual(8)
  expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length)
})

it.each(MUTANTS.map((mutant) => [mutant.name, mutant] as const))(
  "%s: each patch changes exactly one place, and some scenario has to notice",
  (_name, { patches, scenarios }) => {
    expect(scenarios.length).toBeGreaterThan(0)
    expect(patches.length).toBeGreaterThan(0)
    for (const { file, find, replace } of patches) {
      const places = fs.readFileSync(path.join(ROOT, file), "utf8").split(find).length - 1
      expect([file, places]).toEqual([file, 1])
      expect(replace).not.toBe(find)
    }
  },
)
