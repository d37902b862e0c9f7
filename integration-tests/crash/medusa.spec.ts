/**
 * Every call of Medusa's port meets every fault that can strike it, in one journey; in every
 * journey, at its first and its last moment, it is played by `npm run proof -- --only crash`.
 */
import fs from "node:fs"
import path from "node:path"
import ts from "typescript"
import { MEDUSA_CALLS } from "./medusa-calls"
import { MEDUSA_FAULTS } from "./medusa-faults"
import { runMedusa, type MedusaVerdict } from "./run-medusa"

/** The file that declares what Medusa is asked through, and the parts of it that are struck. */
const HOST = path.resolve(__dirname, "../../src/engine/host.ts")
const PORTS = ["Host", "HostRefundRecords", "HostRefunds"]

/** The methods of the ports, read from the ports themselves. */
function declared(): string[] {
  const names: string[] = []
  const text = fs.readFileSync(HOST, "utf8")
  ts.createSourceFile(HOST, text, ts.ScriptTarget.ES2022, true).forEachChild((node) => {
    if (!ts.isTypeAliasDeclaration(node) || !PORTS.includes(node.name.text)) return
    const parts = ts.isIntersectionTypeNode(node.type) ? node.type.types : [node.type]
    for (const member of parts.flatMap((one) => (ts.isTypeLiteralNode(one) ? one.members : []))) {
      if (member.name && ts.isIdentifier(member.name)) names.push(member.name.text)
    }
  })
  return names
}

let verdicts: MedusaVerdict[]

beforeAll(async () => {
  verdicts = await runMedusa({ seed: 1, isShort: true })
}, 1_800_000)

it("each call of the ports has its entry, and is made by some journey", () => {
  expect(Object.keys(MEDUSA_CALLS).sort()).toEqual(declared().sort())
  const met = new Set(verdicts.flatMap(({ calls }) => [...calls]))
  expect([...met].sort()).toEqual(declared().sort())
})

it("each journey comes to the call that goes wrong: none passes because nothing happened", () => {
  expect(verdicts.filter(({ hasStruck }) => !hasStruck).map(({ name }) => name)).toEqual([])
})

const brokenOf = (id: string | undefined) =>
  verdicts
    .filter((verdict) => verdict.id === id)
    .flatMap(({ name, violations }) => violations.map((violation) => `${name}: ${violation}`))

it("where nothing goes wrong, no promise is broken", () => {
  expect(brokenOf(undefined)).toEqual([])
})

const played = (id: string) => verdicts.filter((verdict) => verdict.id === id).length

it("[M08] whenever Medusa throws before it has done anything, no promise is broken", () => {
  expect(played("M08")).toBe(Object.keys(MEDUSA_CALLS).length)
  expect(brokenOf("M08")).toEqual([])
})

it("[M09] whenever Medusa throws after it has done it, no promise is broken", () => {
  expect(played("M09")).toBeGreaterThanOrEqual(15)
  expect(brokenOf("M09")).toEqual([])
})

it("[M10] whenever Medusa does not answer, nobody waits for it past the bound, and no promise is broken", () => {
  expect(played("M10")).toBe(Object.keys(MEDUSA_CALLS).length)
  expect(brokenOf("M10")).toEqual([])
})

it("[M11] whenever Medusa takes half a minute, no promise is broken", () => {
  expect(played("M11")).toBe(Object.keys(MEDUSA_CALLS).length)
  expect(brokenOf("M11")).toEqual([])
})

it("[M12] whenever Medusa does half, no promise is broken", () => {
  expect(played("M12")).toBeGreaterThanOrEqual(8)
  expect(brokenOf("M12")).toEqual([])
})

it("[M13] whenever Medusa answers what was so before, no promise is broken", () => {
  expect(played("M13")).toBeGreaterThanOrEqual(3)
  expect(brokenOf("M13")).toEqual([])
})

it("all faults are played", () => {
  const ids = new Set(verdicts.flatMap(({ id }) => id ?? []))
  expect([...ids].sort()).toEqual(Object.values(MEDUSA_FAULTS).sort())
})
