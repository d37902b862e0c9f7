import { excesses, type Figure } from "./figure"

const FIGURE: Figure = {
  value: 2,
  unit: "ms",
  better: "lower",
  against: "nothing",
  limit: 2,
  samples: 1,
}

describe("a figure", () => {
  it("is within a limit that it just reaches", () => {
    expect(excesses(FIGURE)).toEqual([])
  })

  it("is beyond its limit above it where lower is better, below it where higher is", () => {
    const expected = [{ field: "value", value: 2, limit: 1 }]
    expect(excesses({ ...FIGURE, limit: 1 })).toEqual(expected)
    expect(excesses({ ...FIGURE, better: "higher", limit: 1 })).toEqual([])
  })

  it("is beyond the limit of another field, named after it", () => {
    const excess = { field: "p95", value: 6, limit: 5 }
    expect(excesses({ ...FIGURE, p95: 6, p95_limit: 5 })).toEqual([excess])
  })

  it("is beyond its limit below the least of another field, although lower is better", () => {
    const excess = { field: "lead", value: 0.9, limit: 1 }
    expect(excesses({ ...FIGURE, lead: 0.9, lead_least: 1 })).toEqual([excess])
    expect(excesses({ ...FIGURE, lead: 1, lead_least: 1 })).toEqual([])
  })

  it("is beyond its limit above the most of another field, although higher is better", () => {
    const figure = { ...FIGURE, better: "higher", limit: null } as const
    const excess = { field: "lost", value: 1, limit: 0 }
    expect(excesses({ ...figure, lost: 1, lost_most: 0 })).toEqual([excess])
    expect(excesses({ ...figure, lost: 0, lost_most: 0 })).toEqual([])
  })

  it("has no excess without a limit", () => {
    expect(excesses({ ...FIGURE, limit: null })).toEqual([])
  })

  it("is beyond its limit when it is no number, because nothing was measured", () => {
    expect(excesses({ ...FIGURE, value: Number.NaN })).toHaveLength(1)
  })
})
