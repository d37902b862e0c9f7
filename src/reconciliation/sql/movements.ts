/**
 * The one definition of a movement of money: what the home page adds up and what the accountant's
 * sheet lists. An operation is one movement, a payment's fee is another one, and so is the exchange
 * into the currency in which the customer paid, which has no amount in the payment's currency.
 *
 * A movement belongs to the moment at which the ledger first had proof of it, not to the moment at
 * which its operation began.
 */
import { LIMITS } from "../../core/limits"
import { momentIn, rowsOf, UNCOMPILED, type Database } from "../../ledger/database"
import { FEE_MINOR, HAS_MOVED, LEFT_MINOR, MOVED_MINOR } from "../../review/sql/moved-money"
import type { Movement, Slice } from "../../core/movements"
import type { Period } from "../rules/reconciliation"

const IN_PERIOD = `money_at >= $1 and money_at < $2 and ${HAS_MOVED}`

/** A payment counts when it came, and once more, below zero, when its operator took it back. */
const MOVED = `
  select *, money_at as moved_at, false as is_taken_back from mp_operation where ${IN_PERIOD}
  union all
  select *, taken_back_at, true from mp_operation
   where taken_back_at >= $1 and taken_back_at < $2 and ${HAS_MOVED}`

/** A payment that was made in another currency than it was asked in. */
const IS_EXCHANGED = `type = 'COLLECTION' and payer_amount is not null
  and upper(payer_currency) <> currency_code`

/**
 * `offset 0` keeps the planner from working out an amount again wherever it is read.
 * @param operations the rows of `mp_operation` whose movements are meant
 */
const movementsOf = (operations: string) => `
  (select *, ${FEE_MINOR} as fee_minor
     from (select *, ${MOVED_MINOR} as moved_minor, ${LEFT_MINOR} as left_minor
             from (${operations}) moved offset 0) known offset 0) o
  cross join lateral (
    select 1 as place, case when is_taken_back then 'taken_back'
                            when type <> 'COLLECTION' then lower(type)
                            when is_duplicate then 'duplicate' else 'payment' end as kind,
           case when is_taken_back then -moved_minor else moved_minor end::numeric as minor
    union all select 2, case when fee_minor is null then 'fee_unknown' else 'fee' end, fee_minor
               where type = 'COLLECTION' and fee_minor is distinct from 0 and not is_taken_back
    union all select 3, 'exchange', null where ${IS_EXCHANGED} and not is_taken_back
  ) movement`

const SUMS = `
  select width_bucket(moved_at, $3::timestamptz[]) as slice, currency_code as currency, kind,
         count(*)::int as count, coalesce(sum(minor), 0)::text as minor,
         sum(moved_minor)::text as "ofMinor"
    from ${movementsOf(MOVED)}
   group by 1, 2, 3`

type StoredSlice = Omit<Slice, "minor" | "ofMinor"> & {
  readonly minor: string
  readonly ofMinor: string
}

/**
 * Sums by currency and kind, in one pass over the operations.
 *
 * @param edges moments that cut time into slices, ascending; slice 1 begins at the first of them
 */
export async function readSlices(database: Database, edges: readonly Date[]): Promise<Slice[]> {
  const rows = await rowsOf<StoredSlice>(
    database,
    SUMS,
    [edges[0], edges.at(-1), [...edges]],
    UNCOMPILED,
  )
  return rows.map(({ minor, ofMinor, ...row }) => ({
    ...row,
    minor: BigInt(minor),
    ofMinor: BigInt(ofMinor),
  }))
}

const PAGE = `
  select * from (${MOVED}) m
   where $3::timestamptz is null or (moved_at, id) > ($3, $4)
   order by moved_at, id limit ${LIMITS.upkeepRowsMax}`

