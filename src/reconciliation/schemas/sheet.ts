/** What the accountant's sheet may be asked for. */
import { z } from "zod"
import { timeZone } from "../../core/schemas/shapes"
import { SHEET_LANGUAGES } from "../rules/accountant-sheet"
import { dayOrMoment } from "./reconciliation"

export const sheetQuery = z.strictObject({
  /** Left out: today. */
  from: dayOrMoment.optional(),
  /** A day is included whole; a moment is the first that is not included. */
  to: dayOrMoment.optional(),
  /** Left out: the shop's time zone, else UTC. */
  time_zone: timeZone.optional(),
  locale: z.enum(SHEET_LANGUAGES).optional(),
  format: z.literal("csv").optional(),
})
