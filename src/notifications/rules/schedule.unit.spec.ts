import fc from "fast-check"
import { dayIn, isoIn } from "../../core/time-zone"
import { LIMITS } from "../../core/limits"
import { retryAfterMs, summaryMoment } from "./schedule"

const ZONES = ["Africa/Monrovia", "Africa/Kigali", "UTC", "America/New_York", "Pacific/Auckland"]
const moments = fc.date({
  min: new Date("2026-01-01T00:00:00Z"),
  max: new Date("2027-12-31T00:00:00Z"),
  noInvalidDate: true,
})

it("a summary is due at its hour of a later day, and the next one after now", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ZONES),
      fc.integer({ min: 0, max: 23 }),
      moments,
      fc.nat({ max: 5 * 86_400_000 }),
      (timeZone, hour, occurredAt, agoMs) => {
        const now = new Date(occurredAt.getTime() + agoMs)
        const due = summaryMoment({ hour, time_zone: timeZone }, occurredAt, now)
        expect(due.getTime()).toBeGreaterThan(now.getTime())
        expect(dayIn(timeZone, due) > dayIn(timeZone, occurredAt)).toBe(true)
        // An hour that the clocks skip is told an hour beside.
        const shown = Number(isoIn(timeZone, due).slice(11, 13))
        expect(Math.min((shown - hour + 24) % 24, (hour - shown + 24) % 24)).toBeLessThanOrEqual(1)
        expect(due.getTime() - now.getTime()).toBeLessThanOrEqual(2 * 86_400_000 + 3_600_000)
      },
    ),
  )
})

it("an event of yesterday is told today at the hour", () => {
  const schedule = { hour: 7, time_zone: "Africa/Kigali" }
  const yesterday = new Date("2026-11-26T21:59:00Z")
  const today = new Date("2026-11-26T22:01:00Z")
  expect(summaryMoment(schedule, yesterday, today).toISOString()).toBe("2026-11-27T05:00:00.000Z")
  expect(summaryMoment(schedule, today, today).toISOString()).toBe("2026-11-28T05:00:00.000Z")
})

it("the gaps between tries grow, and the last one stays", () => {
  const gaps = Array.from({ length: 12 }, (_, at) => retryAfterMs(at + 1))
  expect(gaps[0]).toBe(LIMITS.notificationRetryMs[0])
  for (const [at, gap] of gaps.entries()) expect(gap).toBeGreaterThanOrEqual(gaps[at - 1] ?? 0)
  expect(gaps.at(-1)).toBe(LIMITS.notificationRetryMs.at(-1))
})
