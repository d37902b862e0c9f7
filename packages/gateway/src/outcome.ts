/**
 * What is known after a call. Each of the four kinds has its own next step, so a `switch` that
 * forgets one does not compile. `unknown` never means "failed".
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

/** The gateway answered that the requested action did not happen. */
export type GatewayRefusal = Unauthenticated | Forbidden | NotFound | Invalid | RateLimited

/**
 * The request did not leave, or its token was refused and no other could be had. `Unreachable`: no
 * connection. `Invalid`: the client's own check refused the request, and `fields` says where.
 * `Unavailable` that names this operation: no time was left, or the caller had gone. Any other
 * error comes from the token call: without a token nothing is sent.
 */
export type NotSent =
  Unreachable | Invalid | Unauthenticated | Forbidden | RateLimited | Unavailable

/** A call with effect may or may not have happened; a read has no trustworthy answer. */
export type Unknown = Indeterminate | Unavailable

/** The result of a call. `unknown`: the gateway may have carried it out; ask, never guess. */
export type Outcome<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "refused"; readonly error: GatewayRefusal }
  | { readonly kind: "not_sent"; readonly error: NotSent }
  | { readonly kind: "unknown"; readonly error: Unknown }

/** An outcome without a value. */
export type Failure = Exclude<Outcome<never>, { kind: "done" }>
