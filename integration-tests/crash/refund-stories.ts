/**
 * How money goes back: an admin who clicks again, one who gives it back in parts, and an account that
 * gives orphans back by itself. Whatever dies on the way, all that was asked for goes back once.
 */
import { LIMITS } from "../../src/core/limits"
import type { FailpointName } from "../../src/core/ports"
import type { Script } from "./scripts"
import type { Story } from "./stories"

/** From the reserve to the gateway's last word. */
const WHOLE_WAY: readonly FailpointName[] = [
  "refund.before_reserve",
  "refund.reserved",
  "refund_session.before_call",
  "refund_session.answered",
  "refund_submit.before_commit",
  "refund_submit.committed",
  "refund_execute.before_call",
  "refund_execute.answered",
  "refund_execute.committed",
  "refund_look.before_call",
  "refund_look.answered",
  "refund_verdict.before_commit",
  "refund_verdict.committed",
  "refund_answer.before_commit",
  "refund_answer.committed",
]

const SENDING = WHOLE_WAY.filter((name) => /submit|execute/.test(name))

/** Crossed with every script of refunds. */
export const REFUND_STORY: Story = {
  name: "paid, and given back",
  points: WHOLE_WAY,
  isGivenBack: true,
  async play(stage) {
    await stage.start("phone")
    await stage.quiet()
    await stage.refund("19.99")
    await stage.settled()
    // Whoever sees that it did not go through clicks again; that one may fail, too.
    await stage.refundRest()
    await stage.settled()
    await stage.refundRest()
    await stage.quiet()
  },
}

const RECORDING: readonly FailpointName[] = [
  "refund_recorded.before_commit",
  "refund_recorded.committed",
]

/** Nobody hears of it for longer than Medusa waits. */
const LOST: NonNullable<Story["faults"]> = {
  executeRefund: ["reset:after"],
  getRefundStatus: Array.from({ length: 6 }, () => "404" as const),
}

const UNDOING: readonly FailpointName[] = [
  "refund_undo.read",
  "refund_undo.credit_removed",
  "refund_undo.transaction_removed",
  "refund_undo.recounted",
  "refund_undo.row_removed",
  "refund_undone.before_commit",
  "refund_undone.committed",
]

/** Also frozen at each of its moments. */
export const RETRY_STORY: Story = {
  name: "a refund that fails late, and is made once more with one click",
  isRefundFailedLate: true,
  points: [
    "refund_retry.claimed",
    "refund_retry.before_commit",
    "refund_retry.committed",
    "refund_retry.answered",
  ],
  isGivenBack: true,
  async play(stage) {
    await stage.start("phone")
    await stage.quiet()
    await stage.refund("7")
    await stage.putRight()
    await stage.retry()
    await stage.settled()
    // All that is left where it was made once more once, and too much where twice.
    await stage.refund("12.99")
    await stage.quiet()
  },
}

/** What the job tells Medusa, or takes out of it, and dies over. */
const HOST_STORIES: readonly Story[] = [
  {
    name: "a refund that fails after Medusa has shown it",
    isRefundFailedLate: true,
    points: [...RECORDING, ...UNDOING],
    isGivenBack: true,
    async play(stage) {
      await stage.start("phone")
      await stage.quiet()
      await stage.refund("19.99")
      await stage.putRight()
      await stage.refundRest()
      await stage.quiet()
    },
  },
  {
    name: "a refund that fails late, and that Medusa does not let go",
    isRefundFailedLate: true,
    hostRefusesRefunds: 2,
    points: ["refund_undo_later.before_commit", "refund_undo_later.committed"],
    isGivenBack: true,
    async play(stage) {
      await stage.start("phone")
      await stage.quiet()
      await stage.refund("19.99")
      await stage.putRight()
      await stage.refundRest()
      await stage.quiet()
    },
  },
  RETRY_STORY,
  {
    name: "a refund that Medusa has written by half",
    points: [
      "refund_deliver.read",
      "refund_deliver.row_removed",
      "refund_deliver.before_call",
      "refund_deliver.answered",
      ...RECORDING,
    ],
    isGivenBack: true,
    async play(stage) {
      await stage.start("phone")
      await stage.quiet()
      await stage.refundByHalf("19.99")
      await stage.quiet()
      await stage.refundRest()
      await stage.quiet()
    },
  },
  {
    name: "a refund that nobody knew of, and that Medusa does not take at first",
    faults: LOST,
    hostRefusesRefunds: 2,
    points: ["refund_deliver_later.before_commit", "refund_deliver_later.committed"],
    isGivenBack: true,
    async play(stage) {
      await stage.start("phone")
      await stage.quiet()
      await stage.refund("19.99")
      await stage.quiet()
    },
  },
  {
    name: "a refund beside a row that nobody has asked for",
    points: ["refund_deliver.dropped", "refund_mend.row_removed", ...RECORDING],
    isGivenBack: true,
    async play(stage) {
      await stage.start("phone")
      await stage.quiet()
      await stage.leaveRow("7")
      await stage.refund("5")
      await stage.quiet()
      await stage.refundRest()
      await stage.quiet()
      await stage.pass(LIMITS.refundRowAbandonedMs)
      await stage.mend()
    },
  },
  {
    name: "an order that reads refunded, and nobody has asked for its money",
    points: ["refund_mend.dropped", "refund_mend.recounted", "refund_mend.row_removed"],
    isGivenBack: true,
    async play(stage) {
      await stage.start("phone")
      await stage.quiet()
      await stage.cancelUnasked()
      await stage.mend()
      await stage.refundRest()
      await stage.quiet()
    },
  },
  {
    name: "an order that reads cancelled before anybody knew of its refund",
    faults: LOST,
    points: [
      "refund_deliver.before_call",
      "refund_deliver.answered",
      "refund_deliver.credited",
      "refund_deliver.recounted",
      "refund_deliver.completed",
      ...RECORDING,
    ],
    isGivenBack: true,
    async play(stage) {
      await stage.start("phone")
      await stage.quiet()
      await stage.cancelOrder()
      await stage.quiet()
    },
  },
]

