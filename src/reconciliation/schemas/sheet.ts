/** What the accountant's sheet may be asked for. */
import { z } from "zod"
import { timeZone } from "../../core/schemas/shapes"
import { SHEET_LANGUAGES } from "../rules/accountant-sheet"
import { dayOrMoment } from "./reconciliation"

export const sheetQuery = z.strictObject({
  from: dayOrMoment.optional(),
  to: dayOrMoment.optional(),
  time_zone: timeZone.optional(),
  locale: z.enum(SHEET_LANGUAGES).optional(),
  format: z.literal("csv").optional(),
})
