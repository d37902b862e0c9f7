/** When a notification is due. */
import { LIMITS } from "../../core/limits"
import { dayAfter, dayIn, hourOfDay } from "../../core/time-zone"

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
  let due = hourOfDay(timeZone, day, hour)
  if (due > now) return due
  day = dayIn(timeZone, now)
  due = hourOfDay(timeZone, day, hour)
  return due > now ? due : hourOfDay(timeZone, dayAfter(day), hour)
}

/**
 * When what was collected under another schedule is due: at the new hour of the day after, or now
 * if that has passed, so that no day waits for the next one's summary.
 */
export function movedSummary(
  { hour, time_zone: timeZone }: { readonly hour: number; readonly time_zone: string },
  occurredAt: Date,
  now: Date,
): Date {
  const due = hourOfDay(timeZone, dayAfter(dayIn(timeZone, occurredAt)), hour)
  return due > now ? due : now
}

/** The pause after a number of tries. */
export function retryAfterMs(tries: number): number {
  const gaps = LIMITS.notificationRetryMs
  return gaps[Math.min(tries, gaps.length) - 1] ?? gaps[0]
}
