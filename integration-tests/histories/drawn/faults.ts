/** What a call to the gateway may meet, and which calls. */
import type { FaultEntry } from "../../../packages/simulator/src/faults"

/** None that is waited out in real time. */
export const FAULTS = [
  "reset:before",
  "reset:after",
  "500:before",
  "500:after",
  "503:2:after",
  "cut:after",
  "cut_silently:after",
  "shape:after",
  "html:after",
  "429",
  "401",
  "403",
  "404",
  "422",
] as const satisfies readonly FaultEntry[]

export type Fault = (typeof FAULTS)[number]

export const OPERATIONS = [
  "executeCollection",
  "getCollectionStatus",
  "getPaymentSourceStatus",
  "executeRefund",
  "createCheckoutSource",
  "createCheckoutSession",
  "createPaymentAccount",
  "predictMmoProviderInfo",
  "cancelOrder",
  "publishOrder",
  "createOrder",
  "addOrderItem",
  "clientObtainToken",
  "createRefundSession",
  "getRefundStatus",
  "createPayoutSession",
  "executePayout",
  "getPayoutStatus",
  "createTransferSession",
  "executeTransfer",
  "getTransferStatus",
] as const
