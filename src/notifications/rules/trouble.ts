/** When an operator counts as in trouble, and when that is over. It is never both at once. */
import { LIMITS } from "../../core/limits"

/** An operator's payments that began lately. */
type Tries = {
  readonly ended: number
  readonly failed: number
  readonly completed: number
  readonly underWay: number
}

/** Most of enough ended payments failed for the operator's own reason. */
export const isInTrouble = ({ ended, failed }: Tries): boolean =>
  ended >= LIMITS.operatorTroubleLeast && failed / ended > LIMITS.operatorTroubleShare

/** `payments`: they go through again. `quiet`: none failed lately, and none is under way. */
export type Recovery = "payments" | "quiet"

/**
 * Why a trouble is over; null: it is not. Silence ends it, too, because a method that no shopper
 * tries could else never come back. If it still fails, its next payments begin the trouble anew.
 */
export function recoveryOf({ ended, failed, completed, underWay }: Tries): Recovery | null {
  if (completed > 0 && failed / ended < LIMITS.operatorRecoveredShare) return "payments"
  return failed === 0 && underWay === 0 ? "quiet" : null
}
