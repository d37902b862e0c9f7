/**
 * The names of the failpoints, against the source and against the matrix: one that is nowhere, or twice,
 * or that no scenario dies at, would be a hole in the proof that nobody sees.
 */
import fs from "node:fs"
import path from "node:path"
import ts from "typescript"
import { fullMatrix, shortMatrix } from "./matrix"

const ROOT = path.resolve(__dirname, "../..")

/** The members of the union `FailpointName`, read from the port itself. */
function declaredNames(): string[] {
  const text = fs.readFileSync(path.join(ROOT, "src/core/ports.ts"), "utf8")
  const source = ts.createSourceFile("ports.ts", text, ts.ScriptTarget.ES2022, true)
  const names: string[] = []
  source.forEachChild((node) => {
    if (!ts.isTypeAliasDeclaration(node) || node.name.text !== "FailpointName") return
    if (!ts.isUnionTypeNode(node.type)) return
    for (const member of node.type.types) {
      if (ts.isLiteralTypeNode(member) && ts.isStringLiteral(member.literal)) {
        names.push(member.literal.text)
      }
    }
  })
  return names
}

/** Every `failpoints.at("…")` of the product. */
function passedNames(): string[] {
  const folder = path.join(ROOT, "src")
  return fs
    .readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => fs.readFileSync(path.join(entry.parentPath, entry.name), "utf8"))
    .flatMap((text) => [...text.matchAll(/failpoints\.at\("([^"]+)"\)/g)])
    .map(([, name]) => name ?? "")
}

const names = declaredNames()

it("there are failpoints", () => {
  expect(names.length).toBeGreaterThan(60)
})

it("each failpoint is passed at exactly one place of the source", () => {
  expect(passedNames().sort()).toEqual([...names].sort())
})

it("each failpoint is a moment of death of the matrix, also of its short form", () => {
  for (const matrix of [fullMatrix(1), shortMatrix(1)]) {
    const dying = new Set<string>(matrix.map(({ death }) => death?.at ?? ""))
    expect(names.filter((name) => !dying.has(name))).toEqual([])
  }
})

it("the matrix has the scenarios that were promised, each by another name", () => {
  const scenarios = fullMatrix(1)
  expect(scenarios.length).toBeGreaterThanOrEqual(250)
  const told = scenarios.map(({ story, script, death }) =>
    [story.name, script.name, death?.at, death?.by].join(", "),
  )
  expect(new Set(told).size).toBe(told.length)
})
