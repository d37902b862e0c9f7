/**
 * A ledger of its own on a throw-away server, filled with as many live operations as a figure
 * needs.
 */
import {
  startLedgerDatabase,
  type LedgerDatabase,
} from "../../integration-tests/support/ledger-database"

/** Rows a statement: what a server writes in one go without a word for minutes. */
const ROWS_AT_ONCE = 100_000

/** The ledger's budget of questions is lifted, by its account's own bound. */
export async function inLedger<T>(work: (ledger: LedgerDatabase) => Promise<T>): Promise<T> {
  const ledger = await startLedgerDatabase()
  try {
    return await work(ledger)
  } finally {
    await ledger.stop()
  }
}

export type LiveRows = {
  readonly count: number
  /** Due at some moment of this long before now … */
  readonly dueSinceSeconds: number
  /** … to this long after. */
  readonly dueInSeconds: number
}

/**
 * Payments by phone that wait for their payers, for one in a hundred of which a shopper is on
 * screen.
 */
export async function addLiveRows(
  { sql }: LedgerDatabase,
  { count, dueSinceSeconds, dueInSeconds }: LiveRows,
  say: (line: string) => void,
): Promise<void> {
  for (let made = 0; made < count; made += ROWS_AT_ONCE) {
    await sql(
      `insert into mp_operation (id, type, state, flow, account_id, provider_id,
         payment_collection_id, payment_session_id, cart_id, currency_code, amount_minor, source_type,
         source_id, source_status, lines, payment_method, phone_hint, reference, expires_at,
         next_check_at, waiting, waiting_at, submitted_at, last_sent_at, sendings, last_sending)
       select 'mpop_' || key, 'COLLECTION', case when n % 5 = 0 then 'submitted' else 'in_flight' end,
              'push', 'mpacc_env', 'pp_mobile-money_merchant', 'pay_col_' || key, 'payses_' || key,
              'cart_' || key, 'USD', 1999, 'ORDER', n, 'ACTIVE',
              '[{"name":"T-shirt","quantity":1,"minor":"1999"}]', 'MOBILE', '456', gen_random_uuid(),
              now() + interval '1 day',
              now() + (random() * ($2::int + $3::int) - $2::int) * interval '1 s',
              n % 100 = 0, now(), now(), now(), 1, 'sending'
         from generate_series(1, $1::int) n, md5(gen_random_uuid()::text || n) key`,
      [Math.min(ROWS_AT_ONCE, count - made), dueSinceSeconds, dueInSeconds],
    )
    say(`  ${Math.min(made + ROWS_AT_ONCE, count)} of ${count} live rows`)
  }
  // As a server finds its tables some minutes later.
  await sql("vacuum analyze mp_operation")
  await sql("checkpoint")
}
