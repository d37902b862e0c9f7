/** What is kept of the gateway's receipt of a payment. */
import { z } from "zod"
import type { CurrencyCode } from "../../core/money"
import type { FeeBearer } from "../../core/operation"
import type {
  CleanText,
  DecimalText,
  ExactText,
  Moment,
  StateWord,
  WebAddress,
} from "../../core/said/texts"
import { idText, number, type Output } from "../../core/schemas/shapes"

const orNull = <Text extends string>() => idText<Text>().nullable().default(null)

/**
 * Amounts are decimal text in major units. Erasing a customer's data keeps the names of the fields.
 */
export const keptReceipt = z.object({
  number: idText<ExactText>(),
  /** ISO 8601, UTC; null: the gateway gave no readable date. */
  paidAt: orNull<Moment>(),
  total: idText<DecimalText>(),
  currency: idText<CurrencyCode>(),
  feeBearer: orNull<StateWord | FeeBearer>(),
  paymentMethod: orNull<ExactText>(),
  transactionId: orNull<ExactText>(),
  /** Null: the gateway listed none. */
  lines: z
    .array(
      z.object({
        name: idText<CleanText>(),
        quantity: number,
        /** The price of one piece. */
        unitAmount: idText<DecimalText>(),
      }),
    )
    .nullable()
    .default(null),
  /** The gateway's page that shows the receipt. */
  link: orNull<WebAddress>(),
})
export type KeptReceipt = Output<typeof keptReceipt>
