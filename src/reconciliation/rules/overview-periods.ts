/** The periods of the home page, by the days of a time zone. */
import { dayAfter, dayIn, startOfDay } from "../../core/time-zone"
import type { Period } from "./reconciliation"

export const PERIODS = ["today", "yesterday", "this_week", "this_month"] as const
type PeriodName = (typeof PERIODS)[number]

export type Compared = Period & {
  readonly name: PeriodName
  /** The period that this one is held against. */
  readonly before: Period
}

export type Day = Period & { readonly day: string }

const DAYS_SHOWN = 30
const TRIES_DAYS = 7

/**
 * Today, this week (from Monday) and this month end now, and are held against as much of the
 * period before as has passed of them; yesterday is held against the whole day before it.
 */
export function comparedPeriods(timeZone: string, now: Date): Compared[] {
  const today = dayIn(timeZone, now)
  const start = (day: string) => startOfDay(timeZone, day)
  const monday = dayAfter(today, -weekday(today))
  const first = `${today.slice(0, -2)}01`
  const running = (name: PeriodName, from: Date, begunBefore: Date): Compared => {
    const passed = begunBefore.getTime() + (now.getTime() - from.getTime())
    // A month may be shorter than what has passed of the next one.
    const until = new Date(Math.min(passed, from.getTime()))
    return { name, from, until: now, before: { from: begunBefore, until } }
  }
  const [dayBefore, yesterday] = [start(dayAfter(today, -2)), start(dayAfter(today, -1))]
  return [
    running("today", start(today), yesterday),
    {
      name: "yesterday",
      from: yesterday,
      until: start(today),
      before: { from: dayBefore, until: yesterday },
    },
    running("this_week", start(monday), start(dayAfter(monday, -7))),
    running("this_month", start(first), start(`${dayAfter(first, -1).slice(0, -2)}01`)),
  ]
}

/** The last days, oldest first; today ends now. */
export function lastDays(timeZone: string, now: Date, days = DAYS_SHOWN): Day[] {
  const today = dayIn(timeZone, now)
  return Array.from({ length: days }, (_, ago) => dayAfter(today, ago - days + 1)).map((day) => ({
    day,
    from: startOfDay(timeZone, day),
    until: day === today ? now : startOfDay(timeZone, dayAfter(day)),
  }))
}

/** The days whose tries are counted, today among them. */
export function triesPeriod(timeZone: string, now: Date): Period {
  const from = startOfDay(timeZone, dayAfter(dayIn(timeZone, now), 1 - TRIES_DAYS))
  return { from, until: now }
}

/** Every beginning and end of these periods once, ascending: where time is cut into slices. */
export function edgesOf(periods: readonly Period[]): Date[] {
  const times = new Set(periods.flatMap(({ from, until }) => [from.getTime(), until.getTime()]))
  return [...times].sort((one, other) => one - other).map((time) => new Date(time))
}

/** Monday is 0. */
const weekday = (day: string) => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
