import { readBenchOptions } from "./options"

const KNOWN = { all: ["first", "second", "third"], usual: ["third", "first"] }

describe("the bench's command line", () => {
  it("measures the usual figures when nothing is asked for", () => {
    expect(readBenchOptions([], KNOWN)).toEqual({
      names: ["first", "third"],
      jsonFile: undefined,
      pageFile: undefined,
      calls: undefined,
    })
  })

  it("measures all of them when they are asked for, and not beside some", () => {
    expect(readBenchOptions(["--all"], KNOWN).names).toEqual(KNOWN.all)
    expect(() => readBenchOptions(["--all", "--only", "first"], KNOWN)).toThrow(/one of the two/)
  })

  it("measures what is named, in its own order", () => {
    const { names } = readBenchOptions(["--only", "third, first"], KNOWN)
    expect(names).toEqual(["first", "third"])
  })

  it("keeps the name of the file", () => {
    expect(readBenchOptions(["--json", "out.json"], KNOWN).jsonFile).toBe("out.json")
    expect(readBenchOptions(["--page", "page.md"], KNOWN).pageFile).toBe("page.md")
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
