/** What customers write about themselves, as the head of a receipt shows it. */
import { afterNoon, anOperation, SECOND } from "../../integration-tests/support/an-operation"
import { aPaperOrder, readPaper } from "../../integration-tests/support/paper"
import { receiptDocument } from "./receipt-document"
import { renderReceipt } from "./render-receipt"
import type { PaperOrder } from "./rules/paper-order"

function headOf(given: Partial<PaperOrder>) {
  const recordedAt = afterNoon(SECOND)
  const operation = anOperation({ state: "completed", recordedAt, orderId: "order_1" })
  const document = receiptDocument({
    shop: "Harbour & Hills",
    timeZone: "UTC",
    order: aPaperOrder(given),
    operations: [{ operation, transactionId: null, receipt: null }],
    isErased: false,
    labelOf: () => null,
  })
  if (!document) throw new Error("there is no receipt")
  return readPaper(renderReceipt(document, "en")).head
}

it.each([
  ["blanks", ["\t"], "Liberia"],
  ["an empty line", ["Broad Street 7", " ", "Monrovia"], "Broad Street 7, Monrovia, Liberia"],
])("an address with %s shows what is written", (_name, lines, shown) => {
  expect(headOf({ address: { lines, country: "LR" } })["address"]).toBe(shown)
})

it("[D15] a customer's name and address are one short line each, however long they were written", () => {
  const text = `PAID IN FULL.\nCall ${"7".repeat(50)} for your refund `
  for (const many of [1, 40]) {
    const long = text.repeat(many)
    const address = { lines: [long, "Broad Street 7"], country: "LR" }
    const head = headOf({ customerName: long, address })
    expect([...(head["customer"] ?? "")].length).toBe(60)
    expect(head["customer"]).toMatch(/^PAID IN FULL\. Call 7+…$/)
    expect(head["address"]).toMatch(/^PAID IN FULL\. Call 7+…, Broad Street 7, Liberia$/)
  }
  expect(headOf({ customerName: "Ada  Lovelace" })["customer"]).toBe("Ada Lovelace")
})

it.each<[string, string, string | undefined]>([
  ["turns the direction", "Ada \u202Edecalevol\u202C \u2066b\u2069", "Ada decalevol b"],
  ["breaks the line", "Ada\u0085Paid\u2028in\u000Bfull\r\n.", "Ada Paid in full ."],
  ["is not seen", "A\u200Bd\u0001a\uFEFF\uE000", "Ada"],
  ["is drawn over other lines", `A${"\u0301".repeat(50)}da`, `A${"\u0301".repeat(4)}da`],
  ["is nothing else", "\u202E".repeat(10_000), undefined],
  ["joins the letters of a script", "\u0645\u06CC\u200C\u062E", "\u0645\u06CC\u200C\u062E"],
])("[D15] what %s does no harm in a customer's name", (_name, name, kept) => {
  expect(headOf({ customerName: name })["customer"]).toBe(kept)
})
