/** Parses the query of the reconciliation. */
import { z } from "zod"
import type { AccountId } from "../../../../core/ids"
import { invalid, invalidAs, type InvalidSituation } from "../../../../core/refusal"
import { dayAfter, dayIn, startOfDay, UTC } from "../../../../core/time-zone"
import type { Period } from "../../../../reconciliation/rules/reconciliation"
import { flag, idOf, isOfThisCentury, timeZone } from "../../../shape"
import { parsed } from "../../../validators"

/** A day in the time zone of the query. */
const day = z.iso.date()
const moment = z.iso.datetime({ offset: true })
export const time = z.union([day, moment], invalidAs("time"))

const query = z
  .object({
    from: time.optional(),
    to: time.optional(),
    account_id: idOf<AccountId>().optional(),
    format: z.enum(["json", "csv"]).optional(),
    fresh: flag.optional(),
    only: z.enum(["differences"]).optional(),
    time_zone: timeZone.optional(),
  })
  .strict()

const DAY_MS = 86_400_000

/**
 * @param shopZone the shop's own time zone, where it has set one
 * @throws Refusal `invalid_request`, naming the field
 */
export function periodRequest(given: unknown, now: Date, shopZone: string = UTC) {
  const asked = parsed(query, given)
  const zone = asked.time_zone ?? shopZone
  return {
    ...periodIn(asked, zone, now),
    accountId: asked.account_id,
    isFresh: asked.fresh,
    format: asked.format ?? "json",
    isDifferencesOnly: asked.only === "differences",
    timeZone: zone,
  }
}

type Asked = { readonly from?: string | undefined; readonly to?: string | undefined }

/**
 * The period between two days of a time zone, or two moments; without either it is today.
 *
 * @throws Refusal `invalid_request`, naming the field
 */
export function periodIn(asked: Asked, zone: string, now: Date): Period {
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
