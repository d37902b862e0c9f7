/** Parses the query of the accountant's sheet. */
import { z } from "zod"
import { UTC } from "../../../../core/time-zone"
import type { SheetAsked } from "../../../../reconciliation/accountant-file"
import { SHEET_LANGUAGES } from "../../../../reconciliation/rules/accountant-sheet"
import { timeZone } from "../../../shape"
import { parsed } from "../../../validators"
import { periodIn, time } from "../reconciliation/input"

const query = z
  .object({
    from: time.optional(),
    to: time.optional(),
    time_zone: timeZone.optional(),
    locale: z.enum(SHEET_LANGUAGES).optional(),
    format: z.literal("csv").optional(),
  })
  .strict()

/**
 * @param shopZone the shop's own time zone, where it has set one
 * @throws Refusal `invalid_request`, naming the field
 */
export function sheetRequest(given: unknown, now: Date, shopZone: string = UTC): SheetAsked {
  const asked = parsed(query, given)
  const zone = asked.time_zone ?? shopZone
  return { ...periodIn(asked, zone, now), timeZone: zone, language: asked.locale ?? "en" }
}
