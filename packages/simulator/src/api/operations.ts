/** Every operation that the simulator has. Others of the contract answer 404. */
import { createCheckoutSource } from "./checkouts"
import { counterpartyOperations } from "./counterparties"
import { documentOperations } from "./documents"
import { executionOperations } from "./executions"
import { itemOperations } from "./items"
import { linkOperations } from "./links"
import { feeOperations } from "./fees"
import { getMerchantInfo } from "./merchants"
import type { Operation } from "./operation"
import { partyOperations } from "./parties"
import { createPaymentAccount } from "./payment-accounts"
import { predictionOperations } from "./predictions"
import { receiptOperations } from "./receipts"
import { createCollectionRealtimeKey } from "./realtime-keys"
import { sessionOperations } from "./sessions"
import { getPaymentSourceStatus } from "./status"
import { obtainToken, type Tokens } from "./tokens"

export const operationsOf = (tokens: Tokens): readonly Operation[] => [
  obtainToken(tokens),
  createCheckoutSource,
  ...partyOperations,
  ...counterpartyOperations,
  ...documentOperations,
  ...itemOperations,
  ...receiptOperations,
  ...linkOperations,
  ...sessionOperations,
  createPaymentAccount,
  ...executionOperations,
  getPaymentSourceStatus,
  ...predictionOperations,
  ...feeOperations,
  getMerchantInfo,
  createCollectionRealtimeKey(tokens),
]
