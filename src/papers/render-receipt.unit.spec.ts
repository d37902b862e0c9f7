/** The receipt's page says what order and ledger say, to the last digit, whatever they hold. */
import fc from "fast-check"
import { aPaperOrder, inEnglish, minorIn, readPaper } from "../../integration-tests/support/paper"
import {
  afterNoon,
  anOperation,
  currency,
  money,
  SECOND,
} from "../../integration-tests/support/an-operation"
import type { MedusaOperation, Operation } from "../core/operation"
import { receiptDocument, type PaperFacts } from "./receipt-document"
import { renderReceipt } from "./render-receipt"
import { rowsOf } from "./rules/exact-rows"
import type { PaperOrder } from "./rules/paper-order"
import type { PaperOperation } from "./sql/money-of-order"
import { PAPER_LANGUAGES, PAPER_WORDS } from "./words"

const paidOperation = (given: Partial<MedusaOperation> = {}) =>
  anOperation({ state: "completed", recordedAt: afterNoon(SECOND), orderId: "order_1", ...given })

const moved = (operation: Operation, given: Partial<PaperOperation> = {}): PaperOperation => ({
  operation,
  transactionId: null,
  receipt: null,
  ...given,
})

const factsOf = (given: Partial<PaperFacts> = {}): PaperFacts => ({
  shop: "Harbour & Hills",
  timeZone: "UTC",
  order: aPaperOrder(),
  operations: [moved(paidOperation())],
  isErased: false,
  labelOf: () => null,
  ...given,
})

function documentOf(given: Partial<PaperFacts> = {}) {
  const document = receiptDocument(factsOf(given))
  if (!document) throw new Error("there is no receipt")
  return document
}

const paperOf = (given: Partial<PaperFacts> = {}) =>
  readPaper(renderReceipt(documentOf(given), "en"))

const refundOf = (state: Operation["state"], minor: number) =>
  moved(anOperation({ id: `mpop_${state}`, type: "REFUND", state, amount: money(minor) }))

/** Amounts as Medusa writes them: more digits than the currency has, and some below zero. */
const medusaAmount = fc
  .tuple(fc.integer({ min: -50_000, max: 90_000_000 }), fc.integer({ min: 0, max: 99_999 }))
  .map(([whole, rest]) => `${whole}.${String(rest).padStart(5, "0")}`)

const odd = fc.oneof(
  fc.constantFrom(
    "<script>alert(1)</script>",
    `"><img src=x onerror=alert(1)>`,
    "' onmouseover='x",
    "&lt;b&gt;",
    "</title></style><b>",
    "\u202Egnirts",
    "",
    "•••",
    "a\u0000b",
    "\uD800",
  ),
  fc.string({ unit: "binary" }),
)

const position = fc.record({
  name: odd,
  quantity: fc.oneof(fc.integer({ min: 0, max: 500 }), fc.constant(1.25)),
  total: medusaAmount,
})

const orders: fc.Arbitrary<PaperOrder> = fc
  .record({
    number: fc.option(odd),
    total: medusaAmount.map((text) => text.replace("-", "")),
    tax: medusaAmount.map((text) => text.replace("-", "")),
    discount: medusaAmount.map((text) => text.replace("-", "")),
    items: fc.array(position, { maxLength: 8 }),
    deliveries: fc.array(position, { maxLength: 2 }),
    credits: fc.array(medusaAmount, { maxLength: 2 }),
    customerName: fc.option(odd),
    address: fc.record({ lines: fc.array(odd, { maxLength: 4 }), country: fc.option(odd) }),
    isCanceled: fc.boolean(),
    currency: fc.constantFrom("usd", "lrd", "rwf"),
  })
  .map((given) => aPaperOrder(given))

const ofCurrency = ({ currency: code }: PaperOrder, minor = 1_999) =>
  paidOperation({ amount: money(minor, code.toUpperCase()) })

