/**
 * Makes the error of a call that has no value, from the verdict's class, the client's own sentence,
 * and the gateway's redacted text. No error holds a body of the gateway.
 */
import type { RefusalName, Verdict } from "./classify"
import type { ErrorFacts, FieldProblem, Reason } from "./errors"
import {
  Forbidden,
  Indeterminate,
  Invalid,
  NotFound,
  RateLimited,
  Unauthenticated,
  Unavailable,
  Unreachable,
} from "./errors"
import { OPERATIONS, type Effect, type OperationName } from "./operations"
import type { Failure } from "./outcome"

const REFUSALS = { Unauthenticated, Forbidden, NotFound, Invalid, RateLimited }

const REFUSED: Readonly<Record<RefusalName, string>> = {
  Unauthenticated: "the gateway does not accept the credentials or the token",
  Forbidden: "the gateway does not allow this to the merchant; the account may not be verified",
  NotFound: "the gateway does not know it",
  Invalid: "the gateway refuses the request as it is",
  RateLimited: "the gateway asks to come back later",
}

const HAPPENED: Readonly<Record<Reason, string>> = {
  dns: "the gateway's name can't be resolved",
  connection_refused: "the gateway refuses the connection",
  connect_timeout: "the gateway does not take the connection in time",
  tls: "no trusted connection to the gateway",
  network: "no way to the gateway",
  closed: "the client is closed",
  deadline: "no complete answer in time",
  aborted: "the caller stopped waiting",
  connection_lost: "the connection was lost before the answer was complete",
  stalled_body: "the answer stopped halfway",
  too_large: "the answer is too large to be one of this API",
  html: "a web page came instead of an answer",
  not_json: "the answer is not complete JSON",
  wrong_shape: "the answer can't be read",
  redirect: "the gateway redirects, which is never followed",
  status: "the gateway failed",
  request: "the request can't be sent as it is",
  too_many_tokens: "this client got too many new tokens lately",
}

/** A proxy's page, or the gateway's own refusal in another form. An operator must see which. */
const NOT_OURS: Readonly<Record<number, string>> = {
  401: "401 without this API's own JSON, which says nothing about the credentials",
  403: "403 without this API's own JSON, which says nothing about the account",
  404: "404 without this API's own JSON, which says nothing about the thing asked for",
}

/** The failure of a call by its verdict: refused, not sent, or unknown. */
export function failureOf(verdict: Exclude<Verdict, { kind: "done" }>, facts: ErrorFacts): Failure {
  switch (verdict.kind) {
    case "refused":
      return {
        kind: "refused",
        error: new REFUSALS[verdict.error](`${REFUSED[verdict.error]}${statusText(facts)}.`, facts),
      }
    case "not_sent":
      return { kind: "not_sent", error: new Unreachable(sentence(facts), facts) }
    case "unknown":
      return unknownOf(facts)
  }
}

/** The failure of a call that was sent and has no trustworthy answer. */
export function unknownOf(facts: ErrorFacts): Failure {
  const effect: Effect = OPERATIONS[facts.operation].effect
  const Class = effect === "read" ? Unavailable : Indeterminate
  return { kind: "unknown", error: new Class(sentence(facts), facts) }
}

/** The failure of a request that the client's own check refused; it was not sent. */
export function invalidRequest(
  operation: OperationName,
  fields: readonly FieldProblem[],
  reference: string | undefined,
): Failure {
  const facts: ErrorFacts = { operation, reason: "request", fields, reference }
  return { kind: "not_sent", error: new Invalid(sentence(facts), facts) }
}

/** The failure of a call whose deadline ended, or whose caller left, before anything was sent. */
export function ranOut(
  about: { readonly operation: OperationName; readonly reference?: string | undefined },
  reason: "deadline" | "aborted",
): Failure {
  const { operation, reference } = about
  const facts: ErrorFacts = { operation, reference, reason }
  return { kind: "not_sent", error: new Unavailable(`not sent: ${HAPPENED[reason]}.`, facts) }
}

/**
 * The failure of a call for which no new token was requested. It stops a storm of token calls when
 * processes end one another's tokens.
 */
export function tooManyTokens(operation: OperationName, retryAfterMs: number): Failure {
  const facts: ErrorFacts = { operation, reason: "too_many_tokens", retryAfterMs }
  return { kind: "refused", error: new RateLimited(sentence(facts), facts) }
}

function sentence(facts: ErrorFacts): string {
  const other = facts.reason === "status" && NOT_OURS[facts.status ?? 0]
  if (other) return `${other}.`
  // With other reasons the gateway chose the field names, so the client's sentence omits them.
  const isOurs = facts.reason === "wrong_shape" || facts.reason === "request"
  const where = isOurs && facts.fields?.map((field) => field.path || "answer").join(", ")
  return `${HAPPENED[facts.reason]}${where ? `: ${where}` : ""}${statusText(facts)}.`
}

function statusText(facts: ErrorFacts): string {
  return facts.status === undefined ? "" : ` (${facts.status})`
}
