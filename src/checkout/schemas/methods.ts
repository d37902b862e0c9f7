/** The payment methods of a cart, and what one of them would cost. */
import { z } from "zod"
import type { CartId } from "../../core/ids"
import { FLOW_NAMES } from "../../core/operation"
import { shopperQuote } from "../../core/schemas/quote"
import { operatorChoice } from "../../core/schemas/operator-choice"
import { currency, id, idOf, type Output, phone, text } from "../../core/schemas/shapes"

const methodStatus = z.enum(["ok", "disrupted"])
export type MethodStatus = Output<typeof methodStatus>

export const offeredOperator = z.strictObject({
  ...operatorChoice.shape,
  /** `disrupted`: most of its payments fail now, for its own reasons. It can be tried all the same. */
  status: methodStatus,
})

export const paymentMethod = z.strictObject({
  provider_id: text,
  /** `push`: a prompt on the phone. `hosted`: the payment page. `card`: fields on the shop's page. */
  flow: z.enum(FLOW_NAMES),
  currencies: z.array(text),
  needs_phone: z.boolean(),
  label_key: text,
  operators: z.array(offeredOperator),
})
export type PaymentMethod = Output<typeof paymentMethod>

export const methodsQuery = z.object({ cart_id: idOf<CartId>() })
/** An empty list while no credentials are set. */
export const methodsResponse = z.strictObject({ methods: z.array(paymentMethod) })

export const quoteQuery = z.object({
  cart_id: idOf<CartId>(),
  payment_method: id,
  payer_currency: currency.optional(),
})
export const quoteResponse = z.strictObject({ quote: shopperQuote })

export const operatorBody = z.object({ phone, country_code: z.string().length(2).optional() })

/** The operator of a phone number. */
export const operator = z.strictObject({
  payment_method: text,
  /** By the account's names, otherwise the gateway's; null if neither has one. */
  label: text.nullable(),
  carrier: text.nullable(),
  /** ISO 3166, two letters; empty: not known. */
  country: text,
  currencies: z.array(text),
  /** The last three digits of the number. */
  phone_hint: text,
  status: methodStatus,
})
export type Operator = Output<typeof operator>
export const operatorResponse = z.strictObject({ operator })
