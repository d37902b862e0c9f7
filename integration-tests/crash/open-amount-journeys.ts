/**
 * An order is credited before or while it is paid: whichever process dies, nobody is asked for what
 * is not open, no money lands on the order beyond it, and an order that asks for nothing is kept.
 */
import type { Harness } from "./harness"
import type { Journey } from "./journeys"

/** A credit line leaves the amount of Medusa's payment collection as it was. */
function credit({ cart }: Harness, open: string): void {
  if (cart.order) cart.order.open = open
}

export const OPEN_AMOUNT_JOURNEYS: readonly Journey[] = [
  {
    name: "an order is credited to nothing, and its shopper pays by phone",
    isOrderFirst: true,
    async play(harness) {
      await harness.place()
      credit(harness, "0")
      await harness.start("phone")
      await harness.quiet()
      if (harness.simulator.book.executions().length > 0) {
        harness.surprises.push("money was asked for an order that asks for nothing")
      }
      if (harness.cart.order?.isCanceled === true) {
        harness.surprises.push("an order that asks for nothing was cancelled as unpaid")
      }
    },
  },
  {
    name: "an order is credited while its page is open, and the page is paid",
    isOrderFirst: true,
    mayReview: true,
    async play(harness) {
      await harness.place()
      await harness.start("page")
      credit(harness, "14.99")
      await harness.payOnPage()
      await harness.quiet()
      if (harness.cart.payments.length > 0) {
        harness.surprises.push("an order has got more than it asked for")
      }
    },
  },
  {
    name: "an order is credited to nothing while its page is open, and nobody pays",
    isOrderFirst: true,
    async play(harness) {
      await harness.place()
      await harness.start("page")
      credit(harness, "0")
      await harness.quiet()
      if (harness.cart.order?.isCanceled === true) {
        harness.surprises.push("an order that asks for nothing was cancelled as unpaid")
      }
    },
  },
]
