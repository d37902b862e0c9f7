/**
 * What people decide about money that waits: whoever's process dies decides again, and it is done
 * once.
 */
import type { Journey } from "./journeys"

const LATE = { outcome: "decline_then_approve" } as const

export const REVIEW_JOURNEYS: readonly Journey[] = [
  {
    ...LATE,
    name: "late money, accepted by a person",
    async play(harness) {
      await harness.start("phone")
      await harness.quiet()
      await harness.resolve("accept")
      await harness.quiet()
    },
  },
  {
    ...LATE,
    name: "late money, dismissed by a person",
    async play(harness) {
      await harness.start("phone")
      await harness.quiet()
      await harness.resolve("dismiss")
      await harness.quiet()
    },
  },
  {
    ...LATE,
    name: "late money, given back by a person",
    isGivenBack: true,
    async play(harness) {
      await harness.start("phone")
      await harness.quiet()
      await harness.resolve("refund")
      await harness.settled()
      // Whoever finds it in review still, because nothing was sent, decides again.
      await harness.resolve("refund")
      await harness.quiet()
    },
  },
  {
    name: "a refund of which nobody knew, accepted by a person",
    isGivenBack: true,
    async play(harness) {
      await harness.start("phone")
      await harness.quiet()
      await harness.refund("19.99")
      await harness.doubtRefund()
      await harness.resolve("accept", "REFUND")
      // One that was never sent can't be accepted: it is dismissed, and made once more.
      await harness.resolve("dismiss", "REFUND")
      await harness.putRight()
      await harness.untilAllIsBack()
    },
  },
  {
    name: "a refund of which nobody knew and that failed, dismissed by a person",
    isRefundFailedLate: true,
    isGivenBack: true,
    async play(harness) {
      await harness.start("phone")
      await harness.quiet()
      await harness.refund("19.99")
      await harness.doubtRefund()
      await harness.resolve("dismiss", "REFUND")
      await harness.putRight()
      await harness.untilAllIsBack()
    },
  },
]
