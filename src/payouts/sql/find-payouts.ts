import type { OperationId } from "../../core/ids"
import { LIMITS } from "../../core/limits"
import { type PAYOUT_TYPES, STATES, type Operation } from "../../core/operation"
import type { Fields } from "../../core/operation-columns"
import { storable } from "../../core/storable"
import type { Database, Row } from "../../ledger/database"
import { fieldsFrom, OPERATION_COLUMNS, operationFrom } from "../../ledger/operation-row"

export type PayoutType = (typeof PAYOUT_TYPES)[number]

const FIELDS = [
  "idempotencyKey",
  "recipientName",
  "walletId",
  "counterpartyId",
  "providerTransactionId",
] as const

/** A payout or a transfer: its operation, and the fields that only money that goes out has. */
export type Payout = { readonly operation: Operation } & Pick<Fields, (typeof FIELDS)[number]>

const BY_KEY = `
  select ${OPERATION_COLUMNS} from mp_operation
   where idempotency_key = $1 and type in ('PAYOUT', 'TRANSFER')`

const BY_ID = `
  select ${OPERATION_COLUMNS} from mp_operation
   where id = $1 and type = $2 and type in ('PAYOUT', 'TRANSFER')`

/** The payout or transfer that was made under the caller's key, whatever became of it. */
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
  id: OperationId,
): Promise<Payout | undefined> {
  const rows = await database.query(BY_ID, [id, type])
  return rows[0] && payoutFrom(rows[0])
}

const IN_DOUBT = `
  select ${OPERATION_COLUMNS} from mp_operation
   where state = 'submitted' and type = $1 and amount_minor = $2 and currency_code = $3
     and last_sending is distinct from 'accepted'
     and (last_sending <> 'sending' or lease_until is null or lease_until < now())
     and idempotency_key <> $4
     and recipient_name is not distinct from $5 and phone_hint is not distinct from $6
     and counterparty_id is not distinct from $7
     and ($1 = 'PAYOUT' or wallet_id is not distinct from $8)
   limit 1`

/** The same under another key, of which nobody knows whether it went. */
export async function findInDoubt(
  database: Database,
  asked: Pick<Fields, "amount" | "recipientName" | "phoneHint" | "walletId" | "counterpartyId"> & {
    readonly type: PayoutType
  },
  key: string,
): Promise<Payout | undefined> {
  const { type, amount, recipientName, phoneHint, walletId, counterpartyId } = asked
  const name = recipientName === null ? null : storable(recipientName)
  const money = [type, amount.minor, amount.currency]
  const [row] = await database.query(IN_DOUBT, [
    ...money,
    key,
    name,
    phoneHint,
    counterpartyId,
    walletId,
  ])
  return row && payoutFrom(row)
}

/**
 * Lists the newest first: of each state as many rows as the page can hold, by an index on the
 * state. The count is bounded, and comes even where the page is beyond the end.
 *
 * The type is part of the SQL text, so that the planner uses the partial index. As a parameter
 * beside the index's condition it would seem rarer than it is, and every payout would be sorted.
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

type PayoutFilter = {
  readonly type: PayoutType
  /** The states to list; undefined: every state. */
  readonly states: readonly Operation["state"][] | undefined
  readonly limit: number
  /** Rows to skip: at most {@link LIMITS.listCountMax}, as far as the count goes. */
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

function payoutFrom(row: Row): Payout {
  return { operation: operationFrom(row), ...fieldsFrom(row, FIELDS) }
}
