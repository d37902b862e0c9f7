/** Two shoppers pay by card in the same moment, each in a process of the shop's. */
import { METHODS } from "./payers"
import type { Journey } from "./journeys"
import { RIVAL_SESSION } from "./refusing-medusa"

const LATE = "slow:400:before"

/** Both questions come before both accounts, unless one start waits for the other. */
export const CARD_JOURNEYS: readonly Journey[] = [
  {
    name: "by card, while another shopper's card is declined",
    faults: { createPaymentAccount: [LATE, LATE] },
    hasRivals: true,
    async play(harness) {
      const card = METHODS["card without a question"]
      const sessions = harness.cart.sessions
      const mine = sessions.find(({ providerId }) => providerId === card.providerId)
      await harness.startTwice([
        { sessionId: mine?.id ?? "", ...card.with },
        { sessionId: RIVAL_SESSION, cardToken: "card_declined" },
      ])
      await harness.quiet()
      const charged = harness.simulator.book.executions().filter(({ charges }) => charges > 0)
      if (charged.length !== 1 || harness.cart.order === null) {
        harness.surprises.push("one shopper's card paid another's purchase")
      }
    },
  },
]
