/** The admin's routes about money that leaves, and about what waits for a second admin. */
import type { OperationId } from "../../core/ids"
import {
  adminPayoutResponse,
  adminTransferResponse,
  payoutBody,
  payoutsQuery,
  payoutsResponse,
  transferBody,
  transfersResponse,
} from "../../payouts/schemas/payouts"
import {
  requestAnswerBody,
  requestAnsweredResponse,
  requestsResponse,
} from "../../payouts/schemas/requests"
import { DECIDE, MANAGE, READ, SEND } from "../../policies/merchant-payments"
import { segment, word, type AdminEndpoints } from "./endpoint"

const operation = { id: segment<OperationId>("operation_not_found") }
const request = {
  id: segment("request_not_found"),
  /** `approve` or `refuse`; who asked withdraws it by refusing it. */
  action: word("request_not_found", "approve", "refuse"),
}
const answered = {
  params: request,
  body: requestAnswerBody,
  response: requestAnsweredResponse,
}

export const MONEY_OUT = {
  "GET payouts": {
    does: "Lists payouts, newest first.",
    policy: READ,
    query: payoutsQuery,
    response: payoutsResponse,
  },
  "POST payouts": {
    does: "Pays money to a mobile wallet. A repeat under the same key returns the same payout.",
    policy: SEND,
    body: payoutBody,
    response: adminPayoutResponse,
  },
  "GET payouts/:id": {
    does: "Reads one payout.",
    policy: READ,
    params: operation,
    response: adminPayoutResponse,
  },
  "GET transfers": {
    does: "Lists transfers, newest first.",
    policy: READ,
    query: payoutsQuery,
    response: transfersResponse,
  },
  "POST transfers": {
    does:
      "Pays money to a counterparty's wallet. A repeat under the same key returns the same " +
      "transfer.",
    policy: SEND,
    body: transferBody,
    response: adminTransferResponse,
  },
  "GET transfers/:id": {
    does: "Reads one transfer.",
    policy: READ,
    params: operation,
    response: adminTransferResponse,
  },
  "GET requests": {
    does:
      "Lists what waits for a second admin, newest first. Account changes are listed for admins " +
      "who may manage accounts, and for API keys.",
    policy: READ,
    response: requestsResponse,
  },
  "POST payout-requests/:id/:action": {
    does: "Approves or refuses a payout or transfer of another admin, or withdraws it.",
    policy: SEND,
    ...answered,
  },
  "POST refund-requests/:id/:action": {
    does: "Approves or refuses a refund of another admin, or withdraws it.",
    policy: DECIDE,
    ...answered,
  },
  "POST account-changes/:id/:action": {
    does: "Approves or refuses a change of an account of another admin, or withdraws it.",
    policy: MANAGE,
    ...answered,
  },
} as const satisfies AdminEndpoints
