/**
 * What an admin hears when money could not be sent, and what the ledger keeps of it. Nothing has moved
 * in any of these cases.
 */
import type { EndReason } from "../../core/operation"
import { Refusal } from "../../core/refusal"
import {
  Forbidden,
  Invalid,
  NotFound,
  RateLimited,
  Unauthenticated,
  type Failure,
  type GatewayError,
} from "../../gateway"
import { pauseAccount } from "../pause-checks"
import type { PayoutDeps } from "./payout-deps"

export type Setback = {
  readonly refusal: Refusal
  readonly reason: EndReason
  readonly why: string
}

const NOT_SENT = "Nothing was sent."

export function setbackOf(failure: Failure): Setback {
  const { error } = failure
  if (error instanceof Unauthenticated) {
    return {
      refusal: notConfigured(),
      reason: "operator_unavailable",
      why: "the gateway does not take the account's credentials",
    }
  }
  if (error instanceof Forbidden) {
    return {
      refusal: new Refusal(
        "not_verified",
        `The gateway does not let this account send money: it may not be verified yet. ${NOT_SENT}`,
      ),
      reason: "operator_unavailable",
      why: "the gateway does not let this account send money",
    }
  }
  if (error instanceof Invalid || error instanceof NotFound) return refused(error)
  return { refusal: unreachable(), reason: "never_landed", why: "the gateway could not be asked" }
}

/** By the field that it names, else by its words: the contract has no codes. */
function refused(error: GatewayError): Setback {
  const fields = error.fields ?? []
  const said = error.detail ?? fields.map(({ message }) => message).join("; ")
  if (fields.some(({ path }) => /passcode/.test(path)) || /passcode/i.test(said)) {
    return {
      refusal: new Refusal("wrong_passcode", `The gateway refused the passcode. ${NOT_SENT}`),
      reason: "wrong_pin",
      why: "the gateway refused the passcode",
    }
  }
  if (/balance|insufficient|not enough|no funds/i.test(said)) {
    return {
      refusal: new Refusal("wallet_too_low", `There is not enough in the wallet. ${NOT_SENT}`),
      reason: "insufficient_funds",
      why: "there is not enough in the wallet",
    }
  }
  if (fields.some(({ path }) => /phone|account_number/.test(path))) {
    return {
      refusal: new Refusal("invalid_phone", `The gateway does not take this number. ${NOT_SENT}`),
      reason: "declined",
      why: "the gateway does not take the recipient's number",
    }
  }
  return {
    refusal: new Refusal(
      "gateway_refused",
      `The gateway refused it${said === "" ? "" : `: ${said}`}. ${NOT_SENT}`,
      { field: fields[0]?.path ?? null },
    ),
    reason: "declined",
    why: "the gateway refused it",
  }
}

/** The gateway wants to be left alone for a while. */
export async function pauseIfAsked(
  deps: Pick<PayoutDeps, "budget" | "database" | "logger">,
  accountId: string,
  { error }: Failure,
): Promise<void> {
  const isTooMany = error instanceof RateLimited
  if (!isTooMany && error.retryAfterMs === undefined) return
  await pauseAccount(deps, accountId, { forMs: error.retryAfterMs, isTooMany })
}

export function unreachable(): Refusal {
  return new Refusal(
    "gateway_unavailable",
    `The payment service does not answer at the moment. ${NOT_SENT} Try again in a minute.`,
  )
}

export function notConfigured(): Refusal {
  return new Refusal(
    "not_configured",
    `There are no credentials that the gateway takes. ${NOT_SENT}`,
  )
}

/** The same refusal, with the id of the payout that it ended. */
export function ofPayout({ code, message, details }: Refusal, id: string): Refusal {
  return new Refusal(code, message, { ...details, id })
}
