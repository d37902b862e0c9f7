/** Whatever the store answers of a payment, a page has a title and a sentence for it. */
import { createElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { createCheckout } from "../checkout.js"
import { phaseOf, type PaymentView } from "../payment.js"
import { END_REASONS, PAYMENT_STATES, readStatus, type Status } from "../status.js"
import { en } from "../texts/en.js"
import { fr } from "../texts/fr.js"
import { enParts } from "../texts/en-parts.js"
import { rw } from "../texts/rw.js"
import { MerchantPayments } from "./context.js"
import { PaymentProgress } from "./payment-progress.js"

const english = { ...en, ...enParts }
const LANGUAGES = { en: english, fr, rw }
const checkout = createCheckout({ baseUrl: "https://store.example", storage: null })
const AMOUNT = { amount: 10, currency: "USD" }

/** What tells one payment's screen from another's, beside state and reason. */
const KINDS = [
  { flow: "push", prompt: null },
  { flow: "push", prompt: "sending" },
  { flow: "push", prompt: "sent" },
  { flow: "hosted" },
  { flow: "card" },
  { flow: "card", client_secret: "secret" },
  { flow: "of_tomorrow" },
]
const REASONS = [null, "of_tomorrow", ...END_REASONS]
const STATUSES = [...PAYMENT_STATES, "of_tomorrow"].flatMap((state) =>
  KINDS.flatMap((kind) =>
    REASONS.flatMap((reason) => readStatus({ id: "a", state, reason, ...kind, ...AMOUNT }) ?? []),
  ),
)
const CODES = new Set<string>([...PAYMENT_STATES, ...END_REASONS, "of_tomorrow"])

const viewOf = (status: Status | null, phase: PaymentView["phase"]): PaymentView => ({
  sessionId: "a",
  phase,
  status,
  busy: null,
  problem: null,
  isOffline: false,
  confirmation: null,
  endsAt: null,
})

describe.each(Object.entries(LANGUAGES))("a payment's screen in %s", (language, texts) => {
  const shown = (view: PaymentView) => {
    const children = createElement(PaymentProgress, { view, onCancel: () => undefined })
    const page = createElement(MerchantPayments, { checkout, language, texts, children })
    const html = renderToStaticMarkup(page)
    const [, title = ""] = /<h2[^>]*>(.*?)<\/h2>/.exec(html) ?? []
    const [, said = ""] = /<div role="status"[^>]*>(.*?)<\/div>/.exec(html) ?? []
    return { title, words: said.replace(/<[^>]+>/g, " ").trim() }
  }

  it("has a title and words for every answer, and no code in them", () => {
    const titles = new Set<string>(Object.values(texts))
    const wordless = STATUSES.filter((status) => {
      const phase = phaseOf(status)
      // The form stands in the place of what has not started.
      if (phase === "ready") return false
      const { title, words } = shown(viewOf(status, phase))
      const hasCode = words.split(/[^a-z_]+/).some((word) => word.includes("_") && CODES.has(word))
      return !titles.has(title) || words === "" || hasCode || /undefined|\{\w+\}/.test(words)
    })
    expect(STATUSES).toHaveLength(9 * 7 * 15)
    expect(wordless).toEqual([])
  })

  it.each(["loading", "gone"] as const)("has them before anything is known: %s", (phase) => {
    const { title, words } = shown(viewOf(null, phase))
    expect([title, words]).toEqual([texts[`${phase}.title`], texts[`${phase}.text`]])
  })
})

describe("a shopper who can't go on", () => {
  const CONTACT = { email: "help@shop.example", phone: "+231 770 000 000" }
  const htmlOf = (given: object, isNamed = true) => {
    const status = readStatus({ id: "a", ...AMOUNT, ...given })
    if (!status) throw new Error("no STATUS")
    const view = viewOf(status, phaseOf(status))
    const children = createElement(PaymentProgress, { view, onCancel: () => undefined })
    const contact = isNamed ? { contact: CONTACT } : {}
    const page = createElement(MerchantPayments, { checkout, ...contact, children })
    return renderToStaticMarkup(page)
  }
  const waits = { flow: "push", state: "waiting_for_payer", prompt: "sent" }
  const words = enParts

  it("is told that the time is over by the store alone, whatever the device's clock says", () => {
    const time = { expires_at: "2000-01-01T00:00:00.000Z", expires_in_seconds: 90 }
    expect(htmlOf({ ...waits, ...time })).toContain('data-testid="mp-approve"')
    const over = { expires_at: "2999-01-01T00:00:00.000Z", expires_in_seconds: 0 }
    expect(htmlOf({ ...waits, ...over })).toContain('data-testid="mp-over"')
  })

  it.each([
    ["whose payment is under review", { flow: "push", state: "under_review" }],
    ["whose time is over", { ...waits, expires_in_seconds: 0 }],
    [
      "whose time is over and who may cancel",
      { ...waits, expires_in_seconds: 0, can_cancel: true },
    ],
  ])("%s is told whom to ask and where the news shows", (_name, status) => {
    const html = htmlOf(status)
    expect(html).toContain(words["wait.news"])
    expect(html).toContain('href="mailto:help@shop.example"')
    expect(html).toContain('href="tel:+231770000000"')
    expect(htmlOf(status, false)).not.toContain("mp-contact")
  })

  it("whose operator did not serve is told another way, once nothing can be charged", () => {
    const failed = { flow: "push", state: "failed", reason: "operator_unavailable" }
    expect(htmlOf({ ...failed, can_retry: true })).toContain(words["operator.try"])
    expect(htmlOf({ ...failed, can_retry: false })).not.toContain(words["operator.try"])
  })

  it.each([
    ["a prompt", waits],
    ["a page", { flow: "hosted", state: "waiting_for_payer" }],
    ["a card", { flow: "card", state: "waiting_for_payer" }],
  ])("to whom the store names no amount for %s is told not to pay it", (_name, status) => {
    const outdated = htmlOf({ ...status, amount: null })
    expect(outdated).toContain(words["outdated.text"])
    expect(htmlOf(status)).not.toContain(words["outdated.text"])
  })
})

describe("a payment that charges another amount than was pressed", () => {
  const shown = (given: object) => {
    const status = readStatus({ id: "a", flow: "push", ...AMOUNT, ...given })
    if (!status) throw new Error("this is no STATUS")
    const view = viewOf(status, phaseOf(status))
    const children = createElement(PaymentProgress, { view })
    const page = createElement(MerchantPayments, { checkout, language: "en", children })
    const html = renderToStaticMarkup(page)
    const textOf = (id: string) => new RegExp(`data-testid="${id}">(.*?)</p>`).exec(html)?.[1]
    return [textOf("amount"), textOf("asked")?.replaceAll("&#x27;", "'")]
  }

  it.each(["waiting_for_payer", "paid"])("says both and that a fee is in it: %s", (state) => {
    const [amount, asked] = shown({ state, payer_amount: 10.5, payer_currency: "USD" })
    expect(amount).toContain("10.50")
    expect(asked).toMatch(/0\.50 of it is the fee\. Your order's total is .*10\.00\./)
  })

  it("says both and the rate where the wallet has another currency", () => {
    const [amount, asked] = shown({ state: "paid", payer_amount: 1_900, payer_currency: "LRD" })
    expect(amount).toContain("1,900.00")
    expect(asked).toMatch(/1 USD = 190 LRD, with the fees\. Your order's total is .*10\.00\./)
  })

  it("calls nothing a fee that the shop still looks at, or has sent back", () => {
    const charged = { payer_amount: 12, payer_currency: "USD" }
    const review = shown({ state: "under_review", ...charged })[1]
    const back = shown({ state: "paid", returned_amount: 2, ...charged })[1]
    for (const text of [review, back]) {
      expect(text).toContain("Your order's total is")
      expect(text).not.toContain("fee")
    }
  })

  it("says what the shop accepted beyond the total, and calls that no fee", () => {
    const charged = { payer_amount: 11, payer_currency: "USD" }
    const [amount, asked] = shown({ state: "paid", beyond_amount: 1, ...charged })
    expect(amount).toContain("11.00")
    expect(asked).toMatch(/total is .*10\.00\. The shop received .*1\.00 more than that/)
    expect(asked).not.toContain("fee")
  })

  it("says one amount where the charge is what was pressed", () => {
    expect(shown({ state: "paid", payer_amount: 10, payer_currency: "USD" })[1]).toBeUndefined()
  })
})
