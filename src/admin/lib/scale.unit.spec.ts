import fc from "fast-check"
import { scaleLines } from "./scale"

it.each([
  [1, [0, 0.2, 0.4, 0.6, 0.8, 1]],
  [0.6, [0, 0.2, 0.4, 0.6]],
  [3.6, [0, 1, 2, 3, 4]],
  [7_950.93, [0, 2_000, 4_000, 6_000, 8_000]],
  [19_352, [0, 5_000, 10_000, 15_000, 20_000]],
  [0, [0, 0.2, 0.4, 0.6, 0.8, 1]],
])("a scale up to %d has its lines at %j", (highest, lines) => {
  expect(scaleLines(highest)).toEqual(lines)
})

it("a scale holds its highest value, wastes less than one part, and is told in round numbers", () => {
  const highest = fc.double({ min: 1e-6, max: 1e12, noNaN: true })
  fc.assert(
    fc.property(highest, (value) => {
      const lines = scaleLines(value)
      const [first, step = 0] = lines
      const end = lines.at(-1) ?? 0
      expect(first).toBe(0)
      expect(lines.length).toBeGreaterThanOrEqual(2)
      expect(lines.length).toBeLessThanOrEqual(6)
      const slack = 1e-9 * value
      expect(end).toBeGreaterThanOrEqual(value - slack)
      expect(end - step).toBeLessThan(value + slack)
      expect(["1", "2", "5"]).toContain(step.toExponential().split("e")[0])
      for (const [n, line] of lines.entries()) expect(line).toBeCloseTo(n * step, 6)
    }),
  )
})
