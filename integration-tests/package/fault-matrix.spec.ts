/**
 * The list of what can go wrong, and the tests: each fault that `docs/faults.md` names has a test
 * whose name begins with its id, and no test has an id that the list has not.
 */
import { execFileSync } from "node:child_process"
import fs from "node:fs"
import path from "node:path"

const ROOT = path.resolve(__dirname, "../..")
const read = (file: string) => fs.readFileSync(path.join(ROOT, file), "utf8")

/** Tests that take their names from a table, and the files that it is in. */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  "integration-tests/faults/call-sites.spec.ts": ["integration-tests/faults/fault-table.ts"],
  "integration-tests/faults/commit.spec.ts": ["integration-tests/faults/commit.spec.ts"],
  "src/core/business-cases.unit.spec.ts": [
    "integration-tests/support/business-cases-paying.ts",
    "integration-tests/support/business-cases-paid.ts",
    "integration-tests/support/business-cases-prompt.ts",
  ],
}

type Row = { readonly id: string; readonly case: string; readonly follows: string }
const ROWS = [...read("docs/faults.md").matchAll(/^\| ([NPBSM]\d\d) (.*)\|$/gm)].map(
  ([, id = "", rest = ""]): Row => {
    const [, about = "", follows = ""] = rest.split("|").map((cell) => cell.trim())
    return { id, case: about, follows }
  },
)
const ALL = ROWS.map(({ id }) => id)

const SPECS = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "*.spec.ts"], {
  cwd: ROOT,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => file !== "" && fs.existsSync(path.join(ROOT, file)))

const NAMED = new Map(SPECS.map((file) => [file, idsInNames(file)]))

describe("the list of faults", () => {
  it("has every id once, in order, with a case and what follows", () => {
    const letters = [...new Set(ALL.map(([letter]) => letter))]
    const inOrder = letters.flatMap((letter) => ALL.filter((id) => id[0] === letter).sort())
    expect(ALL).toEqual([...new Set(inOrder)])
    expect(ROWS.filter((row) => row.case === "" || row.follows === "")).toEqual([])
  })

  it("has a test for each of them", () => {
    const tested = new Set([...NAMED.values()].flatMap((ids) => [...ids]))
    expect(ALL.filter((id) => !tested.has(id))).toEqual([])
  })

  it("knows every id that a test has in its name", () => {
    const unknown = [...NAMED].flatMap(([file, ids]) =>
      [...ids].filter((id) => !ALL.includes(id)).map((id) => `${file}: ${id}`),
    )
    expect(unknown).toEqual([])
  })

  it.each(Object.entries(TABLES))("%s takes its names from a table with ids", (spec, tables) => {
    expect(read(spec)).toMatch(/["`]\[(\$id|%s)\] /)
    for (const table of tables) expect(idsOfTable(table).size).toBeGreaterThan(0)
  })
})

it("docs/reliability.md says where Medusa does each thing that a comment or a test gives as its reason", () => {
  const table = read("docs/reliability.md").matchAll(
    /^\| (H\d+) \|[^|]+\|[^|]+\| \w+ \([\w-]+, [^|]*\.js\)[^|]* \|[^|]+\|$/gm,
  )
  const rows = new Set([...table].map(([, id]) => id))
  const named = execFileSync("git", ["grep", "-hoE", "\\bH[0-9]{1,2}\\b", "--", "*.ts"], {
    cwd: ROOT,
    encoding: "utf8",
  })
  expect([...new Set(named.trim().split("\n"))].filter((id) => !rows.has(id))).toEqual([])
  expect(rows.size).toBeGreaterThan(0)
})

/** Of the texts of a test file, not of its comments. `[P01–P07]` is seven ids. */
function idsInNames(file: string): Set<string> {
  const text = read(file)
    .replace(/^\s*\/\*\*[\s\S]*?\*\//gm, "")
    .replace(/^\s*\/\/.*$/gm, "")
  const ids = new Set(TABLES[file]?.flatMap((table) => [...idsOfTable(table)]))
  for (const [, letter = "", first, last] of text.matchAll(
    /\[([NPBSM])(\d\d)(?:–[NPBSM](\d\d))?\]/g,
  )) {
    for (let number = Number(first); number <= Number(last ?? first); number++) {
      ids.add(idOf(letter, number))
    }
  }
  return ids
}

function idsOfTable(file: string): Set<string> {
  return new Set([...read(file).matchAll(/"([NPBSM]\d\d)"/g)].map(([, id = ""]) => id))
}

function idOf(letter: string, number: number): string {
  return `${letter}${String(number).padStart(2, "0")}`
}
