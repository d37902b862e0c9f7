import vm from "node:vm"
import fc from "fast-check"
import { csvTable, type ColumnKind, type Separator } from "./csv"

/** A line whose cells are all texts. */
const csvLine = (cells: readonly (string | null)[], separator?: Separator) =>
  csvTable(Object.fromEntries(cells.map((_, at) => [`c${at}`, "text"])), separator).line(
    Object.fromEntries(cells.map((cell, at) => [`c${at}`, cell])),
  )

describe("a line of a file", () => {
  it("has its cells by commas, and ends as RFC 4180 says", () => {
    expect(csvLine(["a", "b", null, "x1", ""])).toBe("a,b,,x1,\r\n")
  })

  it.each([
    ["a,b", '"a,b"'],
    ['say "hello"', '"say ""hello"""'],
    ["two\nlines", '"two\nlines"'],
    ["two\r\nlines", '"two\r\nlines"'],
  ])("puts %j into quotes", (text, cell) => {
    expect(csvLine([text])).toBe(`${cell}\r\n`)
  })

  it.each([
    ["=1+1", "'=1+1"],
    ["+231886", "'+231886"],
    ["-cmd", "'-cmd"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\tx", '"\'\tx"'],
    ["\rx", '"\'\rx"'],
    ["  =1", "'  '=1"],
    ["＝1", "'＝1"],
    ["\uFE66 1", "'\uFE66 1"],
    ["\u2212cmd", "'\u2212cmd"],
    ["\u200B=1", "'\u200B=1"],
    ["\u0001@x", "'\u0001@x"],
    ['=HYPERLINK("x")', '"\'=HYPERLINK(""x"")"'],
  ])("lets %j be no formula", (text, cell) => {
    expect(csvLine([text])).toBe(`${cell}\r\n`)
  })

  it.each(["2026-11-22T00:00:00.000Z", "a=b", "x-y", "12 Main Street", "'007"])(
    "leaves %j as it is",
    (text) => {
      expect(csvLine([text])).toBe(`${text}\r\n`)
    },
  )
})

/** What a spreadsheet program shows of digits as something else: rounded, cut, or as a day. */
const DIGITS = [
  ...["007", "0", "12", "1234567890123456", "2519876543210987654321", "0042", "12.50", "12,50"],
  ...["1E5", "12e45", "1.5E+10", "1/2", "10-11-12", "12:30", "50 %", "1 234", "1\u00A0234", "$5"],
  ...["(12)", "\u0660\u0661", "\uFF11\uFF12", " 12 ", "-5", "+231 88 600", "2026-11-22"],
]

it.each(DIGITS)("keeps %j in a column of texts as it is written, behind an apostrophe", (text) => {
  for (const separator of [",", ";"] as const) {
    const line = csvLine(["a", text, "b"], separator)
    expect(cellsOf(line.trimEnd(), separator)).toEqual(["a", `'${text}`, "b"])
  }
})

/** The cell that a column of a kind makes of a text. */
const cellOf = (kind: ColumnKind, text: string) =>
  csvTable({ it: kind }, ";").line({ it: text }).trimEnd()

it.each(["0", "-1.50", "5601.12", "5601,12", "1000", "999999999999999", "0.005312345678901234"])(
  "leaves %j in a column of numbers a number",
  (text) => {
    expect(cellOf("number", text)).toBe(text)
  },
)

it.each(["007", "1234567890123456", "=1", "1E5", "12-3", "2026-11-22", "-00.5", "+5"])(
  "takes %j in a column of numbers, such as a shop's own order number, for a text",
  (text) => {
    expect(cellOf("number", text)).toBe(`'${text}`)
  },
)

it("leaves days and times in their columns what they are, and a formula there a text", () => {
  for (const text of ["2026-11-22", "12:30:00", "2026-11-22T00:00:00.000+02:00"]) {
    expect(cellOf("time", text)).toBe(text)
  }
  expect(cellOf("time", "=1+1")).toBe("'=1+1")
})

it("marks what would begin a formula where a program cuts at another separator", () => {
  const cells = ["Some;=cmd|x!A1", "a; +1", "b\t@c", "x;y", 'x;"=1+1;y', "a, -1", "- and =2"]
  expect(csvLine(cells, ";")).toBe(
    `"Some;'=cmd|x!A1";"a; '+1";"b\t'@c";"x;y";"x;""'=1+1;y";"a, '-1";'- and '=2\r\n`,
  )
})

/** As spreadsheet programs cut a file: a quote opens a cell only where it is the first sign of it. */
function cellsOf(file: string, separators: string): string[] {
  const cells: string[] = []
  let cell = ""
  let isQuoted = false
  let isBegun = false
  for (let at = 0; at < file.length; at++) {
    const sign = file.charAt(at)
    if (isQuoted && sign === '"' && file[at + 1] === '"') cell += file.charAt(++at)
    else if (isQuoted && sign === '"') isQuoted = false
    else if (isQuoted) cell += sign
    else if (separators.includes(sign) || sign === "\n" || sign === "\r") {
      cells.push(cell)
      cell = ""
      isBegun = false
      continue
    } else if (!isBegun && sign === '"') isQuoted = true
    else cell += sign
    isBegun = true
  }
  return [...cells, cell]
}

const SIGNS = [..."=+-@;,|\t\n\r\" 'a1\uFF1D\uFE63\u2212\u00A0\u200B\u0001"]
const cell = fc.string({ unit: fc.constantFrom(...SIGNS), maxLength: 12 })
const sentAway = (cut: string) =>
  cut === " " || cut === "\u00A0"
    ? /^["\s\p{C}]*[=@\uFF1D\uFF20]/u
    : /^["\s\p{C}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\uFE62\uFE63\u2212]/u

it.each([[";"], [","], ["\t"], ["|"], [" "], ["\u00A0"], [";,\t"], [";,\t|"]])(
  "[D12] no cell begins a formula, whatever the cells hold, in a program that cuts at %j",
  (cut) => {
    fc.assert(
      fc.property(
        fc.array(cell, { minLength: 1, maxLength: 5 }),
        fc.constantFrom(",", ";"),
        (cells, made) => {
          const line = csvLine(cells, made) + csvLine(["x", ...cells], made)
          const formulas = cellsOf(line, cut).filter(
            (found) => sentAway(cut).test(found) && !/^-?\d+([.,]\d+)?([,;]|$)/.test(found),
          )
          expect(formulas).toEqual([])
          if (made === cut) expect(cellsOf(line, cut)).toHaveLength(2 * cells.length + 4)
        },
      ),
      { numRuns: 2000 },
    )
  },
)

it.each([
  ["tabs", "\t"],
  ["semicolons", ";"],
  ["semicolons and spaces", "; "],
  ["spaces", " "],
  ["quotes", '"'],
])("[S27] a cell of a million %s is read once, not once from each of them", (_what, sign) => {
  const text = `x${sign.repeat(1_000_000)}x`
  // A square of its length would take hours: the bound says stuck, and can end a stuck expression.
  const line: unknown = vm.runInNewContext(
    "csvLine([text])",
    { csvLine, text },
    { timeout: 60_000 },
  )
  expect(String(line).length).toBeGreaterThan(text.length)
})
