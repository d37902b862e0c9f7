/**
 * How money goes back: an admin who clicks again, one who gives it back in parts, and an account
 * that gives orphans back by itself. Whatever dies on the way, all that was asked for goes back
 * once.
 */
import type { Script } from "./scripts"
import type { Journey } from "./journeys"

/** Crossed with every script of refunds. */
export const REFUND_JOURNEY: Journey = {
  name: "paid, and given back",
  isGivenBack: true,
  async play(harness) {
    await harness.start("phone")
    await harness.quiet()
    await harness.refund("19.99")
    await harness.settled()
    await harness.untilAllIsBack()
  },
}

/** Nobody hears of it for longer than Medusa waits. */
const LOST: NonNullable<Journey["faults"]> = {
  executeRefund: ["reset:after"],
  getRefundStatus: Array.from({ length: 6 }, () => "404" as const),
}

/** Also frozen at each of its moments. */
export const RETRY_JOURNEY: Journey = {
  name: "a refund that fails late, and is made once more with one click",
  isRefundFailedLate: true,
  isGivenBack: true,
  async play(harness) {
    await harness.start("phone")
    await harness.quiet()
    await harness.refund("7")
    await harness.putRight()
    await harness.retry()
    await harness.settled()
    // All that is left where it was made once more once, and too much where twice.
    await harness.refund("12.99")
    await harness.untilAllIsBack()
  },
}

/** What the job tells Medusa, or takes out of it, and dies over. */
const MEDUSA_JOURNEYS: readonly Journey[] = [
  {
    name: "a refund that fails after Medusa has shown it",
    isRefundFailedLate: true,
    isGivenBack: true,
    async play(harness) {
      await harness.start("phone")
      await harness.quiet()
      await harness.refund("19.99")
      await harness.putRight()
      await harness.untilAllIsBack()
    },
  },
  {
    name: "a refund that fails late, and that Medusa does not let go",
    isRefundFailedLate: true,
    medusaRefusesRefunds: 2,
    isGivenBack: true,
    async play(harness) {
      await harness.start("phone")
      await harness.quiet()
      await harness.refund("19.99")
      await harness.putRight()
      await harness.untilAllIsBack()
    },
  },
  RETRY_JOURNEY,
  {
    name: "a refund that Medusa has written by half",
    isGivenBack: true,
    async play(harness) {
      await harness.start("phone")
      await harness.quiet()
      await harness.refundByHalf("19.99")
      await harness.quiet()
      await harness.untilAllIsBack()
    },
  },
  {
    name: "a refund that nobody knew of, and that Medusa does not take at first",
    faults: LOST,
    medusaRefusesRefunds: 2,
    isGivenBack: true,
    async play(harness) {
      await harness.start("phone")
      await harness.quiet()
      await harness.refund("19.99")
      await harness.quiet()
      await harness.untilAllIsBack()
    },
  },
  {
    name: "a refund beside a row that nobody has asked for",
    isGivenBack: true,
    async play(harness) {
      await harness.start("phone")
      await harness.quiet()
      await harness.leaveRow("7")
      await harness.refund("5")
      await harness.quiet()
      await harness.untilAllIsBack()
    },
  },
  {
    name: "an order that reads refunded, and nobody has asked for its money",
    isGivenBack: true,
    async play(harness) {
      await harness.start("phone")
      await harness.quiet()
      await harness.cancelUnasked()
      await harness.mend()
      await harness.untilAllIsBack()
    },
  },
  {
    name: "an order that reads cancelled before anybody knew of its refund",
    faults: LOST,
    isGivenBack: true,
    async play(harness) {
      await harness.start("phone")
      await harness.quiet()
      await harness.cancelOrder()
      await harness.quiet()
      await harness.untilAllIsBack()
    },
  },
]

export const REFUND_JOURNEYS: readonly Journey[] = [
  ...MEDUSA_JOURNEYS,
  REFUND_JOURNEY,
  {
    name: "paid, and given back in parts",
    isGivenBack: true,
    async play(harness) {
      await harness.start("phone")
      await harness.quiet()
      for (const amount of ["6.664", "6.664"]) await harness.refund(amount)
      await harness.untilAllIsBack()
    },
  },
  {
    name: "paid, and given back by two admins at once",
    hasRivals: true,
    isGivenBack: true,
    async play(harness) {
      await harness.start("phone")
      await harness.quiet()
      await harness.refundTwice("19.99")
      await harness.settled()
      await harness.untilAllIsBack()
    },
  },
  {
    name: "paid, and given back by two admins at once, each a part",
    hasRivals: true,
    isGivenBack: true,
    async play(harness) {
      await harness.start("phone")
      await harness.quiet()
      await harness.refundTwice("9.99", "10")
      await harness.settled()
      await harness.untilAllIsBack()
    },
  },
  {
    name: "a refund that never arrived",
    faults: { executeRefund: ["reset:before"] },
    isGivenBack: true,
    play: REFUND_JOURNEY.play,
  },
  {
    name: "a refund that is refused",
    faults: { executeRefund: ["422"] },
    isGivenBack: true,
    play: REFUND_JOURNEY.play,
  },
  {
    name: "a refund without a session",
    faults: { createRefundSession: ["422"] },
    isGivenBack: true,
    play: REFUND_JOURNEY.play,
  },
  {
    name: "a refund that nobody knew of, asked for again",
    faults: {
      executeRefund: ["reset:after"],
      getRefundStatus: Array.from({ length: 6 }, () => "404" as const),
    },
    isGivenBack: true,
    async play(harness) {
      await harness.start("phone")
      await harness.quiet()
      await harness.refund("10")
      await harness.landed()
      await harness.refund("10")
      await harness.settled()
      await harness.untilAllIsBack()
    },
  },
  {
    name: "late money, given back by policy",
    outcome: "decline_then_approve",
    isOrphanRefunded: true,
    async play(harness) {
      await harness.start("phone")
      await harness.quiet()
    },
  },
  {
    name: "late money, given back by policy once the gateway answers",
    outcome: "decline_then_approve",
    isOrphanRefunded: true,
    faults: { createRefundSession: ["503", "503"] },
    async play(harness) {
      await harness.start("phone")
      await harness.quiet()
    },
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
