import type { GatewayReading } from "./responses"
import {
  amountOfCase,
  atStake,
  attentionText,
  caseText,
  choicesOf,
  receivedAbove,
  whyTexts,
} from "./decision"

const asked = {
  type: "COLLECTION",
  attention: "review",
  reason: null,
  is_duplicate: false,
  amount: 19.99,
  currency: "USD",
  collected_amount: null,
  refunded_amount: 0,
} as const

const reads = (amount: number | null, taken = amount): GatewayReading => ({
  kind: "reads",
  execution: "COMPLETED",
  source: "PAID",
  amount,
  taken_amount: taken,
  currency: amount === null ? null : "USD",
})
const unanswered: GatewayReading = { ...reads(null), kind: "unanswered" }

describe("what a person confirms", () => {
  it("of a refund is what the gateway says was taken, not what was asked for", () => {
    expect(atStake(asked, "refund", reads(20.99, 19.99))?.amount).toBe(19.99)
    expect(atStake(asked, "refund", reads(25))).toEqual({ amount: 25, currency: "USD" })
    expect(atStake({ ...asked, collected_amount: 19.99 }, "refund", reads(25))).toEqual({
      amount: 25,
      currency: "USD",
    })
  })

  it.each([null, unanswered, reads(null)])(
    "of a refund is no amount where none is known",
    (read) => {
      expect(atStake(asked, "refund", read)).toBeNull()
      expect(atStake({ ...asked, collected_amount: 19.99 }, "refund", read)).toBeNull()
    },
  )

  it("of the difference is what came above what was asked for; of the remainder what is left", () => {
    expect(atStake(asked, "refund_rest", reads(20.99))?.amount).toBe(1)
    const partBack = { ...asked, collected_amount: 20.99, refunded_amount: 1 }
    expect(atStake(partBack, "refund", reads(20.99))?.amount).toBe(19.99)
    // The source may read what is left of it.
    expect(atStake(partBack, "refund", reads(19.99))?.amount).toBe(19.99)
    expect(atStake(partBack, "refund", unanswered)).toBeNull()
    expect(atStake(asked, "accept_asked", reads(20.99))?.amount).toBe(19.99)
  })

  it("of an accepted payment is what was asked for: nothing else is accepted", () => {
    expect(atStake({ ...asked, collected_amount: 25 }, "accept", reads(25))?.amount).toBe(19.99)
  })

  it("of what is dismissed is the best that is known", () => {
    expect(atStake(asked, "dismiss", reads(25))?.amount).toBe(25)
    expect(atStake({ ...asked, collected_amount: 21 }, "dismiss", null)?.amount).toBe(21)
    expect(atStake({ ...asked, type: "REFUND" }, "dismiss", reads(25))?.amount).toBe(19.99)
  })
})

const words = {
  say: (key: string, values: object = {}) => [key, ...Object.values(values)].join(" "),
  coded: (key: string) => key,
  money: (amount: number | null, currency: string | null) => `${currency ?? ""} ${amount ?? ""}`,
}

const received = (collected: number | null, code = "amount_mismatch") => ({
  ...asked,
  reason: { code, said: null, en: "" },
  amount: 5_601.12,
  currency: "LRD",
  collected_amount: collected,
})
const lineOf = (operation: Parameters<typeof caseText>[1]) =>
  caseText(words as unknown as Parameters<typeof caseText>[0], operation)

it.each([
  [received(5_602.12), "case.receivedMore LRD 1"],
  [received(5_600.02), "case.receivedLess LRD 1.1"],
  [received(5_601.12), "case.documentDiffers"],
  [received(null), "case.amount_mismatch"],
  [received(5_601.12, "late_payment"), "case.late_payment"],
  [{ ...received(5_601.12, "late_payment"), is_duplicate: true }, "case.another_payment"],
  [
    { ...received(6_532, "late_refund"), type: "REFUND" as const, is_duplicate: true },
    "case.late_refund",
  ],
  [{ ...received(5_602.12), attention: "contradicted" as const }, "case.contradicted"],
])("a case says in one line what differs", (operation, line) => {
  expect(lineOf(operation)).toBe(line)
})

it("a duplicate is not told to be put onto the order that the other payment has paid", () => {
  const late = { ...received(5_601.12, "late_payment"), attention: "review" as const }
  const told = (one: Parameters<typeof attentionText>[1]) =>
    attentionText(words as unknown as Parameters<typeof attentionText>[0], one)
  expect(told({ ...late, is_duplicate: true })).toBe("reason.another_payment")
  expect(told(late)).toBe("reason.late_payment")
})

it.each([
  ["returned_at", "case.another_payment"],
  ["dismissed_at", "case.another_payment"],
  ["neither", "case.another_payment reason.another_payment"],
])("a duplicate that was decided (%s) keeps its name, and no advice", (decided, told) => {
  const at = (name: string) => (decided === name ? "2026-11-28T03:00:00.000Z" : null)
  const texts = whyTexts(words as unknown as Parameters<typeof whyTexts>[0], {
    ...received(5_601.12, "late_payment"),
    is_duplicate: true,
    attention: decided === "neither" ? "review" : null,
    returned_at: at("returned_at"),
    dismissed_at: at("dismissed_at"),
  })
  expect(texts.join(" ")).toBe(told)
})

it("counts a difference exactly, and at stake is what has not gone back", () => {
  expect(receivedAbove({ ...asked, amount: 0.1, collected_amount: 0.3 })).toBe(0.2)
  expect(amountOfCase({ ...received(5_602.12), refunded_amount: 1 })).toBe(5_601.12)
  expect(amountOfCase(received(null))).toBe(5_601.12)
})

it("offers what the store calls possible, the recommended decision first", () => {
  const choices = [
    { action: "refund", recommended: true, disabled: null, consequence: "refund.paid" },
    { action: "dismiss", recommended: false, disabled: null, consequence: "dismiss.paid" },
  ] as const
  const decision = {
    order_id: "order_24",
    order_number: "24",
    order_state: "paid",
    other_payment_id: "mpop_1",
    choices,
  } as const
  expect(choicesOf({ type: "COLLECTION", reason: null, actions: [], decision })).toEqual([
    { action: "refund", isRecommended: true, disabled: null },
    { action: "dismiss", isRecommended: false, disabled: null },
  ])
  const actions = [{ action: "dismiss", is_possible: true, why_not: null }] as const
  expect(choicesOf({ type: "REFUND", reason: null, actions, decision: null })).toEqual([
    { action: "dismiss", isRecommended: false, disabled: null },
  ])
})

/** Whether the text of the reason says to accept it; about a refund, no text says to dismiss it. */
const SAYS_ACCEPT = {
  late_refund: true,
  late_payout: true,
  amount_mismatch: true,
  no_answer: false,
  credentials: false,
  source_disagrees: false,
}

it.each(
  Object.entries(SAYS_ACCEPT).flatMap(([code, isRecommended]) =>
    (["REFUND", "PAYOUT", "TRANSFER"] as const).map((type) => [code, type, isRecommended] as const),
  ),
)("highlights what the text of %s says about a %s", (code, type, isRecommended) => {
  const actions = (["accept", "dismiss"] as const).map((action) => ({
    action,
    is_possible: true,
    why_not: null,
  }))
  const reason = { code, said: null, en: "" }
  expect(choicesOf({ type, reason, actions, decision: null })).toEqual([
    { action: "accept", isRecommended, disabled: null },
    { action: "dismiss", isRecommended: false, disabled: null },
  ])
})
