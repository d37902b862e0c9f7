/** What is kept of a phone number's payment accounts at the gateway. */
import { z } from "zod"
import type { PaymentAccountId } from "../../core/ids"
import { idNumber, type Output, text } from "../../core/schemas/shapes"

/** Ids of payment accounts, by payment method. */
export const paymentAccounts = z.record(text, idNumber<PaymentAccountId>())
export type PaymentAccounts = Output<typeof paymentAccounts>
