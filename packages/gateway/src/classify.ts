/**
 * Decides from what happened to a call, and from the effect of its operation, what is known. Pure,
 * so that each row of the fault matrix is one line of a table test.
 *
 * "Never sent" is a short, closed list: only what the connector reports (name, refused, connect
 * timeout, TLS, no route), because undici writes a request only after its connector has succeeded.
 * Everything else counts as sent: a cut socket gives the same error before and after the request
 * was read, and an expired deadline proves nothing.
 *
 * A refusal is a status that the contract names (section 14), or a 400 with words that say why:
 * most back ends answer 400 where this contract says 422. Any other status below 500 is no answer
 * of this API and proves nothing. A 400 without words proves nothing either. Nor does a 401, 403 or
 * 404 without the API's own JSON: a firewall or a proxy's maintenance page says nothing about the
 * credentials, or about the record that was asked for.
 */
import type { LostReason, NeverSentReason } from "./errors"
import type { Effect } from "./operations"
import { hasDetail, saysWhy } from "./wire/refusal-words"

export type Happened =
  | {
      readonly what: "answered"
      readonly status: number
      /** The parsed JSON; undefined where a status other than 2xx came without readable JSON. */
      readonly body: unknown
      /** The `Retry-After` header as it came. */
      readonly retryAfter?: string | undefined
      /** The `Date` header as it came: the time of the answer by the gateway's clock. */
      readonly date?: string | undefined
      /** How the `Content-Type` header differs from JSON; undefined where it says JSON. */
      readonly calledType?: "missing" | "other_type" | undefined
    }
  | { readonly what: "never_sent"; readonly reason: NeverSentReason; readonly cause?: unknown }
  | {
      readonly what: "lost"
      readonly reason: LostReason
      readonly status?: number | undefined
      readonly cause?: unknown
    }

/**
 * Whether the same request may go out again within the call. `backoff`: after a jittered pause.
 * `wait`: once, after the gateway's own `Retry-After`. The operation's `tries` limits both.
 */
export type Again = "no" | "backoff" | "wait"

export type RefusalName = "Unauthenticated" | "Forbidden" | "NotFound" | "Invalid" | "RateLimited"

export type Verdict =
  | { readonly kind: "done" }
  | { readonly kind: "refused"; readonly error: RefusalName; readonly again: Again }
  | { readonly kind: "not_sent"; readonly again: Again }
  | { readonly kind: "unknown"; readonly again: Again }

const REFUSALS: Readonly<Record<number, RefusalName>> = {
  401: "Unauthenticated",
  403: "Forbidden",
  404: "NotFound",
  422: "Invalid",
  429: "RateLimited",
}

/** Refusals that a firewall or a proxy gives as well, so only the API's own JSON is believed. */
const OWN_ONLY: ReadonlySet<RefusalName> = new Set(["Unauthenticated", "Forbidden", "NotFound"])

/** Statuses that say "not now" without saying that nothing happened. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 409, 425])

/** Losses after which a read is repeated. The others would repeat, or the caller is gone. */
const PASSING_LOSSES: ReadonlySet<LostReason> = new Set<LostReason>([
  "connection_lost",
  "stalled_body",
  "not_json",
])

export function classify(effect: Effect, happened: Happened): Verdict {
  switch (happened.what) {
    case "never_sent":
      return { kind: "not_sent", again: happened.reason === "closed" ? "no" : "backoff" }
    case "lost":
      return {
        kind: "unknown",
        again: effect === "read" && PASSING_LOSSES.has(happened.reason) ? "backoff" : "no",
      }
    case "answered":
      return classifyStatus(effect, happened)
  }
}

function classifyStatus(
  effect: Effect,
  { status, body, retryAfter }: Extract<Happened, { what: "answered" }>,
): Verdict {
  if (status >= 200 && status < 300) return { kind: "done" }
  const refusal = status === 400 && saysWhy(body) ? "Invalid" : REFUSALS[status]
  if (refusal && (!OWN_ONLY.has(refusal) || hasDetail(body))) {
    // A refusal proves that nothing was made, so a record may be sent again. A refused read waits
    // for its next scheduled check, and refused money for the ledger's decision.
    const again = refusal === "RateLimited" && effect === "record" ? "wait" : "no"
    return { kind: "refused", error: refusal, again }
  }
  // A refusal without the API's own JSON is not repeated: a hundred records that are gone would take
  // minutes, and the next check asks again anyway.
  const passing = status >= 500 || PASSING_STATUSES.has(status)
  // The gateway said when to come back, so this call does not repeat; the caller waits.
  const again = effect === "read" && passing && retryAfter === undefined ? "backoff" : "no"
  return { kind: "unknown", again }
}
