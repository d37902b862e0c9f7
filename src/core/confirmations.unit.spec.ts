import fc from "fast-check"
import { fitConfirmations, hazardPerSecond, PRIOR } from "./confirmations"

const shopOf = (count: number, median: number, sigma: number) =>
  fitConfirmations({ count, mean: Math.log(median), variance: sigma ** 2 })

describe("what a shop's own payments teach", () => {
  it("nothing, without payments or with figures that are none", () => {
    expect(fitConfirmations(undefined)).toEqual(PRIOR)
    for (const bad of [Number.NaN, Infinity, -Infinity]) {
      expect(fitConfirmations({ count: 50, mean: bad, variance: 1 })).toEqual(PRIOR)
      expect(fitConfirmations({ count: 50, mean: 3, variance: bad })).toEqual(PRIOR)
    }
    expect(fitConfirmations({ count: 50, mean: 3, variance: -1 })).toEqual(PRIOR)
    expect(fitConfirmations({ count: 0, mean: 0, variance: 0 })).toEqual(PRIOR)
  })

  it("little at first, nearly all in the end", () => {
    const distance = (count: number) => Math.abs(shopOf(count, 60, 0.7).mu - Math.log(60))
    expect(distance(1)).toBeGreaterThan(distance(25) * 1.5)
    expect(distance(200)).toBeLessThan(0.12)
    expect(shopOf(200, 60, 0.7).sigma).toBeLessThan(PRIOR.sigma)
  })

  it("only within bounds, so that looks neither flood nor stop", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.double({ min: -1e6, max: 1e6, noNaN: true }),
        fc.double({ min: 0, max: 1e9, noNaN: true }),
        (count, mean, variance) => {
          const { mu, sigma } = fitConfirmations({ count, mean, variance })
          expect(Math.exp(mu)).toBeGreaterThan(4.99)
          expect(Math.exp(mu)).toBeLessThan(300.01)
          expect(sigma).toBeGreaterThanOrEqual(0.45)
          expect(sigma).toBeLessThanOrEqual(2)
        },
      ),
    )
  })
})

describe("the chance that a confirmation comes now", () => {
  it("is the density over what is left of it", () => {
    // At the median half is left, and the density is 1 / (t σ √2π).
    const expected = 2 / (25 * PRIOR.sigma * Math.sqrt(2 * Math.PI))
    expect(hazardPerSecond(25)).toBeCloseTo(expected, 6)
  })

  it("is a number above 0 at every age, however far out", () => {
    fc.assert(
      fc.property(fc.double({ min: 0.1, max: 4 * 86_400, noNaN: true }), (seconds) => {
        const hazard = hazardPerSecond(seconds, { mu: Math.log(5), sigma: 0.45 })
        expect(hazard).toBeGreaterThanOrEqual(0)
        expect(Number.isFinite(hazard)).toBe(true)
      }),
    )
  })

  it("has no step where the far tail begins", () => {
    const { mu, sigma } = PRIOR
    const edge = Math.exp(mu + 6 * sigma)
    expect(hazardPerSecond(edge * 1.0001) / hazardPerSecond(edge * 0.9999)).toBeCloseTo(1, 1)
  })
})
