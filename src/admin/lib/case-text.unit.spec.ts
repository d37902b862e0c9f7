import { amountOfCase, caseText, receivedAbove } from "./case-text"

const words = {
  say: (key: string, values: object = {}) => [key, ...Object.values(values)].join(" "),
  coded: (key: string) => key,
  money: (amount: number | null, currency: string | null) => `${currency ?? ""} ${amount ?? ""}`,
}

const received = (collected: number | null, code = "amount_mismatch") => ({
  type: "COLLECTION" as const,
  attention: "review" as const,
  reason: { code, en: "" },
  amount: 5_601.12,
  currency: "LRD",
  collected_amount: collected,
  refunded_amount: 0,
  is_duplicate: false,
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
  [{ ...received(5_602.12), attention: "contradicted" as const }, "attention.contradicted"],
])("a case says in one line what differs", (operation, line) => {
  expect(lineOf(operation)).toBe(line)
})

it("counts a difference exactly, and at stake is what has not gone back", () => {
  expect(receivedAbove({ amount: 0.1, collected_amount: 0.3 })).toBe(0.2)
  expect(amountOfCase({ ...received(5_602.12), refunded_amount: 1 })).toBe(5_601.12)
  expect(amountOfCase(received(null))).toBe(5_601.12)
})
