/**
 * Answers that say less than they seem to: a call that moves money is delivered twice, its repeat
 * is refused and its status lags; Medusa says no to the order; a refund fails without an answer.
 * The first answer never frees money, and no money is in no list.
 */
import { steps } from "../histories/commands"
import type { Harness } from "./harness"
import type { Script } from "./scripts"
import type { Journey } from "./journeys"
import { PAYOUT_JOURNEY, TRANSFER_JOURNEY } from "./payout-journeys"
import { REFUND_JOURNEY } from "./refund-journeys"
import { REFUNDED_BY_DECISION } from "./review-journeys"

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

const PAID = steps<Harness>(["start", "phone"], ["quiet"])

const byPhone: Journey = {
  name: "by phone and pressed again",
  play: steps(["start", "phone"], PAID),
}

const byCard: Journey = {
  name: "by card",
  play: steps(["start", "card without a question"], ["quiet"]),
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

const REFUSED_BY_RULE = { medusaRefusesByRule: true, isGivenBack: true } as const

const MEDUSA_SAYS_NO: readonly Journey[] = [
  {
    name: "a cart that Medusa can't complete, then one that it can",
    play: steps(
      ({ cart }) => (cart.missing = ["promotion"]),
      PAID,
      ({ simulator, surprises }) => {
        if (simulator.book.executions().length === 0) return
        surprises.push("money was asked for a cart that no order can be made of")
      },
      ({ cart }) => (cart.missing = []),
      PAID,
    ),
  },
  {
    ...REFUSED_BY_RULE,
    name: "Medusa refuses the order by a rule, and its money goes back",
    isOrphanRefunded: true,
    isAnsweredSoon: true,
    play: PAID,
  },
  {
    ...REFUSED_BY_RULE,
    name: "Medusa refuses the order by a rule, and an admin gives its money back",
    mayReview: true,
    play: REFUNDED_BY_DECISION,
  },
]

const UNRETURNED = {
  faults: { executeRefund: ["reset:after"], getRefundStatus: lag(2) },
  refundOutcome: "decline",
} as const

const UNRETURNED_JOURNEYS: readonly Journey[] = [
  {
    ...UNRETURNED,
    name: "a refund without an answer that fails, and nobody clicks again",
    play: steps(PAID, ["refund", "19.99"], ["quiet"]),
  },
  {
    ...UNRETURNED,
    name: "an order that is cancelled, and its refund fails without an answer",
    play: steps(PAID, ["cancelOrder"], ["quiet"]),
  },
]

const SAME_NUMBERS: readonly Journey[] = [
  {
    name: "declined, then paid at another gateway with the same numbers",
    outcome: "decline",
    play: steps(["start", "phone"], ["settled"], ["move"], PAID, ({ kills, cart, surprises }) => {
      if (kills > 0 || cart.payments.length > 0) return
      surprises.push("the payment at the other gateway did not come to its order")
    }),
  },
  {
    name: "under way at one gateway while the account moves to another with the same numbers",
    play: steps(["start", "phone"], ["move"], ["quiet"]),
  },
]

export const DOUBT_JOURNEYS: readonly (Journey & Pick<Script, "refundOutcome">)[] = [
  ...DELIVERED_TWICE,
  ...MEDUSA_SAYS_NO,
  ...UNRETURNED_JOURNEYS,
  ...SAME_NUMBERS,
]
