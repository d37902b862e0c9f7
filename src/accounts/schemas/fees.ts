/** The gateway's fees, and what a payment would cost. */
import { z } from "zod"
import { FEE_BEARERS } from "../../core/operation"
import { invalidAs } from "../../core/refusal"
import { quote } from "../../core/schemas/quote"
import {
  accountId,
  currency,
  number,
  type Output,
  text,
  time,
  trimmedPrintable,
} from "../../core/schemas/shapes"

export const rateResponse = z.strictObject({
  operation_type: text,
  /** Per cent, as exact decimal text: `"1.5"`. */
  percentage: text,
  /** In major units, as exact decimal text. */
  fixed_fee: text.nullable(),
  fixed_fee_currency: text.nullable(),
})
export type RateResponse = Output<typeof rateResponse>

const feeTierResponse = z.strictObject({
  id: number,
  name: text,
  is_default: z.boolean(),
  /** `fx_percentage`: per cent added where payer and payee currency differ. */
  rates: z.array(
    z.strictObject({
      ...rateResponse.shape,
      fx_percentage: text,
    }),
  ),
})

export const gatewayRatesResponse = z.strictObject({
  payment_method: text,
  label: text,
  country: text.nullable(),
  rates: z.array(rateResponse),
})
export type GatewayRatesResponse = Output<typeof gatewayRatesResponse>

/** `GET fees?account_id`: the rates of the named account, else of the default account. */
export const feesResponse = z.strictObject({
  account_id: text,
  tiers: z.array(feeTierResponse),
  /** The gateway's rates for each payment method that the account has a name for. */
  gateway: z.array(gatewayRatesResponse),
  read_at: time,
})
export type FeesResponse = Output<typeof feesResponse>

/** `GET fees/prediction`: the payer pays `payer_amount`, the merchant gets `payee_amount`. */
export const feePredictionResponse = z.strictObject({
  quote,
})
export type FeePredictionResponse = Output<typeof feePredictionResponse>

export const feesQuery = z.object({ account_id: accountId.optional() })

export const predictionQuery = z.object({
  account_id: accountId.optional(),
  /** Decimal text in major units. */
  amount: z.string().regex(/^\d{1,13}(\.\d{1,6})?$/, invalidAs("amount")),
  currency,
  payment_method: trimmedPrintable(100),
  payer_currency: currency.optional(),
  bearer: z.enum(FEE_BEARERS).optional(),
})
