import { NOTIFICATION_EN } from "../../core/messages/notification.en"
import { NOTIFICATION_FR } from "../../core/messages/notification.fr"
import { CUSTOMER_KINDS, LOCALES, MERCHANT_KINDS, type NotificationKind } from "./kinds"
import { moneyIn, wordsOf, type WordFacts } from "./words"

const KINDS: readonly NotificationKind[] = [
  ...MERCHANT_KINDS,
  ...CUSTOMER_KINDS,
  "operator_recovered",
  "job_runs_again",
  "summary",
  "test",
]

const FACTS: WordFacts = {
  shop: "Palm & <Sons>",
  money: { amount: "2650.31", currency: "LRD" },
  orderNumber: "23",
  operator: "Operator 1 Mobile Money",
  phoneEnd: "456",
  failed: 4,
  ended: 6,
  minutes: 7,
  receiptUrl: "https://shop.example/receipt",
  summary: {
    firstDay: "2026-11-26",
    lastDay: "2026-11-27",
    counts: [{ kind: "money_received", count: 3 }],
    sums: [{ currency: "LRD", received: "10.00", went_back: "-2.00", sent: "0.00" }],
  },
}

const holes = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort()

it("both languages have the same sentences with the same facts", () => {
  const keys = Object.keys(NOTIFICATION_EN) as (keyof typeof NOTIFICATION_EN)[]
  expect(Object.keys(NOTIFICATION_FR).sort()).toEqual([...keys].sort())
  for (const key of keys) {
    expect([key, holes(NOTIFICATION_FR[key])]).toEqual([key, holes(NOTIFICATION_EN[key])])
  }
})

describe.each(LOCALES)("in %s", (locale) => {
  it("tells the end of a trouble by silence apart from one by payments that go through", () => {
    const said = [false, true].map((isQuiet) =>
      wordsOf("operator_recovered", { locale, channel: "sms" }, { ...FACTS, isQuiet }),
    )
    expect(said[0]?.subject).toBe(said[1]?.subject)
    expect(said[1]?.text).toMatch(/\b7\b.* minutes/)
    expect(said[0]?.text).not.toMatch(/minutes/)
    expect(said[1]?.text).not.toMatch(/[^\x20-\x7eéèùìòà]/)
  })

  it.each(KINDS)("%s says all that is known, and nothing of what is not", (kind) => {
    for (const channel of ["email", "sms", "feed"]) {
      for (const facts of [FACTS, {}]) {
        const { subject, text } = wordsOf(kind, { locale, channel }, facts)
        expect(subject).not.toBe("")
        expect(`${subject} ${text}`).not.toMatch(/\{\{|undefined|null/)
      }
    }
  })

  it.each(KINDS)("%s as a text message has plain signs only, but for letters", (kind) => {
    const { subject, text } = wordsOf(kind, { locale, channel: "sms" }, FACTS)
    expect(`${subject}${text}`).not.toMatch(/[^\x20-\x7eéèùìòà]/)
  })
})

it("what a shop is called is no HTML, and braces in it are no facts", () => {
  const shop = "<b>{{amount}}</b>"
  const { text, html } = wordsOf("test", { locale: "en", channel: "email" }, { ...FACTS, shop })
  expect(text).toContain("<b>{{amount}}</b>")
  expect(html).toContain("&lt;b&gt;{{amount}}&lt;/b&gt;")
})

it("an amount has the digits that it was written with, and its currency's code", () => {
  expect(moneyIn("en", { amount: "2650.31", currency: "LRD" })).toBe("LRD\u00a02,650.31")
  expect(moneyIn("en", { amount: "24131", currency: "RWF" })).toBe("RWF\u00a024,131")
  expect(moneyIn("fr", { amount: "5.00", currency: "USD" })).toBe("5,00\u00a0USD")
})

it("a summary names its days, counts and sums", () => {
  const { subject, text } = wordsOf("summary", { locale: "en", channel: "email" }, FACTS)
  expect(subject).toBe("Palm & <Sons>: payments of November 26, 2026 – November 27, 2026")
  expect(text).toContain("Payments received: 3. LRD: received LRD\u00a010.00, refunded")
  const { firstDay = "", lastDay = "", counts = [] } = FACTS.summary ?? {}
  const empty = { ...FACTS, summary: { firstDay, lastDay, counts, sums: [] } }
  expect(wordsOf("summary", { locale: "en", channel: "email" }, empty).text).toContain(
    "No money moved.",
  )
})
