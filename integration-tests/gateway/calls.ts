/**
 * One valid call of every operation, with the gateway's answer to it, for tests that take them all.
 */
import type { CallCase } from "./calls/call-case"
import { CHECKOUT_CALLS } from "./calls/checkouts"
import { DOCUMENT_ITEM_CALLS } from "./calls/document-items"
import { DOCUMENT_CALLS } from "./calls/documents"
import { EXECUTION_CALLS } from "./calls/executions"
import { PARTY_CALLS } from "./calls/parties"
import { FEE_CALLS } from "./calls/fees"
import { MERCHANT_CALLS } from "./calls/merchants"
import { PAYMENT_ACCOUNT_CALLS } from "./calls/payment-accounts"
import { PREDICTION_CALLS } from "./calls/predictions"
import { RECEIPT_CALLS } from "./calls/receipts"
import { REALTIME_KEY_CALLS } from "./calls/realtime-keys"
import { SESSION_CALLS } from "./calls/sessions"
import { STATUS_CALLS } from "./calls/status"

export type { CallCase } from "./calls/call-case"
export { currency, money, PHONE, REFERENCE } from "./calls/call-case"
export { CHECKOUT } from "./calls/checkouts"
export { DOCUMENT } from "./calls/documents"
export { EXECUTION } from "./calls/executions"
export { ACCOUNT } from "./calls/payment-accounts"
export { OPERATOR } from "./calls/predictions"
export { SESSION } from "./calls/sessions"
export { SOURCE } from "./calls/status"

export const CALLS: readonly CallCase[] = [
  ...CHECKOUT_CALLS,
  ...PARTY_CALLS,
  ...DOCUMENT_CALLS,
  ...DOCUMENT_ITEM_CALLS,
  ...RECEIPT_CALLS,
  ...SESSION_CALLS,
  ...PAYMENT_ACCOUNT_CALLS,
  ...EXECUTION_CALLS,
  ...STATUS_CALLS,
  ...PREDICTION_CALLS,
  ...FEE_CALLS,
  ...MERCHANT_CALLS,
  ...REALTIME_KEY_CALLS,
]

/** The valid call of an operation. */
export function callOf(operation: CallCase["operation"]): CallCase {
  const found = CALLS.find((call) => call.operation === operation)
  if (!found) throw new Error(`There is no call of ${operation}`)
  return found
}
