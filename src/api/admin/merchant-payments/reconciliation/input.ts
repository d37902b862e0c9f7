/** What the reconciliation is asked, parsed before anything reads it. */
import { z } from "zod"
import { Refusal } from "../../../../core/refusal"
import { id } from "../../../shape"
import { parsed } from "../../../validators"

/** Days are UTC. */
const day = z.iso.date()
const moment = z.iso.datetime({ offset: true })

const flag = z.enum(["true", "false"]).transform((text) => text === "true")

const query = z
  .object({
    from: z.union([day, moment]).optional(),
    to: z.union([day, moment]).optional(),
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
  refuseUnless(isOfThisCentury(from), "from", "no such time")
  refuseUnless(isOfThisCentury(until), "to", "no such time")
  refuseUnless(from < until, "to", "has to be after from")
  refuseUnless(from <= now, "from", "has not come yet")
  return {
    from,
    until,
    accountId: asked.account_id,
    isFresh: asked.fresh ?? false,
    format: asked.format ?? "json",
    isDifferencesOnly: asked.only === "differences",
  }
}

/** A day is in it whole; a moment is the first that is not in it. */
function endOf(text: string): Date {
  return day.safeParse(text).success ? dayAfter(text) : new Date(text)
}

const dayAfter = (text: string) => new Date(new Date(text).getTime() + DAY_MS)

const isOfThisCentury = (date: Date) =>
  date.getUTCFullYear() >= 2000 && date.getUTCFullYear() < 2100

function refuseUnless(isRight: boolean, field: string, why: string): void {
  if (!isRight) throw new Refusal("invalid_request", `${field}: ${why}`, { field })
}
