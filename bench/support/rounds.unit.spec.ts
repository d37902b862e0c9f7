import { fromRounds, ratiosOf, type Round } from "./rounds"

const reading = (cpuMs: number) => ({ cpuMs, elapsedMs: 1, rssBytes: 0 })
const ROUNDS: readonly Round[] = [
  new Map([
    ["client", reading(3)],
    ["undici", reading(2)],
  ]),
  new Map([["client", reading(5)]]),
]

describe("what was read in rounds", () => {
  it("keeps the order of the rounds, and a hole where nobody read", () => {
    expect(fromRounds(ROUNDS, "client", ({ cpuMs }) => cpuMs)).toEqual([3, 5])
    expect(fromRounds(ROUNDS, "undici", ({ cpuMs }) => cpuMs)).toEqual([2, Number.NaN])
  })

  it("is compared within each round", () => {
    expect(ratiosOf([3, 8], [2, 4])).toEqual([1.5, 2])
  })

  it("compares with nothing as no number, not as a good one", () => {
    expect(ratiosOf([3, 8], [2])).toEqual([1.5, Number.NaN])
  })
})
