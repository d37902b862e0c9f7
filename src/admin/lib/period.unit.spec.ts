import { calendarDay, daysIn, daysOf, lastMonth, pickedDay, presetOf, PRESETS } from "./period"

const NOW = new Date("2026-11-22T23:30:00Z")

it.each([
  ["UTC", "2026-11-22", "2026-11-21", "2026-11-16"],
  ["Africa/Kigali", "2026-11-23", "2026-11-22", "2026-11-17"],
  ["America/New_York", "2026-11-22", "2026-11-21", "2026-11-16"],
])("names the days of each preset, in %s", (time_zone, today, yesterday, week) => {
  expect(PRESETS.map((preset) => daysOf(preset, time_zone, NOW))).toEqual([
    { from: today, to: today, time_zone },
    { from: yesterday, to: yesterday, time_zone },
    { from: week, to: today, time_zone },
    { from: "2026-11-01", to: today, time_zone },
  ])
  expect(PRESETS.map((preset) => presetOf(daysOf(preset, time_zone, NOW), NOW))).toEqual(PRESETS)
  const others = { from: "2026-11-02", to: "2026-11-03", time_zone }
  expect(presetOf(others, NOW)).toBeUndefined()
})

const OWN = "Africa/Kigali"

it.each([
  ["from=2026-11-02&to=2026-11-03", "2026-11-02", "2026-11-03", OWN],
  ["from=2026-11-02&to=2026-11-03&time_zone=UTC", "2026-11-02", "2026-11-03", "UTC"],
  ["time_zone=UTC", "2026-11-22", "2026-11-22", "UTC"],
  ["", "2026-11-23", "2026-11-23", OWN],
  ["from=2026-11-03&to=2026-11-02", "2026-11-23", "2026-11-23", OWN],
  ["from=2026-13-03&to=2026-13-04", "2026-11-23", "2026-11-23", OWN],
  ["from=<b>&to=x&time_zone=Mars", "2026-11-23", "2026-11-23", OWN],
])("reads %j from the address with care", (search, from, to, time_zone) => {
  expect(daysIn(new URLSearchParams(search), OWN, NOW)).toEqual({ from, to, time_zone })
})

it("takes from a calendar the day that was picked", () => {
  expect(pickedDay(calendarDay("2026-11-02"))).toBe("2026-11-02")
  expect(pickedDay(new Date(2026, 10, 2, 23, 59))).toBe("2026-11-02")
})

it.each([
  ["2026-11-22T23:30:00Z", "UTC", "2026-10-01", "2026-10-31"],
  ["2026-03-31T12:00:00Z", "UTC", "2026-02-01", "2026-02-28"],
  ["2026-12-31T23:30:00Z", "Africa/Kigali", "2026-12-01", "2026-12-31"],
])("the month before %s in %s is a whole one", (now, time_zone, from, to) => {
  expect(lastMonth(time_zone, new Date(now))).toEqual({ from, to, time_zone })
})
