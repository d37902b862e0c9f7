import { LIMITS } from "../../core/limits"
import type { Operation } from "../../core/operation"
import { brokenRule, type Database } from "../../ledger/database"
import { OPERATION_COLUMNS, operationFrom } from "../../ledger/operation-row"

/** As `isOnItsWay`: what Medusa may record as given back. */
const ON_ITS_WAY = `type = 'REFUND' and not is_duplicate
  and (state = 'completed' or state = 'in_flight' and failed_at is null)`

/**
 * Medusa's row `$3` stands for the refund from now on, and gets a yes. By the version that was
 * read: of two rows that want the refund, one gets it. It is due soon after, so that the job checks
 * what Medusa has written.
 *
 * Needs no lease: it moves no state, and the version makes a concurrent writer read again.
 */
const ADOPT = `
  with moved as (
    update mp_operation
       set host_refund_id = $3, answered_at = now(), recorded_at = null,
           version = version + 1, updated_at = now(),
           next_check_at = coalesce(next_check_at, now() + $4 * interval '1 ms')
     where id = $1 and version = $2 and ${ON_ITS_WAY}
       and set_config('synchronous_commit', 'on', true) = 'on'
    returning *
  ), noted as (
    insert into mp_operation_event (operation_id, seq, name, state, code, facts)
    select id, version, 'adopted', state, 'refund_adopted',
           jsonb_build_object('host_refund', host_refund_id, 'before', $5::text)
      from moved
  )
  select ${OPERATION_COLUMNS} from moved`

/** @returns undefined where another writer has moved or bound it since it was read */
export async function adoptRefund(
  database: Database,
  refund: Operation,
  adoption: { readonly hostRefundId: string; readonly dueInMs: number },
): Promise<Operation | undefined> {
  const { hostRefundId, dueInMs } = adoption
  try {
    const rows = await database.query(ADOPT, [
      refund.id,
      refund.version,
      hostRefundId,
      dueInMs,
      refund.hostRefundId,
    ])
    return rows[0] && operationFrom(rows[0])
  } catch (error) {
    if (brokenRule(error) === "one_refund_per_host_refund") return undefined
    throw error
  }
}

/**
 * Commits the yes for the row that the refund is bound to. The answer is no where the refund has
 * failed meanwhile, or was bound to another row. It is no as well for a request that took longer
 * than a lease: the job counts it as dead, and may have taken its row away.
 */
const ANSWER = `
  with moved as (
    update mp_operation
       set answered_at = coalesce(answered_at, now()), version = version + 1, updated_at = now()
     where id = $1 and host_refund_id = $2 and ${ON_ITS_WAY}
       and (answered_at is not null and recorded_at is null
            or created_at > now() - ${LIMITS.leaseMs} * interval '1 ms')
       and set_config('synchronous_commit', 'on', true) = 'on'
    returning *
  ), noted as (
    insert into mp_operation_event (operation_id, seq, name, state, code, facts)
    select id, version, 'told_medusa', state, 'refund_told',
           jsonb_build_object('host_refund', host_refund_id)
      from moved
  )
  select ${OPERATION_COLUMNS} from moved`

/**
 * The job recorded the refund while the request that made its row slept. A yes now would make
 * Medusa's workflow write a second credit line. The request is refused, Medusa deletes the row, and
 * the job records the refund anew when that is over.
 */
const OVERTAKEN = `
  with moved as (
    update mp_operation
       set recorded_at = null, answered_at = now(), version = version + 1, updated_at = now(),
           next_check_at = now() + ${LIMITS.refundHostQuietMs} * interval '1 ms'
     where id = $1 and host_refund_id = $2 and recorded_at is not null
       and set_config('synchronous_commit', 'on', true) = 'on'
    returning *
  )
  insert into mp_operation_event (operation_id, seq, name, state, code, facts)
  select id, version, 'overtaken', state, 'refund_request_overtaken',
         jsonb_build_object('host_refund', host_refund_id)
    from moved
  returning seq`

/** @returns whether the refund was recorded, and is to be recorded anew */
export async function withdrawRecord(
  database: Database,
  refundId: string,
  hostRefundId: string,
): Promise<boolean> {
  return (await database.query(OVERTAKEN, [refundId, hostRefundId])).length > 0
}

export async function answerRefund(
  database: Database,
  refundId: string,
  hostRefundId: string,
): Promise<Operation | undefined> {
  const rows = await database.query(ANSWER, [refundId, hostRefundId])
  return rows[0] && operationFrom(rows[0])
}