describe("the rows of the receipt", () => {
  it("add up to its total, to the last digit", () => {
    fc.assert(
      fc.property(orders, (order) => {
        const { rows, foot } = paperOf({ order, operations: [moved(ofCurrency(order))] })
        const sum = rows.reduce((all, { amount }) => all + minorIn(amount), 0n)
        expect(sum).toBe(minorIn(foot["total"] ?? ""))
      }),
    )
  })

  it("are Medusa's amounts, rounded half up each, and the rest has a row of its own", () => {
    const order = aPaperOrder({
      total: "66.61775",
      tax: "4.64775",
      discount: "0.005",
      items: [
        { name: "Shirt", quantity: 3, total: "64.46775" },
        { name: "Free", quantity: 1, total: "0" },
      ],
      deliveries: [{ name: "Boat", quantity: 1, total: "2.15" }],
    })
    const { rows, foot } = paperOf({ order })
    expect(rows.map(({ kind, name, amount }) => [kind, name, amount])).toEqual([
      ["item", "Shirt", "USD 64.47"],
      ["item", "Free", "USD 0.00"],
      ["delivery", "Delivery: Boat", "USD 2.15"],
    ])
    expect(foot).toEqual({ total: "USD 66.62", tax: "USD 4.65", discount: "USD 0.01" })
    const thirds = [1, 2, 3].map((n) => ({ name: `${n}`, quantity: 1, total: "3.33333" }))
    expect(rowsOf(aPaperOrder({ items: thirds }), money(1_000)).at(-1)).toEqual({
      kind: "rounding",
      name: null,
      quantity: null,
      amount: { value: "0.01", currency: "USD" },
    })
    const credited = aPaperOrder({ total: "9.99", credits: ["10"] })
    expect(paperOf({ order: credited }).rows.at(-1)).toMatchObject({
      kind: "credit",
      amount: "-USD 10.00",
    })
    const unexplained = aPaperOrder({ total: "25" })
    expect(paperOf({ order: unexplained }).rows.at(-1)).toMatchObject({
      kind: "other",
      amount: "USD 5.01",
    })
  })
})

describe("the page", () => {
  it("has no markup of a text's own in any language, and says the text", () => {
    const bare = renderReceipt(documentOf(), "en").match(/<[a-z!/][^>]*>/gi)?.length ?? 0
    expect(bare).toBeGreaterThan(20)
    fc.assert(
      fc.property(odd, odd, fc.constantFrom(...PAPER_LANGUAGES), (one, other, language) => {
        const tagsWith = (text: string, second: string) => {
          const order = aPaperOrder({
            number: text || "1",
            items: [{ name: text, quantity: 1, total: "19.99" }],
            customerName: `x${second}`,
            address: { lines: [`x${text}`], country: second },
          })
          const page = renderReceipt(documentOf({ order, shop: second }), language)
          return page.match(/<[^<>]*>/g)
        }
        expect(tagsWith(one, other)?.length).toBe(tagsWith("plain", "text")?.length)
      }),
    )
    const name = `<b>"Tom" & 'Ada'</b>`
    const { rows } = paperOf({
      order: aPaperOrder({ items: [{ name, quantity: 1, total: "19.99" }] }),
    })
    expect(rows[0]?.name).toBe(name)
  })

  it("has every word in each language, and amounts as its readers write them", () => {
    const order = aPaperOrder({ currency: "lrd", total: "1234567.5", items: [] })
    const operations = [moved(ofCurrency(order, 123_456_750))]
    const written = PAPER_LANGUAGES.map((language) => {
      const page = renderReceipt(documentOf({ order, operations }), language)
      expect(page).toContain(`<html lang="${language}">`)
      expect(page).toContain(`<h1>${PAPER_WORDS[language].title}</h1>`)
      return readPaper(page).foot["total"]
    })
    expect(written).toEqual(["LRD 1,234,567.50", "1 234 567,50 LRD", "LRD 1.234.567,50"])
    for (const words of Object.values(PAPER_WORDS)) {
      for (const text of Object.values(words)) expect(text.trim()).not.toBe("")
    }
    expect(renderReceipt(documentOf({ order, operations }), "fr")).not.toContain("$")
    const abroad = aPaperOrder({ address: { lines: ["Boston"], country: "US" } })
    const placeIn = (language: (typeof PAPER_LANGUAGES)[number]) =>
      readPaper(renderReceipt(documentOf({ order: abroad }), language)).head["address"]
    // Intl has no Kinyarwanda name of it.
    expect(PAPER_LANGUAGES.map(placeIn)).toEqual([
      "Boston, United States",
      "Boston, États-Unis",
      "Boston, United States",
    ])
  })
})

