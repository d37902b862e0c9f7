/**
 * Gateway sessions: a short-lived intent to move money (contract notes, section 5). A session is
 * executed once or expires. Only an `ACTIVE` one can be executed, and only by the execution of its
 * own type. The gateway sets the end of checkout and payout sessions, the caller that of transfers
 * and refunds.
 */
import type { CheckoutSession, Document, Session, SessionType } from "../book/records"
import { minorFromWire, type Currency, type Money } from "../money"
import { refused, wrongState } from "../problem"
import type { World } from "../world"
import { stateOf } from "./documents"
import { knownCurrency } from "./drafts"

export type SessionStatus = "ACTIVE" | "EXECUTED" | "EXPIRED"

const SESSION_FIELD = ["body", "session_id"]
const EXPIRY_FIELD = ["body", "expires_at"]

export function sessionStatusOf(world: World, session: Session): SessionStatus {
  if (session.executedAtMs !== null) return "EXECUTED"
  return world.time.nowMs() < session.expiresAtMs ? "ACTIVE" : "EXPIRED"
}

/** Opens a checkout session for an `ACTIVE` source. Several may be open at once. */
export function openSession(world: World, document: Document): CheckoutSession {
  const { status } = stateOf(world, document)
  if (status !== "ACTIVE") {
    throw wrongState(["body", "source_id"], `The source is ${status}, not ACTIVE`)
  }
  const session: CheckoutSession = {
    ...newSession(world, document.ownerId, world.settings.sessionLifeMs + world.time.nowMs()),
    type: "CHECKOUT",
    sourceId: document.id,
  }
  world.book.addSession(session)
  return session
}

/** The fields that sessions of all types share. */
export const newSession = (world: World, ownerId: number, expiresAtMs: number) => ({
  ownerId,
  createdAtMs: world.time.nowMs(),
  id: world.book.next("session"),
  expiresAtMs,
  executedAtMs: null,
})

/** An end that the caller chose. Throws 422 if it has passed or is later than allowed. */
export function chosenExpiryMs(world: World, expiresAt: string): number {
  const expiresAtMs = Date.parse(expiresAt)
  const nowMs = world.time.nowMs()
  if (!(expiresAtMs > nowMs)) throw refused(EXPIRY_FIELD, "The end of the session has passed")
  if (expiresAtMs > nowMs + world.settings.longestSessionMs) {
    throw refused(EXPIRY_FIELD, "The end of the session is too far away")
  }
  return expiresAtMs
}

/** The amount of a request. Throws 422 for an impossible currency or amount. */
export function askedMoney(amount: number, code: string): Money {
  return { minor: askedMinor(amount, knownCurrency(code)), currency: knownCurrency(code) }
}

export function askedMinor(amount: number, currency: Currency): number {
  const minor = minorFromWire(amount, currency)
  if (minor === null) throw refused(["body", "amount"], `Not an amount in ${currency}`)
  return minor
}

/** The merchant's session of an execution call, by its id as text. Throws 422. */
export function executableSession<T extends SessionType>(
  world: World,
  ownerId: number,
  type: T,
  id: string,
): Extract<Session, { type: T }> {
  const session = /^\d+$/.test(id) ? world.book.sessions.get(Number(id)) : undefined
  if (!session || session.ownerId !== ownerId) {
    throw refused(SESSION_FIELD, "Session not found or expired")
  }
  if (!isOfType(session, type)) {
    throw wrongState(SESSION_FIELD, `Session is not a ${type.toLowerCase()} session`)
  }
  const status = sessionStatusOf(world, session)
  if (status !== "ACTIVE") throw wrongState(SESSION_FIELD, `Session is ${status}, not ACTIVE`)
  return session
}

const isOfType = <T extends SessionType>(
  session: Session,
  type: T,
): session is Extract<Session, { type: T }> => session.type === type
