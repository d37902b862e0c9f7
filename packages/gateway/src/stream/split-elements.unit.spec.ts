/** A list cut anywhere is read as `JSON.parse` reads it whole, or not at all. */
import fc from "fast-check"
import { parseJson } from "./parse-json"
import { ElementSplitter } from "./split-elements"

const LIMIT = 1_000_000

/** The bytes in chunks that end at the given places. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length]
  ends.sort((one, other) => one - other)
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
}

/** What is read of a list; undefined where it is no whole list. */
function split(bytes: Buffer, places: readonly number[] = [], limit = LIMIT) {
  const splitter = new ElementSplitter(limit)
  const elements: unknown[] = []
  for (const chunk of cut(bytes, places)) {
    for (const text of splitter.split(chunk)) {
      const element = parseJson(text)
      if (element === undefined) return undefined
      elements.push(element)
    }
  }
  return splitter.isWhole ? elements : undefined
}

/** What the whole text is by itself; undefined where it is no list. */
function whole(bytes: Buffer) {
  const value = parseJson(bytes.toString("utf8").replace(/^\uFEFF/, ""))
  return Array.isArray(value) ? (value as unknown[]) : undefined
}

const places = fc.array(fc.nat(), { maxLength: 12 })
const text = fc.string({ unit: "binary", maxLength: 20 })
const odd = fc.constantFrom(
  '"',
  "\\",
  '\\"',
  "]",
  "[",
  "}",
  "{",
  ",",
  "é",
  "€",
  "\u{1F4B0}",
  "\\u00e9",
)
const anyText = fc.oneof(
  text,
  fc.array(odd, { maxLength: 8 }).map((parts) => parts.join("")),
)
const record = fc.dictionary(anyText, fc.oneof(fc.jsonValue(), anyText), { maxKeys: 4 })
const list = fc.array(fc.oneof(record, fc.jsonValue()), { maxLength: 8 })
const indent = fc.constantFrom(undefined, 1, "\t", "\r\n")

it("reads any list as it is read whole, wherever its bytes are cut", () => {
  const mark = fc.constantFrom("", "\uFEFF", " \n")
  fc.assert(
    fc.property(list, indent, mark, places, (value, space, before, at) => {
      const bytes = Buffer.from(`${before}${JSON.stringify(value, null, space)} \n`)
      expect(split(bytes, at)).toEqual(whole(bytes))
    }),
  )
})

it("is cut at each of its bytes without a change, also within a sign and an escape", () => {
  const bytes = Buffer.from(
    '[{"a":"é\\"]},[\\\\","b":[1,[2,"\u{1F4B0}"],{}]}, "\\u00e9" ,-1.5e3,null,[]]',
  )
  const expected = whole(bytes)
  expect(expected).toHaveLength(5)
  for (let at = 0; at <= bytes.length; at++) expect(split(bytes, [at])).toEqual(expected)
  expect(split(bytes, [...bytes.keys()])).toEqual(expected)
})

it("takes no text for a list that is none, and no part of a list for the whole", () => {
  const change = fc.record({
    at: fc.nat(),
    remove: fc.nat({ max: 3 }),
    insert: fc.oneof(odd, fc.constantFrom("", " ", ",,", "null", "1 2")),
  })
  fc.assert(
    fc.property(list, change, places, (value, { at, remove, insert }, cuts) => {
      const good = JSON.stringify(value)
      const start = at % (good.length + 1)
      const bytes = Buffer.from(good.slice(0, start) + insert + good.slice(start + remove))
      expect(split(bytes, cuts)).toEqual(whole(bytes))
    }),
    { numRuns: 1_000 },
  )
})

it.each([
  "",
  " ",
  "[",
  "[1",
  "[1,",
  "[1,]",
  "[,1]",
  "[,]",
  "[1]]",
  "[1] 2",
  "[{]",
  "[}]",
  "{}",
  "<p>",
])("%j is no whole list", (body) => {
  expect(split(Buffer.from(body))).toBeUndefined()
})

it("stops at an element that is longer than it may be, before it has ended", () => {
  const splitter = new ElementSplitter(100)
  const chunk = Buffer.from("x".repeat(60))
  const read = (bytes: Buffer) => [...splitter.split(bytes)]
  expect(read(Buffer.from(`["${"y".repeat(90)}","`))).toHaveLength(1)
  expect(read(chunk)).toEqual([])
  expect(splitter.brokenBy).toBeUndefined()
  expect(read(chunk)).toEqual([])
  expect(splitter.brokenBy).toBe("too_large")
  expect(read(Buffer.from('"]'))).toEqual([])
  expect(splitter.isWhole).toBe(false)
})
