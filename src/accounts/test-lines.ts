/** The lines of a connection test, each made from one answer of the gateway. */
import { LIMITS } from "../core/limits"
import type { HealthCode } from "../core/messages"
import {
  Forbidden,
  Invalid,
  NotFound,
  RateLimited,
  Unauthenticated,
  type AmountAndFees,
  type Failure,
  type FeeTier,
  type Lesson,
  type Link,
  type Outcome,
} from "../gateway"
import { isOfAccount } from "../engine/gateway-refusal"
import type { Account } from "../ledger/accounts/find-accounts"
import type { NeededOperator } from "../core/account-operators"
import { failed, note, ok, skipped, warning, type Facts, type Line } from "./rules/health"

/** The `Date` header of a gateway response, and when the response came. */
export type SeenDate = { readonly date: string; readonly seenAt: Date }

export const NOT_ASKED = skipped("not_asked")

type Token = Outcome<{ readonly expiresInMinutes: number }>

/** @returns undefined if a server that speaks this API has answered, whatever its answer */
export function failedToReach(token: Token, { baseUrl }: Account): Line | undefined {
  if (token.kind === "done") return undefined
  const { reason, status } = token.error
  if (isOfAccount(token.error) || token.error instanceof RateLimited) return undefined
  const { host } = new URL(baseUrl)
  const code = REACHING[reason] ?? (status === 404 ? "reach_address" : "reach_no_use")
  return failed(code, { host, reason, http: status ?? null })
}

const REACHING: Readonly<Record<string, HealthCode>> = {
  dns: "reach_dns",
  connection_refused: "reach_refused",
  connect_timeout: "reach_silent",
  tls: "reach_tls",
  network: "reach_network",
  connection_lost: "reach_cut",
  stalled_body: "reach_too_slow",
  deadline: "reach_too_slow",
  aborted: "reach_too_slow",
  html: "reach_not_ours",
  not_json: "reach_not_ours",
  wrong_shape: "reach_not_ours",
  redirect: "reach_not_ours",
  too_large: "reach_not_ours",
}

export function reachableLine({ baseUrl }: Account): Line {
  return ok("reached", { host: new URL(baseUrl).host })
}

export function credentialsLine(token: Token): Line {
  if (token.kind === "done") return ok("credentials_right")
  const { error } = token
  if (error instanceof Unauthenticated) return failed("credentials_wrong")
  if (error instanceof Forbidden) return failed("credentials_not_let_in")
  return warning("asks_for_pause")
}

export function tokenLine(token: Token): Line {
  if (token.kind !== "done") return NOT_ASKED
  const { expiresInMinutes: minutes } = token.value
  return minutes <= LIMITS.tokenMinutesShort
    ? warning("token_short", { minutes })
    : ok("token_renewed", { minutes })
}

export function clockLine(seen: SeenDate | undefined): Line {
  const at = seen && Date.parse(seen.date)
  if (seen === undefined || at === undefined || Number.isNaN(at)) return NOT_ASKED
  const aheadMs = seen.seenAt.getTime() - at
  const seconds = Math.round(Math.abs(aheadMs) / 1_000)
  if (seconds * 1_000 <= LIMITS.clockDifferenceMs) return ok("clock_agrees", { seconds })
  return warning(aheadMs > 0 ? "clock_ahead" : "clock_behind", { seconds })
}

/**
 * A merchant that is not verified gets 403 for payment links; any other answer means the gate is
 * open.
 */
export function verifiedLine(link: Outcome<Link>): Line {
  if (link.kind !== "done" && link.error instanceof Forbidden) return warning("not_verified")
  const isLetIn =
    link.kind === "done" || link.error instanceof NotFound || link.error instanceof Invalid
  return isLetIn ? ok("verified") : unknown(link)
}

export function feesLine(tiers: Outcome<readonly FeeTier[]>): Line {
  if (tiers.kind === "done") return ok("fees_readable", { count: tiers.value.length })
  return tiers.error instanceof Forbidden ? warning("fees_hidden") : unknown(tiers)
}

/**
 * What the shop's regions sell in, beside what the account takes. Another account may take the rest,
 * so that is no fault of this one.
 */
export function soldLine({ currencies }: Account, sold: ReadonlySet<string>): Line {
  if (sold.size === 0) return warning("sold_nowhere")
  if (currencies.length === 0) return warning("sold_untaken", { sold: namesOf(sold) })
  const taken = currencies.filter((code) => sold.has(code))
  const rest = [...sold].filter((code) => !taken.some((one) => one === code))
  const facts = { sold: namesOf(sold), taken: namesOf(taken), rest: namesOf(rest) }
  if (taken.length === 0) {
    return warning("sold_otherwise", { ...facts, account: namesOf(currencies) })
  }
  return rest.length > 0 ? note("sold_in_part", facts) : ok("sold_taken", facts)
}

const namesOf = (codes: Iterable<string>) => [...codes].sort().join(", ")

/** @param asked each of the currencies, with what the gateway answered */
export function operatorLine(
  { payment_method, label, country }: Omit<NeededOperator, "taken">,
  asked: readonly (readonly [currency: string, outcome: Outcome<AmountAndFees>])[],
): Line {
  const facts = { payment_method, label, country }
  for (const [currency, outcome] of asked) {
    if (outcome.kind === "done") continue
    if (outcome.error instanceof Invalid || outcome.error instanceof NotFound) {
      return failed("operator_unknown", { ...facts, currency })
    }
    return unknown(outcome, { ...facts, currency })
  }
  return ok("operator_taken", { ...facts, currency: namesOf(asked.map(([code]) => code)) })
}

/** What a harmless question taught about this gateway; without an answer it is no fault. */
export function lessonLine({ call, learned, why }: Lesson): Line {
  return learned === null
    ? skipped("not_learned", { call, why: why ?? "" })
    : ok("learned", { call, learned })
}

/** The line of a check whose question the gateway has not answered. */
function unknown({ error }: Failure, facts?: Facts): Line {
  if (error instanceof RateLimited) return warning("asks_for_pause", facts)
  if (isOfAccount(error)) return failed("refused", { ...facts, http: error.status ?? 401 })
  return warning("no_answer", facts)
}
