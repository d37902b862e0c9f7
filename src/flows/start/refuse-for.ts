/**
 * What the shopper hears when a call before the money call did not work. All of these leave the cart
 * usable and nothing charged.
 */
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
import { phoneSentence } from "../../core/phone"
import { notConfigured } from "./context"

export type Setback = {
  readonly refusal: Refusal
  /** The gateway said no for good: the draft is not worth continuing. */
  readonly isFinal: boolean
}

export function setbackOf(failure: Failure): Setback {
  const error: GatewayError = failure.error
  if (error instanceof Unauthenticated || error instanceof Forbidden) {
    return { refusal: notConfigured(), isFinal: true }
  }
  if (error instanceof RateLimited) return { refusal: gatewayUnavailable(), isFinal: false }
  if (error instanceof Invalid || error instanceof NotFound) {
    return { refusal: refusedBy(error), isFinal: true }
  }
  return { refusal: gatewayUnavailable(), isFinal: false }
}

export function gatewayUnavailable(): Refusal {
  return new Refusal(
    "gateway_unavailable",
    "The payment service does not answer at the moment. Nothing was charged. Try again in a minute.",
  )
}

/** The lease ended while we worked, and somebody else took the draft. */
export function lost(): Setback {
  return { refusal: gatewayUnavailable(), isFinal: false }
}

export function gatewayRefused(): Refusal {
  return new Refusal(
    "gateway_refused",
    "The payment service refused this payment. Nothing was charged. Try another number or way to pay.",
  )
}

function refusedBy(error: GatewayError): Refusal {
  const isPhone = error.fields?.some(({ path }) => /phone|account_number/.test(path)) ?? false
  if (isPhone) return new Refusal("invalid_phone", phoneSentence("not_a_phone"))
  return gatewayRefused()
}
