/**
 * Why a call to the gateway has no value: one class for each meaning, each with one code and one
 * safe next step (docs/gateway-client.md, errors). Errors are values inside an {@link Outcome};
 * only {@link createGateway} throws one, for a wrong configuration, before anything is sent.
 *
 * No error holds a body, a header, a token or a phone number. The gateway's text is in `detail` and
 * `fields`, redacted; `message` is the client's own sentence.
 */
import { inspect } from "node:util"
import type { CounterpartyId, PartyId, PaymentAccountId } from "./terms/ids"
import type { OperationName } from "./operations"

/** One field that was refused or could not be read. `path` is such as `items.0.amount`. */
export type FieldProblem = { readonly path: string; readonly message: string }

/** Why no byte of the request left: the connector failed, or the client was already closed. */
export type NeverSentReason =
  "dns" | "connection_refused" | "connect_timeout" | "tls" | "network" | "closed"

/** Why no whole, readable answer came back to a request that may have left. */
export type LostReason =
  | "deadline"
  | "aborted"
  | "connection_lost"
  | "stalled_body"
  | "too_large"
  | "html"
  | "not_json"
  | "wrong_shape"

/** The exact cause, for logs, alerts and tests. Decide by class, not by reason. */
export type Reason =
  NeverSentReason | LostReason | "redirect" | "status" | "request" | "too_many_tokens"

/** The record that exists already, where the gateway refused to make it again. */
export type ExistingRecord = {
  readonly paymentAccountId?: PaymentAccountId
  readonly counterpartyId?: CounterpartyId
  /** The existing party; of a payment account the party that it belongs to, where it is named. */
  readonly partyId?: PartyId
}

export type ErrorFacts = {
  readonly operation: OperationName
  readonly reason: Reason
  /** The UUID of the movement of money, where the call has one. */
  readonly reference?: string | undefined
  /** The HTTP status; undefined without an answer. */
  readonly status?: number | undefined
  /** Milliseconds until the gateway wants to be asked again; not capped. */
  readonly retryAfterMs?: number | undefined
  readonly fields?: readonly FieldProblem[] | undefined
  /** The gateway's own text, redacted. */
  readonly detail?: string | undefined
  /** Whether `detail` and `fields` were read from a form that the contract does not show. */
  readonly isOtherForm?: boolean | undefined
  /** The record that exists already, where a refusal to make it again names it. */
  readonly existing?: ExistingRecord | undefined
  readonly cause?: unknown
}

export abstract class GatewayError extends Error {
  abstract readonly code: GatewayErrorCode
  readonly operation: OperationName
  readonly reason: Reason
  readonly reference: string | undefined
  readonly status: number | undefined
  readonly retryAfterMs: number | undefined
  readonly fields: readonly FieldProblem[] | undefined
  readonly detail: string | undefined
  readonly isOtherForm: boolean
  readonly existing: ExistingRecord | undefined

  constructor(sentence: string, facts: ErrorFacts) {
    const about = facts.reference ? `${facts.operation} ${facts.reference}` : facts.operation
    super(`${about}: ${sentence}`, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.name = new.target.name
    this.operation = facts.operation
    this.reason = facts.reason
    this.reference = facts.reference
    this.status = facts.status
    this.retryAfterMs = facts.retryAfterMs
    this.fields = facts.fields
    this.detail = facts.detail
    this.isOtherForm = facts.isOtherForm ?? false
    this.existing = facts.existing
  }

  /** The gateway's `detail`, or else each field with its message. Undefined without either. */
  get said(): string | undefined {
    const fields = this.fields?.map(({ path, message }) => (path ? `${path}: ${message}` : message))
    return this.detail ?? fields?.join("; ")
  }

  /** All that may be logged or stored. The cause's text is left out: it may be the gateway's. */
  toJSON(): Record<string, unknown> {
    return {
      name: this.name,
      code: this.code,
      message: this.message,
      operation: this.operation,
      reason: this.reason,
      reference: this.reference,
      status: this.status,
      retryAfterMs: this.retryAfterMs,
      fields: this.fields,
      detail: this.detail,
      cause: causeCode(this.cause),
    }
  }

  [inspect.custom](): string {
    return `${this.name} ${JSON.stringify(this)}`
  }
}

/** No connection, so no byte of the request left. Send it again under the same reference. */
export class Unreachable extends GatewayError {
  readonly code = "GATEWAY_UNREACHABLE"
}
/** 401 in the API's own JSON, also after one refresh of the token. Stop and alert the merchant. */
export class Unauthenticated extends GatewayError {
  readonly code = "GATEWAY_UNAUTHENTICATED"
}
/** 403 in the API's own JSON: not verified, no permission, other environment. Stop and alert the merchant. */
export class Forbidden extends GatewayError {
  readonly code = "GATEWAY_FORBIDDEN"
}
/** 404 in the API's own JSON. What it proves depends on the operation. */
export class NotFound extends GatewayError {
  readonly code = "GATEWAY_NOT_FOUND"
}
/**
 * 422, 400 that says why, or as `not_sent` a refusal of the client's own check. Never retry it
 * unchanged.
 */
export class Invalid extends GatewayError {
  readonly code = "GATEWAY_INVALID"
}
/** 429. Nothing happened; come back after `retryAfterMs`, or with a back-off without it. */
export class RateLimited extends GatewayError {
  readonly code = "GATEWAY_RATE_LIMITED"
}
/** A call with effect has no trustworthy answer. Ask for the status under the same reference. */
export class Indeterminate extends GatewayError {
  readonly code = "GATEWAY_INDETERMINATE"
}
/** A call without effect has no trustworthy answer. Ask again later. */
export class Unavailable extends GatewayError {
  readonly code = "GATEWAY_UNAVAILABLE"
}

export type GatewayErrorCode =
  | "GATEWAY_UNREACHABLE"
  | "GATEWAY_UNAUTHENTICATED"
  | "GATEWAY_FORBIDDEN"
  | "GATEWAY_NOT_FOUND"
  | "GATEWAY_INVALID"
  | "GATEWAY_RATE_LIMITED"
  | "GATEWAY_INDETERMINATE"
  | "GATEWAY_UNAVAILABLE"

/** An option of {@link createGateway} can't be used. The message never repeats its value. */
export class InvalidConfiguration extends Error {
  readonly code = "INVALID_CONFIGURATION"

  constructor(
    readonly field: string,
    /** The message without the option's name. */
    readonly sentence: string,
  ) {
    super(`${field}: ${sentence}`)
    this.name = "InvalidConfiguration"
  }

  toJSON(): Record<string, unknown> {
    return { name: this.name, code: this.code, field: this.field, message: this.message }
  }
}

function causeCode(cause: unknown): { name: string; code?: string } | undefined {
  if (!(cause instanceof Error)) return undefined
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : undefined
  return code === undefined ? { name: cause.name } : { name: cause.name, code }
}