export const REFUND_STORIES: readonly Story[] = [
  ...HOST_STORIES,
  REFUND_STORY,
  {
    name: "paid, and given back in parts",
    points: ["refund.reserved", ...SENDING],
    isGivenBack: true,
    async play(stage) {
      await stage.start("phone")
      await stage.quiet()
      for (const amount of ["6.664", "6.664"]) await stage.refund(amount)
      await stage.refundRest()
      await stage.settled()
      await stage.refundRest()
      await stage.quiet()
    },
  },
  {
    name: "paid, and given back by two admins at once",
    points: ["refund.before_reserve"],
    isGivenBack: true,
    async play(stage) {
      await stage.start("phone")
      await stage.quiet()
      await stage.refundTwice("19.99")
      await stage.settled()
      await stage.refundRest()
      await stage.quiet()
    },
  },
  {
    name: "paid, and given back by two admins at once, each a part",
    points: ["refund_submit.committed", "refund_execute.answered"],
    isGivenBack: true,
    async play(stage) {
      await stage.start("phone")
      await stage.quiet()
      await stage.refundTwice("9.99", "10")
      await stage.settled()
      await stage.refundRest()
      await stage.quiet()
    },
  },
  {
    name: "a refund that never arrived",
    faults: { executeRefund: ["reset:before"] },
    points: ["refund_resend.before_commit", "refund_resend.committed", "refund_execute.answered"],
    isGivenBack: true,
    play: REFUND_STORY.play,
  },
  {
    name: "a refund that is refused",
    faults: { executeRefund: ["422"] },
    points: ["refund_refused.before_call", "refund_refused.answered", "refund_execute.answered"],
    isGivenBack: true,
    play: REFUND_STORY.play,
  },
  {
    name: "a refund without a session",
    faults: { createRefundSession: ["422"] },
    points: ["refund_abandon.before_commit", "refund_abandon.committed"],
    isGivenBack: true,
    play: REFUND_STORY.play,
  },
  {
    name: "a refund that nobody knew of, asked for again",
    faults: {
      executeRefund: ["reset:after"],
      getRefundStatus: Array.from({ length: 6 }, () => "404" as const),
    },
    points: ["refund_adopt.before_commit", "refund_adopt.committed", "refund_answer.committed"],
    isGivenBack: true,
    async play(stage) {
      await stage.start("phone")
      await stage.quiet()
      await stage.refund("10")
      await stage.landed()
      await stage.refund("10")
      await stage.settled()
      await stage.refundRest()
      await stage.quiet()
    },
  },
  {
    name: "late money, given back by policy",
    outcome: "decline_then_approve",
    isOrphanRefunded: true,
    points: ["policy.before_refund", "policy.refunded", "refund.reserved", ...SENDING],
    async play(stage) {
      await stage.start("phone")
      await stage.quiet()
    },
  },
  {
    name: "late money, given back by policy once the gateway answers",
    outcome: "decline_then_approve",
    isOrphanRefunded: true,
    faults: { createRefundSession: ["503", "503"] },
    points: ["policy.refused", "refund_abandon.before_commit", "refund_abandon.committed"],
    async play(stage) {
      await stage.start("phone")
      await stage.quiet()
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
