/** What a shopper's page sends. */
import { z } from "zod"
import { invalidAs } from "../../core/refusal"
import { id, phone, printable } from "../../core/schemas/shapes"

const address = z.string().max(2_000)

export const startBody = z.object({
  /** Left out: the phone number of the shipping address. */
  phone: phone.nullish(),
  /** Another operator than the number's prefix says. */
  payment_method: id.nullish(),
  /** Another currency of the wallet than the cart's. */
  payer_currency: z.string().length(3).nullish(),
  /** Of the card processor's SDK; for `card` only. */
  card_token: printable(500).nullish(),
  captcha_token: printable(8_192).nullish(),
  expected_payer_amount: z.number().positive(invalidAs("positive")).max(1e15).nullish(),
  success_url: address.nullish(),
  cancel_url: address.nullish(),
})

export const returnQuery = z.object({ result: z.enum(["success", "cancel"]).catch("success") })
