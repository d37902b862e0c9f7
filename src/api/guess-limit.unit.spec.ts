import { LIMITS } from "../core/limits"
import { guessLimit } from "./guess-limit"

let nowMs = 0
const limited = () => guessLimit({ monotonicMs: () => nowMs })

function exhausted(address = "10.0.0.1") {
  const limit = limited()
  for (let miss = 0; miss < LIMITS.missesAtOnce; miss++) {
    expect(limit.waitMs(address, "payses_guess")).toBe(0)
    limit.missed(address)
  }
  return limit
}

describe("[S06] guessing ids of payment sessions", () => {
  it("is refused after some misses, and says for how long", () => {
    const limit = exhausted()
    expect(limit.waitMs("10.0.0.1", "payses_guess")).toBe(LIMITS.missEarnedBackMs)
    nowMs += LIMITS.missEarnedBackMs / 4
    expect(limit.waitMs("10.0.0.1", "payses_guess")).toBe((LIMITS.missEarnedBackMs / 4) * 3)
  })

  it("is possible again one miss at a time, and never more than at first", () => {
    const limit = exhausted()
    nowMs += LIMITS.missEarnedBackMs
    expect(limit.waitMs("10.0.0.1", "payses_guess")).toBe(0)
    limit.missed("10.0.0.1")
    expect(limit.waitMs("10.0.0.1", "payses_guess")).toBeGreaterThan(0)
    nowMs += 1_000 * LIMITS.missesAtOnce * LIMITS.missEarnedBackMs
    for (let miss = 0; miss < LIMITS.missesAtOnce; miss++) limit.missed("10.0.0.1")
    expect(limit.waitMs("10.0.0.1", "payses_guess")).toBeGreaterThan(0)
  })

  it("hurts no other address, and nobody who asks for what there is", () => {
    const limit = exhausted()
    expect(limit.waitMs("10.0.0.2", "payses_guess")).toBe(0)
    limit.found("payses_mine")
    expect(limit.waitMs("10.0.0.1", "payses_mine")).toBe(0)
    const busy = limited()
    for (let ask = 0; ask < 10_000; ask++) busy.found(`payses_${ask % 300}`)
    expect(busy.waitMs("10.0.0.1", "payses_new")).toBe(0)
  })

  it.each([
    ["2001:db8:1:2::1", "2001:0db8:1:2:ffff::9", true],
    ["2001:db8:1:2::1", "2001:db8:1:3::1", false],
    ["::1", "::2", true],
    ["::ffff:10.0.0.1", "10.0.0.1", true],
    ["::ffff:10.0.0.1", "::ffff:10.0.0.2", false],
  ])("counts %s and %s as one: %s", (first, second, isOne) => {
    const limit = exhausted(first)
    expect(limit.waitMs(second, "payses_guess") > 0).toBe(isOne)
  })

  it("takes bounded memory: who missed longest ago is forgotten", () => {
    const limit = exhausted("10.0.0.1")
    for (let other = 0; other < LIMITS.missAddressesMax; other++) limit.missed(`host-${other}`)
    expect(limit.waitMs("10.0.0.1", "payses_guess")).toBe(0)
    limit.found("payses_first")
    for (let other = 0; other < LIMITS.foundSessionsMax; other++) limit.found(`payses_${other}`)
    for (let miss = 0; miss < LIMITS.missesAtOnce; miss++) limit.missed("10.0.0.9")
    expect(limit.waitMs("10.0.0.9", "payses_first")).toBeGreaterThan(0)
    expect(limit.waitMs("10.0.0.9", "payses_1")).toBe(0)
  })
})
