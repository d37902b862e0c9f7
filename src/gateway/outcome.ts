/**
 * What we know after a call. The four kinds are four different next steps, so a caller that forgets one
 * does not compile. `unknown` is never to be read as "failed".
 */
import type {
  Forbidden,
  Indeterminate,
  Invalid,
  NotFound,
  RateLimited,
  Unauthenticated,
  Unavailable,
  Unreachable,
} from "./errors"

/** The gateway answered: this did not happen. */
export type GatewayRefusal = Unauthenticated | Forbidden | NotFound | Invalid | RateLimited

/**
 * The request did not leave, or was turned away for its token and no other could be had. `Unreachable`: no
 * connection. `Invalid`: our own check of the request refused it, `fields` says where. `Unavailable` of the
 * operation itself: no time was left, or the caller had gone. Everything else is the error of the token
 * call: without a token nothing is sent.
 */
export type NotSent =
  Unreachable | Invalid | Unauthenticated | Forbidden | RateLimited | Unavailable

/** A call with effect: it may or may not have happened. A read: no trustworthy answer. */
export type Unknown = Indeterminate | Unavailable

/** What we know after asking the gateway to do something. `unknown`: it may have been carried out; ask, never guess. */
export type Outcome<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "refused"; readonly error: GatewayRefusal }
  | { readonly kind: "not_sent"; readonly error: NotSent }
  | { readonly kind: "unknown"; readonly error: Unknown }

/** An outcome without a value. */
export type Failure = Exclude<Outcome<never>, { kind: "done" }>
