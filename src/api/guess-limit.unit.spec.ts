import { LIMITS } from "../core/limits"
import { guessLimit } from "./guess-limit"

let nowMs = 0
const limited = () => guessLimit({ monotonicMs: () => nowMs })

function exhausted(network = "10.0.0.1") {
  const limit = limited()
  for (let miss = 0; miss < LIMITS.missesAtOnce; miss++) {
    expect(limit.waitMs(network, "payses_guess")).toBe(0)
    limit.missed(network)
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

  it("affects no other network, and no caller that asks for a known id", () => {
    const limit = exhausted()
    expect(limit.waitMs("10.0.0.2", "payses_guess")).toBe(0)
    limit.found("payses_mine")
    expect(limit.waitMs("10.0.0.1", "payses_mine")).toBe(0)
    const busy = limited()
    for (let ask = 0; ask < 10_000; ask++) busy.found(`payses_${ask % 300}`)
    expect(busy.waitMs("10.0.0.1", "payses_new")).toBe(0)
  })

  it("takes bounded memory: who missed longest ago is forgotten", () => {
    const limit = exhausted()
    for (let other = 0; other < LIMITS.networksMax; other++) limit.missed(`host-${other}`)
    expect(limit.waitMs("10.0.0.1", "payses_guess")).toBe(0)
    limit.found("payses_first")
    for (let other = 0; other < LIMITS.foundSessionsMax; other++) limit.found(`payses_${other}`)
    for (let miss = 0; miss < LIMITS.missesAtOnce; miss++) limit.missed("10.0.0.9")
    expect(limit.waitMs("10.0.0.9", "payses_first")).toBeGreaterThan(0)
    expect(limit.waitMs("10.0.0.9", "payses_1")).toBe(0)
  })
})
