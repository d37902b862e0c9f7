import { allowance } from "./allowance"
import { RecentMap } from "./recent-map"

const KEYS = 20_000
const MOST = 1_000

const kilobytes = (map: RecentMap<unknown>) =>
  [...map.keys()].reduce((sum, key) => sum + key.length, 0) / 1_024

describe("[S21] what is remembered of strangers", () => {
  it("is bounded in bytes, whatever they send", () => {
    const map = new RecentMap<number>(MOST)
    const junk = "x".repeat(14_000)
    for (let header = 0; header < KEYS; header++) map.set(`${junk}${header}`, header)
    expect([...map.keys()]).toHaveLength(MOST)
    expect(kilobytes(map)).toBeLessThan(32)
    expect(map.get(`${junk}${KEYS - 1}`)).toBe(KEYS - 1)
    expect(map.get(`${junk}0`)).toBeUndefined()
  })

  it("forgets first who was put in longest ago", () => {
    const map = new RecentMap<number>(2)
    map.set("one", 1)
    map.set("two", 2)
    map.set("one", 3)
    map.set("three", 4)
    expect([map.get("one"), map.get("two"), map.get("three")]).toEqual([3, undefined, 4])
  })

  it("counts each for itself", () => {
    const limit = allowance(
      { monotonicMs: () => 0 },
      { atOnce: 1, earnedBackMs: 1_000, keysMax: MOST },
    )
    limit.spend("10.0.0.1")
    expect([limit.waitMs("10.0.0.1"), limit.waitMs("10.0.0.2")]).toEqual([1_000, 0])
  })
})
