import { entryOf, FAULT_KINDS, isFaultEntry, parsedFault } from "./entry"

test.each([
  ["500", "500:before"],
  ["500:after", "500:after"],
  ["429:date", "429:date:before"],
  ["429:30:after", "429:30:after"],
  ["503:junk", "503:junk:before"],
  ["422:text", "422:text:before"],
  ["slow:9000", "slow:9000:before"],
  ["slow:9000:after", "slow:9000:after"],
  ["drip", "drip:after"],
  ["cut", "cut:after"],
  ["cut:before", "cut:before"],
  ["cut_silently", "cut_silently:after"],
  ["redirect:302", "redirect:302:before"],
  ["huge:5000000:after", "huge:5000000:after"],
])("%p is %p in full", (entry, full) => {
  const fault = parsedFault(entry)
  expect(fault && entryOf(fault)).toBe(full)
})

test.each(FAULT_KINDS)("%s strikes before or after, as it is told to", (kind) => {
  expect(parsedFault(`${kind}:before`)).toEqual({ kind, isAfter: false })
  expect(parsedFault(`${kind}:after`)).toEqual({ kind, isAfter: true })
})

test("ok is no fault, but an entry of a script", () => {
  expect(isFaultEntry("ok")).toBe(true)
  expect(parsedFault("ok")).toBeNull()
})

test.each([
  "501",
  "500:later",
  "500:after:all",
  "500:1",
  "429:tomorrow",
  "429:-1",
  "429:1.5",
  "429:after:date",
  "422:list",
  "slow:fast",
  "slow:99999999",
  "redirect:300",
  "reset:5",
  "ok:after",
  "",
])("%p is no fault", (entry) => {
  expect(isFaultEntry(entry)).toBe(false)
  expect(() => parsedFault(entry)).toThrow("is not a fault")
})

test.each([500, null, undefined, ["500"], {}])("%p from outside is no fault", (value) => {
  expect(isFaultEntry(value)).toBe(false)
})
