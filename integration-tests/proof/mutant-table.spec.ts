/**
 * A mutant whose text is gone from the source breaks nothing, and would be noticed only when the
 * long proof runs. What the mutants do is played by `npm run proof -- --only mutants`.
 */
import fs from "node:fs"
import path from "node:path"
import { MUTANTS } from "./mutant-table"
import { COPIED } from "./mutants"

const ROOT = path.resolve(__dirname, "../..")
const NOT_THERE = { throwIfNoEntry: false }

it("at least eight rules are broken on purpose, each under its own name", () => {
  expect(MUTANTS.length).toBeGreaterThanOrEqual(8)
  expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length)
})

it.each(MUTANTS.map((mutant) => [mutant.name, mutant] as const))(
  'each patch of the mutant "%s" changes exactly one place, and something has to notice',
  (_name, { patches, scenarios, histories = 0 }) => {
    expect(scenarios.length + histories).toBeGreaterThan(0)
    expect(patches.length).toBeGreaterThan(0)
    for (const { file, find, replace } of patches) {
      const places = fs.readFileSync(path.join(ROOT, file), "utf8").split(find).length - 1
      expect([file, places]).toEqual([file, 1])
      expect(replace).not.toBe(find)
    }
  },
)

it("the script that plays a mutant imports nothing that its copy lacks", () => {
  const seen = new Set<string>()
  const missing: string[] = []
  const visit = (file: string) => {
    if (seen.has(file)) return
    seen.add(file)
    if (!COPIED.some((one) => file === one || file.startsWith(`${one}/`))) missing.push(file)
    const text = fs.readFileSync(path.join(ROOT, file), "utf8")
    for (const [, to = ""] of text.matchAll(
      /^(?:import|export) (?!type )(?:[^"]* from )?"(\.[^"]+)"/gm,
    )) {
      const found = path.join(path.dirname(file), to)
      const ends = ["", ".ts", "/index.ts"].map((end) => found + end)
      visit(ends.find((one) => fs.statSync(path.join(ROOT, one), NOT_THERE)?.isFile()) ?? found)
    }
  }
  visit("integration-tests/proof/play-mutant.ts")
  expect(seen.size).toBeGreaterThan(100)
  expect(missing).toEqual([])
})
