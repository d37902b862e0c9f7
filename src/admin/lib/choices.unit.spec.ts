import { choicesOf } from "./choices"

const received = (collected: number, code: string) =>
  choicesOf({
    type: "COLLECTION",
    amount: 19.99,
    collected_amount: collected,
    reason: { code, en: "" },
  })

it("offers to give back the difference only where the amount is the reason", () => {
  expect(received(20.99, "amount_mismatch")).toContain("refund_rest")
  expect(received(15, "amount_mismatch")).not.toContain("refund_rest")
  expect(received(20.99, "cart_changed")).toEqual(["accept_asked", "refund", "dismiss"])
})

it("offers what it always does of what came in full", () => {
  expect(received(19.99, "late_payment")).toEqual(["accept", "refund", "dismiss"])
  expect(received(19.99, "order_canceled")).toEqual(["refund", "dismiss"])
})
