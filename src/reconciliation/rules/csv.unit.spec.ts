import vm from "node:vm"
import { csvLine } from "./csv"

describe("a line of a file", () => {
  it("has its cells by commas, and ends as RFC 4180 says", () => {
    expect(csvLine(["a", 1, null, "19.99", ""])).toBe("a,1,,19.99,\r\n")
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
    ["\tx", "'\tx"],
    ["\rx", '"\'\rx"'],
    ["  =1", "'  =1"],
    ["＝1", "'＝1"],
    ['=HYPERLINK("x")', '"\'=HYPERLINK(""x"")"'],
  ])("lets %j be no formula", (text, cell) => {
    expect(csvLine([text])).toBe(`${cell}\r\n`)
  })

  it.each(["-1.50", "2026-11-22T00:00:00.000Z", "a=b", "x-y"])("leaves %j as it is", (text) => {
    expect(csvLine([text])).toBe(`${text}\r\n`)
  })
})

it("is no formula either to a program that parts cells at semicolons", () => {
  expect(csvLine(["Some;=cmd|x!A1", "a; +1", "b\t@c", "x;y"])).toBe(
    "Some;'=cmd|x!A1,a; '+1,b\t'@c,x;y\r\n",
  )
})

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
