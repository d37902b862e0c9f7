/** What Medusa's own routes of a checkout answer, as far as the plugin reads it. */
import { z } from "zod"
import { idFrom } from "../core/ids"
import type { ShownSession } from "../core/operation"

const sessionsResponse = z.object({
  payment_collection: z.object({
    payment_sessions: z.array(
      z.object({
        id: z.string(),
        provider_id: z.string(),
        amount: z.union([z.number(), z.string()]).transform(String),
        currency_code: z.string(),
      }),
    ),
  }),
})

/** The payment sessions in Medusa's response to a storefront; none if it is another response. */
export function sessionsIn(body: unknown): ShownSession[] {
  const result = sessionsResponse.safeParse(body)
  if (!result.success) return []
  return result.data.payment_collection.payment_sessions.map((session) => ({
    id: idFrom(session.id),
    providerId: session.provider_id,
    amount: session.amount,
    currency: session.currency_code,
  }))
}
