import { logNormalSlices, median, percentile, shuffled } from "./statistics"

describe("the figures' statistics", () => {
  it("take the middle of an odd number, and the mean of the two in the middle of an even one", () => {
    expect(median([9, 1, 5])).toBe(5)
    expect(median([4, 1, 3, 2])).toBe(2.5)
  })

  it("have no median of nothing", () => {
    expect(median([])).toBeNaN()
    expect(percentile([], 0.95)).toBeNaN()
  })

  it("take the smallest value that the share does not exceed", () => {
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index)
    expect(percentile(hundred, 0.95)).toBe(95)
    expect(percentile([7], 0.95)).toBe(7)
  })

  it("slice a log-normal distribution with its median and its 95th percentile", () => {
    const slices = logNormalSlices(25, 240, 1_000)
    expect(median(slices)).toBeCloseTo(25, 1)
    expect(slices.filter((value) => value < 240)).toHaveLength(950)
  })

  it("mix the same way for the same seed and lose nothing", () => {
    const values = [1, 2, 3, 4, 5, 6, 7, 8]
    expect(shuffled(values, 1)).toEqual(shuffled(values, 1))
    expect(shuffled(values, 1)).not.toEqual(values)
    expect(shuffled(values, 1).sort()).toEqual(values)
  })
})
