/**
 * What shoppers do, and how often. A scenario says nothing about faults and deaths: all of them
 * meet all of these.
 */
import { MINUTE } from "../support/an-operation"
import { CARD_SCENARIOS } from "./card-scenarios"
import type { Shopper } from "./shopper"

export type Scenario = {
  readonly name: string
  /** Of all payments, how many in a hundred, roughly. */
  readonly weight: number
  /** Money and records disagree honestly, or nobody ever answers: a person has to look. */
  readonly mayReview?: boolean
  play(shopper: Shopper): Promise<void>
}

const SCENARIOS: readonly Scenario[] = [
  {
    name: "approved",
    weight: 22,
    async play(shopper) {
      shopper.wallet("approve")
      await shopper.start("phone")
      await shopper.watch()
    },
  },
  {
    name: "approved, nobody looks",
    weight: 6,
    async play(shopper) {
      shopper.wallet("pending_then_approve")
      await shopper.start("phone")
    },
  },
  {
    name: "approved late",
    weight: 4,
    async play(shopper) {
      shopper.wallet("approve", shopper.dice.between(4, 50) * MINUTE)
      await shopper.start("phone")
      await shopper.watch(MINUTE)
    },
  },
  {
    name: "declined",
    weight: 6,
    async play(shopper) {
      shopper.wallet(shopper.dice.oneOf(["decline", "insufficient_funds"]))
      await shopper.start("phone")
      await shopper.watch()
    },
  },
  {
    name: "declined, then approved",
    weight: 6,
    async play(shopper) {
      shopper.wallet("insufficient_funds")
      await shopper.start("phone")
      await shopper.watch()
      shopper.wallet("approve")
      await shopper.start("phone")
      await shopper.watch()
    },
  },
  {
    name: "wrong pin, then the right one",
    weight: 5,
    async play(shopper) {
      shopper.wallet("handset")
      for (const isRight of [false, true]) {
        await shopper.start("phone")
        await shopper.pause(shopper.dice.between(3, 20))
        shopper.answer(isRight)
        await shopper.watch()
      }
    },
  },
  {
    name: "declined, then on the page",
    weight: 3,
    async play(shopper) {
      shopper.wallet("decline")
      await shopper.start("phone")
      await shopper.watch()
      await shopper.start("page")
      await shopper.payOnPage("card")
      await shopper.watch()
    },
  },
  {
    name: "failed, completed later",
    weight: 3,
    mayReview: true,
    async play(shopper) {
      shopper.wallet("decline_then_approve")
      await shopper.start("phone")
      await shopper.watch()
    },
  },
  {
    name: "failed, paid again, completed later",
    weight: 3,
    mayReview: true,
    async play(shopper) {
      shopper.wallet("decline_then_approve")
      await shopper.start("phone")
      await shopper.watch()
      shopper.wallet("approve")
      await shopper.start("phone")
      await shopper.watch()
    },
  },
  {
    name: "never answered",
    weight: 1,
    mayReview: true,
    async play(shopper) {
      shopper.wallet(shopper.dice.oneOf(["never", "pending"]))
      await shopper.start("phone")
      await shopper.watch(MINUTE)
    },
  },
  {
    name: "on the page, by card",
    weight: 10,
    async play(shopper) {
      await shopper.start("page")
      await shopper.pause(shopper.dice.between(5, 60))
      await shopper.payOnPage("card")
      await shopper.watch()
    },
  },
  {
    name: "on the page, by phone",
    weight: 5,
    async play(shopper) {
      shopper.wallet("approve")
      await shopper.start("page")
      await shopper.pause(shopper.dice.between(5, 60))
      await shopper.payOnPage("phone")
      await shopper.watch()
    },
  },
  {
    name: "on the page, a card declined, another one",
    weight: 2,
    async play(shopper) {
      await shopper.start("page")
      await shopper.payOnPage("a card that is declined")
      await shopper.pause(shopper.dice.between(5, 30))
      await shopper.payOnPage("card")
      await shopper.watch()
    },
  },
  ...CARD_SCENARIOS,
  {
    name: "abandoned on the page",
    weight: 4,
    async play(shopper) {
      await shopper.start("page")
      await shopper.watch(MINUTE)
    },
  },
  {
    name: "paid on the page when nobody waits any more",
    weight: 2,
    async play(shopper) {
      await shopper.start("page")
      await shopper.pause(shopper.dice.between(60, 150))
      await shopper.payOnPage("card")
    },
  },
  {
    name: "given up, then on a new page",
    weight: 3,
    async play(shopper) {
      await shopper.start("page")
      await shopper.cancel()
      await shopper.start("page")
      await shopper.payOnPage("card")
      await shopper.watch()
    },
  },
  {
    name: "the cart edited while the page is open",
    weight: 4,
    // A person who has the old page open may pay the old total there.
    mayReview: true,
    async play(shopper) {
      await shopper.start("page")
      await shopper.pause(shopper.dice.between(2, 20))
      await shopper.edit("24.99")
      await shopper.start("page")
      await shopper.payOnPage("card")
      await shopper.watch()
    },
  },
  {
    name: "the cart edited behind the payment",
    weight: 3,
    mayReview: true,
    async play(shopper) {
      shopper.wallet("approve")
      await shopper.start("phone")
      await shopper.pause(shopper.dice.between(0, 30))
      await shopper.edit("24.99", shopper.dice.fraction() < 0.5)
      await shopper.watch()
    },
  },
  {
    name: "the cart edited and edited back while paying",
    weight: 3,
    // The old total may be closed, and paid, before the new one is asked for.
    mayReview: true,
    async play(shopper) {
      shopper.wallet("approve")
      await shopper.start("phone")
      await shopper.pause(shopper.dice.between(0, 10))
      await shopper.edit("24.99")
      await shopper.place()
      await shopper.edit("19.99")
      await shopper.watch()
    },
  },
  {
    name: "completed on and on while paying",
    weight: 5,
    async play(shopper) {
      shopper.wallet("approve")
      await shopper.start("phone")
      for (let times = 0; times < 40; times++) {
        await shopper.place()
        await shopper.pause(shopper.dice.fraction())
      }
      await shopper.watch()
    },
  },
  {
    name: "the page reloaded while paying",
    weight: 4,
    async play(shopper) {
      shopper.wallet("approve", 30_000)
      await shopper.start("phone")
      shopper.load()
      await shopper.start("phone")
      await shopper.pause(shopper.dice.between(1, 20))
      shopper.load()
      await shopper.watch()
    },
  },
  {
    name: "two tabs, by phone and on the page",
    weight: 5,
    async play(shopper) {
      shopper.wallet("approve")
      await shopper.startTwice(["phone", "page"])
      await shopper.payOnPage("card")
      await shopper.watch()
      await shopper.start(shopper.dice.oneOf(["phone", "page"]))
      await shopper.payOnPage("card")
      await shopper.watch()
    },
  },
  {
    name: "ordered, then approved",
    weight: 5,
    async play(shopper) {
      await shopper.place()
      shopper.wallet("approve")
      await shopper.start("phone")
      await shopper.watch()
    },
  },
  {
    name: "ordered, declined, then on the page",
    weight: 4,
    async play(shopper) {
      await shopper.place()
      shopper.wallet("decline")
      await shopper.start("phone")
      await shopper.watch()
      await shopper.start("page")
      await shopper.payOnPage("card")
      await shopper.watch()
    },
  },
  {
    name: "ordered, and never paid",
    weight: 4,
    async play(shopper) {
      await shopper.place()
      if (shopper.dice.fraction() < 0.5) await shopper.start("page")
    },
  },
  {
    name: "ordered, and cancelled while it is paid",
    weight: 3,
    mayReview: true,
    async play(shopper) {
      await shopper.place()
      shopper.wallet("approve")
      await shopper.start(shopper.dice.oneOf(["phone", "page"]))
      await shopper.pause(shopper.dice.between(0, 20))
      await shopper.cancelOrder()
      await shopper.payOnPage("card")
      await shopper.watch()
    },
  },
  {
    name: "approved, and given back",
    weight: 3,
    async play(shopper) {
      shopper.wallet("approve")
      shopper.refundsAs(shopper.dice.oneOf(["approve", "approve", "decline"]))
      await shopper.start("phone")
      await shopper.watch()
      await shopper.giveBack("19.99")
    },
  },
  {
    name: "approved, and given back in parts by two admins at once",
    weight: 3,
    async play(shopper) {
      shopper.wallet("approve")
      shopper.refundsAs(shopper.dice.oneOf(["approve", "pending_then_approve", "decline"]))
      await shopper.start("phone")
      await shopper.watch()
      await shopper.giveBack("12.00", 2)
      await shopper.giveBack("7.99")
    },
  },
  {
    name: "paid on the page, and given back by two admins at once",
    weight: 2,
    async play(shopper) {
      await shopper.start("page")
      await shopper.payOnPage("card")
      await shopper.watch()
      await shopper.giveBack("19.99", 2)
    },
  },
  {
    name: "pressed twice at once, and again",
    weight: 4,
    async play(shopper) {
      shopper.wallet("approve")
      await shopper.startTwice(["phone", "phone"])
      await shopper.start("phone")
      await shopper.watch()
    },
  },
]

const ALL = SCENARIOS.reduce((sum, { weight }) => sum + weight, 0)

/** @param fraction at least 0 and below 1 */
export function scenarioAt(fraction: number): Scenario {
  let left = fraction * ALL
  const scenario = SCENARIOS.find(({ weight }) => (left -= weight) < 0) ?? SCENARIOS[0]
  if (!scenario) throw new Error("there are no scenarios")
  return scenario
}
