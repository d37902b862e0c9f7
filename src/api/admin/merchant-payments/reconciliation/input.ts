/** Parses the query of the reconciliation. */
import { z } from "zod"
import { invalid, invalidAs, type InvalidSituation } from "../../../../core/refusal"
import { id } from "../../../shape"
import { parsed } from "../../../validators"

/** Days are in UTC. */
const day = z.iso.date()
const moment = z.iso.datetime({ offset: true })
const time = z.union([day, moment], invalidAs("time"))

const flag = z.enum(["true", "false"]).transform((text) => text === "true")

const query = z
  .object({
    from: time.optional(),
    to: time.optional(),
    account_id: id.optional(),
    format: z.enum(["json", "csv"]).optional(),
    fresh: flag.optional(),
    only: z.enum(["differences"]).optional(),
  })
  .strict()

const DAY_MS = 86_400_000
const DAY_LENGTH = "YYYY-MM-DD".length

/** @throws Refusal `invalid_request`, naming the field */
export function periodRequest(given: unknown, now: Date) {
  const asked = parsed(query, given)
  const today = now.toISOString().slice(0, DAY_LENGTH)
  const from = new Date(asked.from ?? today)
  const until = asked.to === undefined ? dayAfter(asked.from ?? today) : endOf(asked.to)
  refuseUnless(isOfThisCentury(from), "from", "time")
  refuseUnless(isOfThisCentury(until), "to", "time")
  refuseUnless(from < until, "to", "time_order")
  refuseUnless(from <= now, "from", "future")
  return {
    from,
    until,
    accountId: asked.account_id,
    isFresh: asked.fresh,
    format: asked.format ?? "json",
    isDifferencesOnly: asked.only === "differences",
  }
}

/** A day is included whole; a moment is the first that is not included. */
function endOf(text: string): Date {
  return day.safeParse(text).success ? dayAfter(text) : new Date(text)
}

const dayAfter = (text: string) => new Date(new Date(text).getTime() + DAY_MS)

const isOfThisCentury = (date: Date) =>
  date.getUTCFullYear() >= 2000 && date.getUTCFullYear() < 2100

function refuseUnless(isRight: boolean, field: string, otherwise: InvalidSituation): void {
  if (!isRight) throw invalid(field, otherwise)
}
