/**
 * `executions/…` moves money, `status/…/{reference_id}` says what became of it. All of them answer
 * with an execution (contract, 2b, 3, 6, 7 and 15). Ids are text in the request bodies here, and
 * integers everywhere else.
 */
import { z } from "zod"
import type { GatewaySessionId, Given, PaymentAccountId, Reference } from "../terms/ids"
import { methodOf, type Call } from "../call"
import { inBody, writer, type Endpoint } from "../endpoint"
import { currencyField, type Currency } from "./amounts"
import type { OperationName } from "../operations"
import type { OperationType } from "./enums"
import { executionReader, type Execution } from "./execution"
import * as field from "./fields"
import { inSnakeCase } from "./reading"

type Referenced = {
  /**
   * UUID v4, the idempotency key of this movement of money. Store it before the call and never use
   * it for another movement: a refund has its own reference, not its collection's.
   */
  readonly referenceId: Given<Reference>
}

type OfSession = Referenced & {
  /** The gateway session of the same kind; written as text on the wire. */
  readonly sessionId: Given<GatewaySessionId>
}

export type ExecuteCollectionRequest = OfSession & {
  /** The payer's payment account; written as text on the wire. */
  readonly paymentAccountId: Given<PaymentAccountId>
  /** The currency that the payer pays in, which may differ from the source's. */
  readonly currency: Currency
}

export type ExecuteTransferRequest = OfSession
export type ExecuteRefundRequest = OfSession

/** How the merchant proves a payout. An admin types the code each time; it is never stored. */
export type PayoutPasscode = {
  readonly token: {
    /** The passcode as set in the merchant portal. No error, log line or message repeats it. */
    readonly code: string
    /** A user id, sent instead of `phone` if the account requires it. */
    readonly userId?: string | undefined
    /** The phone number that the passcode belongs to: digits of E.164 without a plus. */
    readonly phone?: string | undefined
  }
  /** The sender's device; the gateway keeps it for audit. */
  readonly device: {
    readonly name: string
    /** The kind of device, such as `SERVER`. */
    readonly type: string
    /** What the device runs, such as `NODE`. */
    readonly platform: string
    readonly userAgent: string
    readonly clientIp: string
  }
}

export type ExecutePayoutRequest = OfSession & {
  /** The same account as in the gateway session; written as text on the wire. */
  readonly payoutAccountId: Given<PaymentAccountId>
  readonly passcode: PayoutPasscode
}

const idAsText = z.int().positive().transform(String)
/** A transfer and a refund send only these fields: the gateway session holds the rest. */
const sessionSchema = z.object({ sessionId: idAsText, referenceId: field.uuid })
const passcodeToken = z.object({
  code: field.addressText,
  userId: field.text.optional(),
  phone: field.phone.optional(),
})
const passcodeDevice = z.object({
  name: field.text,
  type: field.text,
  platform: field.text,
  userAgent: field.text,
  clientIp: field.text,
})

const writeSession: Endpoint<OfSession, Execution>["write"] = inBody(sessionSchema)
const writeReference = writer(z.object({ referenceId: field.uuid }), ({ referenceId }) => ({
  params: { reference_id: referenceId },
}))

function executionCall<Request extends Referenced>(
  operation: OperationName,
  type: OperationType,
  write: Endpoint<Request, Execution>["write"],
  secretsIn: (request: Request) => readonly string[] = () => [],
): Endpoint<Request, Execution> {
  return {
    operation,
    write,
    read: executionReader(type, secretsIn),
    referenceOf: ({ referenceId }) => referenceId,
    secretsIn,
  }
}

export const executeCollection = executionCall<ExecuteCollectionRequest>(
  "executions.collection",
  "COLLECTION",
  inBody(sessionSchema.extend({ paymentAccountId: idAsText, currency: currencyField })),
)

export const executePayout = executionCall<ExecutePayoutRequest>(
  "executions.payout",
  "PAYOUT",
  inBody(
    sessionSchema.extend({
      payoutAccountId: idAsText,
      passcode: z.object({
        token: passcodeToken.transform(inSnakeCase),
        device: passcodeDevice.transform(inSnakeCase),
      }),
    }),
  ),
  ({ passcode }) => [passcode.token.code],
)

export const executeTransfer = executionCall("executions.transfer", "TRANSFER", writeSession)
export const executeRefund = executionCall("executions.refund", "REFUND", writeSession)

export const collectionStatus = executionCall("status.collection", "COLLECTION", writeReference)
export const payoutStatus = executionCall("status.payout", "PAYOUT", writeReference)
export const transferStatus = executionCall("status.transfer", "TRANSFER", writeReference)
export const refundStatus = executionCall("status.refund", "REFUND", writeReference)

/**
 * The calls that move money. The client sends each call once and never repeats it. `done` says that
 * the gateway accepted it, not that the money moved: follow the status of the same kind.
 *
 * The `referenceId` is a UUID v4, stored before the call; the status under it says what happened
 * (specification, "Idempotency rules for executions"; contract, 7). Ask for that status after
 * `unknown`. An answer under another reference or of another kind is `unknown` too.
 *
 * `refused` with `Invalid`: the gateway session is over, or the reference was used for another
 * execution. `refused` with `Forbidden`: the merchant is not verified yet.
 */
export const executionsOf = (call: Call) => ({
  /**
   * Collects from a payer. Follow `status.collection`. `refused` with `Invalid` also when the
   * account does not belong to the source's party (contract, 2b and 7).
   */
  collection: methodOf(call, executeCollection),
  /**
   * Pays to the account of a payout session. Follow `status.payout`. No error repeats the passcode.
   * `refused` with `Invalid` also when the passcode is wrong, or the wallet does not allow the
   * payout (contract, 7 and 15).
   */
  payout: methodOf(call, executePayout),
  /** Runs a transfer session between platform wallets. Follow `status.transfer` (contract, 15). */
  transfer: methodOf(call, executeTransfer),
  /**
   * Runs a refund session, under a new reference of its own. Follow `status.refund`.
   * `refused` with `Invalid` also when the balance does not cover the refund (contract, 3 and 7).
   */
  refund: methodOf(call, executeRefund),
})
