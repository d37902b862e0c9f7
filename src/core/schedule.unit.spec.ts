import fc from "fast-check"
import {
  afterNoon,
  anOperation,
  DAY,
  HOUR,
  MINUTE,
  SECOND,
} from "../../integration-tests/support/an-operation"
import { LIMITS } from "./limits"
import {
  hazardPerSecond,
  nextCheckInMs,
  nextWatchInMs,
  unwatchedGapMs,
  waitingGapMs,
} from "./schedule"

const NO_JITTER = 0.5

/** When the looks at a payment are, from its submission until `untilMs`. */
function looksUntil(untilMs: number, gapMs: (ageMs: number) => number): number[] {
  const looks: number[] = []
  for (let at = gapMs(0); at < untilMs; at += gapMs(at)) looks.push(at)
  return looks
}

/** Confirmations: log-normal, median 25 s, 95% within 4 min; the same ones in every run. */
function confirmations(count: number): number[] {
  let state = 20_261_120
  const uniform = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state + 0.5) / 2 ** 32
  }
  const sigma = Math.log(240 / 25) / 1.6449
  return Array.from({ length: count }, () => {
    const normal = Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
    return 25 * Math.exp(sigma * normal) * SECOND
  })
}

/** Questions a payment and mean delay in seconds, when asked by these gaps. */
function cost(times: readonly number[], gapMs: (ageMs: number) => number) {
  let calls = 0
  let delayMs = 0
  for (const confirmedMs of times) {
    let at = gapMs(0)
    for (calls += 1; at < confirmedMs; calls += 1) at += gapMs(at)
    delayMs += at - confirmedMs
  }
  return { calls: calls / times.length, delay: delayMs / times.length / SECOND }
}

describe("while a shopper waits on screen", () => {
  it("the gateway is never asked more often than every 2 s", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4 * DAY }), (ageMs) => {
        expect(waitingGapMs(ageMs)).toBeGreaterThanOrEqual(2 * SECOND)
        expect(Number.isFinite(waitingGapMs(ageMs))).toBe(true)
      }),
    )
  })

  it("the gaps grow once the likeliest moment is over", () => {
    const ages = [...Array(400).keys()].map((step) => 15 * SECOND * 1.02 ** step)
    const gaps = ages.map(waitingGapMs)
    gaps.forEach((gap, index) => {
      if (index > 0) expect(gap).toBeGreaterThanOrEqual(gaps[index - 1] ?? 0)
    })
    expect(waitingGapMs(4 * MINUTE)).toBeLessThan(10 * SECOND)
  })

  it("the gap is the shorter, the likelier it is that the confirmation comes now", () => {
    for (const seconds of [10, 30, 60, 120, 240, 600]) {
      const ratio = (waitingGapMs(seconds * SECOND) / SECOND) ** 2 * hazardPerSecond(seconds)
      const isAtFloor = waitingGapMs(seconds * SECOND) === 2 * SECOND
      if (!isAtFloor) expect(ratio).toBeCloseTo(0.38 ** 2, 3)
    }
  })

  it("fewer questions are needed than at any fixed gap with the same mean delay", () => {
    const times = confirmations(4_000)
    const ours = cost(times, waitingGapMs)
    const every3 = cost(times, () => 3 * SECOND)
    const every5 = cost(times, () => 5 * SECOND)
    const asQuick = cost(times, () => ours.delay * 2 * SECOND)
    expect(asQuick.delay).toBeCloseTo(ours.delay, 1)
    expect(ours.calls).toBeLessThan(asQuick.calls * 0.95)
    expect(ours.calls).toBeLessThan(every3.calls)
    expect(ours.delay).toBeLessThan(every5.delay)
    expect(ours.delay).toBeLessThan(2)
  })
})

describe("with nobody waiting", () => {
  it("the gaps are the list, by age", () => {
    const looks = looksUntil(4 * HOUR, unwatchedGapMs)
    const gaps = looks.map((at, index) => at - (looks[index - 1] ?? 0))
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
        const looks = looksUntil(3 * DAY, gapOf)
        expect(looks.length).toBeGreaterThanOrEqual(LIMITS.collectionChecksMs.length - 2)
        expect(looks.length).toBeLessThanOrEqual(LIMITS.collectionChecksMs.length + 4)
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
