/** What a shopper reads before paying: the amount, and the fee on top or the rate behind it. */
import { createElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { createCheckout } from "../checkout.js"
import { phaseOf } from "../payment.js"
import { readStatus } from "../status.js"
import { NoAnswer, Refused } from "../store.js"
import { problemText, sayIn } from "../texts.js"
import { en } from "../texts/en.js"
import { fr } from "../texts/fr.js"
import { MerchantPayments } from "./context.js"
import { asksForOperator } from "./hooks.js"
import { FeeQuote } from "./mobile-money.js"

const checkout = createCheckout({ baseUrl: "https://store.example", storage: null })

function told(amount: number, currency: string, total: number, of: string, language = "en") {
  const quote = { payer_amount: amount, payer_currency: currency, least: null, most: null }
  const children = createElement(FeeQuote, {
    quote,
    label: "Our operator",
    of: { total, currency_code: of },
  })
  const texts = language === "fr" ? { texts: fr } : {}
  const money = (sum: number, code: string) => `${code} ${sum.toFixed(2)}`
  const page = createElement(MerchantPayments, { checkout, language, money, ...texts, children })
  return renderToStaticMarkup(page)
    .replace(/<[^>]+>/g, "")
    .trim()
}

it.each([
  [
    1020,
    "LRD",
    1000,
    "lrd",
    "Our operator takes LRD 1020.00 from your wallet. LRD 20.00 of it is the fee.",
  ],
  [1000, "LRD", 1000, "lrd", "Our operator takes LRD 1000.00 from your wallet."],
  [
    1910,
    "LRD",
    10,
    "usd",
    "Our operator takes LRD 1910.00 from your wallet. That is 1 USD = 191 LRD, with the fees.",
  ],
  // The dearer currency comes first, whichever the cart's is.
  [
    10,
    "USD",
    1910,
    "lrd",
    "Our operator takes USD 10.00 from your wallet. That is 1 USD = 191 LRD, with the fees.",
  ],
])("%d %s for a cart of %d %s", (amount, currency, total, of, sentence) => {
  expect(told(amount, currency, total, of)).toBe(sentence)
})

it("writes the rate in the way of the language", () => {
  expect(told(1905, "LRD", 10, "usd", "fr")).toContain("Soit 1 USD = 190,5 LRD, frais compris.")
})

it("the operator is asked for exactly where the sentence beside it asks for one", () => {
  const say = sayIn(en)
  const situations = Object.keys(en).flatMap((key) => key.match(/(?<=^problem\.).+/) ?? [])
  const problems = situations.map((situation) => {
    const [code = ""] = situation.split(".")
    return new Refused(503, code, "", null, { situation })
  })
  const asking = problems.filter((one) => problemText(say, one).includes("Choose the operator"))
  expect(asking.length).toBe(2)
  expect(problems.filter(asksForOperator)).toEqual(asking)
  expect(asksForOperator(new NoAnswer("cut"))).toBe(false)
})

it("a prompt that has failed once is shown as failed where another try is offered", () => {
  const waits = { id: "a", state: "waiting_for_payer", prompt: "sent", reason: "declined" }
  const phases = ["push", "card"].map((flow) =>
    [true, false].map((can_retry) => {
      const status = readStatus({ ...waits, flow, can_retry })
      return status && phaseOf(status)
    }),
  )
  expect(phases).toEqual([
    ["failed", "approve"],
    ["failed", "checking"],
  ])
})
