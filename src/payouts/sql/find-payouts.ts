import { LIMITS } from "../../core/limits"
import { STATES, type Operation } from "../../core/operation"
import type { Database } from "../../ledger/database"
import { OPERATION_COLUMNS } from "../../ledger/operation-row"
import { payoutFrom, type Payout } from "./payout-row"

export type PayoutType = "PAYOUT" | "TRANSFER"

const BY_KEY = `
  select ${OPERATION_COLUMNS} from mp_operation
   where idempotency_key = $1 and type in ('PAYOUT', 'TRANSFER')`

const BY_ID = `
  select ${OPERATION_COLUMNS} from mp_operation
   where id = $1 and type = $2 and type in ('PAYOUT', 'TRANSFER')`

/** What was made under a key of the caller's, whatever became of it. */
export async function findByIdempotencyKey(
  database: Database,
  key: string,
): Promise<Payout | undefined> {
  const rows = await database.query(BY_KEY, [key])
  return rows[0] && payoutFrom(rows[0])
}

export async function findPayout(
  database: Database,
  type: PayoutType,
  id: string,
): Promise<Payout | undefined> {
  const rows = await database.query(BY_ID, [id, type])
  return rows[0] && payoutFrom(rows[0])
}

/**
 * Newest first: of each state as many as the page can hold, by an index that has the states apart,
 * so that a rare one is not looked for among all. The count comes also where the page is beyond the
 * end, and goes no further than anybody does.
 *
 * The type stands in the text, so that the partial index is seen to hold all of it: said twice,
 * once for the index, the planner takes it for rarer than it is, and sorts every payout there is.
 */
const listOf = (type: PayoutType) => `
  with counted as (
    select count(*)::int as count from (
      select from unnest($1::text[]) wanted (state) cross join lateral (
        select from mp_operation o
         where o.type = '${type}' and o.state = wanted.state
         order by o.created_at desc limit ${LIMITS.listCountMax}) o
       limit ${LIMITS.listCountMax}) listed
  ), chosen as (
    select o.* from unnest($1::text[]) wanted (state) cross join lateral (
      select * from mp_operation o
       where o.type = '${type}' and o.state = wanted.state
       order by o.created_at desc, o.id desc
       limit $2::int + $3::int) o
     order by o.created_at desc, o.id desc
     limit $2 offset $3
  )
  select counted.count, chosen.*, now() as read_at
    from counted left join chosen on true
   order by chosen.created_at desc, chosen.id desc`

export type PayoutFilter = {
  readonly type: PayoutType
  /** Undefined: every state. */
  readonly states: readonly Operation["state"][] | undefined
  readonly limit: number
  /** At most {@link LIMITS.listCountMax}, as far as the count goes. */
  readonly offset: number
}

export async function listPayouts(
  database: Database,
  { type, states, limit, offset }: PayoutFilter,
): Promise<{ readonly payouts: readonly Payout[]; readonly count: number }> {
  const rows = await database.query(listOf(type), [[...new Set(states ?? STATES)], limit, offset])
  return {
    payouts: rows.filter(({ id }) => id !== null).map(payoutFrom),
    count: Number(rows[0]?.["count"] ?? 0),
  }
}