describe("a payment on the receipt", () => {
  it("has each digit of what was charged, of the exchange and of the fee on top", () => {
    const operation = paidOperation({
      feeBearer: "PAYER",
      collected: money(1_999),
      payerAmount: "3850.125",
      payerCurrency: currency("LRD"),
      fees: { platform: "0.25", gateway: "0.105", fx: null, currency: "USD" },
      exchangeRate: "192.600512345678901234",
      exchangeFrom: "USD",
      exchangeTo: "LRD",
    })
    const [payment] = paperOf({
      operations: [moved(operation, { transactionId: "TX-9" })],
    }).payments
    expect(payment).toMatchObject({
      amount: "USD 19.99",
      state: "Paid",
      fee: "USD 0.355",
      charged: inEnglish("3850.125", "LRD"),
      rate: "1 USD = 192.600512345678901234 LRD",
      transaction: "TX-9",
      method: "Operator 1 · …456",
    })
    expect(payment).not.toHaveProperty("number")
  })

  it("has two amounts only with the reason between them", () => {
    const operation = paidOperation({ payerAmount: "20.49", payerCurrency: currency("USD") })
    const [payment] = paperOf({ operations: [moved(operation)] }).payments
    expect(payment).toMatchObject({ amount: "USD 19.99", fee: "USD 0.50", charged: "USD 20.49" })
  })

  it("has the time of its money, and not that of an admin's decision", () => {
    const moneyAt = afterNoon(3 * SECOND)
    const recordedAt = afterNoon(3_600 * SECOND)
    const refund = refundOf("completed", 500)
    const { payments, refunds } = documentOf({
      operations: [
        moved(paidOperation({ moneyAt, recordedAt })),
        { ...refund, operation: { ...refund.operation, moneyAt: recordedAt } },
      ],
    })
    expect(payments[0]?.at).toBe(moneyAt.toISOString())
    expect(refunds[0]?.at).toBe(recordedAt.toISOString())
  })

  it.each<[string, Partial<MedusaOperation>, string | undefined]>([
    ["recorded", {}, "Paid"],
    ["given back", { returnedAt: afterNoon(9 * SECOND) }, "Paid, and refunded in full"],
    ["not recorded yet", { recordedAt: null }, PAPER_WORDS.en.payment_processing],
    [
      "in review",
      { state: "review", collected: money(1_999) },
      PAPER_WORDS.en.payment_under_review,
    ],
    ["dismissed", { state: "failed", collected: money(1_999) }, undefined],
    ["under way", { state: "in_flight" }, undefined],
  ])("that is %s is called so, and counts as paid only if it is", (_name, given, state) => {
    const { payments, sums } = paperOf({ operations: [moved(paidOperation(given))] })
    expect(payments[0]?.["state"]).toBe(state)
    const isPaid = state?.startsWith("Paid") === true
    expect(sums["paid"]).toBe(isPaid ? "USD 19.99" : "USD 0.00")
  })

  it("stands beside the others of the order, and they add up", () => {
    const other = [{ captured: "10.005", refunded: "2.5", at: null }]
    const operations = [
      moved(paidOperation({ id: "mpop_1", amount: money(700) })),
      moved(paidOperation({ id: "mpop_2", amount: money(300), flow: "link", carrier: null })),
    ]
    const order = aPaperOrder({ otherPayments: other, openAmount: "1.5" })
    const { payments, sums, refunds } = paperOf({ order, operations })
    expect(payments.map(({ amount }) => amount)).toEqual(["USD 7.00", "USD 3.00", "USD 10.01"])
    expect(sums).toEqual({ paid: "USD 20.01", refunded: "USD 2.50", open: "USD 1.50" })
    expect(refunds).toMatchObject([{ amount: "USD 2.50", state: "Refunded" }])
  })
})

it("nothing is still to pay while money of the order is being recorded or looked into", () => {
  const order = aPaperOrder({ openAmount: "19.99" })
  const openWith = (given: Partial<MedusaOperation>) =>
    paperOf({ order, operations: [moved(paidOperation(given))] }).sums["open"]
  expect(openWith({ recordedAt: null })).toBeUndefined()
  expect(openWith({ state: "review", collected: money(1_999) })).toBeUndefined()
  expect(openWith({ state: "failed" })).toBe("USD 19.99")
  const canceled = { ...order, isCanceled: true }
  expect(paperOf({ order: canceled }).sums["open"]).toBeUndefined()
})

it("an exchange shows what the items that are to come back are worth", () => {
  const order = aPaperOrder({ total: "41.48", returning: "21.49", openAmount: "0" })
  const { foot, sums } = paperOf({ order })
  expect(foot["total"]).toBe("USD 41.48")
  expect(sums).toEqual({ paid: "USD 19.99", returning: "USD 21.49" })
})

