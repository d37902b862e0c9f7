/** What is stored of what one admin asks for and another approves. */
import { z } from "zod"
import type { AccountId, CounterpartyId, OperationId, WalletId } from "../../core/ids"
import { idNumber, idText, type Output, text } from "../../core/schemas/shapes"

/** A refund as it was asked for, in major units and not rounded. */
const refundAskedFor = z.object({
  /** The collection whose money goes back. */
  payment_id: idText<OperationId>(),
  medusa_amount: text,
  captured_amount: text,
  /** `rest`: what came above the asked amount; it and `gateway` are unknown to Medusa. */
  way: z.enum(["medusa", "gateway", "rest"]),
})
export type RefundAskedFor = Output<typeof refundAskedFor>

const orNull = <Value>(schema: z.ZodType<Value>) => schema.nullable().optional()

/** What the other admin is shown, and what it is carried out with. */
export const requestDetails = z.object({
  /** The account that its money leaves; no other may send it. */
  account_id: idText<AccountId>().optional(),
  /** Major units. */
  amount: text.optional(),
  currency: text.optional(),
  recipient_name: orNull(text),
  phone_hint: orNull(text),
  payment_method: orNull(text),
  carrier: orNull(text),
  from_wallet_id: orNull(idNumber<WalletId>()),
  to_counterparty_id: orNull(idNumber<CounterpartyId>()),
  refund: refundAskedFor.optional(),
})
export type RequestDetails = Output<typeof requestDetails>
