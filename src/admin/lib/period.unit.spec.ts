import { calendarDay, daysIn, daysOf, pickedDay, presetOf, PRESETS } from "./period"

const NOW = new Date("2026-11-22T23:30:00Z")

it("names the days of each preset, in UTC", () => {
  expect(PRESETS.map((preset) => daysOf(preset, NOW))).toEqual([
    { from: "2026-11-22", to: "2026-11-22" },
    { from: "2026-11-21", to: "2026-11-21" },
    { from: "2026-11-16", to: "2026-11-22" },
    { from: "2026-11-01", to: "2026-11-22" },
  ])
  expect(PRESETS.map((preset) => presetOf(daysOf(preset, NOW), NOW))).toEqual(PRESETS)
  expect(presetOf({ from: "2026-11-02", to: "2026-11-03" }, NOW)).toBeUndefined()
})

it.each([
  ["from=2026-11-02&to=2026-11-03", { from: "2026-11-02", to: "2026-11-03" }],
  ["", { from: "2026-11-22", to: "2026-11-22" }],
  ["from=2026-11-03&to=2026-11-02", { from: "2026-11-22", to: "2026-11-22" }],
  ["from=2026-13-03&to=2026-13-04", { from: "2026-11-22", to: "2026-11-22" }],
  ["from=<b>&to=x", { from: "2026-11-22", to: "2026-11-22" }],
])("reads %j from the address with care", (search, days) => {
  expect(daysIn(new URLSearchParams(search), NOW)).toEqual(days)
})

it("takes from a calendar the day that was picked", () => {
  expect(pickedDay(calendarDay("2026-11-02"))).toBe("2026-11-02")
  expect(pickedDay(new Date(2026, 10, 2, 23, 59))).toBe("2026-11-02")
})
