import fc from "fast-check"
import { dayAfter, dayIn, hourOfDay, isoIn } from "../../core/time-zone"
import { LIMITS } from "../../core/limits"
import { movedSummary, retryAfterMs, summaryMoment } from "./schedule"

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

/** The days of 2026 at whose start, or during which, the clocks of a place change. */
function daysOfChange(timeZone: string): string[] {
  const days = Array.from({ length: 365 }, (_, at) => dayAfter("2026-01-01", at))
  const offsets = days.map((day) => isoIn(timeZone, new Date(`${day}T12:00:00Z`)).slice(19))
  return days.filter((_, at) => at > 0 && offsets[at] !== offsets[at - 1])
}

const HOURS = [0, 1, 2, 3, 12, 22, 23]

it("each day has one summary in every time zone, at every hour, also when the clocks change", () => {
  const wrong = Intl.supportedValuesOf("timeZone").flatMap((timeZone) =>
    daysOfChange(timeZone).flatMap((changed) =>
      HOURS.flatMap((hour) => {
        const days = [-2, -1, 0, 1].map((days) => dayAfter(changed, days))
        const due = days.map((day) => {
          const event = hourOfDay(timeZone, day, 12)
          return summaryMoment({ hour, time_zone: timeZone }, event, event).getTime()
        })
        // An hour that the clocks skip may be the first moment of the next day.
        const gaps = due.slice(1).map((at, before) => (at - (due[before] ?? 0)) / 3_600_000)
        const isRight = gaps.every((gap) => gap >= 22 && gap <= 26)
        return isRight ? [] : [`${timeZone} ${hour}: ${gaps.join(", ")}`]
      }),
    ),
  )
  expect(wrong).toEqual([])
})

it("what waits for a summary is in one, whichever way its hour moves", () => {
  const at = (hour: number) => ({ hour, time_zone: "Africa/Kigali" })
  const yesterday = new Date("2026-11-26T10:00:00Z")
  const noon = new Date("2026-11-27T10:00:00Z")
  // From 20 to 8: eight has passed, and yesterday's is told now, not with today's.
  expect(movedSummary(at(8), yesterday, noon)).toEqual(noon)
  expect(summaryMoment(at(8), noon, noon).toISOString()).toBe("2026-11-28T06:00:00.000Z")
  // From 8 to 20: today's events that were collected before go with those that follow.
  expect(movedSummary(at(20), noon, noon)).toEqual(summaryMoment(at(20), noon, noon))
})

it("the gaps between tries grow, and the last one stays", () => {
  const gaps = Array.from({ length: 12 }, (_, at) => retryAfterMs(at + 1))
  expect(gaps[0]).toBe(LIMITS.notificationRetryMs[0])
  for (const [at, gap] of gaps.entries()) expect(gap).toBeGreaterThanOrEqual(gaps[at - 1] ?? 0)
  expect(gaps.at(-1)).toBe(LIMITS.notificationRetryMs.at(-1))
})
