/** Days and moments by the clock of a place, named as in the IANA's database: `Africa/Monrovia`. */

const DAY_LENGTH = "YYYY-MM-DD".length
const DAY_MS = 86_400_000

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
 * The first moment of a day. Where the clocks skip midnight, it is the first moment that exists;
 * where they show midnight twice, it is the first of the two.
 *
 * @param day `YYYY-MM-DD`
 */
export const startOfDay = (timeZone: string, day: string): Date => hourOfDay(timeZone, day, 0)

/**
 * The moment when the clocks show the hour of the day; the first, where they show it twice. Where
 * they skip it, the moment when they go on.
 */
export function hourOfDay(timeZone: string, day: string, hour: number): Date {
  const wanted = `${day}T${String(hour).padStart(2, "0")}`
  const asUtc = new Date(`${wanted}:00:00Z`).getTime()
  // No place is a whole day away from UTC, so clocks that change that day change between these.
  const [before, after] = [-DAY_MS, DAY_MS].map((ms) => {
    const offset = isoIn(timeZone, new Date(asUtc + ms)).replace(/.*T[\d:.]{8,12}/, "")
    return new Date(`${wanted}:00:00${offset}`)
  }) as [Date, Date]
  const [first, last] = before < after ? [before, after] : [after, before]
  return isoIn(timeZone, first).startsWith(wanted) ? first : last
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
  const parts = formatOf(timeZone).formatToParts(at)
  const of = Object.fromEntries(parts.map(({ type, value }) => [type, value])) as Parts
  // The name is `GMT+02:00`, or `GMT` alone.
  const offset = of.timeZoneName === "GMT" ? "+00:00" : of.timeZoneName.slice("GMT".length)
  return `${of.year}-${of.month}-${of.day}T${of.hour}:${of.minute}:${of.second}${offset}`
}

type Parts = Readonly<
  Record<"year" | "month" | "day" | "hour" | "minute" | "second" | "timeZoneName", string>
>

const formats = new Map<string, Intl.DateTimeFormat>()

/** A format is kept, because making one takes a thousand times as long as using it. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const format =
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
      timeZoneName: "longOffset",
    })
  formats.set(timeZone, format)
  return format
}
