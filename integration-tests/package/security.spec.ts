/**
 * SECURITY.md says what is promised and which tests hold it. A number there without a test promises
 * more than is held, and a test with a number that is not there holds what nobody is told.
 */
import fs from "node:fs"
import path from "node:path"

const ROOT = path.resolve(__dirname, "../..")
const PLACES = ["src", "integration-tests", "packages"]

/** `S` counts what has been promised from the start, `D` what a review found. */
const IN_TITLE = /\[([SD]\d+)\]/g
const IN_CELL = /\b[SD]\d+\b/g

const titles = PLACES.flatMap((place) =>
  fs
    .readdirSync(path.join(ROOT, place), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.spec\.tsx?$/.test(file) && !/node_modules|(^|\/)dist\//.test(file))
    .flatMap((file) => {
      const text = fs.readFileSync(path.join(ROOT, place, file), "utf8")
      return [...text.matchAll(IN_TITLE)].map(([, number = ""]) => number)
    }),
)

/** The last cell of each row of the tables of promises. */
function promised(): string[][] {
  const text = fs.readFileSync(path.join(ROOT, "SECURITY.md"), "utf8")
  const [, below = ""] = text.split("\n## What is promised\n")
  const [section = ""] = below.split("\n## ")
  const rows = section
    .split("\n")
    .filter((line) => /^\| [A-Z]/.test(line) && !/ Tests \|$/.test(line))
  const cells = rows.map((row) => row.split("|").at(-2) ?? "")
  return cells.map((cell) => cell.match(IN_CELL) ?? [])
}

test("each promise of SECURITY.md has tests, and SECURITY.md names each test of a promise", () => {
  expect(promised().filter((numbers) => numbers.length === 0)).toEqual([])
  expect([...new Set(promised().flat())].sort()).toEqual([...new Set(titles)].sort())
})
