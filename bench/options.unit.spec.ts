import { readBenchOptions } from "./options"

const KNOWN = ["first", "second", "third"]

describe("the bench's command line", () => {
  it("measures everything when nothing is asked for", () => {
    expect(readBenchOptions([], KNOWN)).toEqual({ names: KNOWN, jsonFile: undefined })
  })

  it("measures what is named, in its own order", () => {
    const { names } = readBenchOptions(["--only", "third, first"], KNOWN)
    expect(names).toEqual(["first", "third"])
  })

  it("keeps the name of the file", () => {
    expect(readBenchOptions(["--json", "out.json"], KNOWN).jsonFile).toBe("out.json")
  })

  it("refuses a figure that does not exist, naming those that do", () => {
    expect(() => readBenchOptions(["--only", "fourth"], KNOWN)).toThrow(/fourth.*first, second/)
  })
})
