/**
 * A pooler in transaction mode gives each transaction another connection to PostgreSQL. What a
 * statement left in its session would then be another client's, and missing in the next statement.
 */
import { readWhatIsDue } from "../../../src/medusa/passes/sql/what-is-due"
import { beat } from "../../../src/worker/beat"
import { TOTAL, useRefundHarness } from "../../support/refund-harness"
import { startLedgerDatabase } from "../../support/ledger-database"
import { startTransactionPooler, type TransactionPooler } from "../../support/transaction-pooler"

const PAYMENTS = 13
const REFUNDS = 8
const SERVERS = 3

let pooler: TransactionPooler

const { harness, paid, click, checkAfter, last, shown } = useRefundHarness(undefined, true, () =>
  startLedgerDatabase(async (url) => {
    pooler = await startTransactionPooler(url, SERVERS)
    return pooler.url
  }),
)
afterAll(() => pooler.stop())

/** Whatever a transaction can leave in the session of its connection. */
const LEFT = `
  select (select count(*) from pg_locks where pid = pg_backend_pid() and locktype = 'advisory')
           as locks,
         (select count(*) from pg_listening_channels()) as channels,
         (select count(*) from pg_class where pg_is_other_temp_schema(relnamespace) is false
             and relpersistence = 't') as tables,
         (select count(*) from pg_cursors where is_holdable) as cursors,
         (select count(*) from pg_settings where source = 'session'
             and name not in ('TimeZone', 'client_encoding', 'DateStyle', 'application_name'))
           as settings`

it(`${PAYMENTS} payments and ${REFUNDS} refunds at once go through a pooler in transaction mode`, async () => {
  const payments = await Promise.all(Array.from({ length: PAYMENTS }, () => paid()))
  const refunded = payments.slice(0, REFUNDS)
  await Promise.all(refunded.map((payment) => click(payment)))
  for (const payment of refunded) {
    await checkAfter(await last(payment), 10_000)
    expect(await last(payment)).toMatchObject({ state: "completed" })
    expect(shown(payment)).toMatchObject({ rows: [TOTAL] })
  }
  const charged = harness.simulator.book.executions().map(({ charges }) => charges)
  expect(charged).toEqual(Array.from({ length: PAYMENTS }, () => 1))
  expect(harness.simulator.book.refunds()).toHaveLength(REFUNDS)
  // Every client was given every connection, again and again.
  for (const count of pooler.transactions()) expect(count).toBeGreaterThan(PAYMENTS)
})

it("a named statement is found again on whatever connection the pooler gives", async () => {
  const { database } = harness.ledger
  for (const ask of [() => readWhatIsDue(database), () => beat(harness.deps)]) {
    // One after the other, so that the pool uses one client, and the pooler each connection.
    for (let asked = 0; asked <= SERVERS; asked++) await ask()
  }
})

it("no statement of the plugin leaves anything in the session of its connection", async () => {
  const nothing = { locks: 0, channels: 0, tables: 0, cursors: 0, settings: 0 }
  expect(await pooler.askEach(LEFT)).toEqual(Array.from({ length: SERVERS }, () => nothing))
})
