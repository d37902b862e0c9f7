/** Days of the reconciliation: whole days in UTC, as `YYYY-MM-DD`, kept in the page's address. */

const DAY_MS = 86_400_000
const DAY_LENGTH = "YYYY-MM-DD".length
const DAY = /^\d{4}-\d\d-\d\d$/

/** Both days are included. */
export type Days = { readonly from: string; readonly to: string }

export const PRESETS = ["today", "yesterday", "sevenDays", "thisMonth"] as const
export type Preset = (typeof PRESETS)[number]

export function daysOf(preset: Preset, now = new Date()): Days {
  const today = dayOf(now)
  const before = (days: number) => dayOf(new Date(now.getTime() - days * DAY_MS))
  if (preset === "yesterday") return { from: before(1), to: before(1) }
  if (preset === "sevenDays") return { from: before(6), to: today }
  if (preset === "thisMonth") return { from: `${today.slice(0, -2)}01`, to: today }
  return { from: today, to: today }
}

/** The days in the address, if valid; else today. */
export function daysIn(search: URLSearchParams, now = new Date()): Days {
  const [from, to] = [search.get("from") ?? "", search.get("to") ?? ""]
  const isRight = isDay(from) && isDay(to) && from <= to
  return isRight ? { from, to } : daysOf("today", now)
}

export function presetOf({ from, to }: Days, now = new Date()): Preset | undefined {
  return PRESETS.find((preset) => {
    const days = daysOf(preset, now)
    return days.from === from && days.to === to
  })
}

/** The picked day, in the admin's time zone. */
export function pickedDay(picked: Date): string {
  const two = (part: number) => String(part).padStart(2, "0")
  return `${picked.getFullYear()}-${two(picked.getMonth() + 1)}-${two(picked.getDate())}`
}

/** For a calendar, which shows local days. */
export function calendarDay(day: string): Date {
  return new Date(`${day}T00:00:00`)
}

function isDay(text: string): boolean {
  return DAY.test(text) && !Number.isNaN(new Date(text).getTime())
}

const dayOf = (at: Date) => at.toISOString().slice(0, DAY_LENGTH)
