/**
 * The stories in which Medusa is met: those of payments and refunds that other proofs tell, too,
 * and those that are about what people do in Medusa's own admin.
 */
import { SECOND } from "../support/an-operation"
import { APPROVED_AFTER_MS } from "./plot"
import { REFUND_STORIES } from "./refund-stories"
import { PHONE } from "./secrets"
import type { Stage } from "./stage"
import { OTHER_STORIES, PUSH_STORY, type Story } from "./stories"

const ORDER = "order_1"

/** An order that an admin has written down; nobody has paid it. */
function written(stage: Stage): void {
  stage.cart.order = { id: ORDER, isCanceled: false }
  stage.cart.sessions = []
}

/** Medusa has captured what the phone is about to approve; the order has nothing of it. */
function captured({ cart }: Stage): void {
  const [session] = cart.sessions
  cart.payments.push({
    sessionId: session?.id ?? "",
    isCaptured: true,
    isCanceled: false,
    isInOrder: false,
    amount: cart.total,
  })
}

/** What people do in Medusa's own admin, and pages that are loaded anew. */
export const SHOP_STORIES: readonly Story[] = [
  {
    name: "an order is paid by a link, and a customer looks at its status",
    async play(stage) {
      written(stage)
      await stage.send({ act: "link", orderId: ORDER })
      await stage.send({ act: "status", sessionId: stage.cart.sessions[0]?.id ?? "" })
      await stage.send({ act: "order changed", orderId: ORDER })
      await stage.payOnPage()
      await stage.quiet()
    },
  },
  {
    name: "an order is cancelled while its link is open",
    async play(stage) {
      written(stage)
      await stage.send({ act: "link", orderId: ORDER })
      await stage.send({ act: "may cancel", orderId: ORDER })
      if (stage.cart.order) stage.cart.order.isCanceled = true
      await stage.send({ act: "order canceled", orderId: ORDER })
      await stage.quiet()
    },
  },
  {
    name: "the page is loaded anew, and the old tab asks again",
    async play(stage) {
      await stage.start("phone")
      const [old] = stage.cart.sessions
      const sessionId = old?.id ?? ""
      stage.reload()
      await stage.send({ act: "status", sessionId })
      await stage.send({ act: "start", request: { sessionId, phone: PHONE } })
      await stage.quiet()
    },
  },
  {
    name: "Medusa's sessions are missing for a moment when the money comes",
    async play(stage) {
      await stage.start("phone")
      stage.cart.sessions = []
      await stage.pass(APPROVED_AFTER_MS)
      await stage.send({ act: "check" })
      await stage.pass(5 * SECOND)
      stage.reload()
      await stage.quiet()
    },
  },
  {
    name: "a completion is undone after its capture, and Medusa makes another session",
    async play(stage) {
      await stage.start("phone")
      captured(stage)
      stage.reload()
      await stage.quiet()
    },
  },
  {
    name: "a paid order is cancelled, and its money goes back",
    isGivenBack: true,
    async play(stage) {
      await stage.send({ act: "methods", cartId: "cart_pay_col_1" })
      await stage.start("phone")
      await stage.quiet()
      const orderId = stage.cart.order?.id ?? ""
      await stage.refund("19.99")
      await stage.send({ act: "may cancel", orderId })
      await stage.quiet()
      await stage.refundRest()
      await stage.quiet()
    },
  },
  {
    name: "an order is cancelled in the moment of its capture, and a person gives the money back",
    isOrderFirst: true,
    mayReview: true,
    isGivenBack: true,
    async play(stage) {
      await stage.place()
      await stage.start("phone")
      captured(stage)
      if (stage.cart.order) stage.cart.order.isCanceled = true
      await stage.quiet()
      await stage.resolve("refund")
      await stage.quiet()
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
export const MEDUSA_STORIES: readonly Story[] = [
  PUSH_STORY,
  ...SHOP_STORIES,
  ...[...OTHER_STORIES, ...REFUND_STORIES].filter(
    (story, index, all) => TOLD_ELSEWHERE.has(story.name) && all.indexOf(story) === index,
  ),
]
