import { decideSettlement, type MedusaFacts } from "./settlement"

/** A paid cart, not completed yet, exactly as it was paid for. */
const cart: MedusaFacts = {
  hasSession: true,
  isProviderEnabled: true,
  isAmountEqual: true,
  isCaptured: false,
  hasForeignPayment: false,
  order: undefined,
  hasCart: true,
  soldOut: null,
}
const open = { isCanceled: false, isPaidInFull: false, isPaidOtherwise: false }
const full = { ...open, isPaidInFull: true }

describe("completed money", () => {
  it.each<[string, Partial<MedusaFacts>, string]>([
    ["of a cart completes the cart", {}, "complete_cart"],
    ["of an order is captured on it", { order: open }, "capture_on_order"],
    ["[H34] of a cart whose stock is gone waits for it", { soldOut: [] }, "await_stock"],
    [
      "[H34] of an order is captured on it, whatever the stock is",
      { order: open, soldOut: [] },
      "capture_on_order",
    ],
    [
      "[B02] for another total waits for no stock",
      { isAmountEqual: false, soldOut: [] },
      "cart_changed",
    ],
    ["captured and in the order is recorded", { order: full, isCaptured: true }, "record"],
    [
      "[H26] captured but not in the order is captured again",
      { order: open, isCaptured: true },
      "capture_on_order",
    ],
    ["in the order without a capture is not recorded", { order: full }, "capture_on_order"],
    [
      "[P07] recorded stays recorded, whatever became of session, provider and total",
      {
        order: full,
        isCaptured: true,
        hasSession: false,
        isProviderEnabled: false,
        isAmountEqual: false,
        hasForeignPayment: true,
      },
      "record",
    ],
    [
      "[B02] captured in an order that Medusa made with another total",
      { order: { ...full, hasOtherTotal: true }, isCaptured: true },
      "cart_changed",
    ],
    [
      "[B29] of a cancelled order with another total",
      { order: { ...full, isCanceled: true, hasOtherTotal: true }, isCaptured: true },
      "order_canceled",
    ],
    ["[B29] of a cancelled order", { order: { ...open, isCanceled: true } }, "order_canceled"],
    [
      "[B29] of an order cancelled after the capture",
      { order: { ...full, isCanceled: true }, isCaptured: true },
      "order_canceled",
    ],
    ["without a session", { hasSession: false }, "session_gone"],
    ["of a provider that is switched off", { isProviderEnabled: false }, "provider_disabled"],
    ["[B02] for another total", { isAmountEqual: false }, "cart_changed"],
    ["[B15] beside another payment", { hasForeignPayment: true }, "another_payment"],
    [
      "beside another payment of the same order",
      { hasForeignPayment: true, order: open },
      "another_payment",
    ],
    [
      "[M02] captured by a completion that was undone completes the cart",
      { isCaptured: true },
      "complete_cart",
    ],
    [
      "[M02] captured, without cart and order",
      { isCaptured: true, hasCart: false },
      "another_payment",
    ],
    ["without cart and order", { hasCart: false }, "session_gone"],
    [
      "[B16] of a cart that is deleted, whatever its total was",
      { hasCart: false, isAmountEqual: false },
      "session_gone",
    ],
    [
      "[B15] of an order that is paid in another way",
      { order: { ...open, isPaidOtherwise: true } },
      "another_payment",
    ],
    ["[B02] of an order that was edited", { order: open, isAmountEqual: false }, "cart_changed"],
  ])("%s", (_name, facts, expected) => {
    const settlement = decideSettlement({ ...cart, ...facts })
    expect(settlement.kind === "strand" ? settlement.reason : settlement.kind).toBe(expected)
  })

  it("is recorded only when captured, in the order, and the order not cancelled", () => {
    const flags = [true, false]
    for (const isCaptured of flags) {
      for (const isPaidInFull of flags) {
        for (const isCanceled of flags) {
          const order = { ...open, isCanceled, isPaidInFull }
          const { kind } = decideSettlement({ ...cart, isCaptured, order })
          expect(kind === "record").toBe(isCaptured && isPaidInFull && !isCanceled)
        }
      }
    }
  })
})
