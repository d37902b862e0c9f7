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
  /** The gateway asked to be left alone for a while. */
  readonly asksToWait?: Pick<Failure, "error">
  /** Its refusal, whose words an admin reads. */
  readonly error?: GatewayError
}

export function startRefusalOf({ error }: Pick<Failure, "error">): StartRefusal {
  if (error instanceof Unauthenticated || error instanceof Forbidden) {
    return { refusal: refusal("not_configured.shopper"), isFinal: true, error }
  }
  if (!(error instanceof Invalid || error instanceof NotFound)) {
    const unavailable = { refusal: refusal("gateway_unavailable"), isFinal: false }
    return error instanceof RateLimited ? { ...unavailable, asksToWait: { error } } : unavailable
  }
  const isPhone = error.fields?.some(({ path }) => /phone|account_number/.test(path)) ?? false
  const key = isPhone ? "invalid_phone" : "gateway_refused.shopper"
  return { refusal: refusal(key), isFinal: true, error }
}

/** The lease ended while we worked, and another worker took the draft. */
export function lost(): StartRefusal {
  return { refusal: refusal("gateway_unavailable"), isFinal: false }
}
