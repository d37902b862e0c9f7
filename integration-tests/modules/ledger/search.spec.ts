/** What an admin may type into the search box, and what it finds. */
import { createHmac } from "node:crypto"
import { payerWords, type Payer } from "../../../src/core/search-words"
import { LIMITS } from "../../../src/core/limits"
import { LIST_COLUMNS, listFile } from "../../../src/reconciliation/list-file"
import { readOperations } from "../../../src/review/read-operations"
import { advanceOperation } from "../../../src/ledger/advance-operation"
import { findById } from "../../../src/ledger/find-operations"
import { currency } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { collected, drafted, startLedgerDatabase } from "../../support/ledger-database"
import type { LedgerDatabase } from "../../support/ledger-database"
import { recordsInMemory } from "../../support/records-in-memory"
import { said } from "../../support/said"

const digest = (text: string) => createHmac("sha256", "key").update(text).digest("base64url")
const MARY: Payer = {
  name: "Mary-Élodie O'Neil",
  email: "Mary.Oneil@example.com",
  phone: "231770123042",
}
const PAUL: Payer = { name: "Paul Mary", email: null, phone: "250788123042" }

let ledger: LedgerDatabase
let mary: string
let paul: string

beforeAll(async () => {
  ledger = await startLedgerDatabase()
  const of = (payer: Payer) => ({
    customerName: payer.name,
    customerEmail: payer.email,
    searchWords: payerWords(payer, digest),
    phoneHint: payer.phone?.slice(-3) ?? null,
  })
  const lrd = { minor: 560_112n, currency: currency("LRD") }
  const paid = await collected(ledger.database, {
    draft: { ...of(MARY), orderId: "order_01MARY", cartId: "cart_01MARY", amount: lrd },
    changes: { providerTransactionId: said("TX-77"), sourceNumber: said("ORD-2026-0007") },
  })
  const rwf = { minor: 59_711n, currency: currency("RWF") }
  mary = paid.id
  paul = (await drafted(ledger.database, { ...of(PAUL), orderId: "order_01PAUL", amount: rwf })).id
  for (let n = 0; n < 5; n++) await drafted(ledger.database, { searchWords: ["anna"] })
})

afterAll(() => ledger.stop())

const PAGE = { limit: 20, offset: 0 }

const deps = () => ({
  database: ledger.database,
  accounts: async () => [],
  medusa: {
    ...recordsInMemory(new Map()),
    orderNumbers: async () => new Map([["order_01MARY", "23"]]),
    ordersNumbered: async (numbers: readonly number[]) =>
      new Map(numbers.includes(23) ? [[23, "order_01MARY"]] : []),
  },
  digest,
})

const found = async (q: string) =>
  (await readOperations(deps(), { q }, PAGE)).operations.map(({ id }) => id)

it.each([
  "23",
  "#23",
  "Mary.Oneil@example.com",
  "mary.on",
  "élodie",
  "Elodie o'neil",
  "NEIL mary",
  "+231 770 123 042",
  "0770123042",
  "0770 123 042",
  "231770123042",
  "…042 mary-",
  "5,601.12",
  "5601.12",
  "5 601,12",
  "5601",
  "5,601",
  "5 601 lrd",
  "LRD 5,601.12",
  "lrd5601.12",
  "ORDER_01MARY",
  "cart_01M",
  "TX-77",
  "ORD-2026-0007",
  "tx-7 mary",
])("a search for %s finds its payment, and no other", async (typed) => {
  expect(await found(typed)).toEqual([mary])
})

it("a search for the last digits finds every payer whose number ends with them", async () => {
  expect((await found("042")).sort()).toEqual([mary, paul].sort())
  expect((await found("123042")).sort()).toEqual([mary, paul].sort())
  expect((await found("70123042")).sort()).toEqual([mary])
  expect(await found("59711")).toEqual([paul])
  expect(await found("59,711 rwf")).toEqual([paul])
})

it.each([
  "24",
  "042 anna mary",
  "597.11",
  "5601.0",
  "560",
  "56011",
  "5601 rwf",
  "mar(y' & \\ ",
  "0770123041",
  "'",
  "…",
  "#",
])("a search for %s finds nothing", async (typed) => expect(await found(typed)).toEqual([]))

describe("the result of a search", () => {
  beforeAll(() =>
    ledger.sql(
      `update mp_operation set payer_amount = 5601.12, payee_amount = 5461.09,
              payer_currency = 'LRD', payee_currency = 'LRD' where id = $1`,
      [mary],
    ),
  )

  it("is added up by the money that moved", async () => {
    const nothing = { count: 0, amount: "0.00" }
    const { totals } = await readOperations(deps(), { q: "mary" }, PAGE, true)
    // Nothing moved of the other one.
    expect(totals).toMatchObject([
      {
        currency: "LRD",
        payments: { count: 1, amount: "5601.12", fees: "140.03", net: "5461.09", without_fees: 0 },
        refunds: nothing,
        sent: nothing,
      },
    ])
    jest.replaceProperty(LIMITS, "listTotalsMax", 1 as typeof LIMITS.listTotalsMax)
    expect((await readOperations(deps(), { q: "mary" }, PAGE, true)).totals).toBeNull()
    jest.restoreAllMocks()
  })

  it("is exported as a file in which no name is a formula", async () => {
    await ledger.sql("update mp_operation set customer_name = '=1+1' where id = $1", [paul])
    let text = ""
    for await (const part of await listFile(deps(), { q: "mary" }, "Africa/Kigali")) text += part
    const [head, ...lines] = text.trimEnd().split("\r\n")
    expect(head).toContain(LIST_COLUMNS.join(","))
    expect(lines).toHaveLength(2)
    expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+02:00,COLLECTION,drafted,/)
    expect(lines[0]).toContain(",'=1+1,")
    expect(lines[1]).toContain(",23,Mary-Élodie O'Neil,Mary.Oneil@example.com,'042,")
    expect(lines[1]).toContain(",LRD,5601.12,5601.12,140.03,5461.09,0.00,")
    jest.replaceProperty(LIMITS, "listFileMax", 1 as typeof LIMITS.listFileMax)
    expect(await codeOf(listFile(deps(), { q: "mary" }))).toBe("period_too_long")
    jest.restoreAllMocks()
  })
})

it("a search follows what becomes known of a payment, and forgets what is erased", async () => {
  const operation = await findById(ledger.database, paul)
  if (!operation) throw new Error("it is there")
  await advanceOperation(ledger.database, operation, {
    event: { note: "continued" },
    code: "shopper_starts_again",
    changes: { searchWords: payerWords({ ...PAUL, name: "Paula" }, digest), phoneHint: "999" },
  })
  expect(await found("paula")).toEqual([paul])
  expect(await found("paul mary")).toEqual([])
  await ledger.sql("update mp_operation set search_words = '{}', phone_hint = null where id = $1", [
    paul,
  ])
  expect(await found("paula")).toEqual([])
  expect(await found("order_01PAUL")).toEqual([paul])
})

it("a search finds a payment by a session that Medusa has replaced", async () => {
  await ledger.sql(
    `insert into mp_operation_session (payment_session_id, operation_id, payment_collection_id)
     values ('payses_old', $1, 'pay_col_1')`,
    [paul],
  )
  await ledger.sql("update mp_operation set payment_session_id = 'payses_new' where id = $1", [
    paul,
  ])
  expect(await found("payses_old")).toEqual([paul])
  expect(await found("payses_new")).toEqual([paul])
})
