/** `status/source`: the state and total of an invoice or order (contract, 2a). */
import { z } from "zod"
import type { CurrencyCode, Money } from "../../core/money"
import type { Endpoint } from "../endpoint"
import { checkedBy } from "../endpoint"
import type { DocumentStatus, SourceType } from "./enums"
import type { Figure, GatewayTime, Wire } from "./fields"
import {
  amountField,
  exactMoneyOf,
  fromWire,
  idField,
  Misfit,
  moneyIn,
  optionalId,
  optionalText,
  reader,
  sourceTypeField,
  statusField,
  textField,
} from "./fields"

export type SourceStatusRequest = { readonly sourceType: SourceType; readonly sourceId: number }

export type SourceStatus = {
  readonly sourceType: SourceType
  readonly sourceId: number
  readonly status: DocumentStatus
  /** Exact: it is compared before a payment counts as paid. */
  readonly total: Money
  readonly sourceNumber?: string
  readonly paidAt?: GatewayTime
  /** Only if the answer carries it. Stored and displayed, never compared. */
  readonly payerAmount?: Figure
  readonly payerCurrency?: CurrencyCode
  /** The merchant's owner id, only if the answer carries it. */
  readonly ownerId?: number
  readonly wire: Wire
}

const requestSchema = z.object({ sourceType: sourceTypeField, sourceId: z.int().positive() })
const answerSchema = z.object({
  source_id: idField,
  source_type: textField,
  status: statusField,
  currency: textField,
  total_amount: amountField,
  source_number: optionalText,
  paid_at: optionalText,
  payer_amount: fromWire,
  payer_currency: fromWire,
  owner_id: optionalId,
})

/** Fields outside the contract that are read if present. */
export const UNDOCUMENTED_SOURCE_STATUS_FIELDS = [
  "payer_amount",
  "payer_currency",
  "owner_id",
] as const

export const sourceStatus: Endpoint<SourceStatusRequest, SourceStatus> = {
  operation: "status.source",
  problemsWith: checkedBy(requestSchema),
  write: ({ sourceType, sourceId }) => ({
    query: { source_type: sourceType, source_id: String(sourceId) },
  }),
  read: reader(
    answerSchema,
    ({ totalAmount, currency, ...fields }, wire, { sourceType, sourceId }) => {
      if (fields.sourceId !== sourceId || fields.sourceType !== sourceType) {
        return new Misfit("source_id", "another source than asked for")
      }
      const total = exactMoneyOf(totalAmount, currency)
      if (!total) return new Misfit("total_amount", "no exact amount in its currency")
      // Not in the contract, so an unreadable one must not hide whether the source is paid.
      const read = moneyIn(wire, "payer_amount", "payer_currency")
      const payer = read instanceof Misfit ? {} : read
      return {
        ...fields,
        sourceType,
        total,
        payerAmount: payer.amount,
        payerCurrency: payer.currency,
        wire,
      }
    },
  ),
}
