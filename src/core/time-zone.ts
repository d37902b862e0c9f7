/** Days and moments by the clock of a place, named as in the IANA's database: `Africa/Monrovia`. */

const DAY_LENGTH = "YYYY-MM-DD".length
const MINUTE_MS = 60_000

export const UTC = "UTC"

export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+-]*(\/[\w+-]+)*$/.test(name)) return false
  try {
    new Intl.DateTimeFormat("en", { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** The day of a moment in the time zone, as `YYYY-MM-DD`. */
export function dayIn(timeZone: string, at: Date): string {
  return isoIn(timeZone, at).slice(0, DAY_LENGTH)
}

/**
 * The first moment of a day. Where the clocks skip midnight, it is the first moment that exists.
 *
 * @param day `YYYY-MM-DD`
 */
export function startOfDay(timeZone: string, day: string): Date {
  const midnight = new Date(`${day}T00:00:00Z`)
  const guess = new Date(midnight.getTime() - offsetMs(timeZone, midnight))
  const better = new Date(midnight.getTime() - offsetMs(timeZone, guess))
  return dayIn(timeZone, better) < day ? guess : better
}

/** @param day `YYYY-MM-DD` */
export function dayAfter(day: string, days = 1): string {
  const at = new Date(`${day}T00:00:00Z`)
  at.setUTCDate(at.getUTCDate() + days)
  return at.toISOString().slice(0, DAY_LENGTH)
}

/** ISO 8601 to the second, with the place's offset: `2026-11-22T18:04:05+02:00`. */
export function isoIn(timeZone: string, at: Date): string {
  if (timeZone === UTC) return at.toISOString()
  const offset = offsetMs(timeZone, at)
  const local = new Date(at.getTime() + offset).toISOString().slice(0, "YYYY-MM-DDTHH:MM:SS".length)
  const minutes = Math.abs(Math.round(offset / MINUTE_MS))
  const two = (part: number) => String(part).padStart(2, "0")
  return `${local}${offset < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

function offsetMs(timeZone: string, at: Date): number {
  const parts = formatOf(timeZone).formatToParts(at)
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((one) => one.type === type)?.value)
  const local = Date.UTC(
    part("year"),
    part("month") - 1,
    part("day"),
    part("hour"),
    part("minute"),
    part("second"),
  )
  return local - Math.floor(at.getTime() / 1_000) * 1_000
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const made =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat("en-US", {
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    })
  formats.set(timeZone, made)
  return made
}
