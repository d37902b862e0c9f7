/** Two shoppers pay by card in the same moment, each in a process of the shop's. */
import { METHODS } from "../histories/commands"
import type { Journey } from "./journeys"

const LATE = "slow:400:before"
/** The payment collection of the other shopper. */
const RIVAL = "pay_col_rival"

/** Both questions come before both accounts, unless one start waits for the other. */
export const CARD_JOURNEYS: readonly Journey[] = [
  {
    name: "by card, while another shopper's card is declined",
    faults: { createPaymentAccount: [LATE, LATE] },
    hasRivals: true,
    async play(harness) {
      const card = METHODS["card without a question"]
      const rival = harness.shop.open(RIVAL, harness.cart.total)
      harness.shop.load(RIVAL, [card.providerId])
      const sessionOf = ({ sessions }: typeof rival) =>
        sessions.find(({ providerId }) => providerId === card.providerId)?.id ?? ""
      await harness.startAtOnce([
        { sessionId: sessionOf(harness.cart), ...card.with },
        { sessionId: sessionOf(rival), cardToken: "card_declined" },
      ])
      await harness.quiet()
      const charged = harness.simulator.book.executions().filter(({ charges }) => charges > 0)
      if (charged.length !== 1 || harness.cart.order === null) {
        harness.surprises.push("one shopper's card paid another's purchase")
      }
    },
  },
]
