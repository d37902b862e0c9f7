/** Gateway sessions. An unknown or foreign source answers 404, as the document itself would. */
import type { SourceType } from "../book/records"
import { iso } from "../clock"
import { ownDocument } from "../rules/documents"
import { openSession, sessionStatusOf } from "../rules/sessions"
import { operation } from "./operation"

type CheckoutSessionRequest = { source_id: number; source_type: SourceType }

export const createCheckoutSession = operation<CheckoutSessionRequest>(
  "createCheckoutSession",
  ({ world, ownerId, body }) => {
    const document = ownDocument(world, ownerId, body.source_type, body.source_id)
    const session = openSession(world, document)
    return {
      id: session.id,
      source_id: document.id,
      source_type: document.type,
      status: sessionStatusOf(world, session),
      expires_at: iso(session.expiresAtMs),
      created_at: iso(session.createdAtMs),
      updated_at: iso(session.createdAtMs),
      payment_account_id: null,
    }
  },
)
