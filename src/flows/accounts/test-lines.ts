/** The lines of a connection test: each from one answer, in words that say what to do. */
import type { CheckLine } from "../../core/account-answers"
import { LIMITS } from "../../core/limits"
import {
  Forbidden,
  Invalid,
  NotFound,
  RateLimited,
  Unauthenticated,
  type AmountAndFees,
  type FeeTier,
  type Link,
  type Outcome,
} from "../../gateway"
import type { Account } from "../../ledger/accounts"
import type { ServedOperator } from "../payment-methods"
import type { SeenDate } from "./test-connection"

type Token = Outcome<{ readonly expiresInMinutes: number }>

/** @returns undefined where something that speaks this API has answered, whatever it said */
export function failedToReach(token: Token, { baseUrl }: Account): CheckLine | undefined {
  if (token.kind === "done") return undefined
  const { reason, status } = token.error
  const isAnswer = [Unauthenticated, Forbidden, RateLimited].some(
    (one) => token.error instanceof one,
  )
  if (isAnswer) return undefined
  const { host } = new URL(baseUrl)
  const message =
    REACHING[reason] ??
    (status === 404
      ? "Something answers at the address, but no gateway of this kind. Check the address."
      : "The gateway does not give a usable answer just now. Try again in some minutes.")
  return {
    name: "reachable",
    status: "failed",
    message,
    facts: { host, reason, http: status ?? null },
  }
}

const NOT_OURS =
  "Something answers at the address, but no gateway of this kind: a web page, a proxy or a redirect. Check the address, and proxies on the way."
const TOO_SLOW =
  "The gateway does not answer in time. Check firewalls, or try again in some minutes."

const REACHING: Readonly<Record<string, string>> = {
  dns: "This name leads to no server that can be used. Check the address for a typing mistake.",
  connection_refused: "The server refuses the connection. Check the address and its port.",
  connect_timeout:
    "The server does not answer at all. Check the address, and firewalls on the way.",
  tls: "No secure connection can be made: the certificate is not valid for this address, or it speaks no TLS.",
  network: "There is no way to the server. Check this server's network.",
  connection_lost: "The connection was cut. Try again; if it stays so, check proxies on the way.",
  stalled_body: TOO_SLOW,
  deadline: TOO_SLOW,
  aborted: TOO_SLOW,
  html: NOT_OURS,
  not_json: NOT_OURS,
  wrong_shape: NOT_OURS,
  redirect: NOT_OURS,
  too_large: NOT_OURS,
}

export function reachableLine({ baseUrl }: Account): CheckLine {
  const { host } = new URL(baseUrl)
  return ok("reachable", `The gateway answers at ${host}.`, { host })
}

export function credentialsLine(token: Token): CheckLine {
  if (token.kind === "done") return ok("credentials", "Client id and client secret are right.")
  const { error } = token
  if (error instanceof Unauthenticated) {
    return failed(
      "credentials",
      "The gateway does not know this client id with this secret. Copy both again from the API keys section of the merchant portal; a secret that was rotated there is void.",
    )
  }
  if (error instanceof Forbidden) {
    return failed(
      "credentials",
      "The gateway knows the client and does not let it in (403). The merchant may have to be verified first: see the merchant portal.",
    )
  }
  return warning("credentials", "The gateway asks for a pause (429). Test again in a minute.")
}

export function tokenLine(token: Token): CheckLine {
  if (token.kind !== "done") return skipped("token_lifetime")
  const { expiresInMinutes: minutes } = token.value
  const facts = { minutes }
  if (minutes <= LIMITS.tokenMinutesShort) {
    return warning(
      "token_lifetime",
      `A token lives ${minutes} minutes only, or the gateway does not say how long. It works, with more calls than usual.`,
      facts,
    )
  }
  return ok("token_lifetime", `A token lives ${minutes} minutes and is renewed in time.`, facts)
}

export function clockLine(seen: SeenDate | undefined): CheckLine {
  const at = seen && Date.parse(seen.date)
  if (seen === undefined || at === undefined || Number.isNaN(at)) return skipped("clock")
  const seconds = Math.round((seen.seenAt.getTime() - at) / 1_000)
  const facts = { seconds }
  if (Math.abs(seconds) * 1_000 <= LIMITS.clockDifferenceMs) {
    return ok("clock", "This server's clock and the gateway's agree.", facts)
  }
  const which = seconds > 0 ? "ahead of" : "behind"
  return warning(
    "clock",
    `This server's clock is ${Math.abs(seconds)} seconds ${which} the gateway's. Pay windows end too early or too late by that. Let the server set its clock by NTP.`,
    facts,
  )
}

/** A merchant that is not verified gets 403 for payment links; any other answer means the gate is open. */
export function verifiedLine(link: Outcome<Link>): CheckLine {
  if (link.kind !== "done" && link.error instanceof Forbidden) {
    return warning(
      "verified",
      "The merchant is not verified yet: the payment page, payment links, refunds and payouts are refused (403) until it is. Finish the verification in the merchant portal.",
    )
  }
  const isLetIn =
    link.kind === "done" || link.error instanceof NotFound || link.error instanceof Invalid
  if (isLetIn) return ok("verified", "Nothing is held back: the merchant is verified.")
  return unknown("verified", link)
}

export function feesLine(tiers: Outcome<readonly FeeTier[]>): CheckLine {
  if (tiers.kind === "done") {
    const count = tiers.value.length
    return ok("fees", `The fees can be read (${count} fee plans).`, { count })
  }
  if (tiers.error instanceof Forbidden) {
    return warning(
      "fees",
      "The gateway does not show the fees to this client (403). Payments work.",
    )
  }
  return unknown("fees", tiers)
}

export function operatorLine(
  { payment_method, label, country, currency }: ServedOperator,
  asked: Outcome<AmountAndFees>,
): CheckLine {
  const name = `operator:${payment_method}`
  const facts = { payment_method, label, country, currency }
  if (asked.kind === "done") return ok(name, `${label} (${country}) takes ${currency}.`, facts)
  if (asked.error instanceof Invalid || asked.error instanceof NotFound) {
    return failed(
      name,
      `${label} (${country}) is not known to the gateway as ${payment_method}, or does not take ${currency}. Put its live names from the merchant portal into the account's names on the wire.`,
      facts,
    )
  }
  return { ...unknown(name, asked), facts }
}

export function skipped(name: string): CheckLine {
  return { name, status: "skipped", message: "Not asked, because of what is above.", facts: {} }
}

/** No answer to go by. */
function unknown(name: string, { error }: Exclude<Outcome<unknown>, { kind: "done" }>): CheckLine {
  if (error instanceof RateLimited) {
    return warning(name, "The gateway asks for a pause (429). Test again in a minute.")
  }
  if (error instanceof Forbidden || error instanceof Unauthenticated) {
    return failed(name, `The gateway refuses this to the client (${error.status ?? 401}).`)
  }
  return warning(name, "The gateway gave no usable answer in time. Test again in a minute.")
}

export function ok(name: string, message: string, facts: CheckLine["facts"] = {}): CheckLine {
  return { name, status: "ok", message, facts }
}

export function warning(name: string, message: string, facts: CheckLine["facts"] = {}): CheckLine {
  return { name, status: "warning", message, facts }
}

export function failed(name: string, message: string, facts: CheckLine["facts"] = {}): CheckLine {
  return { name, status: "failed", message, facts }
}
