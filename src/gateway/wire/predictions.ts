/** `GET /v1/predictions/mmo-provider-info`: whose wallet a phone number is (contract, 2b and 9). */
import { z } from "zod"
import type { CurrencyCode } from "../../core/money"
import { parseCurrency } from "../../core/money"
import type { Endpoint } from "../endpoint"
import { checkedBy } from "../endpoint"
import type { Wire } from "./fields"
import { optionalText, phoneField, reader, textField } from "./fields"

export type MmoProviderInfoRequest = {
  /** Digits of E.164 without a plus. */
  readonly phone: string
}

export type MmoProviderInfo = {
  /** Send back as `method` of the payment account, whatever it is. */
  readonly paymentMethod: string
  /** Send back as `provider` of the payment account, whatever it is. */
  readonly provider: string
  /** The operator's name for people. */
  readonly carrier?: string
  /** In a format that no source shows; not a country code. */
  readonly country?: string
  /** What the operator can be paid in. */
  readonly currencies: readonly CurrencyCode[]
  readonly phone?: string
  readonly wire: Wire
}

const requestSchema = z.object({ phone: phoneField })
const answerSchema = z.object({
  payment_method: textField,
  gateway_provider: textField,
  currencies: z.array(z.unknown()),
  carrier: optionalText,
  country: optionalText,
  phone: optionalText,
  operation_type: optionalText,
})

export const mmoProviderInfo: Endpoint<MmoProviderInfoRequest, MmoProviderInfo> = {
  operation: "predictions.mmoProviderInfo",
  problemsWith: checkedBy(requestSchema),
  write: ({ phone }) => ({ query: { phone, operation_type: "COLLECTION" } }),
  read: reader(answerSchema, (fields, wire) => ({
    paymentMethod: fields.payment_method,
    provider: fields.gateway_provider,
    carrier: fields.carrier,
    country: fields.country,
    currencies: fields.currencies.flatMap((text) => parseCurrency(text) ?? []),
    phone: fields.phone,
    wire,
  })),
}
