import { Book } from "./book"
import { upgraded, type SavedBook } from "./upgrade"

/** A book as it was saved when only `checkouts/create` made sources. */
const FORMER: SavedBook = {
  version: 1,
  counters: { party: 1_001, counterparty: 20_001, document: 30_001, line: 400_001 },
  parties: [
    { id: 1_001, ownerId: 1, createdAtMs: 5, name: "Ada", phone: "231770000000", email: null },
  ],
  counterparties: [
    { id: 20_001, ownerId: 1, createdAtMs: 5, partyId: 1_001, relationship: "CUSTOMER" },
  ],
  documents: [
    {
      id: 30_001,
      ownerId: 1,
      createdAtMs: 5,
      type: "ORDER",
      number: "ORD-2026-30001",
      referenceId: "cart_1",
      counterpartyId: 20_001,
      currency: "USD",
      lines: [{ id: 400_001, name: "T-shirt", qty: 1, unitMinor: 1_999 }],
      note: "",
      feeBearer: "PAYEE",
      isPaymentLink: false,
      dueDate: null,
      publishedAtMs: 5,
      canceledAtMs: 9,
      checkout: {
        configId: 50_001,
        mode: "HOSTED",
        token: "secret-part",
        successUrl: null,
        cancelUrl: null,
        expiresAtMs: null,
      },
    },
  ],
}

test("a book saved before drafts opens, finds its pages again and goes on numbering", () => {
  const book = new Book(upgraded(FORMER))
  const document = book.documentByToken("secret-part")
  expect(document).toMatchObject({ id: 30_001, updatedAtMs: 9, lines: [{ updatedAtMs: 5 }] })
  expect(book.documentByNumber("ORD-2026-30001")).toBe(document)
  expect(book.partyByPhone(1, "231770000000")).toMatchObject({ countryCode: null })
  expect(book.counterpartiesOf(1_001)).toMatchObject([{ updatedAtMs: 5 }])
  expect(book.next("document")).toBe(30_002)
  expect(book.next("session")).toBe(60_001)
})

test("a book of today is what it was after it is opened", () => {
  const book = new Book(upgraded(FORMER))
  const saved: SavedBook = JSON.parse(JSON.stringify(book))
  expect(JSON.parse(JSON.stringify(new Book(upgraded(saved))))).toEqual(saved)
})
