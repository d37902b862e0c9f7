import { LIMITS } from "../../core/limits"
import type { Operation } from "../../core/operation"
import { rowOf, type Database } from "../../ledger/database"

/** Nine in ten of the last `of` refunds were confirmed within `withinMs`. */
type RefundTimes = { readonly withinMs: number; readonly of: number }

/** Reads by the index of the lists, which holds every column that is compared for equality here. */
const TIMES = `
  select count(*)::int as of,
         percentile_disc(0.9) within group (order by extract(epoch from took) * 1000)::float8
           as "withinMs"
    from (select (select min(e.created_at) from mp_operation_event e
                   where e.operation_id = o.id and e.name = 'complete') - o.submitted_at as took
            from mp_operation o
           where o.type = 'REFUND' and o.state = 'completed' and o.flow = $1
             and o.currency_code = $2 and o.account_id = $3
             and coalesce(o.payment_method, '') = coalesce($4, '')
           order by o.created_at desc, o.id desc limit $5) latest
   where took is not null`

/**
 * @returns undefined where too few refunds like this one are known: same flow, currency, account
 *   and payment method
 */
export async function findRefundTimes(
  database: Database,
  { flow, amount, accountId, paymentMethod }: Operation,
): Promise<RefundTimes | undefined> {
  const given = [flow, amount.currency, accountId, paymentMethod, LIMITS.refundTimesOf]
  const times = await rowOf<RefundTimes>(database, TIMES, given)
  return times.of < LIMITS.refundTimesMin ? undefined : times
}
