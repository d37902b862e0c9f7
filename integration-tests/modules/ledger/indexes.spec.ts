/**
 * Nearly each write of a payment writes every index of the operations and their events, so each has
 * to be worth it: it keeps a rule, or a statement named here reads by it. An index without a name
 * here fails, and so does one that its statement does not use.
 */
import { LIMITS } from "../../../src/core/limits"
import { readNews } from "../../../src/checkout/sql/changed-payments"
import { claimDueOperations } from "../../../src/ledger/claim-due-operations"
import type { Database } from "../../../src/ledger/database"
import {
  findByCollection,
  findHoldingCart,
  findMoneyOfOrder,
} from "../../../src/ledger/find-operations"
import { listUnnotified } from "../../../src/notifications/sql/outbox"
import { findPaidOtherwise } from "../../../src/reconciliation/sql/find-paid-otherwise"
import { findInState, findOfSources } from "../../../src/reconciliation/sql/find-for-period"
import { listPayouts } from "../../../src/payouts/sql/find-payouts"
import { countMoved } from "../../../src/reconciliation/sql/movements"
import { prune } from "../../../src/reconciliation/sql/prune"
import { wakeForgotten } from "../../../src/reconciliation/sql/wake-operations"
import { findOfIntent, findRefundsOf } from "../../../src/refunds/sql/find-refunds"
import { countForAPerson, listOperations } from "../../../src/review/sql/list-operations"
import { claimHappenings } from "../../../src/worker/sql/announcements"
import { claimReceipts } from "../../../src/worker/sql/receipts"
import { DAY, HOUR } from "../../support/an-operation"
import { fillLedger } from "../../support/filled-ledger"
import { startLedgerDatabase, type LedgerDatabase } from "../../support/ledger-database"

let ledger: LedgerDatabase

beforeAll(async () => {
  ledger = await startLedgerDatabase()
  await fillLedger(ledger, 10_000)
})

afterAll(() => ledger.stop())

/** Unique indexes that let money move only once, and the keys by which all rows are found. */
const GUARDS = [
  "mp_operation_pkey",
  "one_live_collection_per_payment_collection",
  "one_operation_per_reference",
  "one_refund_per_medusa_refund",
  "one_movement_per_idempotency_key",
  "a_source_proves_one_hosted_operation",
  "one_operation_per_return_token",
  "one_event_per_seq",
]

const claim = { leaseMs: LIMITS.leaseMs, limit: 10, fraction: 0 }
const page = { limit: 20, offset: 0 }
const hour = { from: new Date(Date.now() - HOUR), until: new Date() }

type Read = (database: Database) => Promise<unknown>

const READ_BY: Readonly<Record<string, Read>> = {
  // The job, each second.
  operation_due_at_gateway: (database) =>
    claimDueOperations(database, { ...claim, accountId: "mpacc_env" }),
  operation_due_in_medusa: (database) => claimDueOperations(database, claim),
  operation_without_receipt: (database) => claimReceipts(database, []),
  event_to_announce: claimHappenings,
  event_to_notify: listUnnotified,
  event_by_position: (database) => readNews(database, { since: 1, watched: [], anyway: [] }),

  // A shopper's start, a refund, a cancelled order, a comparison.
  operation_of_collection: (database) => findByCollection(database, "pay_col_700"),
  operation_of_cart: (database) => findHoldingCart(database, "cart_700"),
  operation_of_order: (database) => findMoneyOfOrder(database, "order_700"),
  operation_of_parent: (database) => findRefundsOf(database, "mpop_700"),
  operation_of_intent: (database) =>
    findOfIntent(database, { id: "mpop_700", credentialId: null }, 5_700),

  // The sweep and the nights.
  operation_unsettled: (database) => findInState(database, "submitted").next(),
  operation_to_wake: (database) => wakeForgotten(database, 10),
  operation_paid_otherwise: (database) => findPaidOtherwise(database, 10),
  operation_to_prune: (database) => prune(database, "events", { keptForMs: 400 * DAY, limit: 10 }),

  // The admin's pages.
  operation_newest: (database) => listOperations(database, {}, page),
  operation_by_amount: (database) =>
    listOperations(database, {}, { ...page, order: { by: "amount", isAscending: false } }),
  operation_of_period: (database) => listOperations(database, { accountId: "mpacc_other" }, page),
  operation_out_by_state: (database) =>
    listPayouts(database, { type: "PAYOUT", states: undefined, ...page }),
  operation_for_a_person: countForAPerson,
  operation_money_elsewhere: (database) => listOperations(database, { money: "given_back" }, page),
  operation_moved: (database) => countMoved(database, hour, 100),
  operation_taken_back: (database) => listOperations(database, { money: "taken_back" }, page),
}

