import fc from "fast-check"
import {
  afterNoon,
  anOperation,
  DAY,
  HOUR,
  MINUTE,
  SECOND,
} from "../../integration-tests/support/an-operation"
import {
  callsForDelay,
  confirmations,
  cost,
  learned,
  ours,
  PEERS,
  shop,
} from "../../integration-tests/support/confirmation-simulation"
import { fitConfirmations, hazardPerSecond } from "./confirmations"
import { LIMITS } from "./limits"
import { nextCheckInMs, nextWatchInMs, spacedGap, unwatchedGapMs, waitingGapMs } from "./schedule"

const NO_JITTER = 0.5

/** When the checks of a payment are, from its submission until `untilMs`. */
function checksUntil(untilMs: number, gapMs: (ageMs: number) => number): number[] {
  const findings: number[] = []
  for (let at = gapMs(0); at < untilMs; at += gapMs(at)) findings.push(at)
  return findings
}

/** Whatever a history can make of it. */
const anyConfirmations = fc
  .record({
    count: fc.integer({ min: 0, max: 10_000 }),
    mean: fc.double({ noNaN: false }),
    variance: fc.double({ noNaN: false }),
  })
  .map(fitConfirmations)

describe("while a shopper waits on screen", () => {
  it("the gateway is asked every 2 to 5 s at first and at least every 30 s later, whatever was learned", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4 * DAY }), anyConfirmations, (ageMs, known) => {
        const gap = waitingGapMs(ageMs, known)
        expect(gap).toBeGreaterThanOrEqual(2 * SECOND)
        expect(gap).toBeLessThanOrEqual(ageMs < MINUTE ? 5 * SECOND : 30 * SECOND)
      }),
    )
  })

  it("the next look is counted from the last question, and never in the past", () => {
    const early = { waiting: true, submittedAt: afterNoon(0), readAt: afterNoon(12 * SECOND) }
    const slack = LIMITS.tickSlackMs
    expect(nextCheckInMs(early, NO_JITTER)).toBe(2 * SECOND - slack)
    expect(nextCheckInMs(early, NO_JITTER, { askedMs: 800 })).toBe(1_200 - slack)
    expect(nextCheckInMs(early, NO_JITTER, { askedMs: 9_000 })).toBe(0)
  })

  it("the gaps grow once the likeliest moment is over", () => {
    const ages = [...Array(400).keys()].map((step) => 15 * SECOND * 1.02 ** step)
    const gaps = ages.map((ageMs) => waitingGapMs(ageMs))
    gaps.forEach((gap, index) => {
      if (index > 0) expect(gap).toBeGreaterThanOrEqual(gaps[index - 1] ?? 0)
    })
    expect(waitingGapMs(4 * MINUTE)).toBeLessThan(10 * SECOND)
  })

  it("looks are spread evenly over the root of the hazard", () => {
    for (const age of [20, 40, 60, 120, 240, 600]) {
      const middle = age + spacedGap(age, 60) / 2
      expect(spacedGap(age, 60) * Math.sqrt(hazardPerSecond(middle))).toBeCloseTo(0.39, 2)
    }
  })
})

describe("what it costs to learn of a confirmation", () => {
  const times = confirmations(4_000)
  const here = cost(times, ours())

  it.each(Object.entries(PEERS))(
    "%s needs more questions for the same mean delay",
    (_name, peer) => {
      const theirs = cost(times, peer)
      expect(callsForDelay(times, theirs.delaySeconds)).toBeLessThan(theirs.calls * 0.95)
    },
  )

  it("with the job's own clock in it we ask less than every 3 s would, and know sooner", () => {
    const every3 = cost(times, PEERS.every_3_s)
    expect(here.calls).toBeLessThan(every3.calls * 0.95)
    expect(here.delaySeconds).toBeLessThan(every3.delaySeconds)
  })

  it("sparser fixed schedules ask less, and know later by more", () => {
    for (const peer of [PEERS.every_5_s, PEERS.staged_3_5_10_15_s]) {
      const theirs = cost(times, peer)
      expect(here.delaySeconds).toBeLessThan(theirs.delaySeconds * 0.65)
    }
  })

  it("a shop whose payers need their own time is asked better once its payments are known", () => {
    // Quicker and steadier, slower, and all within a minute.
    for (const [median, most] of [
      [10, 45],
      [70, 500],
      [30, 60],
    ] as const) {
      const own = shop(median, most)
      const theirs = confirmations(4_000, own, 5)
      const unknown = cost(theirs, ours())
      const known = cost(theirs, ours(learned(confirmations(200, own, 9))))
      const isQuicker = known.delaySeconds < unknown.delaySeconds * 0.95
      const isCheaper = known.calls < unknown.calls * 0.95
      expect(isQuicker || isCheaper).toBe(true)
    }
  })
})

describe("with nobody waiting", () => {
  it("the gaps are the list, by age", () => {
    const findings = checksUntil(4 * HOUR, unwatchedGapMs)
    const gaps = findings.map((at, index) => at - (findings[index - 1] ?? 0))
    expect(gaps).toEqual(LIMITS.collectionChecksMs.slice(0, gaps.length))
  })

  it("a payment that was looked at often before is looked at as soon as any other", () => {
    const left = { waiting: false, submittedAt: afterNoon(0), readAt: afterNoon(5 * MINUTE) }
    expect(nextCheckInMs(anOperation({ ...left, checks: 80 }), NO_JITTER)).toBe(30 * SECOND)
    expect(nextCheckInMs(anOperation({ ...left, checks: 1 }), NO_JITTER)).toBe(30 * SECOND)
  })

  it("jitter adds few looks and leaves out few", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (fraction) => {
        const gapOf = (ageMs: number) =>
          nextCheckInMs(
            { waiting: false, submittedAt: afterNoon(0), readAt: afterNoon(ageMs) },
            fraction,
          )
        const findings = checksUntil(3 * DAY, gapOf)
        expect(findings.length).toBeGreaterThanOrEqual(LIMITS.collectionChecksMs.length - 2)
        expect(findings.length).toBeLessThanOrEqual(LIMITS.collectionChecksMs.length + 4)
      }),
    )
  })

  it("jitter is a tenth, both ways", () => {
    const first = { waiting: false, submittedAt: afterNoon(0), readAt: afterNoon(0) }
    expect([0, NO_JITTER, 1].map((fraction) => nextCheckInMs(first, fraction))).toEqual([
      4_500, 5_000, 5_500,
    ])
  })

  it("the list is over before a person is asked", () => {
    const sum = LIMITS.collectionChecksMs.reduce((total, gap) => total + gap, 0)
    expect(sum).toBeLessThan(LIMITS.collectionAskMs)
    expect(sum).toBeGreaterThan(LIMITS.collectionAskMs - 6 * HOUR)
  })
})

describe("after an end", () => {
  it.each([
    ["failed", LIMITS.failedWatchMs],
    ["expired", LIMITS.expiredWatchMs],
  ] as const)("%s is watched by its list and then no more", (state, list) => {
    const gaps = list.map((_gap, checks) => nextWatchInMs(state, checks, NO_JITTER))
    expect(gaps).toEqual([...list])
    expect(nextWatchInMs(state, list.length, NO_JITTER)).toBeUndefined()
  })
})
