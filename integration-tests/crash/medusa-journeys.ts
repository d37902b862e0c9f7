/**
 * The journeys in which Medusa is met: those of payments and refunds that other proofs play, too,
 * and those about what people do in Medusa's own admin.
 */
import { steps } from "../histories/commands"
import { SECOND } from "../support/an-operation"
import { APPROVED_AFTER_MS } from "./setup"
import { REFUND_JOURNEYS } from "./refund-journeys"
import { PHONE } from "../histories/secrets"
import type { Harness } from "./harness"
import { OTHER_JOURNEYS, PUSH_JOURNEY, type Journey } from "./journeys"

const ORDER = "order_1"

/** An order that an admin has written down, and that is not paid. */
function written(harness: Harness): void {
  harness.cart.order = { id: ORDER, isCanceled: false }
  harness.cart.sessions = []
}

const canceled = ({ cart }: Harness) => void (cart.order && (cart.order.isCanceled = true))

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

const ofSession = (act: "start" | "status") => {
  return (harness: Harness, sessionId = harness.cart.sessions[0]?.id ?? "") =>
    harness.send(
      act === "status" ? { act, sessionId } : { act, request: { sessionId, phone: PHONE } },
    )
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
    name: "an order is paid by a link, and a customer checks its status",
    play: steps(
      written,
      ["send", { act: "link", orderId: ORDER }],
      ofSession("status"),
      ["send", { act: "order changed", orderId: ORDER }],
      ["payOnPage"],
      ["quiet"],
    ),
  },
  {
    name: "an order is cancelled while its link is open",
    play: steps(
      written,
      ["send", { act: "link", orderId: ORDER }],
      ["send", { act: "may cancel", orderId: ORDER }],
      canceled,
      ["send", { act: "order canceled", orderId: ORDER }],
      ["quiet"],
    ),
  },
  {
    name: "the page is loaded anew, and the old tab asks again",
    async play(harness) {
      await harness.start("phone")
      const old = harness.cart.sessions[0]?.id
      harness.reload()
      await ofSession("status")(harness, old)
      await ofSession("start")(harness, old)
      await harness.quiet()
    },
  },
  {
    name: "Medusa's sessions are missing for a moment when the money comes",
    play: steps(
      ["start", "phone"],
      ({ cart }) => (cart.sessions = []),
      ["pass", APPROVED_AFTER_MS],
      ["send", { act: "check" }],
      ["pass", 5 * SECOND],
      ["reload"],
      ["quiet"],
    ),
  },
  {
    name: "a completion is undone after its capture, and Medusa makes another session",
    play: steps(["start", "phone"], captured, ["reload"], ["quiet"]),
  },
  PAID_BACK_JOURNEY,
  {
    name: "an order is cancelled in the moment of its capture, and an admin gives the money back",
    isOrderFirst: true,
    mayReview: true,
    isGivenBack: true,
    play: steps(
      ["place"],
      ["start", "phone"],
      captured,
      canceled,
      ["quiet"],
      ["resolve", "refund"],
      ["quiet"],
    ),
  },
]

const OF_OTHER_PROOFS = new Set([
  "ordered, and never paid",
  "ordered, and paid by phone",
  "document first, on its page",
  "the cart is edited while the page is open",
  "the session is replaced meanwhile",
  "given up, then paid on a new page",
  "a refund that fails after Medusa has shown it",
  "a refund that fails late, and is made once more with one click",
  "a refund that Medusa has written by half",
  "a refund next to a row that was never asked for",
  "an order that reads refunded, and its money was never asked for",
  "an order that reads cancelled before its refund has an answer",
])

/** Together they make every call of the port. */
export const MEDUSA_JOURNEYS: readonly Journey[] = [
  PUSH_JOURNEY,
  ...SHOP_JOURNEYS,
  ...[...OTHER_JOURNEYS, ...REFUND_JOURNEYS].filter(
    (journey, index, all) => OF_OTHER_PROOFS.has(journey.name) && all.indexOf(journey) === index,
  ),
]
