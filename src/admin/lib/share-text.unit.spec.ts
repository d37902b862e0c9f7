import fc from "fast-check"
import { CUSTOMER_LANGUAGES, customerPhone, messageIn, messengers } from "./share-text"

const FACTS = {
  shop: "Ada’s Mugs & Co.",
  order: "12",
  amount: 2650.31,
  currency: "LRD",
  until: "2026-11-29T22:18:00.000Z",
  timeZone: "Africa/Kigali",
  url: "https://pay.example.com/s/abc?x=1&y=2#z",
}

it.each([
  ["en", /^Payment of order #12 at Ada’s Mugs & Co\.: LRD\s2,650\.31\. You can pay until .*2026/],
  ["fr", /^Paiement de la commande n°\s12 chez Ada’s Mugs & Co\.\s: 2\s650,31\sLRD\. Vous pouvez/],
  ["rw", /^Kwishyura komande #12 kuri Ada’s Mugs & Co\.: LRD\s2,650\.31\. Ushobora kwishyura/],
] as const)("in %s stand shop, order, amount, end and address", (language, text) => {
  const message = messageIn(language, FACTS)
  expect(message.text).toMatch(text)
  // 22:18 of UTC is after midnight in Kigali.
  expect(message.text).toMatch(/30.* (00:18|12:18).*(GMT|UTC)\+2/)
  expect(message.title).not.toContain("http")
})

it.each(CUSTOMER_LANGUAGES)("in %s what is not known is left out", (language) => {
  const { text, title } = messageIn(language, { ...FACTS, shop: null, order: null })
  expect(title).toMatch(/^(Payment|Paiement|Kwishyura)$/)
  expect(text).toMatch(/^(Payment|Paiement|Kwishyura)\s?: /)
})

it("an address of a messenger gives back exactly the message, whatever the shop is called", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", maxLength: 60 }),
      fc.constantFrom(...CUSTOMER_LANGUAGES),
      fc.constantFrom("USD", "LRD", "RWF"),
      fc.integer({ min: 1, max: 10_000_000 }),
      (shop, language, currency, amount) => {
        const message = messageIn(language, { ...FACTS, shop, currency, amount })
        expect(message.text.endsWith(` ${FACTS.url}`)).toBe(true)
        const to = { phone: "+231770000010", email: "ada+1@example.com" }
        const { whatsapp, sms, email } = messengers(message, to)
        const read = new URL(whatsapp)
        expect([read.origin, read.pathname]).toEqual(["https://wa.me", "/231770000010"])
        expect(read.searchParams.get("text")).toBe(message.text)
        expect(decodeURIComponent(sms)).toBe(`sms:+231770000010?body=${message.text}`)
        const mail = new URL(email)
        expect(decodeURIComponent(mail.pathname)).toBe("ada+1@example.com")
        expect(mail.searchParams.get("subject")).toBe(message.title)
        expect(mail.searchParams.get("body")).toBe(message.text)
      },
    ),
  )
})

it.each([
  ["0770 000 010", "LRD", "+231770000010"],
  ["+250 788 100 100", "USD", "+250788100100"],
  ["+1 (202) 555-0143", "USD", "+12025550143"],
  ["0044 20 7946 0958", "USD", "+442079460958"],
  ["12", "LRD", undefined],
  ["", "LRD", undefined],
])("of %j in %s the number is %s", (phone, currency, expected) => {
  expect(customerPhone(phone, currency)).toBe(expected)
})

it("without a number or an address the messenger asks for them", () => {
  const { whatsapp, sms, email } = messengers(
    { title: "t", text: "x" },
    { phone: undefined, email: null },
  )
  expect([whatsapp, sms, email]).toEqual([
    "https://wa.me/?text=x",
    "sms:?body=x",
    "mailto:?subject=t&body=x",
  ])
})
