/**
 * The list's filters against every row filtered and sorted in memory. There are few moments and few
 * values, so that rows share moments, and filters find many, few and no rows.
 */
import fc from "fast-check"
import { moneyPlaceOf } from "../../../src/core/money-place"
import {
  receivedOf,
  STATES,
  type Flow,
  type Operation,
  type OperationType,
  type State,
} from "../../../src/core/operation"
import { LIMITS } from "../../../src/core/limits"
import { listPayouts } from "../../../src/payouts/sql/find-payouts"
import {
  MONEY_FILTERS,
  type MoneyFilter,
  type OperationFilter,
} from "../../../src/review/sql/list-filter"
import {
  listOperations,
  type ListedOperation,
  type Place,
} from "../../../src/review/sql/list-operations"
import type { Order } from "../../../src/review/sql/list-page"
import { startLedgerDatabase, type LedgerDatabase } from "../../support/ledger-database"
import { runs } from "../../support/whole-tables"

let ledger: LedgerDatabase
/** Newest first. */
let all: readonly ListedOperation[]

const ROWS = 600
const TYPES: OperationType[] = ["COLLECTION", "REFUND", "PAYOUT", "TRANSFER"]
const FLOWS: Flow[] = ["push", "hosted", "card"]
const CURRENCIES = ["USD", "LRD", "RWF"]
const ACCOUNTS = ["mpacc_env", "mpacc_other"]
const METHODS = ["OPERATOR1_MOMO_LBR", "OPERATOR3_RWA"]

beforeAll(async () => {
  ledger = await startLedgerDatabase()
  await ledger.sql(
    `insert into mp_account (id, label, base_url)
     values ('mpacc_other', 'Other', 'https://gateway.example')`,
  )
  await ledger.sql(
    `insert into mp_operation (id, parent_id, type, state, flow, account_id, provider_id,
       payment_collection_id, payment_session_id, currency_code, amount_minor, medusa_amount, payment_method,
       source_type, source_id, reference, expires_at, contradicted_at, idempotency_key, asked_by,
       created_at, recorded_at, returned_at, collected_minor, next_check_at, customer_name, search_words,
       source_status, taken_back_at)
     select 'mpop_' || n, case when type = 'REFUND' then 'mpop_0' end, type,
       (array['completed', 'failed', 'review', 'expired', 'drafted', 'submitted', 'in_flight'])
         [1 + floor(pow(drawn(2), 2) * 7)::int],
       ($3::text[])[1 + floor(drawn(3) * 3)::int], ($4::text[])[1 + floor(pow(drawn(4), 2) * 2)::int], 'pp_mobile-money_merchant',
       'pay_col_' || n, 'payses_' || n, ($5::text[])[1 + floor(drawn(5) * 3)::int],
       1999 + floor(drawn(13) * 5)::int, 19.99,
       case when drawn(6) < 0.8 then ($6::text[])[1 + floor(drawn(7) * 2)::int] end,
       'ORDER', n, gen_random_uuid(), now(), case when drawn(8) < 0.1 then now() end,
       'key-' || n, 'user_1', '2026-11-22T01:00:00Z'::timestamptz + floor(drawn(9) * 60) * interval '1 s',
       case when drawn(10) < 0.4 then now() end, case when drawn(11) < 0.3 then now() end,
       case when drawn(12) < 0.5 then 1999 end, case when drawn(10) >= 0.4 then now() end,
       'w' || floor(drawn(14) * 3), array['w' || floor(drawn(14) * 3)],
       case when drawn(15) < 0.4 then 'PAID' end, case when drawn(16) < 0.1 then now() end
     from (select n, case when n = 0 then 'COLLECTION'
                          else ($2::text[])[1 + floor(pow(drawn(1), 3) * 4)::int] end as type
             from generate_series(0, $1::int - 1) n) rows`.replace(
      /drawn\((\d+)\)/g,
      "((hashint4(n * 20 + $1) & 1023) / 1024.0)",
    ),
    [ROWS, TYPES, FLOWS, ACCOUNTS, CURRENCIES, METHODS],
  )
  all = (await pageOf({}, { limit: ROWS, offset: 0 })).operations
})

afterAll(() => ledger.stop())

const pageOf = (
  filter: OperationFilter,
  paging: { readonly limit: number; readonly offset: number; readonly after?: Place | undefined },
) => listOperations(ledger.database, filter, paging)

const idsOf = (operations: readonly ListedOperation[]) =>
  operations.map(({ operation }) => operation.id)

/** Whether a row is meant, by the plain reading of a filter. */
function isMeant(
  { operation, attention, customer }: ListedOperation,
  filter: OperationFilter,
): boolean {
  const isOneOf = <T>(wanted: readonly T[] | undefined, value: T) =>
    wanted === undefined || wanted.includes(value)
  const isIt = <T>(wanted: T | undefined, value: T) => wanted === undefined || wanted === value
  return (
    isOneOf(filter.states, operation.state) &&
    isOneOf(filter.types, operation.type) &&
    isOneOf(filter.flows, operation.flow) &&
    isIt(filter.currency, operation.amount.currency) &&
    isIt(filter.accountId, operation.accountId) &&
    isOneOf<string | null>(filter.paymentMethods, operation.paymentMethod) &&
    isIt<string | undefined>(filter.words, customer?.name ?? undefined) &&
    (!filter.createdFrom || operation.createdAt >= filter.createdFrom) &&
    (!filter.createdTo || operation.createdAt < filter.createdTo) &&
    (filter.money === undefined || isIn(filter.money, operation)) &&
    (filter.needsAttention === undefined || filter.needsAttention === (attention !== null))
  )
}