/** A duplicate belongs to the order that another payment of its cart has paid. */
const ORDER_OF_DUPLICATE = `case when coalesce(paid.is_duplicate, o.is_duplicate) then (
    select other.order_id from mp_operation other
     where other.payment_collection_id = coalesce(paid.payment_collection_id, o.payment_collection_id)
       and other.type = 'COLLECTION' and other.order_id is not null
     order by other.recorded_at nulls last, other.id limit 1) end`

/** Who gets money that went out: a counterparty has only the gateway's number. */
const RECIPIENT = `case when o.type in ('PAYOUT', 'TRANSFER') then coalesce(
    o.recipient_name || coalesce(' (…' || o.phone_hint || ')', ''), o.counterparty_id::text) end`

/** A refund has neither order nor operator of its own: they are those of its payment. */
const ROWS = `
  select o.id as "operationId", o.moved_at as at, to_char(o.moved_at at time zone 'UTC',
           'YYYY-MM-DD HH24:MI:SS.US') || '+00' as place_at,
         kind, o.currency_code as currency, minor::text, o.moved_minor::text as "ofMinor", o.state,
         o.recorded_at is not null as "isRecorded", o.returned_at is not null as "isReturned",
         o.dismissed_at is not null as "isDismissed",
         coalesce(o.order_id, paid.order_id, ${ORDER_OF_DUPLICATE}) as "orderId",
         coalesce(o.payment_method, paid.payment_method) as "paymentMethod",
         coalesce(o.carrier, paid.carrier) as carrier, a.label as account,
         coalesce(o.source_number, paid.source_number) as "sourceNumber",
         o.provider_transaction_id as "transactionId", o.reference,
         o.payer_amount::text as "payerAmount", o.payer_currency as "payerCurrency",
         o.exchange_rate::text as "exchangeRate", ${RECIPIENT} as recipient,
         case when o.type <> 'COLLECTION' then o.asked_by end as "askedBy",
         case when o.type <> 'COLLECTION' then (
           select e.facts ->> 'note' from mp_operation_event e
            where e.operation_id = o.id order by e.seq limit 1) end as reason,
         asked.approved_by as "approvedBy", asked.answer as "approvedWhy"
    from ${movementsOf(PAGE)}
    join mp_account a on a.id = o.account_id
    left join mp_operation paid on paid.id = o.parent_id
    left join lateral (
      select a.approved_by, a.answer from mp_approval a
       where a.operation_id = o.id and o.type <> 'COLLECTION' limit 1) asked on true
   order by o.moved_at, o.id, movement.place`

type StoredMovement = Omit<Movement, "minor" | "ofMinor" | "at"> & {
  readonly at: unknown
  /** The moment with all its digits; a `Date` has no microseconds. */
  readonly place_at: string
  readonly minor: string | null
  readonly ofMinor: string
}

/** The movements of a period, oldest first, in pages that bound the memory. */
export async function* findMovements(
  database: Database,
  { from, until }: Period,
): AsyncGenerator<readonly Movement[]> {
  let after: StoredMovement | undefined
  do {
    const place = [after?.place_at ?? null, after?.operationId ?? null]
    const rows = await rowsOf<StoredMovement>(database, ROWS, [from, until, ...place], UNCOMPILED)
    after = rows.at(-1)
    if (after) yield rows.map(movementFrom)
  } while (after)
}

const movementFrom = ({ minor, ofMinor, at, place_at: _, ...row }: StoredMovement): Movement => ({
  ...row,
  at: momentIn(at),
  minor: minor === null ? null : BigInt(minor),
  ofMinor: BigInt(ofMinor),
})

const COUNT = `
  select count(*)::int as count from (
    select from mp_operation where ${IN_PERIOD} limit $3) moved`

/** Operations that moved money in a period, at most `most` of them. */
export async function countMoved(
  database: Database,
  { from, until }: Period,
  most: number,
): Promise<number> {
  const [row] = await database.query(COUNT, [from, until, most], UNCOMPILED)
  return Number(row?.["count"] ?? 0)
}
