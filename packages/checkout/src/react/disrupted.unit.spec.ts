/** A shopper is told of an operator whose payments fail now, before paying with it. */
import { createElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { createCheckout } from "../checkout.js"
import { storeOf, type Operator } from "../store.js"
import { en } from "../texts/en.js"
import { fr } from "../texts/fr.js"
import { rw } from "../texts/rw.js"
import { MerchantPayments } from "./context.js"
import { MobileMoneyNumber, type Payer } from "./mobile-money.js"

const checkout = createCheckout({ baseUrl: "https://store.example", storage: null })

const operator = (label: string, status: Operator["status"]): Operator => ({
  ...{ payment_method: label, label, country: "LR", currencies: ["USD"], menu_code: null },
  status,
})

const NOTHING: Payer = {
  ...{ operator: null, operators: [], isFound: false, currency: undefined, told: null },
  ...{ isUnpriced: false, quote: { kind: "loading" }, problem: null, request: {} },
  choose: () => undefined,
  renew: () => undefined,
}

function told(offered: readonly Operator[], found: Operator | null = null, language = "en") {
  const texts = language === "en" ? {} : { texts: language === "fr" ? fr : rw }
  const children = createElement(MobileMoneyNumber, {
    ...{ offered, phone: "", problem: null, total: { total: 5, currency_code: "usd" } },
    payer: { ...NOTHING, operator: found },
    choose: NOTHING.choose,
    change: () => undefined,
  })
  const page = createElement(MerchantPayments, { checkout, language, ...texts, children })
  const [, said = ""] =
    /<p class="mp-problem"[^>]*>(.*?)<\/p>/.exec(renderToStaticMarkup(page)) ?? []
  return said
}

const fails = operator("A", "disrupted")
const works = operator("B", "ok")

it("before the number is known names each operator that fails, once, and none that works", () => {
  expect(told([fails, works, fails])).toBe(
    "A often fails at the moment. Try it, or pay another way.",
  )
  const others = ["ok", "of_tomorrow", null].map((status) => operator("B", status))
  expect(told(others)).toBe("")
})

it("speaks of the operator that is about to be used, also where the shop hides it", () => {
  expect(told([works], fails)).toBe(told([fails]))
  expect(told([fails, works], works)).toBe("")
})

it.each(["fr", "rw"])("says it in %s", (language) => {
  const said = told([fails], null, language)
  expect(said).toMatch(/\bA\b/)
  expect(said).not.toBe(told([fails]))
})

it.each([
  ["disrupted", "disrupted"],
  ["ok", "ok"],
  ["of_tomorrow", "of_tomorrow"],
  // Of an older store.
  [undefined, null],
])("reads the store's status %j as %j, in the list and of a number", async (wire, status) => {
  const one = { payment_method: "A", label: "A", status: wire }
  const answer = { methods: [{ provider_id: "pp", flow: "push", operators: [one] }], operator: one }
  const store = storeOf({ call: () => Promise.resolve(Response.json(answer)) })
  const [method] = await store.methods("cart_1")
  const found = await store.operator("+231770000001")
  expect([method?.operators[0]?.status, found.status]).toEqual([status, status])
})

it.each(["en", "fr", "rw"])(
  "a number that only names the payer is no wallet's, in %s",
  (language) => {
    const texts = { en, fr, rw }[language] ?? en
    const field = (isContact: boolean) => {
      const children = createElement(MobileMoneyNumber, {
        ...{ offered: [fails], phone: "", problem: null, isContact, payer: NOTHING },
        ...{ total: { total: 5, currency_code: "usd" }, choose: NOTHING.choose },
        change: () => undefined,
      })
      const page = createElement(MerchantPayments, { checkout, language, texts, children })
      return renderToStaticMarkup(page)
    }
    expect(field(false)).toContain(texts["form.phone"])
    expect(field(true)).toContain(texts["form.phone.contact"])
    expect(field(true)).toContain(texts["problem.phone_required.contact"])
    expect(field(true)).not.toMatch(/mobile money|often fails/i)
  },
)
