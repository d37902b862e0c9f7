/** What an admin may send about one payment. */
import { z } from "zod"
import { type CartId, idFrom, type OrderId, type PaymentIntentId } from "../../core/ids"
import { LIMITS } from "../../core/limits"
import { DECISIONS } from "../../core/possibilities"
import { invalidAs } from "../../core/refusal"
import { idOf, writtenNote } from "../../core/schemas/shapes"

export const resolveBody = z
  .object({
    action: z.enum(DECISIONS),
    note: writtenNote(LIMITS.noteLengthMax),
    cart_id: idOf<CartId>().nullish(),
    order_id: idOf<OrderId>().nullish(),
    expected_amount: z.number().positive(invalidAs("positive")).nullish(),
  })
  .strict()

export const cancelOrderBody = z.object({ order_id: idOf<OrderId>() }).strict()

export const paymentIntentBody = z
  .object({
    payment_intent_id: z
      .number()
      .int()
      .positive(invalidAs("positive"))
      .max(Number.MAX_SAFE_INTEGER)
      .transform((number) => idFrom<PaymentIntentId>(number)),
  })
  .strict()
