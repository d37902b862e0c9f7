import { anOperation, money } from "../../../integration-tests/support/an-operation"
import { REVIEW } from "../../core/messages/reason.en"
import type { Operation } from "../../core/operation"
import { choicesOf, type DecisionFacts } from "./choices"

const OPEN: DecisionFacts = {
  stranded: null,
  lacksStock: false,
  beside: undefined,
  orderState: "open",
}

function recommended(given: Partial<Operation>, facts: Partial<DecisionFacts> = {}) {
  const operation = anOperation({
    state: "review",
    collected: money(1_999),
    paymentIntentId: 7,
    ...given,
  })
  return choicesOf(operation, { ...OPEN, ...facts }).flatMap(({ action, isRecommended }) =>
    isRecommended ? [action] : [],
  )
}

it.each(Object.keys(REVIEW))(
  "one decision is recommended about a duplicate that came into review by %s",
  (reason) => {
    const facts = { beside: { id: "mpop_1" }, orderState: "paid" } as const
    // Only the merchant portal can give another currency back.
    const right = reason === "currency_mismatch" ? "dismiss" : "refund"
    expect(recommended({ isDuplicate: true, reason }, facts)).toEqual([right])
  },
)

it.each(["another_payment", "order_canceled", "session_gone"])(
  "money in review by %s is recommended to be refunded, as its text says",
  (reason) => {
    expect(recommended({ reason })).toEqual(["refund"])
  },
)

it("late money that its order would take is recommended to be accepted", () => {
  expect(recommended({ reason: "late_payment" })).toEqual(["accept"])
})

it("money whose cart is sold out is not offered to be accepted", () => {
  expect(recommended({ reason: "cart_not_completed" })).toEqual(["accept"])
  expect(recommended({ reason: "cart_not_completed" }, { lacksStock: true })).toEqual(["refund"])
})

it.each(["no_answer", "credentials", "source_disagrees"])(
  "nothing is recommended about %s, because it is not known whether there is any money",
  (reason) => {
    expect(recommended({ reason })).toEqual([])
  },
)
