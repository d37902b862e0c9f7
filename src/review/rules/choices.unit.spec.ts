import { anOperation, money } from "../../../integration-tests/support/an-operation"
import type { REVIEW } from "../../core/messages/reason.en"
import type { MedusaOperation } from "../../core/operation"
import type { Decision } from "../../core/possibilities"
import { choicesOf, type DecisionFacts } from "./choices"

const OPEN: DecisionFacts = {
  stranded: null,
  soldOut: null,
  beside: undefined,
  orderState: "open",
}

const SOLD_OUT = [
  { title: "Woven basket", lacking: 2 },
  { title: "Enamel mug", lacking: null },
]

function choices(given: Partial<MedusaOperation>, facts: Partial<DecisionFacts> = {}) {
  const operation = anOperation({
    state: "review",
    collected: money(1_999),
    paymentIntentId: 7,
    ...given,
  })
  return choicesOf(operation, { ...OPEN, ...facts })
}

const recommended = (...given: Parameters<typeof choices>) =>
  choices(...given).flatMap(({ action, isRecommended }) => (isRecommended ? [action] : []))

type CollectionReason = Exclude<keyof typeof REVIEW, "late_refund" | "late_payout">

/** What the text of each reason names first; null: it says to find out, and decide. */
const SAID: Readonly<Record<CollectionReason, Decision | null>> = {
  amount_mismatch: "refund_rest",
  currency_mismatch: "dismiss",
  source_disagrees: null,
  no_answer: null,
  credentials: null,
  late_payment: "accept",
  order_canceled: "refund",
  cart_changed: "accept",
  session_gone: "refund",
  provider_disabled: "accept",
  another_payment: "refund",
  cart_not_completed: "accept",
}

/** More came than was asked for where the amount is the reason. */
const inReviewBy = (reason: string): Partial<MedusaOperation> =>
  reason === "amount_mismatch"
    ? { reason, collected: money(2_999), payerCurrency: money(0).currency }
    : { reason }

it.each(Object.entries(SAID))(
  "money in review by %s has the decision highlighted that its text says, with and without stock",
  (reason, said) => {
    const right = said === null ? [] : [said]
    expect(recommended(inReviewBy(reason))).toEqual(right)
    expect(recommended(inReviewBy(reason), { soldOut: SOLD_OUT })).toEqual(right)
  },
)

it.each(Object.keys(SAID))(
  "one decision is recommended about a duplicate that came into review by %s",
  (reason) => {
    const facts = { beside: { id: "mpop_1" }, orderState: "paid" } as const
    // Only the merchant portal can give another currency back.
    const right = reason === "currency_mismatch" ? "dismiss" : "refund"
    expect(recommended({ isDuplicate: true, reason }, facts)).toEqual([right])
  },
)

it("money whose cart is sold out is accepted only with stock, and the items are named", () => {
  const [accept] = choices({ reason: "cart_not_completed" }, { soldOut: SOLD_OUT })
  expect(accept).toMatchObject({
    action: "accept",
    whyNot: "out_of_stock",
    facts: { items: "2 × Woven basket, Enamel mug" },
  })
  expect(choices({ reason: "cart_not_completed" })[0]).toMatchObject({ whyNot: null, facts: {} })
})

it("money that its order would never take is recommended to be refunded", () => {
  const facts = { stranded: "session_gone" } as const
  expect(recommended({ reason: "cart_not_completed" }, facts)).toEqual(["refund"])
})
