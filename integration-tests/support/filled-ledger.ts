/** A ledger of some thousands of payments with their refunds, as the planner finds a large one. */
import type { LedgerDatabase } from "./ledger-database"
import { collected } from "./ledger-database"

/** One in twelve has failed; the newest fifty wait for their payers; one in ten was given back. */
const PAYMENTS = `
  insert into mp_operation
  select (jsonb_populate_record(o, jsonb_build_object(
            'id', 'mpop_' || n, 'state', rows.state, 'payment_collection_id', 'pay_col_' || n,
            'payment_session_id', 'payses_' || n, 'cart_id', 'cart_' || n, 'order_id', 'order_' || n,
            'reference', gen_random_uuid(), 'draft_reference', gen_random_uuid(),
            'source_id', 1000 + n, 'payment_intent_id', 5000 + n, 'phone_hint', right('00' || n, 3),
            'amount_minor', 1000 + n % 500, 'collected_minor', case when is_paid then 1000 + n % 500 end,
            'money_at', case when is_paid then at end, 'recorded_at', case when is_paid then at end,
            'next_check_at', case when rows.state = 'in_flight' then now() + interval '1 hour' end,
            'receipt_due_at', null, 'created_at', at, 'updated_at', at))).*
    from mp_operation o, (
      select *, now() - n * interval '1 minute' as at, state = 'completed' as is_paid
        from (select n, case when n <= 50 then 'in_flight' when n % 12 = 0 then 'failed'
                             else 'completed' end as state
                from generate_series(1, $2::int) n) numbered) rows
   where o.id = $1`

const REFUNDS = `
  insert into mp_operation
  select (jsonb_populate_record(o, jsonb_build_object(
            'id', 'refund_' || o.id, 'type', 'REFUND', 'parent_id', o.id, 'state',
            case when substr(o.id, 6)::int % 400 = 0 then 'failed' else 'completed' end,
            'medusa_refund_id', 'ref_' || o.id, 'medusa_amount', 5, 'amount_minor', 500,
            'collected_minor', null, 'reference', gen_random_uuid(),
            'draft_reference', gen_random_uuid(), 'payment_intent_id', null))).*
    from mp_operation o where o.id ~ '^mpop_[0-9]+0$' and o.state = 'completed'`

export async function fillLedger({ database, sql }: LedgerDatabase, rows: number): Promise<void> {
  const { id } = await collected(database)
  await sql(PAYMENTS, [id, rows])
  await sql(REFUNDS)
  await sql(
    `insert into mp_operation_event (operation_id, seq, name, state, code, announced_at, notified_at)
     select o.id, seq, 'see', o.state, 'execution_reads', now(), now()
       from mp_operation o, generate_series(1, 3) seq where o.id like 'mpop\\__' or o.id like 'mpop\\____'
     on conflict do nothing`,
  )
  await sql("update mp_operation_event set announced_at = now(), notified_at = now()")
  await sql("vacuum analyze")
}
