/**
 * What the shopper is told when a call before the money call did not work. Every such refusal
 * leaves the cart usable and nothing charged.
 */
import { refusal, type Refusal } from "../core/refusal"
import { isAboutAmount } from "../core/said/amount-limit"
import { saysOtherWaits, type Said } from "../core/said/refused-words"
import { isOfAccount } from "../engine/gateway-refusal"
import { Invalid, NotFound, RateLimited, type Failure, type GatewayError } from "../gateway"

export type StartRefusal = {
  readonly refusal: Refusal
  /** The gateway said no for good: the draft is not worth continuing. */
  readonly isFinal: boolean
  /** The gateway answered 429 and may have said when to come back. */
  readonly asksToWait?: Pick<Failure, "error">
  /** The gateway's own refusal, where it gave one: an admin reads its words. */
  readonly said?: GatewayError
}

export function startRefusalOf({ error }: Pick<Failure, "error">): StartRefusal {
  if (isOfAccount(error)) {
    return { refusal: refusal("not_configured.shopper"), isFinal: true, said: error }
  }
  const isConflict = error.status === 409
  const isNo = error instanceof Invalid || error instanceof NotFound
  if ((isNo || isConflict) && saysOtherWaits(error)) {
    return { refusal: refusal("payment_in_progress.phone"), isFinal: true, said: error }
  }
  if (!isNo) {
    const unavailable = { refusal: refusal("gateway_unavailable"), isFinal: false }
    if (isConflict) return { ...unavailable, said: error }
    return error instanceof RateLimited ? { ...unavailable, asksToWait: { error } } : unavailable
  }
  return { refusal: refusal(keyOf(error)), isFinal: true, said: error }
}

/** Whether the gateway refused the amount: another phone number would be refused as well. */
export function isOfAmount({ refusal: { key } }: StartRefusal): boolean {
  return key === "gateway_refused.amount"
}

function keyOf(
  error: Said,
): "gateway_refused.amount" | "gateway_refused.shopper" | "invalid_phone" {
  if (isAboutAmount(error)) return "gateway_refused.amount"
  const isPhone = error.fields?.some(({ path }) => /phone|account_number/.test(path)) ?? false
  return isPhone ? "invalid_phone" : "gateway_refused.shopper"
}

/** The lease ended while this `start` worked, and another worker took the draft. */
export function lost(): StartRefusal {
  return { refusal: refusal("gateway_unavailable"), isFinal: false }
}
