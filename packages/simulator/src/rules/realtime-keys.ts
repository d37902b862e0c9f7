/**
 * Realtime keys (contract notes, section 11): one for each checkout session, valid for seconds. The
 * reference is that of the session's execution, which may not exist yet.
 */
import type { CheckoutSession, SourceType } from "../book/records"
import { refused, wrongState } from "../problem"
import type { World } from "../world"
import { executionUnder } from "./executions"
import { sessionStatusOf } from "./sessions"

export type RealtimeKeyRequest = {
  session_id: number
  source_type: SourceType
  reference_id: string
}

/** The session that the key is for. Throws 422. */
export function followedSession(
  world: World,
  ownerId: number,
  request: RealtimeKeyRequest,
): CheckoutSession {
  const field = ["body", "session_id"]
  const session = world.book.sessions.get(request.session_id)
  if (session?.ownerId !== ownerId || session.type !== "CHECKOUT") {
    throw refused(field, "Checkout session not found or expired")
  }
  if (sessionStatusOf(world, session) === "EXPIRED") throw wrongState(field, "Session is EXPIRED")
  if (world.book.documents.get(session.sourceId)?.type !== request.source_type) {
    throw refused(["body", "source_type"], "Not the type of the session's source")
  }
  requireItsReference(world, session, request.reference_id)
  return session
}

function requireItsReference(world: World, session: CheckoutSession, reference: string): void {
  const executed = executionUnder(world, reference)
  const isItsOwn =
    session.executedAtMs === null ? executed === undefined : executed?.sessionId === session.id
  if (!isItsOwn) throw refused(["body", "reference_id"], "Not the reference of this session")
}
