/** `status/source`: the state and total of an invoice or order (contract, 2a). */
import { z } from "zod"
import { idFrom, type Given, type MerchantId, type Reference, type SourceId } from "../terms/ids"
import { methodOf, type Call, type CallOptions } from "../call"
import { sameMoney, type CurrencyCode, type Money } from "../terms/money"
import type { ExactText } from "../terms/texts"
import { inQuery, type Endpoint } from "../endpoint"
import { ENUMS, type DocumentStatus, type SourceType } from "./enums"
import { collectionStatus, payoutStatus, refundStatus, transferStatus } from "./executions"
import * as field from "./fields"
import { isAbsent } from "./forms"
import type { Figure, GatewayTime, Wire } from "./reading"
import { exactMoneyOf, UnusableField, moneyIn, otherThanRepeated, reader } from "./reading"

export type SourceStatusRequest = {
  readonly sourceType: SourceType
  readonly sourceId: Given<SourceId>
}

export type SourceStatus = {
  readonly sourceType: SourceType
  readonly sourceId: SourceId
  readonly status: DocumentStatus
  /** The source's total. It is exact, because it is compared before a payment counts as paid. */
  readonly total: Money
  readonly sourceNumber?: ExactText
  readonly paidAt?: GatewayTime
  /** What the payer paid, only if the answer has it. Stored and displayed, never compared. */
  readonly payerAmount?: Figure
  readonly payerCurrency?: CurrencyCode
  /** The merchant's owner id, only if the answer has it. */
  readonly ownerId?: MerchantId
  readonly wire: Wire
}

const answerSchema = z.object({
  source_id: field.optionalIdOf<SourceId>(),
  source_type: field.optionalWord(ENUMS.SourceType),
  status: field.sourceStatus,
  currency: field.currency,
  total_amount: field.amount,
  source_number: field.optionalExact,
  paid_at: field.optionalTime,
  // The fields from here on are not in the contract. They are read if present.
  payer_amount: field.fromWire,
  payer_currency: field.fromWire,
  owner_id: field.optionalIdOf<MerchantId>(),
})

export const sourceStatus: Endpoint<SourceStatusRequest, SourceStatus> = {
  operation: "status.source",
  write: inQuery(z.object({ sourceType: field.sourceType, sourceId: z.int().positive() })),
  read: reader(
    answerSchema,
    ({ totalAmount, currency, ...fields }, wire, { sourceType, sourceId }, context) => {
      const asked = { source_id: sourceId, source_type: sourceType }
      const other = otherThanRepeated(wire, asked, context)
      if (other) return other
      const total = exactMoneyOf(totalAmount, currency)
      if (!total) return new UnusableField("total_amount", "no exact amount in its currency")
      if (saysOtherTotal(wire, total)) return new UnusableField("total_amount", "two that differ")
      // The contract has no payer amount, so an unreadable one must not hide whether it is paid.
      const read = moneyIn(wire, "payer_amount", "payer_currency")
      const payer = read instanceof UnusableField ? {} : read
      return {
        ...fields,
        sourceId: idFrom(sourceId),
        sourceType,
        total,
        payerAmount: payer.amount,
        payerCurrency: payer.currency,
        wire,
      }
    },
  ),
}

/**
 * Whether the answer has another total under a name outside the contract. If two totals differ, it
 * can't be known which one is owed.
 */
function saysOtherTotal(wire: Wire, total: Money): boolean {
  return ["total", "amount"].some((name) => {
    const said = isAbsent(wire[name]) ? undefined : exactMoneyOf(wire[name], total.currency)
    return said !== undefined && !sameMoney(said, total)
  })
}

/**
 * What became of a movement of money. The gateway sends no webhooks: these reads are the only proof
 * (contract, 13). Ask every 2 to 5 seconds at first, then less often, never several times a second.
 *
 * `COMPLETED` and `FAILED` are final; every other value, unknown ones included, is in flight.
 */
export const statusOf = (call: Call) => ({
  /**
   * What became of a collection, by the reference under which it was executed. `NotFound`: the
   * gateway does not know the reference; right after a lost answer that is weak proof that nothing
   * happened (contract, 5 and 7).
   */
  collection: (referenceId: Given<Reference>, options?: CallOptions) =>
    call(collectionStatus, { referenceId }, options),
  /** As `status.collection` (contract, 5, 7 and 15). */
  payout: (referenceId: Given<Reference>, options?: CallOptions) =>
    call(payoutStatus, { referenceId }, options),
  /** As `status.collection` (contract, 5, 7 and 15). */
  transfer: (referenceId: Given<Reference>, options?: CallOptions) =>
    call(transferStatus, { referenceId }, options),
  /** As `status.collection`, by the refund's own reference (contract, 3, 5 and 7). */
  refund: (referenceId: Given<Reference>, options?: CallOptions) =>
    call(refundStatus, { referenceId }, options),
  /**
   * The state of an invoice or order. `PAID` proves a payment on the hosted page (contract, 2a, 5).
   */
  source: methodOf(call, sourceStatus),
})