it("an order that costs less than was paid for it shows what the shop owes", () => {
  const order = aPaperOrder({ total: "15", openAmount: "-4.99" })
  expect(paperOf({ order }).sums).toEqual({ paid: "USD 19.99", owed: "USD 4.99" })
  // Where the refund is on its way, it says so itself.
  const operations = [moved(paidOperation()), refundOf("in_flight", 499)]
  expect(paperOf({ order, operations }).sums).toEqual({ paid: "USD 19.99" })
})

it("its sums explain its total, whatever is edited, exchanged, returned, refunded or accepted", () => {
  const cents = fc.integer({ min: 0, max: 500_000 })
  const major = (minor: number) => (minor / 100).toFixed(2)
  fc.assert(
    fc.property(cents, cents, cents, cents, cents, (total, returning, paid, refunded, more) => {
      const pending = total - returning - (paid - refunded)
      const order = aPaperOrder({
        total: major(total),
        returning: major(returning),
        openAmount: major(pending),
      })
      const operations = [
        moved(paidOperation({ amount: money(paid), collected: money(paid + more) })),
        refundOf("completed", refunded),
      ]
      const { foot, sums } = paperOf({ order, operations })
      const sum = (key: string) => minorIn(sums[key] ?? "0")
      const explained = sum("paid") - sum("refunded") + sum("returning") + sum("open")
      const total_ = minorIn(foot["total"] ?? "")
      expect(String(explained - sum("owed") - sum("beyond"))).toBe(String(total_))
    }),
  )
})

describe("a refund on the receipt", () => {
  it.each<[Operation["state"], string]>([
    ["drafted", "refund_under_way"],
    ["submitted", "refund_under_way"],
    ["in_flight", "refund_under_way"],
    ["review", "refund_under_review"],
    ["failed", "refund_failed"],
    ["expired", "refund_failed"],
    ["completed", "refund_refunded"],
  ])("that is %s is refunded only if it is completed", (state, word) => {
    const { refunds, sums } = paperOf({
      operations: [moved(paidOperation()), refundOf(state, 500)],
    })
    expect(refunds[0]).toMatchObject({
      amount: "USD 5.00",
      state: PAPER_WORDS.en[word as keyof typeof PAPER_WORDS.en],
    })
    expect(sums["refunded"]).toBe(state === "completed" ? "USD 5.00" : undefined)
  })
})

it("of money that never became an order has the lines that were paid", () => {
  const lines = [{ name: "Boat trip", quantity: 2, amount: money(1_999) }]
  const paper = paperOf({ order: undefined, operations: [moved(paidOperation({ lines }))] })
  expect(paper.rows).toMatchObject([{ name: "Boat trip", quantity: "2", amount: "USD 19.99" }])
  expect(paper.head).toEqual({})
})

it.each([
  ["Africa/Kigali", "May 2, 2026 at 01:30 AM GMT+2"],
  ["Africa/Monrovia", "May 1, 2026 at 11:30 PM GMT"],
  ["UTC", "May 1, 2026 at 11:30 PM UTC"],
])("its times are those of the shop's zone: %s", (timeZone, expected) => {
  const order = aPaperOrder({ placedAt: "2026-05-01T23:30:00.000Z" })
  expect(paperOf({ order, timeZone }).head["placed"]?.replace(/\s/g, " ")).toBe(expected)
})

it("[S28] of an erased customer names neither a person nor an item", () => {
  const page = renderReceipt(documentOf({ isErased: true }), "en")
  for (const gone of ["Ama", "Kollie", "Broad Street", "Monrovia", "T-shirt"]) {
    expect(page).not.toContain(gone)
  }
  expect(readPaper(page).foot["total"]).toBe("USD 19.99")
})

it("there is none of an order without money", () => {
  expect(receiptDocument(factsOf({ operations: [] }))).toBeUndefined()
})

it("a payment that was refunded in part and then taken back shows both, and no more than was paid", () => {
  const takenBackAt = afterNoon(SECOND)
  const payment = paidOperation({ refundedMinor: 500n, takenBackAt })
  const { refunds } = documentOf({ operations: [moved(payment), refundOf("completed", 500)] })
  const shown = refunds.map(({ state, amount }) => [state, Number(amount.value)])
  expect(Object.fromEntries(shown)).toEqual({ taken_back: 14.99, refunded: 5 })
})
