/** What shoppers do who pay by card on the shop's own page. */
import { MINUTE } from "../support/an-operation"
import type { Scenario } from "./scenarios"

export const CARD_SCENARIOS: readonly Scenario[] = [
  {
    name: "by card, and the bank asks",
    weight: 5,
    async play(shopper) {
      await shopper.start("card")
      await shopper.pause(shopper.dice.between(3, 40))
      await shopper.answerBank("pass")
      await shopper.watch()
    },
  },
  {
    name: "by card, and no bank asks",
    weight: 3,
    async play(shopper) {
      await shopper.start("card without a question")
      await shopper.watch()
    },
  },
  {
    name: "by card, refused at the bank, then by phone",
    weight: 3,
    async play(shopper) {
      await shopper.start("card")
      await shopper.pause(shopper.dice.between(3, 20))
      await shopper.answerBank("refuse")
      await shopper.watch()
      shopper.wallet("approve")
      await shopper.start("phone")
      await shopper.watch()
    },
  },
  {
    name: "by card, and the bank is never answered",
    weight: 2,
    async play(shopper) {
      await shopper.start("card")
      await shopper.watch(MINUTE)
    },
  },
  {
    name: "two tabs, by card and by phone",
    weight: 3,
    async play(shopper) {
      shopper.wallet("approve")
      await shopper.startTwice(["card", "phone"])
      await shopper.answerBank("pass")
      await shopper.watch()
      await shopper.start(shopper.dice.oneOf(["card", "phone"]))
      await shopper.answerBank("pass")
      await shopper.watch()
    },
  },
]
