/** When the harness has something to do next, so that time may pass as far as that. */
import { IS_UNANNOUNCED } from "../../src/worker/sql/announcements"

/**
 * What is next for the jobs: a check, an announcement, and a receipt that is still to be fetched,
 * each once no worker holds it.
 */
const dueOf = (condition: string) => `
  select (extract(epoch from min(at) - now()) * 1000)::double precision as in_ms
    from (select greatest(next_check_at, coalesce(lease_until, next_check_at)) as at
            from mp_operation where next_check_at is not null ${condition}
          union all
          select coalesce(announce_after, now()) from mp_operation_event
           where ${IS_UNANNOUNCED}
          union all
          select receipt_due_at from mp_operation
           where receipt_due_at is not null and type = 'COLLECTION' and state = 'completed'
             and source_id is not null and (recorded_at is not null or returned_at is not null)
         ) next`
export const DUE = dueOf("")

const HAS_NO_END = "and state not in ('failed', 'expired')"
export const UNFINISHED = dueOf(HAS_NO_END)
export const NOT_FAILED_YET = dueOf(`${HAS_NO_END} and failed_at is null and recorded_at is null`)
export const REFUND_UNDER_WAY = dueOf("and type = 'REFUND' and state = 'submitted'")
export const REFUND_NOT_RIGHT = dueOf(`and type = 'REFUND' and not (state in ('failed', 'expired')
  and (undone_at is not null or medusa_refund_id is null))`)
