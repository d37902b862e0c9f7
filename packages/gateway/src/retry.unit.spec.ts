import fc from "fast-check"
import { LIMITS } from "./terms/limits"
import { backoffMs, retryAfterMs, waitBeforeNextTry } from "./retry"

const NOW = new Date("2026-06-01T10:00:00Z")

describe("backoff", () => {
  it("stays between the floor and its growing ceiling", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (tries, fraction) => {
          const pause = backoffMs(tries, fraction)
          const ceiling = Math.min(LIMITS.backoffCapMs, LIMITS.backoffBaseMs * 2 ** (tries - 1))
          return pause >= LIMITS.backoffFloorMs && pause <= ceiling
        },
      ),
    )
  })

  it("uses the whole range under the ceiling", () => {
    expect(backoffMs(3, 0.999)).toBeCloseTo(1_998)
    expect(backoffMs(3, 0)).toBe(LIMITS.backoffFloorMs)
  })
})

describe("Retry-After", () => {
  it.each([
    ["0", 0],
    ["2", 2_000],
    [" 120 ", 120_000],
    ["0.5", 500],
    ["Mon, 01 Jun 2026 10:00:30 GMT", 30_000],
    ["Mon, 01 Jun 2026 09:59:30 GMT", 0],
    ["Monday, 01-Jun-26 10:01:00 GMT", 60_000],
    ["999999999", 999_999_999_000],
    ["9".repeat(400), Number.MAX_SAFE_INTEGER],
  ])("[N21] %s is read", (header, expected) => {
    expect(retryAfterMs(header, NOW)).toBe(expected)
  })

  it.each([
    ["Mon, 01 Jun 2026 11:00:30 GMT", "Mon, 01 Jun 2026 11:00:00 GMT", 30_000],
    ["Mon, 01 Jun 2026 09:00:30 GMT", "Mon, 01 Jun 2026 09:00:00 GMT", 30_000],
    ["Mon, 01 Jun 2026 10:59:00 GMT", "Mon, 01 Jun 2026 11:00:00 GMT", 0],
    ["Mon, 01 Jun 2026 10:00:30 GMT", "soon", 30_000],
    ["120", "Mon, 01 Jun 2026 11:00:00 GMT", 120_000],
  ])("[P20] %s is read against the gateway's own clock, at %s", (header, date, expected) => {
    expect(retryAfterMs(header, NOW, date)).toBe(expected)
  })

  it.each([undefined, "", "soon", "-5", "1e3", "5 apples", "2026-06-01", "Monday", "NaN", "١٢"])(
    "[N21] %s is nothing",
    (header) => {
      expect(retryAfterMs(header, NOW)).toBeUndefined()
    },
  )

  it("[N21] any text gives nothing or a time that is not in the past", () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        const ms = retryAfterMs(header, NOW)
        return ms === undefined || (ms >= 0 && Number.isFinite(ms))
      }),
    )
  })
})

describe("the wait before the next try", () => {
  const situation = {
    again: "backoff" as const,
    tries: 1,
    triesMax: 3,
    retryAfterMs: undefined,
    patience: "job" as const,
    remainingMs: 10_000,
    fraction: 0.9,
  }

  it("is a backoff while tries are left", () => {
    expect(waitBeforeNextTry(situation)).toBe(450)
    expect(waitBeforeNextTry({ ...situation, tries: 2 })).toBe(900)
    expect(waitBeforeNextTry({ ...situation, tries: 3 })).toBeUndefined()
  })

  it("is not made when it would not end before the deadline", () => {
    expect(waitBeforeNextTry({ ...situation, remainingMs: 450 })).toBeUndefined()
    expect(waitBeforeNextTry({ ...situation, remainingMs: -1 })).toBeUndefined()
  })

  it("is not made where the same request must not go out again", () => {
    expect(waitBeforeNextTry({ ...situation, again: "no" })).toBeUndefined()
  })

  it("[N21] is the gateway's own within the caller's patience and the deadline, else none", () => {
    const told = { ...situation, again: "wait" as const, remainingMs: 20_000 }
    expect(waitBeforeNextTry({ ...told, retryAfterMs: 2_000, patience: "shopper" })).toBe(2_000)
    expect(waitBeforeNextTry({ ...told, retryAfterMs: 4_000, patience: "shopper" })).toBeUndefined()
    expect(waitBeforeNextTry({ ...told, retryAfterMs: 15_000 })).toBe(15_000)
    expect(waitBeforeNextTry({ ...told, retryAfterMs: 30_000 })).toBeUndefined()
    expect(
      waitBeforeNextTry({ ...told, retryAfterMs: 61_000, remainingMs: 90_000 }),
    ).toBeUndefined()
  })

  it("[N21] is a pause also when the gateway says at once", () => {
    const told = { ...situation, again: "wait" as const }
    expect(waitBeforeNextTry({ ...told, retryAfterMs: 0 })).toBe(LIMITS.backoffFloorMs)
  })

  it("[N22] is a backoff when the gateway names no time", () => {
    expect(waitBeforeNextTry({ ...situation, again: "wait" })).toBe(450)
  })
})
