/**
 * An amount without decimals finds every amount with these whole units, in every currency, and the
 * order with this number. With decimals it finds only that amount.
 */
import fc from "fast-check"
import { currencyDigits, MARKET_CURRENCIES } from "../../../src/core/markets"
import { readOperations } from "../../../src/review/read-operations"
import { currency } from "../../support/an-operation"
import { drafted, startLedgerDatabase, type LedgerDatabase } from "../../support/ledger-database"
import { recordsInMemory } from "../../support/records-in-memory"

const CURRENCIES = [...MARKET_CURRENCIES, "EUR", "UGX", "XOF"]
/** Each is a beginning, an end or ten times of another. */
const WHOLES = [2, 24, 242, 421, 2421, 2422, 24210, 12421, 100, 1000, 100000, 1000000]
const CENTS = [0, 1, 5, 10, 50, 99]
/** Numbers that are those of orders as well; none is the amount of its order. */
const ORDERS = [2, 24, 421, 2421, 100000]

type Entry = { readonly id: string; readonly currency: string; readonly minor: bigint }

let ledger: LedgerDatabase
const entries: Entry[] = []
const orderOf = new Map<number, string>()

beforeAll(async () => {
  ledger = await startLedgerDatabase()
  for (const code of CURRENCIES) {
    const cents = currencyDigits(code) === 0 ? [0] : CENTS
    for (const whole of WHOLES) {
      for (const cent of cents) {
        const minor = currencyDigits(code) === 0 ? BigInt(whole) : BigInt(whole * 100 + cent)
        if (minor > 0n)
          entries.push({ currency: code, minor, id: await entered(code, minor, null) })
      }
    }
  }
  for (const number of ORDERS) {
    orderOf.set(number, await entered("LRD", 777_777_77n, `order_01number${number}x`))
  }
})

afterAll(() => ledger.stop())

/** Without a phone number, whose last digits are searched, too. */
async function entered(code: string, minor: bigint, orderId: string | null): Promise<string> {
  const amount = { minor, currency: currency(code) }
  const draft = { amount, orderId, phoneHint: null, searchWords: [] }
  return (await drafted(ledger.database, draft)).id
}

async function found(q: string): Promise<string[]> {
  const deps = {
    database: ledger.database,
    accounts: async () => [],
    medusa: {
      ...recordsInMemory(new Map()),
      orderNumbers: async () => new Map<string, string>(),
      ordersNumbered: async (numbers: readonly number[]) =>
        new Map(
          numbers.flatMap((one) =>
            orderOf.has(one) ? [[one, `order_01number${one}x`] as const] : [],
          ),
        ),
    },
    digest: (text: string) => `digest of ${text}`,
  }
  const { operations } = await readOperations(deps, { q }, { limit: 1_000, offset: 0 })
  return operations.map(({ id }) => id).sort()
}

const wholeOf = ({ currency: code, minor }: Entry) =>
  currencyDigits(code) === 0 ? Number(minor) : Number(minor / 100n)

const grouped = (whole: number, between: string) =>
  String(whole).replace(/\B(?=(\d{3})+$)/g, between)

const whole = fc.oneof(
  fc.constantFrom(...WHOLES),
  fc.integer({ min: 0, max: 30_000 }),
  fc.constantFrom(...ORDERS),
)
const form = fc.constantFrom(
  (n: number) => String(n),
  (n: number) => grouped(n, ","),
  (n: number) => grouped(n, "."),
  (n: number) => grouped(n, " "),
)

it("an amount without decimals finds all amounts with these whole units, and the order with this number", async () => {
  await fc.assert(
    fc.asyncProperty(whole, form, async (n, written) => {
      const typed = written(n)
      const amounts = entries.filter((one) => wholeOf(one) === n).map(({ id }) => id)
      // People write the number of an order without separators.
      const orders = /^\d+$/.test(typed) ? [orderOf.get(n) ?? []].flat() : []
      expect([typed, await found(typed)]).toEqual([typed, [...amounts, ...orders].sort()])
    }),
    { numRuns: 150 },
  )
})

it("an amount with its currency finds only amounts in this currency", async () => {
  await fc.assert(
    fc.asyncProperty(
      whole,
      form,
      fc.constantFrom(...CURRENCIES),
      fc.constantFrom("before", "after", "joined"),
      async (n, written, code, place) => {
        const amount = written(n)
        const typed =
          place === "before"
            ? `${code} ${amount}`
            : place === "after"
              ? `${amount} ${code.toLowerCase()}`
              : `${code}${amount.replaceAll(" ", "")}`
        const amounts = entries.filter((one) => one.currency === code && wholeOf(one) === n)
        const ids = new Set(amounts.map(({ id }) => id))
        const got = (await found(typed)).filter((id) => ![...orderOf.values()].includes(id))
        expect([typed, got]).toEqual([typed, [...ids].sort()])
      },
    ),
    { numRuns: 150 },
  )
})

it("an amount with decimals finds only that amount", async () => {
  await fc.assert(
    fc.asyncProperty(whole, fc.integer({ min: 0, max: 99 }), async (n, cents) => {
      const typed = `${n}.${String(cents).padStart(2, "0")}`
      const minorOf = (code: string) =>
        currencyDigits(code) === 0 ? (cents === 0 ? n : -1) : n * 100 + cents
      const amounts = entries.filter(({ currency: code, minor }) => Number(minor) === minorOf(code))
      expect([typed, await found(typed)]).toEqual([typed, amounts.map(({ id }) => id).sort()])
    }),
    { numRuns: 150 },
  )
})
