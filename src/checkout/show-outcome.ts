/**
 * Shows on Medusa's payment session that an operation ended, or asks the shopper to authenticate a
 * card. This is for people, and for storefronts that read the session; no decision uses it. It is
 * written only while no other operation of the collection is live, and its failure fails no check.
 */
import { errorText } from "../core/error-text"
import { ofMedusa, isPush, type Operation } from "../core/operation"
import { isReturnedUnrecorded } from "../core/recorded"
import { findLiveOfCollection } from "../ledger/find-operations"
import type { FlowDeps } from "../engine/deps"
import type { MedusaSessionStatus, SessionData } from "../engine/medusa-port"
import { shownUrl, statusState } from "./rules/status"

export async function showOutcome(deps: FlowDeps, operation: Operation): Promise<void> {
  const status = sessionStatusOf(operation)
  const { paymentCollectionId, paymentSessionId } = ofMedusa(operation)
  try {
    if (status) {
      const live = await findLiveOfCollection(deps.database, paymentCollectionId)
      if (live && live.id !== operation.id) return
    }
    const session = await deps.medusa.session(paymentSessionId)
    if (!session) return
    // The session of a placed order, or of a payment that is settled by now, stays as it is.
    if (status === "requires_more" && session.status !== "pending") return
    await deps.medusa.showOnSession(session, {
      ...(status ? { status } : {}),
      data: sessionDataOf(operation),
    })
  } catch (error) {
    const why = errorText(error)
    deps.logger.warn(`merchant payments: the session of ${operation.id} can't be shown: ${why}`)
  }
}

function sessionStatusOf(operation: Operation): MedusaSessionStatus | undefined {
  if (statusState(operation) === "action_required") return "requires_more"
  if (operation.state === "failed") return "error"
  if (operation.state === "expired") return "canceled"
  if (isReturnedUnrecorded(operation)) return "canceled"
  return undefined
}

/** The three public fields of the session's `data`, and nothing else. */
export function sessionDataOf(operation: Operation): SessionData {
  const state = statusState(operation)
  return {
    state,
    url: shownUrl(operation),
    reference: isPush(operation) ? operation.reference : null,
  }
}