function isIn(money: MoneyFilter, operation: Operation) {
  if (money === "taken_back") return operation.takenBackAt !== null
  if (money !== "received") return moneyPlaceOf(operation) === money
  return operation.type === "COLLECTION" && receivedOf(operation) !== null
}

const second = fc
  .integer({ min: -5, max: 65 })
  .map((n) => new Date(Date.UTC(2026, 10, 22, 1, 0, n)))
/** Mostly not: what says little finds many. */
const maybe = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ arbitrary: fc.constant(undefined), weight: 3 }, { arbitrary: value, weight: 1 })
const some = <T>(values: readonly T[]) => maybe(fc.subarray([...values], { minLength: 1 }))

const filters: fc.Arbitrary<OperationFilter> = fc.record({
  states: some<State>(STATES),
  types: some(TYPES),
  flows: some(FLOWS),
  currency: maybe(fc.constantFrom(...CURRENCIES)),
  accountId: maybe(fc.constantFrom(...ACCOUNTS, "mpacc_unknown")),
  paymentMethods: some([...METHODS, "UNKNOWN"]),
  words: maybe(fc.constantFrom("w0", "w1", "w3")),
  createdFrom: maybe(second),
  createdTo: maybe(second),
  money: maybe(fc.constantFrom(...MONEY_FILTERS)),
  needsAttention: maybe(fc.boolean()),
})

/** The order of a list of `all`, which is newest first. */
function sorted(meant: readonly ListedOperation[], { by, isAscending }: Order) {
  const before = (one: string | bigint, other: string | bigint) =>
    one === other ? 0 : one < other ? -1 : 1
  const byAmount =
    by === "amount"
      ? [...meant].sort(
          ({ operation: { amount: one } }, { operation: { amount: other } }) =>
            before(one.currency, other.currency) || before(other.minor, one.minor),
        )
      : [...meant]
  return isAscending ? byAmount.reverse() : byAmount
}

const orders: fc.Arbitrary<Order> = fc.record({
  by: fc.constantFrom("created", "amount"),
  isAscending: fc.boolean(),
})

it.each([5_000, 30])(
  "the list finds in any order what sorting every row finds, with up to %i candidates",
  async (most) => {
    jest.replaceProperty(LIMITS, "listCandidatesMax", most as typeof LIMITS.listCandidatesMax)
    await fc.assert(
      fc.asyncProperty(
        filters,
        orders,
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 0, max: 60 }),
        async (filter, order, limit, offset) => {
          const page = await listOperations(ledger.database, filter, { limit, offset, order })
          const meant = sorted(
            all.filter((one) => isMeant(one, filter)),
            order,
          )
          expect(idsOf(page.operations)).toEqual(idsOf(meant.slice(offset, offset + limit)))
          expect(page.isMore).toBe(meant.length > offset + limit)
          if (most > ROWS) expect(page.count).toBe(meant.length)
        },
      ),
      { numRuns: runs(200) },
    )
    jest.restoreAllMocks()
  },
)

it("the list finds by any filters together what a read of every row finds, on any page", async () => {
  await fc.assert(
    fc.asyncProperty(
      filters,
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 0, max: 60 }),
      maybe(fc.integer({ min: 0, max: ROWS - 1 })),
      async (filter, limit, offset, afterRow) => {
        const last = afterRow === undefined ? undefined : all[afterRow]
        const page = await pageOf(filter, { limit, offset, after: last?.place })
        const meant = all.filter((one) => isMeant(one, filter))
        const behind = last ? meant.filter((one) => all.indexOf(one) > all.indexOf(last)) : meant
        expect(idsOf(page.operations)).toEqual(idsOf(behind.slice(offset, offset + limit)))
        expect([page.count, page.isMore]).toEqual([meant.length, behind.length > offset + limit])
      },
    ),
    { numRuns: runs(300) },
  )
})

it("the list finds payouts and transfers of any states, newest first, with their count", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("PAYOUT" as const, "TRANSFER" as const),
      some<State>(STATES),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 0, max: 30 }),
      async (type, states, limit, offset) => {
        const { payouts, count } = await listPayouts(ledger.database, {
          type,
          states,
          limit,
          offset,
        })
        const meant = all.filter((one) => isMeant(one, { types: [type], states }))
        expect(payouts.map(({ operation }) => operation.id)).toEqual(
          idsOf(meant.slice(offset, offset + limit)),
        )
        expect(count).toBe(meant.length)
      },
    ),
    { numRuns: runs(100) },
  )
})
