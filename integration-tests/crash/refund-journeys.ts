/**
 * How money goes back: an admin who clicks again, one who gives it back in parts, and an account
 * that gives orphans back by itself. Whatever dies on the way, all that was asked for goes back
 * once.
 */
import { steps, type Step } from "../histories/commands"
import type { Harness } from "./harness"
import type { Script } from "./scripts"
import type { Journey } from "./journeys"

const PAID = steps<Harness>(["start", "phone"], ["quiet"])

/** Paid, then what is done to give it back, until all of it has gone. */
const givenBack = (...all: readonly Step<Harness>[]) => ({
  isGivenBack: true,
  play: steps<Harness>(PAID, ...all, ["untilAllIsBack"]),
})

/** Crossed with every script of refunds. */
export const REFUND_JOURNEY: Journey = {
  name: "paid, and given back",
  ...givenBack(["refund", "19.99"], ["settled"]),
}

/** No answer comes for longer than Medusa waits. */
const LOST: NonNullable<Journey["faults"]> = {
  executeRefund: ["reset:after"],
  getRefundStatus: Array.from({ length: 6 }, () => "404" as const),
}

/** Also frozen at each of its moments. */
export const RETRY_JOURNEY: Journey = {
  name: "a refund that fails late, and is made once more with one click",
  isRefundFailedLate: true,
  // The last is all that is left where it was made once more once, and too much where twice.
  ...givenBack(["refund", "7"], ["putRight"], ["retry"], ["settled"], ["refund", "12.99"]),
}

const FAILED_LATE = {
  isRefundFailedLate: true,
  ...givenBack(["refund", "19.99"], ["putRight"]),
}

/** What the job tells Medusa, or takes out of it, and dies over. */
const MEDUSA_JOURNEYS: readonly Journey[] = [
  { name: "a refund that fails after Medusa has shown it", ...FAILED_LATE },
  {
    name: "a refund that fails late, and that Medusa does not let go",
    medusaRefusesRefunds: 2,
    ...FAILED_LATE,
  },
  RETRY_JOURNEY,
  {
    name: "a refund that Medusa has written by half",
    ...givenBack(["refundByHalf", "19.99"], ["quiet"]),
  },
  {
    name: "a refund without an answer, and that Medusa does not take at first",
    faults: LOST,
    medusaRefusesRefunds: 2,
    ...givenBack(["refund", "19.99"], ["quiet"]),
  },
  {
    name: "a refund next to a row that was never asked for",
    ...givenBack(["leaveRow", "7"], ["refund", "5"], ["quiet"]),
  },
  {
    name: "an order that reads refunded, and its money was never asked for",
    ...givenBack(["cancelUnasked"], ["mend"]),
  },
  {
    name: "an order that reads cancelled before its refund has an answer",
    faults: LOST,
    ...givenBack(["cancelOrder"], ["quiet"]),
  },
]

const LATE_BY_POLICY = {
  outcome: "decline_then_approve",
  isOrphanRefunded: true,
  play: PAID,
} as const

export const REFUND_JOURNEYS: readonly Journey[] = [
  ...MEDUSA_JOURNEYS,
  REFUND_JOURNEY,
  {
    name: "paid, and given back in parts",
    ...givenBack(["refund", "6.664"], ["refund", "6.664"]),
  },
  {
    name: "paid, and given back by two admins at once",
    hasRivals: true,
    ...givenBack(["refund", "19.99", 2], ["settled"]),
  },
  {
    name: "paid, and given back by two admins at once, each a part",
    hasRivals: true,
    ...givenBack(["refund", "9.99", 2, "10"], ["settled"]),
  },
  {
    ...REFUND_JOURNEY,
    name: "a refund that never arrived",
    faults: { executeRefund: ["reset:before"] },
  },
  {
    ...REFUND_JOURNEY,
    name: "a refund that is refused",
    faults: { executeRefund: ["422"] },
  },
  {
    ...REFUND_JOURNEY,
    name: "a refund without a session",
    faults: { createRefundSession: ["422"] },
  },
  {
    name: "a refund without an answer, asked for again",
    faults: LOST,
    ...givenBack(["refund", "10"], ["landed"], ["refund", "10"], ["settled"]),
  },
  { ...LATE_BY_POLICY, name: "late money, given back by policy" },
  {
    ...LATE_BY_POLICY,
    name: "late money, given back by policy once the gateway answers",
    faults: { createRefundSession: ["503", "503"] },
  },
]

export const REFUND_SCRIPTS: readonly Script[] = [
  { name: "no fault" },
  { name: "refund reset after", faults: { executeRefund: ["reset:after"] } },
  { name: "refund 500 before", faults: { executeRefund: ["500:before"] } },
  { name: "refund answer cut silently", faults: { executeRefund: ["cut_silently:after"] } },
  { name: "refund lost twice", faults: { executeRefund: ["reset:after", "reset:before"] } },
  {
    name: "refund status down",
    faults: { getRefundStatus: ["500", "reset:before", "404", "503:1", "404"] },
  },
  {
    name: "refund session answers lost",
    faults: { createRefundSession: ["reset:after", "500:after"] },
  },
  { name: "refund 429", faults: { executeRefund: ["429"], createRefundSession: ["429"] } },
  { name: "refund failed", refundOutcome: "decline" },
  {
    name: "refund failed, answer lost",
    refundOutcome: "insufficient_funds",
    faults: { executeRefund: ["reset:after"] },
  },
]
