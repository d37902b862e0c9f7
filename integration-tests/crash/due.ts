/** When the world has something to do next, so that time may pass as far as that. */
import { IS_UNANNOUNCED } from "../../src/ledger/announcements"

/** What is next for the job: a look, and what the shop is to be told of once nobody holds it. */
export const dueOf = (looks: string) => `
  select (extract(epoch from min(at) - now()) * 1000)::double precision as in_ms
    from (select greatest(next_check_at, coalesce(lease_until, next_check_at)) as at
            from mp_operation where next_check_at is not null ${looks}
          union all
          select coalesce(announce_after, now()) from mp_operation_event
           where ${IS_UNANNOUNCED}) next`
export const DUE = dueOf("")
export const UNFINISHED = "and state not in ('failed', 'expired')"
