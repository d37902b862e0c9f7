/**
 * What a refusal of the gateway means: what the ledger keeps of it, and what an admin is told. If a
 * call before the execution is refused, no money has moved. If the execution is refused, that is
 * sure only once a 404 has lasted.
 */
import { failureReason } from "../core/failure-reason"
import type { EventCode } from "../core/messages"
import { wasRefused } from "../core/decide/decision"
import { hasEnded, type EndReason, type Operation } from "../core/operation"
import { refusal, refusedByGateway, type Refusal } from "../core/refusal"
import { isAboutAmount } from "../core/said/amount-limit"
import { Forbidden, Invalid, NotFound, Unauthenticated } from "../gateway"
import type { Failure, GatewayError } from "../gateway"

/** A refused execution. `refusal` is for the admin who asked for the money, if there is one. */
export type Refused = {
  readonly reason: EndReason
  readonly code: EventCode
  readonly refusal?: Refusal
}

/** A refused call before the execution: nothing was sent, and an admin waits. */
export type NotSent = Required<Refused>

/** A refused execution that may be sent again: nobody waits for more than its reason. */
export function refusedExecution({ error }: Failure): Refused {
  const code = "gateway_refused"
  if (isOfAccount(error)) return { reason: "not_configured", code }
  if (error instanceof NotFound) return { reason: "never_landed", code }
  return { reason: reasonOfRefusal(error), code }
}

/**
 * The words of a refusal are read like those of a FAILED execution, by one reader; the field that a
 * refusal names says what no word does.
 */
function reasonOfRefusal(error: GatewayError): EndReason {
  const reason = reasonOf(error)
  if (reason !== "unknown" && reason !== "declined") return reason
  return error instanceof Invalid && isAboutAmount(error) ? "limit" : reason
}

/**
 * What the admin who waits for a refund is told. FAILED, and a 404 after a refusal, are believed
 * once the gateway has said them twice: until then the money may have gone back.
 */
export function refusalOfRefund(refund: Operation): Refusal {
  const { reason, state } = refund
  const hasFailed = hasEnded(refund)
  const facts = { reason }
  if (reason === "insufficient_funds") {
    return refusal(hasFailed ? "wallet_too_low" : "wallet_too_low.unconfirmed", {}, facts)
  }
  if (reason === "not_configured" && (state === "expired" || wasRefused(refund))) {
    return refusal(hasFailed ? "not_verified" : "not_verified.unconfirmed", {}, facts)
  }
  const key = hasFailed ? "gateway_refused.failed" : "gateway_refused.unconfirmed"
  return refusal(key, { reason: reason ?? "unknown" }, facts)
}

/** A refused execution of a payout or transfer: the gateway is asked once more if it landed. */
export function unconfirmedMoneyOut(failure: Failure): NotSent {
  const refused = refusedMoneyOut(failure)
  if (failure.kind !== "refused") return refused
  const { reason } = refused
  const key = UNCONFIRMED.find((one) => one === `${refused.refusal.code}.unconfirmed`)
  if (key) return { ...refused, refusal: refusal(key, {}, { reason }) }
  const { said } = failure.error
  const unconfirmed = said
    ? refusal("gateway_refused.unconfirmed_because", { said }, { reason })
    : refusal("gateway_refused.unconfirmed", { reason }, { reason })
  return { ...refused, refusal: unconfirmed }
}

const UNCONFIRMED = [
  "gateway_unavailable.unconfirmed",
  "invalid_phone.unconfirmed",
  "not_configured.unconfirmed",
  "not_verified.unconfirmed",
  "wallet_too_low.unconfirmed",
  "wrong_passcode.unconfirmed",
] as const

/** A refusal of any call that is made for a payout or a transfer. */
export function refusedMoneyOut({ error }: Failure): NotSent {
  const byAccount = refusedAccount(error)
  if (byAccount) return byAccount
  if (error instanceof Invalid || error instanceof NotFound) return refusedByWords(error)
  return unreachable()
}

/** A refund's gateway session that could not be opened. */
export function refundNotOpened({ kind, error }: Failure): NotSent {
  const byAccount = refusedAccount(error)
  if (byAccount) return { ...byAccount, reason: "never_landed" }
  if (error instanceof NotFound) {
    const refused = refusal("payment_intent_unknown.refused")
    return { refusal: refused, reason: "never_landed", code: "intent_unknown" }
  }
  if (kind !== "refused" || !(error instanceof Invalid)) return unreachable()
  const reason = reasonOfRefusal(error)
  const said = error.said ?? ""
  return reason === "insufficient_funds"
    ? { refusal: refusal("wallet_too_low"), reason, code: "wallet_too_low" }
    : { refusal: refusedByGateway(said), reason, code: "gateway_refused" }
}

/** Whether the refusal names the session, by its field or in plain words (contract, section 14). */
export function namesSession(error: GatewayError): boolean {
  return names(error, "session_id", /\bsession(_id)?\b/i)
}

/**
 * Whether the refusal, whatever its status, may answer a repeat of the call: after a call that was
 * delivered twice its session is used up, and its reference is known.
 */
export function mayBeOfRepeat(error: GatewayError): boolean {
  const words = /\breference(_id)?\b|already (exists|used|executed|processed)|duplicate/i
  return namesSession(error) || names(error, "reference_id", words)
}

function names({ fields = [], detail = "" }: GatewayError, field: string, words: RegExp): boolean {
  return fields.length > 0
    ? fields.some(({ path }) => path.split(".").at(-1) === field)
    : words.test(detail)
}

/**
 * The refusal is about the merchant's credentials, not about this payment. The client calls only
 * the gateway's own 401 and 403 so; behind those of a firewall or proxy the gateway counts as away.
 */
export function isOfAccount(error: GatewayError): boolean {
  return error instanceof Unauthenticated || error instanceof Forbidden
}

function refusedAccount(error: GatewayError): NotSent | undefined {
  if (!isOfAccount(error)) return undefined
  const reason = "not_configured"
  return error instanceof Unauthenticated
    ? { refusal: refusal("not_configured"), reason, code: "credentials_refused" }
    : { refusal: refusal("not_verified"), reason, code: "not_allowed" }
}

const unreachable = (): NotSent => ({
  refusal: refusal("gateway_unavailable"),
  reason: "never_landed",
  code: "gateway_unreachable",
})

/** The reason that the refusal's words, or those of its fields, name. */
function reasonOf({ detail, fields = [] }: GatewayError): EndReason {
  return failureReason(detail, ...fields.map(({ message }) => message))
}

/** Reads the field that the refusal names, else its words: the contract has no codes. */
function refusedByWords(error: GatewayError): NotSent {
  const fields = error.fields ?? []
  const said = error.detail ?? fields.map(({ message }) => message).join("; ")
  const reason = reasonOfRefusal(error)
  const isPasscode = fields.some(({ path }) => /passcode/.test(path)) || /passcode/i.test(said)
  if (isPasscode || reason === "wrong_pin") {
    return { refusal: refusal("wrong_passcode"), reason: "wrong_pin", code: "wrong_passcode" }
  }
  if (reason === "insufficient_funds") {
    const code = "wallet_too_low"
    return { refusal: refusal(code), reason, code }
  }
  if (fields.some(({ path }) => /phone|account_number/.test(path))) {
    const refused = refusal("invalid_phone.refused")
    return { refusal: refused, reason, code: "recipient_refused" }
  }
  const refused = refusedByGateway(said, { field: fields[0]?.path ?? null })
  return { refusal: refused, reason, code: "gateway_refused" }
}
