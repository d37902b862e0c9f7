/**
 * The journeys in which Medusa is met: those of payments and refunds that other proofs tell, too,
 * and those that are about what people do in Medusa's own admin.
 */
import { SECOND } from "../support/an-operation"
import { APPROVED_AFTER_MS } from "./setup"
import { REFUND_JOURNEYS } from "./refund-journeys"
import { PHONE } from "./secrets"
import type { Harness } from "./harness"
import { OTHER_JOURNEYS, PUSH_JOURNEY, type Journey } from "./journeys"

const ORDER = "order_1"

/** An order that an admin has written down; nobody has paid it. */
function written(harness: Harness): void {
  harness.cart.order = { id: ORDER, isCanceled: false }
  harness.cart.sessions = []
}

/**
 * Medusa has captured what the phone is about to approve; the order has nothing of it. A worker that
 * died before the execution left nothing to approve, and then Medusa has nothing to capture.
 */
function captured({ cart, simulator }: Harness): void {
  if (simulator.book.executions().length === 0) return
  const [session] = cart.sessions
  cart.payments.push({
    sessionId: session?.id ?? "",
    isCaptured: true,
    isCanceled: false,
    isInOrder: false,
    amount: cart.total,
  })
}

export const PAID_BACK_JOURNEY: Journey = {
  name: "a paid order is cancelled, and its money goes back",
  isGivenBack: true,
  async play(harness) {
    await harness.send({ act: "methods", cartId: "cart_pay_col_1" })
    await harness.start("phone")
    await harness.quiet()
    const orderId = harness.cart.order?.id ?? ""
    await harness.refund("19.99")
    await harness.send({ act: "may cancel", orderId })
    await harness.quiet()
    await harness.refundRest()
    await harness.quiet()
  },
}

/** What people do in Medusa's own admin, and pages that are loaded anew. */
export const SHOP_JOURNEYS: readonly Journey[] = [
  {
    name: "an order is paid by a link, and a customer looks at its status",
    async play(harness) {
      written(harness)
      await harness.send({ act: "link", orderId: ORDER })
      await harness.send({ act: "status", sessionId: harness.cart.sessions[0]?.id ?? "" })
      await harness.send({ act: "order changed", orderId: ORDER })
      await harness.payOnPage()
      await harness.quiet()
    },
  },
  {
    name: "an order is cancelled while its link is open",
    async play(harness) {
      written(harness)
      await harness.send({ act: "link", orderId: ORDER })
      await harness.send({ act: "may cancel", orderId: ORDER })
      if (harness.cart.order) harness.cart.order.isCanceled = true
      await harness.send({ act: "order canceled", orderId: ORDER })
      await harness.quiet()
    },
  },
  {
    name: "the page is loaded anew, and the old tab asks again",
    async play(harness) {
      await harness.start("phone")
      const [old] = harness.cart.sessions
      const sessionId = old?.id ?? ""
      harness.reload()
      await harness.send({ act: "status", sessionId })
      await harness.send({ act: "start", request: { sessionId, phone: PHONE } })
      await harness.quiet()
    },
  },
  {
    name: "Medusa's sessions are missing for a moment when the money comes",
    async play(harness) {
      await harness.start("phone")
      harness.cart.sessions = []
      await harness.pass(APPROVED_AFTER_MS)
      await harness.send({ act: "check" })
      await harness.pass(5 * SECOND)
      harness.reload()
      await harness.quiet()
    },
  },
  {
    name: "a completion is undone after its capture, and Medusa makes another session",
    async play(harness) {
      await harness.start("phone")
      captured(harness)
      harness.reload()
      await harness.quiet()
    },
  },
  PAID_BACK_JOURNEY,
  {
    name: "an order is cancelled in the moment of its capture, and a person gives the money back",
    isOrderFirst: true,
    mayReview: true,
    isGivenBack: true,
    async play(harness) {
      await harness.place()
      await harness.start("phone")
      captured(harness)
      if (harness.cart.order) harness.cart.order.isCanceled = true
      await harness.quiet()
      await harness.resolve("refund")
      await harness.quiet()
    },
  },
]

const TOLD_ELSEWHERE = new Set([
  "ordered, and never paid",
  "ordered, and paid by phone",
  "document first, on its page",
  "the cart is edited while the page is open",
  "the session is replaced meanwhile",
  "given up, then paid on a new page",
  "a refund that fails after Medusa has shown it",
  "a refund that fails late, and is made once more with one click",
  "a refund that Medusa has written by half",
  "a refund beside a row that nobody has asked for",
  "an order that reads refunded, and nobody has asked for its money",
  "an order that reads cancelled before anybody knew of its refund",
])

/** Together they make every call of the port. */
export const MEDUSA_JOURNEYS: readonly Journey[] = [
  PUSH_JOURNEY,
  ...SHOP_JOURNEYS,
  ...[...OTHER_JOURNEYS, ...REFUND_JOURNEYS].filter(
    (journey, index, all) => TOLD_ELSEWHERE.has(journey.name) && all.indexOf(journey) === index,
  ),
]
