/**
 * The smallest and the largest amount that an operator takes, as its refusals said them. The last
 * refusal counts. An old limit is forgotten, because operators change limits without telling us.
 */
import type { AccountId } from "../../core/ids"
import { LIMITS } from "../../core/limits"
import type { Database } from "../database"

export type OperatorLimitOf = {
  readonly accountId: AccountId
  readonly paymentMethod: string
  /** The currency that the payer pays in. */
  readonly currency: string
}

/** Each limit is decimal text in major units; null where it is not known. */
export type OperatorLimit = { readonly least: string | null; readonly most: string | null }

const KEEP = `
  insert into mp_operator_limit as l (account_id, payment_method, currency_code, least, most)
  values ($1, $2, $3, $4::numeric, $5::numeric)
  on conflict (account_id, payment_method, currency_code) do update
     set least = coalesce(excluded.least, l.least), most = coalesce(excluded.most, l.most),
         learned_at = now()`

/** Drops only a limit that was learned before the accepted payment was asked for. */
const DROP = `
  update mp_operator_limit
     set least = case when least > $4::numeric then null else least end,
         most = case when most < $5::numeric then null else most end
   where account_id = $1 and payment_method = $2 and currency_code = $3
     and learned_at < $6 and (least > $4::numeric or most < $5::numeric)`

const FIND = `
  select trim_scale(least)::text as least, trim_scale(most)::text as most from mp_operator_limit
   where account_id = $1 and payment_method = $2 and currency_code = $3
     and learned_at > now() - $4::float8 * interval '1 ms'`

export async function keepOperatorLimit(
  database: Database,
  { accountId, paymentMethod, currency }: OperatorLimitOf,
  { least, most }: { readonly least?: string; readonly most?: string },
): Promise<void> {
  const of = [accountId, paymentMethod, currency]
  await database.query(KEEP, [...of, least ?? null, most ?? null])
}

/**
 * Forgets a limit that an accepted payment lies outside of.
 *
 * @param accepted the smallest and the largest of the amounts by which the payment is known, in
 *   major units
 */
export async function dropOperatorLimit(
  database: Database,
  { accountId, paymentMethod, currency }: OperatorLimitOf,
  accepted: { readonly least: number; readonly most: number; readonly askedAt: Date },
): Promise<void> {
  const of = [accountId, paymentMethod, currency]
  await database.query(DROP, [...of, accepted.most, accepted.least, accepted.askedAt])
}

export async function findOperatorLimit(
  database: Database,
  { accountId, paymentMethod, currency }: OperatorLimitOf,
): Promise<OperatorLimit | undefined> {
  const of = [accountId, paymentMethod, currency]
  const [row] = await database.query(FIND, [...of, LIMITS.operatorLimitKeptMs])
  return row && (row as OperatorLimit)
}
