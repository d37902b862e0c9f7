/** Limits on quotes and operator lookups, shared by all processes through the database. */
import { idFrom, type CartId } from "../../../src/core/ids"
import { LIMITS } from "../../../src/core/limits"
import { limitAsk } from "../../../src/checkout/limit-asks"
import { keyedDigest } from "../../../src/medusa/secrets/keyed-digest"
import { listAccounts } from "../../../src/ledger/accounts/find-accounts"
import { startLedgerDatabase, type LedgerDatabase } from "../../support/ledger-database"

let ledger: LedgerDatabase

beforeAll(async () => {
  ledger = await startLedgerDatabase()
})
afterAll(() => ledger.stop())
beforeEach(async () => {
  await ledger.sql("delete from mp_bucket")
  await ledger.sql("update mp_account set checks_per_second_max = 20")
})

/** A process of the store; all processes have the same key. */
const aProcess = () => ({
  database: ledger.database,
  digest: keyedDigest({}),
  accounts: () => listAccounts(ledger.database),
})

type Ask = Parameters<typeof limitAsk>[1]

/** How many of the questions pass, asked of two processes in turn. */
async function passed(asks: readonly Ask[]): Promise<number> {
  const processes = [aProcess(), aProcess()]
  let count = 0
  for (const [index, ask] of asks.entries()) {
    const deps = processes[index % processes.length] ?? aProcess()
    const isTaken = await limitAsk(deps, ask).then(
      () => true,
      (error: unknown) => {
        expect(error).toMatchObject({ code: "too_many_requests", httpStatus: 429 })
        return false
      },
    )
    if (isTaken) count += 1
  }
  return count
}

/** So much time passes for all buckets. */
const later = (ms: number) =>
  ledger.sql("update mp_bucket set full_at = full_at - $1::float8 * interval '1 ms'", [ms])

const times = (number: number, ask: (n: number) => Ask) =>
  Array.from({ length: number }, (_, n) => ask(n))
const ofStranger = (what: Ask["what"]) => (n: number) => ({ what, network: `10.0.${n}.1` })
const cartOf = (n: number) => idFrom<CartId>(`cart_${n}`)

/** A slow machine earns some back while it asks, but no second burst. */
function expectAbout(count: number, limit: number, isMore: number): void {
  expect(count).toBeGreaterThanOrEqual(limit)
  expect(count).toBeLessThan(isMore)
}

it("[S06] quotes of the whole store pass in one burst, whichever process is asked", async () => {
  const { asksOfStore } = LIMITS
  await ledger.sql("update mp_account set checks_per_second_max = 1")
  expectAbout(
    await passed(times(3 * asksOfStore, ofStranger("quote"))),
    asksOfStore,
    3 * asksOfStore,
  )
  // The other kind has another limit.
  expect(await passed(times(asksOfStore, ofStranger("operator")))).toBe(asksOfStore)
})

it("[S06] quotes recover at five a second, or at a quarter of the account's larger limit", async () => {
  const costOf = async () => {
    await ledger.sql("delete from mp_bucket")
    await passed([{ what: "quote", network: "10.0.0.1" }])
    const [row] = await ledger.sql(
      `select extract(epoch from full_at - now()) * 1000 as ms, key from mp_bucket
        where key = 'quote of all'`,
    )
    return Number(row?.["ms"])
  }
  expect(await costOf()).toBeLessThanOrEqual(200)
  await ledger.sql("update mp_account set checks_per_second_max = 200")
  expect(await costOf()).toBeLessThanOrEqual(20)
})

it("[S20] lookups of one network that asks without end leave the rest to others", async () => {
  const { asksOfNetwork } = LIMITS
  const greedy = times(3 * asksOfNetwork, () => ({
    what: "operator" as const,
    network: "10.9.9.9",
  }))
  expectAbout(await passed(greedy), asksOfNetwork, 3 * asksOfNetwork)
  expect(await passed(times(5, ofStranger("operator")))).toBe(5)
})

it("[S06] quotes are limited for each cart, and a refused one costs nothing", async () => {
  const { quoteAsksOfCart, quoteAskOfCartBackMs } = LIMITS
  const ofCart = (n: number) => (index: number) => ({
    what: "quote" as const,
    network: `10.1.${index}.1`,
    cartId: cartOf(n),
  })
  expectAbout(
    await passed(times(3 * quoteAsksOfCart, ofCart(1))),
    quoteAsksOfCart,
    3 * quoteAsksOfCart,
  )
  expect(await passed(times(1, ofCart(2)))).toBe(1)
  await later(quoteAskOfCartBackMs)
  expect(await passed(times(1, ofCart(1)))).toBe(1)
})
