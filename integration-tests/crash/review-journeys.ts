/**
 * What admins decide about money that waits: one whose process dies decides again, and it is done
 * once.
 */
import { steps } from "../histories/commands"
import type { Harness } from "./harness"
import type { Journey } from "./journeys"

const LATE = { outcome: "decline_then_approve" } as const

const PAID = steps<Harness>(["start", "phone"], ["quiet"])
const DOUBTED = steps<Harness>(PAID, ["refund", "19.99"], ["doubtRefund"])
const IN_THE_END = steps<Harness>(["putRight"], ["untilAllIsBack"])

/** An admin who finds it in review still, because nothing was sent, decides again. */
export const REFUNDED_BY_DECISION = steps<Harness>(
  PAID,
  ["resolve", "refund"],
  ["settled"],
  ["resolve", "refund"],
  ["quiet"],
)

export const REVIEW_JOURNEYS: readonly Journey[] = [
  {
    ...LATE,
    name: "late money, accepted by an admin",
    play: steps(PAID, ["resolve", "accept"], ["quiet"]),
  },
  {
    ...LATE,
    name: "late money, dismissed by an admin",
    play: steps(PAID, ["resolve", "dismiss"], ["quiet"]),
  },
  {
    ...LATE,
    name: "late money, given back by an admin",
    isGivenBack: true,
    play: REFUNDED_BY_DECISION,
  },
  {
    name: "a refund without an answer, accepted by an admin",
    isGivenBack: true,
    // One that was never sent can't be accepted: it is dismissed, and made once more.
    play: steps(
      DOUBTED,
      ["resolve", "accept", "REFUND"],
      ["resolve", "dismiss", "REFUND"],
      IN_THE_END,
    ),
  },
  {
    name: "a refund without an answer that failed, dismissed by an admin",
    isRefundFailedLate: true,
    isGivenBack: true,
    play: steps(DOUBTED, ["resolve", "dismiss", "REFUND"], IN_THE_END),
  },
]
