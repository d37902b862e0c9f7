/** Every operation that the simulator plays. One of the contract that is not here answers 404. */
import { createCheckoutSource } from "./checkouts"
import { documentOperations } from "./documents"
import { executeCollection, getCollectionStatus } from "./executions"
import type { Operation } from "./operation"
import { createPaymentAccount } from "./payment-accounts"
import { predictMmoProviderInfo } from "./predictions"
import { createCheckoutSession } from "./sessions"
import { getPaymentSourceStatus } from "./status"
import { obtainToken, type Tokens } from "./tokens"

export const operationsOf = (tokens: Tokens): readonly Operation[] => [
  obtainToken(tokens),
  createCheckoutSource,
  ...documentOperations,
  createCheckoutSession,
  createPaymentAccount,
  executeCollection,
  getCollectionStatus,
  getPaymentSourceStatus,
  predictMmoProviderInfo,
]
