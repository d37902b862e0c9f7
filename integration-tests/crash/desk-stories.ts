/**
 * What people decide about money that waits: whoever's process dies decides again, and it is done
 * once.
 */
import type { Story } from "./stories"

const LATE = { outcome: "decline_then_approve" } as const

export const DESK_STORIES: readonly Story[] = [
  {
    ...LATE,
    name: "late money, accepted by a person",
    async play(stage) {
      await stage.start("phone")
      await stage.quiet()
      await stage.resolve("accept")
      await stage.quiet()
    },
  },
  {
    ...LATE,
    name: "late money, dismissed by a person",
    async play(stage) {
      await stage.start("phone")
      await stage.quiet()
      await stage.resolve("dismiss")
      await stage.quiet()
    },
  },
  {
    ...LATE,
    name: "late money, given back by a person",
    isGivenBack: true,
    async play(stage) {
      await stage.start("phone")
      await stage.quiet()
      await stage.resolve("refund")
      await stage.settled()
      // Whoever finds it in review still, because nothing was sent, decides again.
      await stage.resolve("refund")
      await stage.quiet()
    },
  },
  {
    name: "a refund of which nobody knew, accepted by a person",
    isGivenBack: true,
    async play(stage) {
      await stage.start("phone")
      await stage.quiet()
      await stage.refund("19.99")
      await stage.doubtRefund()
      await stage.resolve("accept", "REFUND")
      await stage.quiet()
    },
  },
  {
    name: "a refund of which nobody knew and that failed, dismissed by a person",
    isRefundFailedLate: true,
    isGivenBack: true,
    async play(stage) {
      await stage.start("phone")
      await stage.quiet()
      await stage.refund("19.99")
      await stage.doubtRefund()
      await stage.resolve("dismiss", "REFUND")
      await stage.putRight()
      await stage.untilAllIsBack()
    },
  },
]
