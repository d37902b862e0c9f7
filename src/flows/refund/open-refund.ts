/**
 * From the reserve to the sending: the refund session, then the reference, committed before the call
 * that moves money. What does not get so far has sent nothing: the draft ends, and its part is free.
 */
import { failureReason } from "../../core/failure-reason"
import { LIMITS } from "../../core/limits"
import type { Operation } from "../../core/operation"
import { Refusal } from "../../core/refusal"
import {
  Forbidden,
  Invalid,
  NotFound,
  RateLimited,
  Unauthenticated,
  type Failure,
  type Gateway,
} from "../../gateway"
import { advanceRefund } from "../../ledger/advance-refund"
import { pauseAccount } from "../pause-checks"
import { abandonRefund } from "./abandon-refund"
import type { RefundDeps } from "./refund-deps"
import { executeRefund } from "./send-refund"

/**
 * The caller holds the draft by lease; the lease is given back.
 *
 * @returns the refund as sent, or as another writer has left it
 * @throws Refusal `gateway_unavailable`, `gateway_refused`, `wallet_too_low`, `payment_intent_unknown`,
 * `not_verified`, `not_configured`
 */
export async function openRefund(
  deps: RefundDeps,
  gateway: Gateway,
  draft: Operation,
): Promise<Operation> {
  await deps.budget.take(draft.accountId)
  deps.failpoints.at("refund_session.before_call")
  const opened = await gateway.sessions.refund(
    {
      originalPaymentIntentId: draft.paymentIntentId ?? 0,
      amount: draft.amount,
      // The database's clock, as every later comparison with it.
      expiresAt: draft.expiresAt,
    },
    { patience: "shopper" },
  )
  deps.failpoints.at("refund_session.answered")
  if (opened.kind !== "done") {
    const { refusal, why } = setback(opened)
    await abandonRefund(deps, draft, why, opened)
    await pauseIfAsked(deps, draft, opened)
    throw refusal
  }
  deps.failpoints.at("refund_submit.before_commit")
  const submitted = await advanceRefund(deps.database, draft, {
    event: "submit",
    why: "its session is open; the reference is committed before the money call",
    facts: { session: opened.value.id },
    changes: {
      gatewaySessionId: opened.value.id,
      reference: deps.ids.reference(),
      submittedAt: true,
      sendings: 1,
      lastSentAt: true,
      lastSending: "sending",
    },
    next: { inMs: LIMITS.refundChecksMs[0] },
    lease: { forMs: LIMITS.leaseMs },
  })
  // The lease ended while the gateway took its time, and the job has ended the draft.
  if (!submitted) throw unreachable()
  deps.failpoints.at("refund_submit.committed")
  return (await executeRefund(deps, gateway, submitted.refund, "shopper")) ?? submitted.refund
}

async function pauseIfAsked(deps: RefundDeps, draft: Operation, failure: Failure): Promise<void> {
  const { error } = failure
  const isTooMany = error instanceof RateLimited
  if (!isTooMany && error.retryAfterMs === undefined) return
  await pauseAccount(deps, draft.accountId, { forMs: error.retryAfterMs, isTooMany })
}

function setback(failure: Failure): { refusal: Refusal; why: string } {
  const { error } = failure
  const said = error.detail ?? error.fields?.map(({ message }) => message).join("; ") ?? ""
  if (error instanceof Unauthenticated) {
    return {
      refusal: new Refusal(
        "not_configured",
        "The gateway does not accept the credentials of this account. Nothing was sent.",
      ),
      why: "the gateway does not accept the credentials",
    }
  }
  if (error instanceof Forbidden) {
    return { refusal: notVerified(), why: "the gateway does not let this account make refunds" }
  }
  if (error instanceof NotFound) {
    return {
      refusal: new Refusal(
        "payment_intent_unknown",
        "The gateway does not know the payment intent id of this payment. The merchant portal shows " +
          "the right one; it can be typed in the admin. Nothing was sent.",
      ),
      why: "the gateway does not know the payment intent",
    }
  }
  if (failure.kind === "refused" && error instanceof Invalid) {
    if (failureReason(said) === "insufficient_funds") {
      return { refusal: walletTooLow(), why: "the wallet holds less than what is to be given back" }
    }
    return {
      refusal: new Refusal(
        "gateway_refused",
        `The gateway refused this refund${said === "" ? "" : `: ${said}`}. Nothing was sent.`,
      ),
      why: "the gateway refused the refund session",
    }
  }
  return { refusal: unreachable(), why: "the refund session could not be opened" }
}

function unreachable(): Refusal {
  return new Refusal(
    "gateway_unavailable",
    "The payment service does not answer at the moment. Nothing was sent. Try again in a minute.",
  )
}

/** Also of an execution that was turned away. */
export function notVerified(): Refusal {
  return new Refusal(
    "not_verified",
    "The gateway does not let this account make refunds: it may not be verified yet. The merchant " +
      "portal says so. Nothing went back.",
  )
}

export function walletTooLow(): Refusal {
  return new Refusal(
    "wallet_too_low",
    "Your wallet at the gateway holds less than what is to be given back. Fill it up in the merchant " +
      "portal, and refund again. Nothing went back.",
  )
}
