/**
 * Gateway sessions of the checkout type: a short-lived intent to collect for one source (contract
 * notes, section 5). Executed once, or expired; only `ACTIVE` can be executed.
 */
import type { Document, Session } from "../book/records"
import { refused, wrongState } from "../problem"
import type { World } from "../world"
import { stateOf } from "./documents"

export type SessionStatus = "ACTIVE" | "EXECUTED" | "EXPIRED"

export function sessionStatusOf(world: World, session: Session): SessionStatus {
  if (session.executedAtMs !== null) return "EXECUTED"
  return world.time.nowMs() < session.expiresAtMs ? "ACTIVE" : "EXPIRED"
}

/** Opens a session for a source that is `ACTIVE`. Several may be open at once. */
export function openSession(world: World, document: Document): Session {
  const { status } = stateOf(world, document)
  if (status !== "ACTIVE") {
    throw wrongState(["body", "source_id"], `The source is ${status}, not ACTIVE`)
  }
  const nowMs = world.time.nowMs()
  return world.book.addSession({
    ownerId: document.ownerId,
    createdAtMs: nowMs,
    id: world.book.next("session"),
    type: "CHECKOUT",
    sourceId: document.id,
    expiresAtMs: nowMs + world.settings.sessionLifeMs,
    executedAtMs: null,
  })
}

/** The merchant's session under the id of an execution call, which is text. Throws 422. */
export function executableSession(world: World, ownerId: number, id: string): Session {
  const session = /^\d+$/.test(id) ? world.book.sessions.get(Number(id)) : undefined
  if (!session || session.ownerId !== ownerId) {
    throw refused(["body", "session_id"], "Session not found or expired")
  }
  if (session.type !== "CHECKOUT") {
    throw wrongState(["body", "session_id"], "Session is not a checkout session")
  }
  const status = sessionStatusOf(world, session)
  if (status !== "ACTIVE") {
    throw wrongState(["body", "session_id"], `Session is ${status}, not ACTIVE`)
  }
  return session
}
