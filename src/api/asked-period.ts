/** The period that a comparison or a sheet is asked for. */
import type { z } from "zod"
import { invalid, type InvalidSituation } from "../core/refusal"
import { day, isOfThisCentury } from "../core/schemas/shapes"
import { dayAfter, dayIn, startOfDay, UTC } from "../core/time-zone"
import type { Period } from "../reconciliation/rules/reconciliation"
import type { dayOrMoment, periodQuery } from "../reconciliation/schemas/reconciliation"

const DAY_MS = 86_400_000

type Moment = z.output<typeof dayOrMoment> | undefined
type Asked = {
  readonly from?: Moment
  readonly to?: Moment
  readonly time_zone?: string | undefined
}

type Zoned = Period & { readonly timeZone: string }

/**
 * The period by the time zone that is asked for, else the shop's, else UTC.
 *
 * @throws Refusal `invalid_request`, naming the field
 */
export function zonedPeriod(asked: Asked, shopZone: string | undefined, now: Date): Zoned {
  const timeZone = asked.time_zone ?? shopZone ?? UTC
  return { ...periodIn(asked, timeZone, now), timeZone }
}

/** As {@link zonedPeriod}, with what a comparison is asked for. */
export function askedComparison(
  asked: z.output<typeof periodQuery>,
  shopZone: string | undefined,
  now: Date,
) {
  return {
    ...zonedPeriod(asked, shopZone, now),
    accountId: asked.account_id,
    isFresh: asked.fresh,
    isDifferencesOnly: asked.only === "differences",
  }
}

/**
 * The period between two days of a time zone, or two moments; without either it is today.
 *
 * @throws Refusal `invalid_request`, naming the field
 */
export function periodIn(asked: Pick<Asked, "from" | "to">, zone: string, now: Date): Period {
  const first = asked.from ?? dayIn(zone, now)
  const from = isDay(first) ? startOfDay(zone, first) : new Date(first)
  const until = asked.to === undefined ? dayFrom(zone, first) : endOf(zone, asked.to)
  refuseUnless(isOfThisCentury(from), "from", "time")
  refuseUnless(isOfThisCentury(until), "to", "time")
  refuseUnless(from < until, "to", "time_order")
  refuseUnless(from <= now, "from", "future")
  return { from, until }
}

/** The end of the period: a day is included whole; a moment is the first that is not included. */
function endOf(zone: string, text: string): Date {
  return isDay(text) ? dayFrom(zone, text) : new Date(text)
}

/** The end of a day; for a moment, 24 hours later. */
const dayFrom = (zone: string, text: string) =>
  isDay(text) ? startOfDay(zone, dayAfter(text)) : new Date(new Date(text).getTime() + DAY_MS)

const isDay = (text: string) => day.safeParse(text).success

function refuseUnless(isRight: boolean, field: string, otherwise: InvalidSituation): void {
  if (!isRight) throw invalid(field, otherwise)
}
