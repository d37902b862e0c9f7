/**
 * A payout or a transfer, from what the gateway says of its execution.
 *
 * Nothing is ever sent a second time: a payout needs a passcode that is kept nowhere, and a person can
 * make a new one once the old one surely did not go.
 */
import { decideMoneyOut, type MoneyOut } from "./decide-money-out"
import { SCHEDULE, type Decision, type ExecutionLook } from "./decision"
import type { Operation } from "./operation"

const PAYOUT: MoneyOut = {
  late: "late_payout",
  isEndedBy404: ({ lastSending }) => lastSending === "refused" || lastSending === "not_sent",
  whileAbsent: () => ({ next: SCHEDULE, why: "the gateway does not know the reference yet" }),
  words: {
    notAsked: "the money was not asked for",
    asked: "status of the money",
    moved: "the gateway says that the money has moved",
    failedOnce: "the gateway reports it as FAILED; looking a second time before believing it",
    failedTwice: "the gateway reported it FAILED twice",
    endedBy404:
      "the only sending was refused, or never left, and the gateway knows no such reference",
    movedLate: "the money went out after it had been called ended",
    nothingLate: "nothing went out after the end",
  },
  reports: (status) => ({
    open: `the gateway reports it as ${status}`,
    late: `the gateway reports it as ${status} after the end`,
  }),
}

/** @param look undefined: the gateway was not asked */
export function decidePayout(operation: Operation, look: ExecutionLook | undefined): Decision {
  return decideMoneyOut(operation, look, PAYOUT)
}
