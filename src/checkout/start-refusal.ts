/**
 * What the shopper hears when a call before the money call did not work. All of these leave the
 * cart usable and nothing charged.
 */
import { refusal, type Refusal } from "../core/refusal"
import {
  Forbidden,
  Invalid,
  NotFound,
  RateLimited,
  Unauthenticated,
  type Failure,
  type GatewayError,
} from "../gateway"

export type StartRefusal = {
  readonly refusal: Refusal
  /** The gateway said no for good: the draft is not worth continuing. */
  readonly isFinal: boolean
}

export function startRefusalOf(failure: Failure): StartRefusal {
  const error: GatewayError = failure.error
  if (error instanceof Unauthenticated || error instanceof Forbidden) {
    return { refusal: refusal("not_configured.shopper"), isFinal: true }
  }
  if (error instanceof RateLimited) {
    return { refusal: refusal("gateway_unavailable"), isFinal: false }
  }
  if (error instanceof Invalid || error instanceof NotFound) {
    return { refusal: refusedBy(error), isFinal: true }
  }
  return { refusal: refusal("gateway_unavailable"), isFinal: false }
}

/** The lease ended while we worked, and another worker took the draft. */
export function lost(): StartRefusal {
  return { refusal: refusal("gateway_unavailable"), isFinal: false }
}

function refusedBy(error: GatewayError): Refusal {
  const isPhone = error.fields?.some(({ path }) => /phone|account_number/.test(path)) ?? false
  if (isPhone) return refusal("invalid_phone")
  return refusal("gateway_refused.shopper")
}
