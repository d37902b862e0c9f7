/**
 * The ledger of a shop of some years, as the admin's pages find it: a million operations with what
 * each kind of them has, their sessions and their events. Each row follows from its number, so that
 * two runs ask about the same rows. What is rare is rare on purpose, and old: the list is read from
 * its new end.
 *
 * Of live money there is as much as a busy day has, and none of it is due, no receipt is, and
 * nothing is to be announced: the store that is asked has nothing else to do.
 */
import { Client } from "pg"

/** Rows a statement: what a server writes in one go without a word for minutes. */
const ROWS_AT_ONCE = 250_000
/** Two years of a million payments. */
const SECONDS_BETWEEN = 63

/** What the questions ask for, beside what every shop has. */
export const RARE = {
  account: "mpacc_bench_rare",
  method: "OPERATOR9_MOMO_LBR",
  /** An account, and a currency, that a fifth of all rows have. */
  otherAccount: "mpacc_bench_other",
} as const

/** A paid order's payment, of which a part went back, in the middle of all. */
export const middleRow = (count: number) => Math.floor(count / 2 / 25) * 25 + 24

const OPERATIONS = `
  insert into mp_operation (id, type, state, flow, account_id, provider_id, payment_collection_id,
    payment_session_id, cart_id, order_id, parent_id, currency_code, amount_minor, collected_minor,
    reserved_refund_minor, refunded_minor, medusa_refund_id, medusa_amount, lines, source_type, source_id,
    source_number, source_status, payment_method, carrier, payer_currency, payer_amount,
    payee_currency, payee_amount, fees, reference, payment_intent_id, provider_transaction_id,
    messages, phone_hint, expires_at, reason, contradicted_at, answered_at, checks, checked_at,
    next_check_at, submitted_at, recorded_at, receipt_due_at, idempotency_key, asked_by,
    recipient_name, customer_name, customer_email, search_words, created_at, updated_at)
  select 'mpop_bench_' || n, type, state, flow, account, case when is_in then 'pp_' || flow end,
         case when is_in then 'pay_col_bench_' || of_n end,
         case when is_in then 'payses_bench_' || of_n end,
         case when is_in then 'cart_bench_' || of_n end,
         case when is_in and state = 'completed' then 'order_bench_' || of_n end,
         case when type = 'REFUND' then 'mpop_bench_' || of_n end,
         currency, 1999, case when is_paid then 1999 end,
         case when n % 25 = 24 then 500 else 0 end, case when n % 25 = 24 then 500 else 0 end,
         case when type = 'REFUND' then 'ref_bench_' || n end,
         case when type = 'REFUND' then 5 end,
         '[{"name":"T-shirt","quantity":1,"minor":"1499"},{"name":"Mug","quantity":1,"minor":"500"}]',
         case when is_in then 'ORDER' end, n, 'ORD-' || n, case when is_paid then 'PAID' end,
         method, method, currency, 19.99, currency, 19.49,
         '{"platform":"0.30","gateway":"0.20","fx":null,"currency":"USD"}', md5(n::text)::uuid,
         n, case when state = 'completed' then 'TX-' || n end,
         '{"execution":"completed","wallet":"Transaction successful"}',
         case when flow = 'push' then lpad((spread % 1000)::text, 3, '0') end,
         at + interval '30 minutes', case state when 'review' then 'amount_differs'
           when 'failed' then 'declined' when 'expired' then 'not_confirmed' end,
         case when n % 5000 = 17 then at + interval '1 hour' end,
         case when type = 'REFUND' then at + interval '5 s' end, 9, at + interval '40 s',
         case when state in ('drafted', 'submitted', 'in_flight') then now() + interval '1 day' end,
         case when state <> 'drafted' then at + interval '1 s' end,
         case when is_paid then at + interval '41 s' end, null,
         case when not is_in then 'bench-' || n end, case when not is_in then 'user_bench' end,
         case when not is_in then 'Ama Doe' end, first || ' ' || last,
         first || of_n || '@example.com',
         array[first, last, first || of_n || '@example.com', 'tel:' || md5((of_n % 400000)::text)],
         at, at + interval '41 s'
    from (select *, (array['ada', 'mary', 'paul', 'john'])[1 + spread % 4] as first,
                 'name' || of_n % 50000 as last
    from (select *, type in ('COLLECTION', 'REFUND') as is_in,
                 type = 'COLLECTION' and state = 'completed' as is_paid,
                 case when type = 'REFUND' then n - 1 else n end as of_n,
                 $3::timestamptz - ($4::int - n) * interval '${SECONDS_BETWEEN} s' as at
            from (select *,
                         case when type = 'REFUND' then
                                case when n % 2500 = 0 then 'failed' else 'completed' end
                              when n % 2000 = 13 then 'review'
                              when n % 25 in (21, 24) or n % 5000 = 17 then 'completed'
                              when n > $4 - 2000 and part < 300 then 'in_flight'
                              when n > $4 - 2000 and part < 400 then 'submitted'
                              when n > $4 - 2000 and part < 600 then 'drafted'
                              when part < 80 then 'failed' when part < 125 then 'expired'
                              else 'completed' end as state,
                         case when type in ('PAYOUT', 'TRANSFER') then 'push'
                              when n % 100 < 70 then 'push' when n % 100 < 95 then 'hosted'
                              when n % 100 < 99 then 'card' else 'link' end as flow,
                         case when n % 50000 = 11 and n < $4 / 2 then '${RARE.method}'
                              when n % 100 >= 95 then 'CARD'
                              when n % 100 >= 70 and n % 2 = 0 then null
                              when n % 5 = 3 then 'OPERATOR' || 3 + n % 2 || '_RWA'
                              when spread % 10 < 7 then 'OPERATOR1_MOMO_LBR'
                              else 'OPERATOR2_MOMO_LBR' end as method,
                         case when n % 50000 = 11 and n < $4 / 2 then '${RARE.account}'
                              when n % 5 = 3 then '${RARE.otherAccount}'
                              else 'mpacc_env' end as account,
                         case when n % 5 = 3 then 'RWF' when spread % 10 < 3 then 'USD'
                              else 'LRD' end as currency
                    from (select n, hashint4(n) & 1073741823 as spread,
                                 (hashint4(n + 1000000000) & 1073741823) % 1000 as part,
                                 case when n % 25 = 0 then 'REFUND' when n % 200 = 7 then 'PAYOUT'
                                      when n % 400 = 9 then 'TRANSFER' else 'COLLECTION' end as type
                            from generate_series($1::int, $2::int) n) numbered) kinds) rows) named`

