/**
 * What a change of an order in Medusa does to its payments. If neither function is called, nothing
 * is lost: each check of an open page reads the order, a link is checked every few minutes, and
 * completed money is never settled onto a cancelled order.
 */
import { fieldsOf } from "../core/log-fields"
import type { OrderId } from "../core/ids"
import { hasEnded, isRecorded, type Operation } from "../core/operation"
import { checkAfterChange } from "../ledger/bring-forward"
import { findAllOfCollection, findLiveOfCollection } from "../ledger/find-operations"
import type { FlowDeps } from "../engine/deps"
import { persist } from "../engine/persist"

/**
 * Marks the open payments of a cancelled order to close, and makes them due. The job closes what
 * can be closed and watches what moves. Money that comes afterwards waits for an admin.
 */
export async function closePaymentsOfOrder(
  deps: Pick<FlowDeps, "database" | "logger" | "medusa">,
  orderId: OrderId,
): Promise<void> {
  for (const paymentCollectionId of await deps.medusa.collectionsOfOrder(orderId)) {
    for (const operation of await findAllOfCollection(deps.database, paymentCollectionId)) {
      await closeOne(deps, operation, orderId)
    }
  }
}

async function closeOne(
  deps: Pick<FlowDeps, "database" | "logger">,
  operation: Operation,
  orderId: OrderId,
): Promise<void> {
  const { id, state, closing } = operation
  if (hasEnded(operation) || state === "review" || operation.returnedAt !== null) return
  const canceled = {
    event: { note: "order_canceled" },
    code: "order_canceled",
    facts: { order_id: orderId },
    // Recorded money, now or in a moment, is listed for an admin until it is on its way back.
    changes: { orderCanceledAt: true },
  } as const
  if (isRecorded(operation)) {
    // Recorded money stays recorded; only an admin can give it back now.
    await persist(deps.database, operation, canceled)
    deps.logger.error(
      `merchant payments: order ${orderId} was cancelled, but ${id} holds its money: give it back`,
      fieldsOf(operation, "order_canceled"),
    )
    return
  }
  await persist(deps.database, operation, {
    ...canceled,
    changes: {
      ...canceled.changes,
      ...(state === "completed" ? {} : { closing: closing ?? "canceled" }),
    },
    next: { inMs: 0 },
  })
}

/** Makes the order's open payments due: a check closes one whose amount no longer fits. */
export async function checkPaymentsOfOrder(
  deps: Pick<FlowDeps, "database" | "medusa">,
  orderId: OrderId,
): Promise<void> {
  for (const paymentCollectionId of await deps.medusa.collectionsOfOrder(orderId)) {
    const live = await findLiveOfCollection(deps.database, paymentCollectionId)
    if (live) await checkAfterChange(deps.database, live.id)
  }
}
