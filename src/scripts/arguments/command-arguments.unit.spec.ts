import { readArguments } from "./command-arguments"

it("takes days as their first moment in UTC, moments as they are", () => {
  expect(readArguments(["from=2026-11-01", "to=2026-11-08T14:00+02:00"])).toEqual({
    from: new Date("2026-11-01T00:00:00Z"),
    to: new Date("2026-11-08T12:00:00Z"),
    jsonFile: undefined,
  })
  expect(readArguments(["json=a b=c.json"])).toMatchObject({ jsonFile: "a b=c.json" })
  expect(readArguments([])).toEqual({ from: undefined, to: undefined, jsonFile: undefined })
})

it.each([
  [["form=2026-11-01"], '"form=2026-11-01" is no option'],
  [["--from", "2026-11-01"], '"--from" is no option'],
  [["2026-11-01"], '"2026-11-01" is no option'],
  [["json="], "json= wants a value"],
  [["from=yesterday"], "from= is a day"],
  [["to=2026-13-01"], "to= is a day"],
  [["to=2026-11-08T14:00"], "to= is a day"],
  [["from=2026-11-08", "to=2026-11-08"], "from= has to be before to="],
])("refuses %j with a sentence", (given, sentence) => {
  expect(() => readArguments(given)).toThrow(sentence)
})
