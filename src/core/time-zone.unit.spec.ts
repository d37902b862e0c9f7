import fc from "fast-check"
import { dayAfter, dayIn, isoIn, isTimeZone, startOfDay } from "./time-zone"

it.each([
  ["UTC", "2026-11-22T23:30:00.000Z", "2026-11-22"],
  ["Africa/Kigali", "2026-11-23T01:30:00+02:00", "2026-11-23"],
  ["Africa/Monrovia", "2026-11-22T23:30:00+00:00", "2026-11-22"],
  ["America/New_York", "2026-11-22T18:30:00-05:00", "2026-11-22"],
])("in %s half past eleven at night in UTC is %s", (zone, text, day) => {
  const at = new Date("2026-11-22T23:30:00Z")
  expect(isoIn(zone, at)).toBe(text)
  expect(dayIn(zone, at)).toBe(day)
  expect(new Date(isoIn(zone, at))).toEqual(at)
})

it.each([
  ["UTC", "2026-11-22", "2026-11-22T00:00:00.000Z"],
  ["Africa/Kigali", "2026-11-22", "2026-11-21T22:00:00.000Z"],
  ["America/New_York", "2026-11-01", "2026-11-01T04:00:00.000Z"],
  ["America/New_York", "2026-11-02", "2026-11-02T05:00:00.000Z"],
  ["Asia/Kathmandu", "2026-11-22", "2026-11-21T18:15:00.000Z"],
  ["Pacific/Auckland", "2026-09-27", "2026-09-26T12:00:00.000Z"],
  // There is no midnight on this day.
  ["Africa/Cairo", "2026-04-24", "2026-04-23T22:00:00.000Z"],
  // There are two midnights on this day.
  ["America/Havana", "2026-11-01", "2026-11-01T04:00:00.000Z"],
])("a day in %s, %s, begins at %s", (zone, day, start) => {
  const begins = startOfDay(zone, day)
  expect(begins.toISOString()).toBe(start)
  expect(dayIn(zone, begins)).toBe(day)
  expect(dayIn(zone, new Date(begins.getTime() - 1))).toBe(dayAfter(day, -1))
})

const zones = fc.constantFrom("UTC", ...Intl.supportedValuesOf("timeZone"))
const moments = fc.date({
  min: new Date("2000-01-01T00:00:00Z"),
  max: new Date("2099-12-30T00:00:00Z"),
  noInvalidDate: true,
})

it("in any zone a day begins right after a moment of an earlier day, whatever the clocks do", () => {
  fc.assert(
    fc.property(zones, moments, (zone, at) => {
      const day = dayIn(zone, at)
      const begins = startOfDay(zone, day)
      expect(dayIn(zone, begins)).toBe(day)
      expect(dayIn(zone, new Date(begins.getTime() - 1)) < day).toBe(true)
      expect(begins <= at).toBe(true)
    }),
    { numRuns: 2_000 },
  )
})

it("in any zone a moment is written as itself, to the second", () => {
  fc.assert(
    fc.property(zones, moments, (zone, at) => {
      at.setUTCMilliseconds(0)
      expect(new Date(isoIn(zone, at))).toEqual(at)
      expect(isoIn(zone, at)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/)
    }),
  )
})

it.each(["UTC", "Africa/Monrovia", "America/Argentina/Buenos_Aires"])("%s is a zone", (name) => {
  expect(isTimeZone(name)).toBe(true)
})

it.each(["", "Mars/Base", "+02:00", "Africa/'; drop", "../etc", " UTC"])("%j is none", (name) => {
  expect(isTimeZone(name)).toBe(false)
})
