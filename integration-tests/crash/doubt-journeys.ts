/**
 * Answers that say less than they seem to: a call that moves money is delivered twice, its repeat
 * is refused and its status lags; Medusa says no to the order; a refund fails of which nobody had
 * an answer. The first answer never frees money, and no money is in no list.
 */
import type { Script } from "./scripts"
import type { Journey } from "./journeys"
import { PAYOUT_JOURNEY, TRANSFER_JOURNEY } from "./payout-journeys"
import { REFUND_JOURNEY } from "./refund-journeys"

const lag = (questions: number) => Array.from({ length: questions }, () => "404" as const)

/** Each kind of money with the call that moves it and the question that shows it. */
function delivered(
  journey: Journey,
  [execute, status]: readonly [string, string],
  questions: number,
): Journey {
  return {
    ...journey,
    name: `${journey.name}, delivered twice, and not shown to ${questions} questions`,
    isRepeatRefused: true,
    faults: { [execute]: ["twice"], [status]: lag(questions) },
  }
}

const COLLECTION = ["executeCollection", "getCollectionStatus"] as const
const REFUND = ["executeRefund", "getRefundStatus"] as const

const byPhone: Journey = {
  name: "by phone and pressed again",
  async play(harness) {
    await harness.start("phone")
    await harness.start("phone")
    await harness.quiet()
  },
}

const byCard: Journey = {
  name: "by card",
  async play(harness) {
    await harness.start("card without a question")
    await harness.quiet()
  },
}

const DELIVERED_TWICE: readonly Journey[] = [
  ...[0, 1, 3].map((questions) => delivered(byPhone, COLLECTION, questions)),
  delivered(byCard, COLLECTION, 1),
  ...[0, 1, 3].map((questions) => delivered(REFUND_JOURNEY, REFUND, questions)),
  ...[1, 3].map((questions) =>
    delivered(PAYOUT_JOURNEY, ["executePayout", "getPayoutStatus"], questions),
  ),
  delivered(TRANSFER_JOURNEY, ["executeTransfer", "getTransferStatus"], 1),
]

const MEDUSA_SAYS_NO: readonly Journey[] = [
  {
    name: "a cart that Medusa can't complete, then one that it can",
    async play(harness) {
      harness.cart.missing = ["promotion"]
      await harness.start("phone")
      await harness.quiet()
      if (harness.simulator.book.executions().length > 0) {
        harness.surprises.push("money was asked for a cart that no order can be made of")
      }
      harness.cart.missing = []
      await harness.start("phone")
      await harness.quiet()
    },
  },
  {
    name: "Medusa refuses the order by a rule, and its money goes back",
    medusaRefusesByRule: true,
    isOrphanRefunded: true,
    isGivenBack: true,
    isAnsweredSoon: true,
    async play(harness) {
      await harness.start("phone")
      await harness.quiet()
    },
  },
  {
    name: "Medusa refuses the order by a rule, and an admin gives its money back",
    medusaRefusesByRule: true,
    mayReview: true,
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
]

const UNRETURNED: readonly Journey[] = [
  {
    name: "a refund without an answer that fails, and nobody clicks again",
    faults: { executeRefund: ["reset:after"], getRefundStatus: lag(2) },
    refundOutcome: "decline",
    async play(harness) {
      await harness.start("phone")
      await harness.quiet()
      await harness.refund("19.99")
      await harness.quiet()
    },
  },
  {
    name: "an order that is cancelled, and its refund fails without an answer",
    faults: { executeRefund: ["reset:after"], getRefundStatus: lag(2) },
    refundOutcome: "decline",
    async play(harness) {
      await harness.start("phone")
      await harness.quiet()
      await harness.cancelOrder()
      await harness.quiet()
    },
  },
]

const SAME_NUMBERS: readonly Journey[] = [
  {
    name: "declined, then paid at another gateway with the same numbers",
    outcome: "decline",
    async play(harness) {
      await harness.start("phone")
      await harness.settled()
      await harness.move()
      await harness.start("phone")
      await harness.quiet()
      if (harness.kills === 0 && harness.cart.payments.length === 0) {
        harness.surprises.push("the payment at the other gateway did not come to its order")
      }
    },
  },
  {
    name: "under way at one gateway while the account moves to another with the same numbers",
    async play(harness) {
      await harness.start("phone")
      await harness.move()
      await harness.quiet()
    },
  },
]

export const DOUBT_JOURNEYS: readonly (Journey & Pick<Script, "refundOutcome">)[] = [
  ...DELIVERED_TWICE,
  ...MEDUSA_SAYS_NO,
  ...UNRETURNED,
  ...SAME_NUMBERS,
]
