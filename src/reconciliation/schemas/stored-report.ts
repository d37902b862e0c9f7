/** What is stored of a comparison. */
import { z } from "zod"
import { accountReconciliation, keptDifference } from "./reconciliation"

/** The columns of JSON of a comparison that was stored. */
export const storedReport = z.object({
  ...accountReconciliation.pick({ counts: true, totals: true }).shape,
  /** Another version may have stored a code that this one has no words for; it is left out. */
  differences: z
    .array(z.unknown())
    .transform((stored) => stored.flatMap((one) => keptDifference.safeParse(one).data ?? [])),
})
