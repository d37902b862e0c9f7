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
  ours,
  PEERS,
} from "../../integration-tests/support/confirmation-simulation"
import { LIMITS } from "./limits"
import { nextCheckInMs, nextWatchInMs, unwatchedGapMs, waitingGapMs } from "./schedule"

const NO_JITTER = 0.5

/** When the checks of a payment are, from its submission until `untilMs`. */
function checksUntil(untilMs: number, gapMs: (ageMs: number) => number): number[] {
  const findings: number[] = []
  for (let at = gapMs(0); at < untilMs; at += gapMs(at)) findings.push(at)
  return findings
}

describe("while a shopper waits on screen", () => {
  it("the gateway is asked every 2 to 5 s at first and at least every 30 s later", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4 * DAY }), (ageMs) => {
        const gap = waitingGapMs(ageMs)
        expect(gap).toBeGreaterThanOrEqual(2 * SECOND)
        expect(gap).toBeLessThanOrEqual(ageMs < MINUTE ? 5 * SECOND : 30 * SECOND)
      }),
    )
  })

  it("the next look is counted from the last question, and never in the past", () => {
    const readAt = afterNoon(12 * SECOND)
    const early = anOperation({ waiting: true, submittedAt: afterNoon(0), readAt })
    const slack = LIMITS.tickSlackMs
    expect(nextCheckInMs(early, NO_JITTER)).toBe(2 * SECOND - slack)
    expect(nextCheckInMs(early, NO_JITTER, 800)).toBe(1_200 - slack)
    expect(nextCheckInMs(early, NO_JITTER, 9_000)).toBe(0)
  })

  it("the gaps grow once the likeliest moment is over", () => {
    const ages = [...Array(400).keys()].map((step) => 15 * SECOND * 1.02 ** step)
    const gaps = ages.map((ageMs) => waitingGapMs(ageMs))
    gaps.forEach((gap, index) => {
      if (index > 0) expect(gap).toBeGreaterThanOrEqual(gaps[index - 1] ?? 0)
    })
    expect(waitingGapMs(4 * MINUTE)).toBeLessThan(10 * SECOND)
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
    expect(here.calls).toBeLessThan(every3.calls * 0.97)
    expect(here.delaySeconds).toBeLessThan(every3.delaySeconds)
  })

  it("sparser fixed schedules ask less, and know later by more", () => {
    for (const peer of [PEERS.every_5_s, PEERS.staged_3_5_10_15_s]) {
      const theirs = cost(times, peer)
      expect(here.delaySeconds).toBeLessThan(theirs.delaySeconds * 0.65)
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

  const first = anOperation({
    waiting: false,
    submittedAt: afterNoon(0),
    readAt: afterNoon(0),
  })

  it("jitter adds few looks and leaves out few", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (fraction) => {
        const gapOf = (ageMs: number) =>
          nextCheckInMs({ ...first, readAt: afterNoon(ageMs) }, fraction)
        const findings = checksUntil(3 * DAY, gapOf)
        expect(findings.length).toBeGreaterThanOrEqual(LIMITS.collectionChecksMs.length - 2)
        expect(findings.length).toBeLessThanOrEqual(LIMITS.collectionChecksMs.length + 4)
      }),
    )
  })

  it("jitter is a tenth, both ways", () => {
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
