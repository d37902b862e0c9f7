import { createElement } from "react"
import { renderToString } from "react-dom/server"
import { createCheckout } from "../checkout.js"
import { MerchantPayments } from "./context.js"
import { MerchantPayment } from "./merchant-payment.js"

const CART = { id: "cart_1", total: 10, currency_code: "lrd" }

/** What the first render shows, with or without a payment that the browser remembers. */
function firstRender(remembered: string | null): string {
  const storage = {
    getItem: () => remembered,
    setItem: () => undefined,
    removeItem: () => undefined,
  }
  const checkout = createCheckout({ baseUrl: "https://store.example", storage })
  const payment = createElement(MerchantPayment, { cart: CART })
  return renderToString(createElement(MerchantPayments, { checkout, children: payment }))
}

it("renders first what a server renders, which remembers no payment", () => {
  const remembered = JSON.stringify({ cartId: CART.id, sessionId: "payses_1" })
  expect(firstRender(remembered)).toBe(firstRender(null))
})
