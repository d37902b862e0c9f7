/** What the harness does to the ledger's tables behind the workers' backs, and reads of them. */
import type { LedgerDatabase } from "../support/ledger-database"

const MOVE = `
  select 'with ' || string_agg(format('%1$s_moved as (update %1$I set %2$s)', table_name, moves), ', ')
         || ' select 1' as statement
    from (select table_name,
                 string_agg(format('%1$I = %1$I - $1 * interval ''1 ms''', column_name), ', ') as moves
            from information_schema.columns
           where table_schema = 'public' and table_name like 'mp\\_%'
             and data_type like 'timestamp%'
           group by table_name) of_table`

/** The catalogue is slow to read, and the same for all scenarios of a database. */
const moves = new WeakMap<LedgerDatabase, string>()

/** One statement that moves every moment of every table of ours back by `$1` ms. */
export async function moveOf(ledger: LedgerDatabase): Promise<string> {
  const move = moves.get(ledger) ?? String((await ledger.sql(MOVE))[0]?.["statement"])
  moves.set(ledger, move)
  return move
}

export const HELD = `select id from mp_operation where lease_until > now()`

export const FORGET = `
  truncate mp_operation, mp_operation_search, mp_operation_session, mp_operation_event, mp_receipt,
           mp_receipt_link, mp_notification,
           mp_party, mp_database_mark, mp_approval`

/** What one scenario has asked, or was asked to pause, is no matter of the next. */
export const REFILL = `
  update mp_account
     set fee_bearer = $1, policies = jsonb_build_object(
           'refund_orphans', $2::boolean, 'money_out', true, 'place_late_money', false),
         order_placement = $3, checks_left = checks_per_second_max,
         checks_paused_until = null`

export const TWO_ADMINS = `
  update mp_account set policies = policies || '{"money_out_second_admin_above": {"USD": 1}}'`

export const WAITING_REQUEST = `
  select id from mp_approval where closed_at is null and operation_id is null
   order by asked_at limit 1`

export const DOUBT_REFUNDS = `
  with moved as (
    update mp_operation set state = 'review', reason = 'no_answer', version = version + 1,
           next_check_at = null, lease_token = null, lease_until = null
     where type = 'REFUND' and state in ('submitted', 'in_flight') returning *)
  insert into mp_operation_event (operation_id, seq, name, state, code)
  select id, version, 'doubt', state, 'no_final_answer' from moved`

/** What of the one payment is not given back, nor may be by now. */
export const LEFT_OF_PAID = `
  select p.collected_minor / 100.0 - coalesce(sum(r.medusa_amount), 0) as left
    from mp_operation p
    left join mp_operation r on r.parent_id = p.id and r.state not in ('failed', 'expired')
   where p.type = 'COLLECTION' and p.state = 'completed' and p.returned_at is null
   group by p.id, p.collected_minor`
