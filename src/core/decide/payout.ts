/**
 * A payout or a transfer, from what the gateway says of its execution.
 *
 * Nothing is ever sent a second time: a payout needs a passcode that is kept nowhere, and a person
 * can make a new one once the old one surely did not go.
 */
import type { Operation } from "../operation"
import { SCHEDULE, type Decision, type ExecutionFinding } from "./decision"
import { decideMoneyOut, type MoneyOut } from "./money-out"

const PAYOUT: MoneyOut = {
  late: "late_payout",
  isEndedBy404: ({ lastSending }) => lastSending === "refused" || lastSending === "not_sent",
  whileAbsent: () => ({ next: SCHEDULE, code: "not_known" }),
}

/** @param finding undefined: the gateway was not asked */
export function decidePayout(
  operation: Operation,
  finding: ExecutionFinding | undefined,
): Decision {
  return decideMoneyOut(operation, finding, PAYOUT)
}
