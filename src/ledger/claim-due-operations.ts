/**
 * Which worker gets which work. Before a claim at the gateway, `grantChecks` says how many
 * questions its account has left. Money that is only to be recorded in Medusa costs no question, so
 * a gateway that asks for a pause holds up no paid order.
 */
import { type AccountId, type OperationId } from "../core/ids"
import { LIMITS } from "../core/limits"
import type { Operation } from "../core/operation"
import { BOTH, IS_ASKED, IS_DUE } from "./limits/check-budget"
import type { Database } from "./database"
import { isFree, leaseToken } from "./lease"
import {
  OPERATION_COLUMNS,
  operationsFrom,
  queryOperation,
  type UnreadableRow,
} from "./operation-row"

/**
 * Takes at most `$3` due operations for `$2` milliseconds. Two callers never get the same row. A
 * holder that dies loses the row some seconds later, or at the latest when the lease ends; every
 * later write repeats the lease token.
 * Operations with a waiting shopper come first, but for `$4` places, which go by age alone.
 *
 * For a parameter the planner assumes a tenth of the table and reads it all: hence the limit in the
 * text. The steps are materialized, because the planner may run a plain `in (select … limit)` once
 * for each row, each time with other rows.
 */
const claimStatement = (rows: string) => `
  with due as materialized (
    select o.*, row_number() over (partition by o.waiting order by o.next_check_at) as turn
      from ${BOTH} cross join lateral (
        select * from (
          select o.id, o.waiting, o.next_check_at from mp_operation o
           where ${rows} and o.waiting = half.waiting and ${IS_DUE}
           order by o.next_check_at limit $3::int for update skip locked
        ) o limit ${LIMITS.checksPerRun}
      ) o
  ), chosen as materialized (
    select id from due
     order by waiting and turn <= $3::int - $4::int desc, next_check_at limit $3::int
  ), taken as (
    update mp_operation o
       set lease_token = $1, lease_until = now() + $2 * interval '1 ms'
      from chosen where o.id = chosen.id
    returning o.*
  )
  select ${OPERATION_COLUMNS} from taken order by waiting desc, next_check_at`

/** Open operations of the account `$5`, whose checks ask the gateway. */
export const CLAIM_AT_GATEWAY = claimStatement(`o.account_id = $5 and ${IS_ASKED}`)

/** Money of all accounts that is to be recorded in Medusa, or under review. */
export const CLAIM_IN_MEDUSA = claimStatement(`o.state in ('completed', 'review')`)

export type Claim = {
  /** The process that claims, by which its silence frees the rows. */
  readonly worker?: string
  readonly leaseMs: number
  /** {@link LIMITS.checksPerRun} at most; more is cut. */
  readonly limit: number
  /** The account whose open operations are claimed. Absent: what only Medusa has to record. */
  readonly accountId?: AccountId
  /** At least 0 and below 1: decides how a share below one place is rounded. */
  readonly fraction: number
  /** Called with each unreadable row; it keeps its lease and holds up none of the others. */
  readonly onUnreadable?: (error: UnreadableRow) => void
}

export async function claimDueOperations(database: Database, claim: Claim): Promise<Operation[]> {
  const { worker, leaseMs, accountId, fraction, onUnreadable } = claim
  const places = Math.min(Math.max(0, Math.trunc(claim.limit)), LIMITS.checksPerRun)
  // A fifth of one place is each fifth claim's place, so old rows are not starved by shoppers.
  const byAge = Math.floor(places * LIMITS.byAgeFraction + fraction)
  const parameters = [leaseToken(worker), leaseMs, places, byAge]
  const rows =
    accountId === undefined
      ? await database.query(CLAIM_IN_MEDUSA, parameters, "mp_claim_in_medusa")
      : await database.query(CLAIM_AT_GATEWAY, [...parameters, accountId], "mp_claim_at_gateway")
  return operationsFrom(rows, onUnreadable)
}

/** Takes one operation by its id, or nothing while another worker holds it. */
const CLAIM_ONE = `
  update mp_operation o
     set lease_token = $1, lease_until = now() + $2 * interval '1 ms'
   where id = $3 and ${isFree("o")}
  returning ${OPERATION_COLUMNS}`

export function claimOperation(
  database: Database,
  id: OperationId,
  leaseMs: number,
  /** Left out: only the lease's end frees the operation. */
  worker?: string,
): Promise<Operation | undefined> {
  return queryOperation(database, CLAIM_ONE, [leaseToken(worker), leaseMs, id])
}