/** The plans of the statements that a read sends. */
async function plansOf(read: Read): Promise<string> {
  const plans: string[] = []
  await read({
    async query(sql, parameters, how) {
      const rows = await ledger.sql(`explain ${sql}`, parameters)
      plans.push(...rows.map((row) => String(row["QUERY PLAN"])))
      return ledger.database.query(sql, parameters, how)
    },
  })
  return plans.join("\n")
}

it("every index of operations and events keeps a rule, or has a statement here", async () => {
  const indexes = await ledger.sql(
    `select i.relname as name, x.indisunique as is_rule
       from pg_index x join pg_class i on i.oid = x.indexrelid
      where x.indrelid in ('mp_operation'::regclass, 'mp_operation_event'::regclass)`,
  )
  const named = (isRule: boolean) =>
    indexes.flatMap(({ name, is_rule }) => (is_rule === isRule ? [String(name)] : [])).sort()
  expect(named(true)).toEqual([...GUARDS].sort())
  expect(named(false)).toEqual(Object.keys(READ_BY).sort())
})

it.each(Object.entries(READ_BY))("%s is used by its statement", async (name, read) => {
  expect(await plansOf(read)).toMatch(new RegExp(String.raw`\b${name}\b`))
})

describe("a list without an index for its filter", () => {
  const AMONG = { accountId: "mpacc_env", credentialIds: ["mpcred_any"] }

  const READ_WITHOUT: Readonly<Record<string, readonly [index: string, read: Read]>> = {
    "a phone's three digits": [
      "operation_search_words",
      (database) => listOperations(database, { phoneHint: "700" }, page),
    ],
    "a source's number": [
      "operation_search_words",
      (database) =>
        findOfSources(database, AMONG, {
          operationIds: [],
          sourceIds: Array.from({ length: 500 }, (_, index) => 1_000 + 7 * index),
        }),
    ],
    "what is paid": [
      "operation_newest",
      (database) => listOperations(database, { states: ["completed"] }, page),
    ],
  }
  it.each(Object.entries(READ_WITHOUT))("finds %s by another index", async (_, [name, read]) => {
    const plans = await plansOf(read)
    expect(plans).toMatch(new RegExp(String.raw`\b${name}\b`))
    expect(plans).not.toContain("Seq Scan on mp_operation")
  })

  it("finds only the operations of a source's number", async () => {
    await ledger.sql("update mp_operation set payment_intent_id = 1800 where id = 'mpop_801'")
    const asked = { operationIds: ["mpop_900"], sourceIds: [1_800, 1_802] }
    const found = await findOfSources(ledger.database, AMONG, asked)
    expect(found.map(({ id }) => id).sort()).toEqual(["mpop_800", "mpop_802", "mpop_900"])
  })

  it("finds only the operations of a phone's digits, not those with the same number elsewhere", async () => {
    await ledger.sql("update mp_operation set source_number = '700' where id = 'mpop_701'")
    const { operations, count } = await listOperations(ledger.database, { phoneHint: "700" }, page)
    const expected = await ledger.sql("select id from mp_operation where phone_hint = '700'")
    expect(count).toBe(expected.length)
    expect(operations.every(({ operation }) => operation.phoneHint === "700")).toBe(true)
    const words = { phoneHint: "701", words: "'mpop_1701'" }
    const [one, ...others] = (await listOperations(ledger.database, words, page)).operations
    expect([one?.operation.id, others]).toEqual(["mpop_1701", []])
  })
})
