/**
 * How long this shop's own payers took, for each account and way to pay: what the spacing of the
 * checks learns from (`core/confirmations.ts`). Only the last so many, by an index.
 */
import type { ConfirmationHistory } from "../core/confirmations"
import { LIMITS } from "../core/limits"
import type { Operation } from "../core/operation"
import { rowOf, type Database } from "./database"

/** Payments that are alike in how long they take. The method is null on the gateway's page. */
export type PaymentMethodUsed = Pick<Operation, "accountId" | "flow" | "paymentMethod">

/** Shorter than a second is a clock's doing; no payer waits for more than an hour. */
const HISTORY = `
  select count(*)::int as count, coalesce(avg(ln(seconds)), 0)::float8 as mean,
         coalesce(var_pop(ln(seconds)), 0)::float8 as variance
    from (select least(3600, greatest(1, confirmed_after_ms / 1000.0)) as seconds
            from mp_operation
           where account_id = $1 and flow = $2 and coalesce(payment_method, '') = coalesce($3, '')
             and confirmed_after_ms is not null and submitted_at > now() - $5 * interval '1 ms'
           order by submitted_at desc limit $4) latest`

export function readConfirmationHistory(
  database: Database,
  { accountId, flow, paymentMethod }: PaymentMethodUsed,
): Promise<ConfirmationHistory> {
  const { historyPayments, historyForMs } = LIMITS
  const given = [accountId, flow, paymentMethod, historyPayments, historyForMs]
  return rowOf<ConfirmationHistory>(database, HISTORY, given)
}
