/** What Medusa is owed of a refund, by its state alone. Pure. */
import { hasEnded, isHostRefund, type Operation } from "./operation"

/** Money that went back, or is on its way, and that Medusa asked for and may not know of yet. */
export function isUndelivered(refund: Operation): boolean {
  const isGoing = refund.state === "in_flight" && refund.failedAt === null
  return (
    isHostRefund(refund) &&
    refund.recordedAt === null &&
    !refund.surplus &&
    (refund.state === "completed" || isGoing)
  )
}

/** Medusa asked for it, and may show what did not happen. */
export function isToUndo(refund: Operation): boolean {
  return isHostRefund(refund) && hasEnded(refund) && refund.undoneAt === null
}
