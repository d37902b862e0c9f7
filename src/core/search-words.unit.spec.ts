import { orderNumbersIn, payerWords, searchQuery } from "./search-words"

const digest = (text: string) => `<${text.replace("search phone:", "")}>`

it("names a payer by every word of the name, the e-mail, and digests of the number alone", () => {
  const words = payerWords(
    { name: " Mary-Élodie  O'Neil ", email: "Mary@Example.com", phone: "231770123042" },
    digest,
  )
  expect(words).toEqual([
    ...["mary@example.com", "mary-elodie", "o'neil", "mary", "elodie", "o", "neil"],
    ...["tel:<231770123042>", "tel:<3042>", "tel:<23042>", "tel:<123042>"],
    ...["tel:<0123042>", "tel:<70123042>"],
  ])
  expect(payerWords({ name: null, email: null, phone: null }, digest)).toEqual([])
})

it("keeps of a very long name as many words as a person has", () => {
  const name = Array.from({ length: 500 }, (_, n) => `name${n}`).join(" ")
  const words = payerWords({ name, email: "mary@example.com", phone: "231770123042" }, digest)
  expect(words).toHaveLength(12 + 6)
  expect(words).toEqual(expect.arrayContaining(["mary@example.com", "tel:<231770123042>"]))
  expect(payerWords({ name: "x".repeat(300), email: null, phone: null }, digest)).toEqual([])
})

it("looks for an order by what may be its number", () => {
  expect(orderNumbersIn("#23 mary 7 12345678901 23a")).toEqual([23, 7])
})

it.each([
  ["Mary Oneil", "('mary':*) & ('oneil':*)"],
  ["#23", "('#23':* | 'order_1')"],
  ["LRD 5,601.10", "('lrd':*) & ('5,601.10':* | '=5601.1')"],
  ["LRD5,601.12", "('lrd5,601.12':* | ('=5601.12' & 'lrd'))"],
  ["LRD 5601", "('lrd':*) & ('5601' | 'tel:<5601>' | ('=5601' | '=5601.':*))"],
  ["5,601 lrd", "('5,601':* | ('=5601' | '=5601.':*)) & ('lrd':*)"],
  ["L$4,816.56", "('lrd4,816.56':* | ('=4816.56' & 'lrd'))"],
  ["L$ 4,816.56", "('lrd4,816.56':* | ('=4816.56' & 'lrd'))"],
  [
    "4 816,56\u00A0L$",
    "('4' | ('=4' | '=4.':*)) & ('816,56lrd':* | ('=816.56' & 'lrd')) | ('4816,56lrd':* | ('=4816.56' & 'lrd'))",
  ],
  ["US$5.50", "('usd5.50':* | ('=5.5' & 'usd'))"],
  ["$5.50", "('5.50':* | '=5.5')"],
  ["5601.00", "('5601.00':* | 'tel:<560100>' | '=5601')"],
  ["it's \\ &", "('it''s':*) & ('\\\\') & ('&')"],
])("%s becomes a query", (typed, query) => {
  const orderOf = (number: number) => (number === 23 ? "ORDER_1" : undefined)
  expect(searchQuery(typed, digest, orderOf)).toBe(query)
})
