import { allowance, type Credit } from "./allowance"

const KEYS = 20_000
const MOST = 1_000

const limited = (keysMax: number, credits = new Map<string, Credit>()) =>
  allowance({ monotonicMs: () => 0 }, { atOnce: 1, earnedBackMs: 1_000, keysMax }, credits)

const kilobytes = (kept: ReadonlyMap<string, unknown>) =>
  [...kept.keys()].reduce((sum, key) => sum + key.length, 0) / 1_024

describe("[S21] what is remembered of strangers", () => {
  it("is bounded in bytes, whatever they send", () => {
    const credits = new Map<string, Credit>()
    const limit = limited(MOST, credits)
    const junk = "x".repeat(14_000)
    for (let header = 0; header < KEYS; header++) limit.spend(`${junk}${header}`)
    expect(credits.size).toBe(MOST)
    expect(kilobytes(credits)).toBeLessThan(32)
    expect(limit.waitMs(`${junk}${KEYS - 1}`)).toBe(1_000)
    expect(limit.waitMs(`${junk}0`)).toBe(0)
  })

  it("forgets first who acted longest ago", () => {
    const limit = limited(2)
    for (const key of ["one", "two", "one", "three"]) limit.spend(key)
    expect(["one", "two", "three"].map((key) => limit.waitMs(key))).toEqual([1_000, 0, 1_000])
  })

  it("counts each for itself", () => {
    const limit = limited(MOST)
    limit.spend("10.0.0.1")
    expect([limit.waitMs("10.0.0.1"), limit.waitMs("10.0.0.2")]).toEqual([1_000, 0])
  })
})