const SESSIONS = `
  insert into mp_operation_session (payment_session_id, operation_id, payment_collection_id, created_at)
  select payment_session_id, id, payment_collection_id, created_at from mp_operation
   where type = 'COLLECTION'`

const SEARCH = `
  insert into mp_operation_search (operation_id, words)
  select id, mp_search_words(o) from mp_operation o`

const EVENTS = `
  insert into mp_operation_event (operation_id, seq, name, state, code, facts, announced_at, created_at)
  select id, seq, (array['submit', 'see', 'complete'])[seq],
         (array['submitted', 'in_flight', state])[seq], 'execution_reads',
         '{"execution":"COMPLETED","source":"PAID"}', now(), created_at + seq * interval '5 s'
    from mp_operation, generate_series(1, 3) seq`

/** Medusa's own: a payment of each collection, and to which order its money belongs. */
const PAYMENTS = `
  insert into payment (id, amount, raw_amount, currency_code, provider_id, data, captured_at,
    payment_collection_id, payment_session_id, created_at)
  select 'pay_bench_' || source_id, 19.99, '{"value":"19.99","precision":20}',
         lower(currency_code), provider_id, '{}', recorded_at, payment_collection_id,
         payment_session_id, created_at
    from mp_operation where type = 'COLLECTION'`

const ORDERS = `
  insert into order_payment_collection (order_id, payment_collection_id, id)
  select order_id, payment_collection_id, 'ordpay_bench_' || source_id
    from mp_operation where type = 'COLLECTION' and order_id is not null`

const ACCOUNTS = `
  insert into mp_account (id, label, base_url)
  select id, id, 'https://gateway.example'
    from unnest(array['mpacc_env', '${RARE.otherAccount}', '${RARE.account}']) id
  on conflict (id) do nothing`

/** Fills a store's database whose ledger has nothing in it. */
export async function fillPayments(
  databaseUrl: string,
  count: number,
  say: (line: string) => void,
): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(ACCOUNTS)
    // Every row is right as it is made; a million times three looks for that would take minutes.
    await client.query("set session_replication_role = replica")
    const indexes = await setAside(client)
    const newestAt = new Date()
    for (let from = 1; from <= count; from += ROWS_AT_ONCE) {
      const to = Math.min(from + ROWS_AT_ONCE - 1, count)
      await client.query(OPERATIONS, [from, to, newestAt, count])
      say(`  ${to} of ${count} operations`)
    }
    for (const beside of [SESSIONS, SEARCH, EVENTS, PAYMENTS, ORDERS]) await client.query(beside)
    say("  their sessions, events and Medusa's payments; now the indexes")
    for (const definition of indexes) await client.query(definition)
    // As a server finds its tables some minutes later.
    await client.query("vacuum analyze")
    await client.query("checkpoint")
  } finally {
    await client.end()
  }
}

/** Drops the indexes that no rule of the table needs, and answers how to make them again. */
async function setAside(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select i.relname as name, pg_get_indexdef(i.oid) as definition
       from pg_index x join pg_class i on i.oid = x.indexrelid
      where x.indrelid in ('mp_operation'::regclass, 'mp_operation_search'::regclass)
        and not x.indisprimary`,
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return rows.map(({ definition }) => definition)
}
