/** When an operator counts as in trouble, and when that is over. */
import { LIMITS } from "../../core/limits"

type Ends = { readonly ended: number; readonly failed: number; readonly completed: number }

/** Most of enough ended payments failed for the operator's own reason. */
export const isInTrouble = ({ ended, failed }: Ends): boolean =>
  ended >= LIMITS.operatorTroubleLeast && failed / ended > LIMITS.operatorTroubleShare

/** A payment went through, and few fail. Silence is no proof: nobody may have tried. */
export const isOver = ({ ended, failed, completed }: Ends): boolean =>
  completed > 0 && failed / ended < LIMITS.operatorRecoveredShare
