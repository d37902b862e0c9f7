/** Which decisions the page offers for what is in review. */
import { receivedAbove } from "./case-text"
import type { Resolve } from "./queries"
import type { OperationDetail } from "./responses"

type Action = Resolve["action"]
type Decided = Pick<OperationDetail, "type" | "amount" | "collected_amount" | "reason">

const USUAL: readonly Action[] = ["accept", "refund", "dismiss"]
/** Of a payment of another amount than was asked for, which is never accepted as it is. */
const OF_ANOTHER_AMOUNT: readonly Action[] = ["refund_rest", "accept_asked", "refund", "dismiss"]
/** What the store always refuses for this reason. */
const NEVER: Readonly<Record<string, readonly Action[]>> = {
  order_canceled: ["accept"],
  currency_mismatch: ["accept", "refund"],
}

/** Only a customer's payment can be refunded. */
export function choicesOf(operation: Decided): readonly Action[] {
  const { type, reason } = operation
  if (type !== "COLLECTION") return USUAL.filter((action) => action !== "refund")
  const isOfAmount = reason?.code === "amount_mismatch"
  const isMore = (receivedAbove(operation) ?? 0) > 0
  const isOther = isOfAmount || isMore
  if (!isOther) return USUAL.filter((action) => !NEVER[reason?.code ?? ""]?.includes(action))
  // Of what came short, or in full, there is no difference to give back, nor for another reason.
  const canDiffer = isOfAmount && isMore
  return OF_ANOTHER_AMOUNT.filter((action) => action !== "refund_rest" || canDiffer)
}
