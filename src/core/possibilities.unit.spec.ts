import {
  afterNoon,
  anOperation,
  aPayout,
  aRefund,
  currency,
  money,
} from "../../integration-tests/support/an-operation"
import { possibilitiesOf, type Unreturned } from "./possibilities"
import type { Operation } from "./operation"

const inReview = { state: "review", collected: money(1_999), paymentIntentId: 7 } as const

const overpaid = (reason: string) =>
  anOperation({ ...inReview, reason, collected: money(2_099), payerCurrency: currency("USD") })

const whyNot = (operation: Operation, unreturned?: Unreturned) =>
  Object.fromEntries(
    possibilitiesOf(operation, unreturned).map((one) => [one.action, one.whyNot ?? "possible"]),
  )

describe("what a person may do", () => {
  it.each([
    [
      "a payment that waits",
      anOperation(inReview),
      { check: "possible", accept: "possible", refund: "possible", dismiss: "possible" },
    ],
    [
      "one whose intent nobody knows",
      anOperation({ ...inReview, paymentIntentId: null }),
      { payment_intent: "possible", refund: "possible", dismiss: "possible" },
    ],
    [
      "one whose money is on its way back",
      anOperation({ ...inReview, reservedRefundMinor: 1n }),
      { accept: "refund_in_progress", refund: "already_resolved", dismiss: "refund_in_progress" },
    ],
    [
      "one that brought more than was asked for",
      overpaid("amount_mismatch"),
      { refund_rest: "possible", accept_asked: "possible", refund: "possible" },
    ],
    [
      "one that brought more and waits for another reason",
      overpaid("order_canceled"),
      { refund_rest: "action_not_possible", accept_asked: "possible", refund: "possible" },
    ],
    [
      "one that is under way",
      anOperation(),
      { check: "possible", accept: "not_in_review", payment_intent: "action_not_possible" },
    ],
    [
      "one that is recorded",
      anOperation({ state: "completed", recordedAt: afterNoon(0) }),
      { accept: "already_resolved", payment_intent: "possible", retry: "action_not_possible" },
    ],
    [
      "one that the gateway contradicts",
      anOperation({ state: "completed", contradictedAt: afterNoon(0) }),
      { dismiss: "possible", retry: "action_not_possible" },
    ],
    [
      "a draft",
      anOperation({ state: "drafted", reference: null }),
      { check: "nothing_to_ask", dismiss: "not_in_review" },
    ],
    [
      "a refund that waits",
      aRefund({ state: "review" }),
      { accept: "possible", refund: "action_not_possible", dismiss: "possible" },
    ],
    [
      "a payout that waits",
      aPayout({ state: "review" }),
      { accept: "possible", refund: "action_not_possible", payment_intent: "action_not_possible" },
    ],
  ] as const)("with %s", (_name, operation, expected) => {
    expect(whyNot(operation)).toMatchObject(expected)
  })

  it("with money that did not go back: send it once more, or dismiss it", () => {
    const [now, soon] = [{ isBeingCorrected: false }, { isBeingCorrected: true }]
    const failed = aRefund({ state: "failed" })
    expect(whyNot(failed, now)).toMatchObject({ retry: "possible", dismiss: "possible" })
    expect(whyNot(failed)).toMatchObject({ retry: "action_not_possible", dismiss: "not_in_review" })
    expect(whyNot(failed, soon)).toMatchObject({ retry: "records_being_corrected" })
    const canceled = anOperation({ state: "completed", recordedAt: afterNoon(0) })
    expect(whyNot(canceled, now)).toMatchObject({ retry: "possible", dismiss: "possible" })
  })
})
