/** The oracle's evidence is read from the ledger and from Medusa as they are. */
import { readLedger, readMedusa } from "../../support/evidence"
import {
  advanced,
  startLedgerDatabase,
  submitted,
  type LedgerDatabase,
} from "../../support/ledger-database"
import { captured, openOrder, recorded } from "../../support/oracle-scenes"
import { violations } from "../../support/violations"

describe("the oracle's evidence", () => {
  let ledger: LedgerDatabase

  beforeAll(async () => {
    ledger = await startLedgerDatabase()
  })

  afterAll(() => ledger.stop())

  it("is read from the ledger as it is", async () => {
    const operation = await submitted(ledger.database)
    await advanced(ledger.database, operation, {
      event: "see",
      code: "execution_reads",
      next: { inMs: 5_000 },
    })
    const read = await readLedger(ledger.sql)
    expect(read.operations).toEqual([
      {
        ...recorded,
        id: operation.id,
        state: "in_flight",
        collectionId: operation.paymentCollectionId,
        sessionId: operation.paymentSessionId,
        sessionIds: [operation.paymentSessionId],
        sourceId: operation.sourceId,
        reference: operation.reference,
        collectedMinor: null,
        reason: null,
        medusa: null,
        isRecorded: false,
        dueInSeconds: expect.any(Number),
        version: 3,
      },
    ])
    expect(read.events.map(({ name, state }) => `${name} ${state}`)).toEqual([
      "draft drafted",
      "submit submitted",
      "see in_flight",
    ])
    expect(read.dump.join()).toContain(operation.id)
    const book = { executions: () => [], documents: () => [], refunds: () => [] }
    const output = { texts: [], secrets: [], phones: [] }
    expect(violations({ book, ledger: read, output })).toEqual([])
  })

  it("has every table of the plugin, so that no secret hides in one", async () => {
    const account = "mpacc_env"
    await ledger.sql(
      "insert into mp_operator_limit (account_id, payment_method, currency_code) values ($1, 'CANARY_1', 'USD')",
      [account],
    )
    await ledger.sql(
      "insert into mp_gateway_form (account_id, operation, field, kind) values ($1, 'CANARY_2', 'x', 'y')",
      [account],
    )
    await ledger.sql("insert into mp_bucket (key, full_at) values ('CANARY_3', now())")
    const { dump } = await readLedger(ledger.sql)
    const canaries = ["CANARY_1", "CANARY_2", "CANARY_3", account]
    expect(canaries.filter((text) => !dump.join().includes(text))).toEqual([])
  })

  it("is read from Medusa's tables, with the order's records", async () => {
    await ledger.sql(
      `create table payment (id text, payment_session_id text, payment_collection_id text,
         provider_id text, amount numeric, currency_code text, captured_at timestamptz,
         canceled_at timestamptz, deleted_at timestamptz)`,
    )
    await ledger.sql(
      "create table capture (id text, payment_id text, amount numeric, deleted_at timestamptz)",
    )
    await ledger.sql(
      `create table order_transaction (reference text, reference_id text, amount numeric,
         deleted_at timestamptz, order_id text)`,
    )
    await ledger.sql(
      `create table refund (id text, payment_id text, amount numeric, created_by text,
         deleted_at timestamptz)`,
    )
    await ledger.sql("create table payment_collection (id text, refunded_amount numeric)")
    await ledger.sql(
      `create table order_summary (order_id text, version int, totals jsonb,
         created_at timestamptz, deleted_at timestamptz)`,
    )
    await ledger.sql(
      `create table order_payment_collection (order_id text, payment_collection_id text,
         deleted_at timestamptz)`,
    )
    await ledger.sql(
      `create table "order" (id text, status text, canceled_at timestamptz, deleted_at timestamptz,
         version int)`,
    )
    await ledger.sql(
      `create table payment_session (id text, provider_id text, amount numeric, currency_code text,
         data jsonb, payment_collection_id text, deleted_at timestamptz)`,
    )
    await ledger.sql(
      `insert into payment values ('pay_1', 'payses_1', 'pay_col_1', 'pp_mobile-money_merchant',
         19.985, 'usd', now(), null, null)`,
    )
    await ledger.sql("insert into capture values ('capt_1', 'pay_1', 19.985, null)")
    await ledger.sql(
      `insert into order_transaction values ('capture', 'capt_1', 19.985, null, 'order_1'),
         ('refund', 'ref_1', -5, null, 'order_1'), ('refund', 'ref_0', -7, now(), 'order_1')`,
    )
    await ledger.sql(
      `insert into refund values ('ref_1', 'pay_1', 5, 'user_ada', null),
         ('ref_0', 'pay_1', 7, null, now())`,
    )
    await ledger.sql("insert into payment_collection values ('pay_col_1', 5)")
    await ledger.sql(
      `insert into order_summary values ('order_1', 1, '{"refunded_total": 9}', now(), null),
         ('order_1', 2, '{"refunded_total": 5}', now(), null),
         ('order_1', 2, '{"refunded_total": 7}', now() - interval '1 s', null)`,
    )
    await ledger.sql("insert into order_payment_collection values ('order_1', 'pay_col_1', null)")
    await ledger.sql(`insert into "order" values ('order_1', 'pending', null, null, 2)`)
    await ledger.sql(
      `insert into payment_session values
         ('payses_1', 'pp_mobile-money_merchant', 19.985, 'usd', '{"state": "paid"}', 'pay_col_1', null),
         ('payses_0', 'pp_mobile-money_merchant', 7, 'usd', '{"state": "gone"}', 'pay_col_1', now()),
         ('payses_2', 'pp_system_default', 19.985, 'usd', '{"state": "other"}', 'pay_col_1', null)`,
    )
    expect(await readMedusa(ledger.sql)).toEqual({
      payments: [
        {
          ...captured,
          refunds: {
            rows: [{ id: "ref_1", amount: "5", createdBy: "user_ada" }],
            transactions: [{ referenceId: "ref_1", amount: "5" }],
            ofCollection: "5",
            rowsOfCollection: "5",
            ofOrder: { summary: "5", transactions: "5" },
          },
        },
      ],
      orders: [openOrder],
      sessions: [
        {
          id: "payses_1",
          providerId: "pp_mobile-money_merchant",
          collectionId: "pay_col_1",
          amount: "19.985",
          currency: "USD",
        },
      ],
      sessionData: ['{"state": "paid"}', '{"state": "gone"}'],
    })
  })
})
