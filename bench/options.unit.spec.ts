import { readBenchOptions } from "./options"

const KNOWN = ["first", "second", "third"]

describe("the bench's command line", () => {
  it("measures everything when nothing is asked for", () => {
    expect(readBenchOptions([], KNOWN)).toEqual({
      names: KNOWN,
      jsonFile: undefined,
      calls: undefined,
    })
  })

  it("measures what is named, in its own order", () => {
    const { names } = readBenchOptions(["--only", "third, first"], KNOWN)
    expect(names).toEqual(["first", "third"])
  })

  it("keeps the name of the file", () => {
    expect(readBenchOptions(["--json", "out.json"], KNOWN).jsonFile).toBe("out.json")
  })

  it("takes a number of calls, and nothing else for one", () => {
    expect(readBenchOptions(["--calls", "50000"], KNOWN).calls).toBe(50_000)
    for (const calls of ["0", "-1", "1.5", "many", ""]) {
      expect(() => readBenchOptions([`--calls=${calls}`], KNOWN)).toThrow(/whole number above 0/)
    }
  })

  it("refuses a figure that does not exist, naming those that do", () => {
    expect(() => readBenchOptions(["--only", "fourth"], KNOWN)).toThrow(/fourth.*first, second/)
  })
})
