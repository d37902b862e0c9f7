/** When a notification is due. */
import { LIMITS } from "../../core/limits"
import { dayAfter, dayIn, isoIn, startOfDay } from "../../core/time-zone"

const HOUR_MS = 3_600_000

/** The moment when the clocks of the time zone show the hour; a skipped hour is the next one. */
function momentOf(timeZone: string, day: string, hour: number): Date {
  const guess = new Date(startOfDay(timeZone, day).getTime() + hour * HOUR_MS)
  const shown = Number(isoIn(timeZone, guess).slice(11, 13))
  return new Date(guess.getTime() + (hour - shown) * HOUR_MS)
}

/**
 * When the summary that tells of an event is due: at the hour of the day after. An event that was
 * written down too late for that one is in the next.
 */
export function summaryMoment(
  { hour, time_zone: timeZone }: { readonly hour: number; readonly time_zone: string },
  occurredAt: Date,
  now: Date,
): Date {
  let day = dayAfter(dayIn(timeZone, occurredAt))
  let due = momentOf(timeZone, day, hour)
  if (due > now) return due
  day = dayIn(timeZone, now)
  due = momentOf(timeZone, day, hour)
  return due > now ? due : momentOf(timeZone, dayAfter(day), hour)
}

/** The pause after a number of tries. */
export function retryAfterMs(tries: number): number {
  const gaps = LIMITS.notificationRetryMs
  return gaps[Math.min(tries, gaps.length) - 1] ?? gaps[0]
}
