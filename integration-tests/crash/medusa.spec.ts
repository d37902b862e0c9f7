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

it("each call of the ports to Medusa has its entry", () => {
  expect(Object.keys(MEDUSA_CALLS).sort()).toEqual(declared().sort())
})

it("each journey comes to the call that goes wrong, so that none passes because nothing happened", () => {
  expect(verdicts.filter(({ hasStruck }) => !hasStruck).map(({ name }) => name)).toEqual([])
})

it.each([
  ["no promise is broken where nothing goes wrong", undefined],
  ["[M08] no promise is broken when Medusa throws before it has done anything", "M08"],
  ["[M09] no promise is broken when Medusa throws after it has done its work", "M09"],
  ["[M10] no worker waits past the bound when Medusa does not answer", "M10"],
  ["[M11] no promise is broken when Medusa takes half a minute", "M11"],
  ["[M12] no promise is broken when Medusa does half of its work", "M12"],
  ["[M13] no promise is broken when Medusa answers an older state", "M13"],
])("%s", (_name, of) => {
  const played = verdicts.filter(({ id }) => id === of)
  expect(played.length).toBeGreaterThan(0)
  const broken = played.flatMap(({ name, violations }) => violations.map((v) => `${name}: ${v}`))
  expect(broken).toEqual([])
})

it("every fault of Medusa is played", () => {
  const ids = new Set(verdicts.flatMap(({ id }) => id ?? []))
  expect([...ids].sort()).toEqual(Object.values(MEDUSA_FAULTS).sort())
})
