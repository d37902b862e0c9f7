/**
 * A refund, from what the gateway says of its execution.
 *
 * What is not known stays reserved: a refund frees its part of the payment only when it has failed,
 * or when it can't land any more. Until its session is over the same reference may be sent again.
 *
 * The source of a refunded payment stays `PAID`. What the execution itself says of its amounts is
 * all there is: where they can't be the asked ones, the refund is not called on its way, and once
 * the money has moved an admin decides.
 */
import { LIMITS } from "../limits"
import type { Operation } from "../operation"
import { age, SCHEDULE, type Decision, type ExecutionFinding } from "./decision"
import { decideMoneyOut, onItsWay, orGiveUp, type MoneyOut } from "./money-out"

const REFUND: MoneyOut = {
  late: "late_refund",
  isEndedBy404: ({ lastSending, sendings }) => lastSending === "refused" && sendings === 1,
  whileAbsent: decideResend,
}

/** @param finding undefined: the gateway was not asked */
export function decideRefund(
  operation: Operation,
  finding: ExecutionFinding | undefined,
): Decision {
  const isOpen = operation.state === "submitted" || operation.state === "in_flight"
  const isOther = finding?.kind === "seen" && finding.isOtherAmount && finding.status !== "FAILED"
  return isOpen && isOther
    ? orGiveUp(operation, decideOtherAmount(finding.status))
    : decideMoneyOut(operation, finding, REFUND)
}

function decideOtherAmount(status: string): Decision {
  if (status === "COMPLETED") {
    return { event: "doubt", reason: "amount_mismatch", next: SCHEDULE, code: "other_amount" }
  }
  // It is followed to its end all the same; but who asked for it is not told that it is on its way.
  return onItsWay("other_amount")
}

/** Ask, then send the same reference again; never make a second. */
function decideResend(operation: Operation): Decision {
  const { lastSending, absentAt } = operation
  const confirmLeftMs =
    lastSending === "not_sent"
      ? 0
      : LIMITS.absentConfirmAfterMs - (absentAt ? age(operation, absentAt) : 0)
  const gapMs = lastSending === "not_sent" ? LIMITS.waitingCheckFloorMs : LIMITS.resendEveryMs
  const waitMs = Math.max(confirmLeftMs, gapMs - age(operation, operation.lastSentAt))
  if (waitMs <= 0) {
    return { action: "resend", next: SCHEDULE, code: "sent_again" }
  }
  return {
    ...(absentAt ? {} : { marks: { absent: true } }),
    next: { kind: "in", ms: Math.max(LIMITS.waitingCheckFloorMs, waitMs) },
    code: "not_known",
  }
}
