/**
 * Whole days as `YYYY-MM-DD`, with the time zone by which they are counted, kept in the page's
 * address: the browser's zone, or UTC.
 */

const DAY_LENGTH = "YYYY-MM-DD".length
const DAY = /^\d{4}-\d\d-\d\d$/
export const UTC = "UTC"

/** Both days are included. */
export type Days = { readonly from: string; readonly to: string; readonly time_zone: string }

export const PRESETS = ["today", "yesterday", "sevenDays", "thisMonth"] as const
type Preset = (typeof PRESETS)[number]

/** The browser's time zone, by its IANA name. */
export function ownZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone || UTC
}

export function daysOf(preset: Preset, zone = ownZone(), now = new Date()): Days {
  const today = dayIn(zone, now)
  const of = (from: string, to: string) => ({ from, to, time_zone: zone })
  if (preset === "yesterday") return of(before(today, 1), before(today, 1))
  if (preset === "sevenDays") return of(before(today, 6), today)
  if (preset === "thisMonth") return of(`${today.slice(0, -2)}01`, today)
  return of(today, today)
}

/** The whole month before this one. */
export function lastMonth(zone = ownZone(), now = new Date()): Days {
  const to = before(`${dayIn(zone, now).slice(0, -2)}01`, 1)
  return { from: `${to.slice(0, -2)}01`, to, time_zone: zone }
}

/** The days in the address, if valid; else today. */
export function daysIn(search: URLSearchParams, own = ownZone(), now = new Date()): Days {
  const [from, to] = [search.get("from") ?? "", search.get("to") ?? ""]
  const zone = search.get("time_zone") ?? ""
  const time_zone = isZone(zone) ? zone : own
  const isRight = isDay(from) && isDay(to) && from <= to
  return isRight ? { from, to, time_zone } : daysOf("today", time_zone, now)
}

export function presetOf({ from, to, time_zone }: Days, now = new Date()): Preset | undefined {
  return PRESETS.find((preset) => {
    const days = daysOf(preset, time_zone, now)
    return days.from === from && days.to === to
  })
}

/** The picked day, in the admin's time zone. */
export function pickedDay(picked: Date): string {
  return dayIn(undefined, picked)
}

/** The local midnight of a day, for a calendar, which shows local days. */
export function calendarDay(day: string): Date {
  return new Date(`${day}T00:00:00`)
}

function isDay(text: string): boolean {
  return DAY.test(text) && !Number.isNaN(new Date(text).getTime())
}

function isZone(name: string): boolean {
  try {
    return name !== "" && dayIn(name, new Date()) !== ""
  } catch {
    return false
  }
}

function before(day: string, days: number): string {
  const at = new Date(`${day}T00:00:00Z`)
  at.setUTCDate(at.getUTCDate() - days)
  return at.toISOString().slice(0, DAY_LENGTH)
}

/** The day as ISO 8601 writes it, as Swedish does. Without a zone, it is the day in the admin's. */
function dayIn(timeZone: string | undefined, at: Date): string {
  return new Intl.DateTimeFormat("sv", { timeZone }).format(at)
}
