/**
 * Each fault of Medusa's strikes a call that reads and one that writes. Every call meets every fault
 * that can strike it, in every journey, by `npm run proof -- --only crash`.
 */
import fs from "node:fs"
import path from "node:path"
import ts from "typescript"
import { MEDUSA_CALLS } from "./medusa-calls"
import { MEDUSA_FAULTS } from "./medusa-faults"
import { runMedusa, type MedusaVerdict } from "./run-medusa"

/** The file that declares what Medusa is asked through, and the parts of it that are struck. */
const PORT_FILE = path.resolve(__dirname, "../../src/engine/medusa-port.ts")
const PORTS = ["MedusaPort", "MedusaRefundRecords", "MedusaRefunds"]

/** The methods of the ports, read from the ports themselves. */
function declared(): string[] {
  const names: string[] = []
  const text = fs.readFileSync(PORT_FILE, "utf8")
  ts.createSourceFile(PORT_FILE, text, ts.ScriptTarget.ES2022, true).forEachChild((node) => {
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
})

it("each call of the ports has its entry", () => {
  expect(Object.keys(MEDUSA_CALLS).sort()).toEqual(declared().sort())
})

it("each journey comes to the call that goes wrong: none passes because nothing happened", () => {
  expect(verdicts.filter(({ hasStruck }) => !hasStruck).map(({ name }) => name)).toEqual([])
})

it.each([
  ["where nothing goes wrong, no promise is broken", undefined],
  ["[M08] whenever Medusa throws before it has done anything, no promise is broken", "M08"],
  ["[M09] whenever Medusa throws after it has done it, no promise is broken", "M09"],
  ["[M10] whenever Medusa does not answer, nobody waits for it past the bound", "M10"],
  ["[M11] whenever Medusa takes half a minute, no promise is broken", "M11"],
  ["[M12] whenever Medusa does half, no promise is broken", "M12"],
  ["[M13] whenever Medusa answers what was so before, no promise is broken", "M13"],
])("%s", (_name, of) => {
  const played = verdicts.filter(({ id }) => id === of)
  expect(played.length).toBeGreaterThan(0)
  const broken = played.flatMap(({ name, violations }) => violations.map((v) => `${name}: ${v}`))
  expect(broken).toEqual([])
})

it("all faults are played", () => {
  const ids = new Set(verdicts.flatMap(({ id }) => id ?? []))
  expect([...ids].sort()).toEqual(Object.values(MEDUSA_FAULTS).sort())
})
