/**
 * `POST /v1/executions/…` moves money, `GET /v1/status/…/{reference_id}` says what became of it;
 * all answer an execution (contract, 2b, 3, 6, 7 and 15). Ids are text in the bodies, integers
 * everywhere else.
 */
import { z } from "zod"
import type { Endpoint } from "../endpoint"
import { checkedBy } from "../endpoint"
import type { Currency } from "./amounts"
import { currencyField } from "./amounts"
import type { OperationName } from "../operations"
import type { OperationType } from "./enums"
import type { Execution } from "./execution"
import { executionReader } from "./execution"
import { addressTextField, phoneField, textField, uuidField } from "./fields"

export { UNDOCUMENTED_EXECUTION_FIELDS } from "./execution"

export type ExecuteCollectionRequest = {
  /** The checkout session; written as text on the wire. */
  readonly sessionId: number
  /** Written as text on the wire. */
  readonly paymentAccountId: number
  /** What the payer pays in, which is not always the source's currency. */
  readonly currency: Currency
  /** UUID v4, the idempotency key. Stored before the call, never used for another payment. */
  readonly referenceId: string
}

export type ExecuteTransferRequest = {
  /** The transfer session; written as text on the wire. */
  readonly sessionId: number
  /** UUID v4, the idempotency key. Stored before the call, never used for another transfer. */
  readonly referenceId: string
}

export type ExecuteRefundRequest = {
  /** The refund session; written as text on the wire. */
  readonly sessionId: number
  /** UUID v4 of the refund itself, never the collection's. Stored before the call. */
  readonly referenceId: string
}

/** How the merchant proves a payout. A person types the code each time; it is never stored. */
export type PayoutPasscode = {
  readonly token: {
    /** As set in the merchant portal. No error, log line or message repeats it. */
    readonly code: string
    /** Instead of `phone`, as the account requires. */
    readonly userId?: string | undefined
    /** The phone that the passcode belongs to, digits of E.164 without a plus. */
    readonly phone?: string | undefined
  }
  /** Kept by the gateway for audit. */
  readonly device: {
    readonly name: string
    /** Such as `SERVER`. */
    readonly type: string
    /** Such as `NODE`. */
    readonly platform: string
    readonly userAgent: string
    readonly clientIp: string
  }
}

export type ExecutePayoutRequest = {
  /** The payout session; written as text on the wire. */
  readonly sessionId: number
  /** The same account as in the session; written as text on the wire. */
  readonly payoutAccountId: number
  /** UUID v4, the idempotency key. Stored before the call, never used for another payout. */
  readonly referenceId: string
  readonly passcode: PayoutPasscode
}

type Referenced = { readonly referenceId: string }

const idInRequest = z.int().positive()
const collectionSchema = z.object({
  sessionId: idInRequest,
  paymentAccountId: idInRequest,
  currency: currencyField,
  referenceId: uuidField,
})
/** A transfer and a refund send only this: the rest is in their session. */
const sessionSchema = z.object({ sessionId: idInRequest, referenceId: uuidField })
const payoutSchema = sessionSchema.extend({
  payoutAccountId: idInRequest,
  passcode: z.object({
    token: z.object({
      code: addressTextField,
      userId: textField.optional(),
      phone: phoneField.optional(),
    }),
    device: z.object({
      name: textField,
      type: textField,
      platform: textField,
      userAgent: textField,
      clientIp: textField,
    }),
  }),
})
const statusSchema = z.object({ referenceId: uuidField })

const referenceOf = ({ referenceId }: Referenced) => referenceId
const passcodeIn = ({ passcode }: ExecutePayoutRequest) => [passcode.token.code]

export const executeCollection: Endpoint<ExecuteCollectionRequest, Execution> = {
  operation: "executions.collection",
  problemsWith: checkedBy(collectionSchema),
  write: (request) => ({
    body: {
      session_id: String(request.sessionId),
      payment_account_id: String(request.paymentAccountId),
      currency: request.currency,
      reference_id: request.referenceId,
    },
  }),
  read: executionReader("COLLECTION"),
  referenceOf,
}

export const executePayout: Endpoint<ExecutePayoutRequest, Execution> = {
  operation: "executions.payout",
  problemsWith: checkedBy(payoutSchema),
  write: ({ sessionId, payoutAccountId, referenceId, passcode: { token, device } }) => ({
    body: {
      session_id: String(sessionId),
      payout_account_id: String(payoutAccountId),
      reference_id: referenceId,
      passcode: {
        token: { code: token.code, user_id: token.userId, phone: token.phone },
        device: {
          name: device.name,
          type: device.type,
          platform: device.platform,
          user_agent: device.userAgent,
          client_ip: device.clientIp,
        },
      },
    },
  }),
  read: executionReader("PAYOUT", passcodeIn),
  referenceOf,
  secretsIn: passcodeIn,
}

export const executeTransfer: Endpoint<ExecuteTransferRequest, Execution> = {
  operation: "executions.transfer",
  ...sessionExecution("TRANSFER"),
}

export const executeRefund: Endpoint<ExecuteRefundRequest, Execution> = {
  operation: "executions.refund",
  ...sessionExecution("REFUND"),
}

export const collectionStatus = statusEndpoint("status.collection", "COLLECTION")
export const payoutStatus = statusEndpoint("status.payout", "PAYOUT")
export const transferStatus = statusEndpoint("status.transfer", "TRANSFER")
export const refundStatus = statusEndpoint("status.refund", "REFUND")

/** An execution that sends only its session and its reference. */
function sessionExecution(
  type: OperationType,
): Omit<Endpoint<Referenced & { readonly sessionId: number }, Execution>, "operation"> {
  return {
    problemsWith: checkedBy(sessionSchema),
    write: ({ sessionId, referenceId }) => ({
      body: { session_id: String(sessionId), reference_id: referenceId },
    }),
    read: executionReader(type),
    referenceOf,
  }
}

function statusEndpoint(
  operation: OperationName,
  type: OperationType,
): Endpoint<Referenced, Execution> {
  return {
    operation,
    problemsWith: checkedBy(statusSchema),
    write: ({ referenceId }) => ({ params: { reference_id: referenceId } }),
    read: executionReader(type),
    referenceOf,
  }
}
