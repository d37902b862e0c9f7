/**
 * How many cards were declined and paid lately, read from the ledger's payments: of a cart, of a
 * registered customer, of a network or a browser there, of an account. A card counts as declined
 * whether the gateway refused its token or its execution. One that is paid gives its place back by
 * itself. What the shop's credentials or the processor's outage prevented speaks against nobody.
 */
import { LIMITS } from "../core/limits"
import type { Database, Row } from "./database"
import { BY_CARD } from "./network-starts"

const STARTED = (column: "network" | "client" | "customer") => `
  o.payment_collection_id in (
    select payment_collection_id from mp_start
     where ${column} = $1 and number_digest = '${BY_CARD}'
       and at > now() - $2::float8 * interval '1 ms')`

/** By whom cards are counted, and where their payments are found. */
const OF = {
  cart: "(o.cart_id = $1 or o.order_id = $1 or o.payment_collection_id = $1)",
  customer: STARTED("customer"),
  client: STARTED("client"),
  network: STARTED("network"),
  account: "o.account_id = $1",
} as const

export type CardsOf = keyof typeof OF

const MAX: Readonly<Record<CardsOf, number>> = {
  cart: LIMITS.declinedCardsOfShopperMax,
  customer: LIMITS.declinedCardsOfShopperMax,
  client: LIMITS.declinedCardsOfNetworkMax,
  network: LIMITS.declinedCardsOfNetworkMax,
  account: LIMITS.declinedCardsOfAccountMax,
}

const IS_PAID = "(o.state in ('completed', 'review') or o.recorded_at is not null)"

/** The last line: before an execution, a draft that the gateway's refusal has ended. */
const IS_DECLINED = `(
  not ${IS_PAID} and coalesce(o.reason, '') not in ('operator_unavailable', 'not_configured')
  and (o.failed_at is not null or o.last_sending = 'refused'
       or (o.state = 'expired' and o.submitted_at is null and o.reason = 'unknown')))`

/**
 * The tries of `$1` within `$2`: payments, and each refusal of one whose document could not be
 * closed yet, so that its draft serves for the next card.
 */
const triesOf = (where: string) => `
  select o.account_id, o.created_at, ${IS_PAID} as paid, coalesce(${IS_DECLINED}, false) as declined
    from mp_operation o
   where o.type = 'COLLECTION' and o.flow = 'card' and ${where}
     and o.created_at > now() - $2::float8 * interval '1 ms'
  union all
  select o.account_id, e.created_at, false, true
    from mp_operation o join mp_operation_event e on e.operation_id = o.id
   where o.type = 'COLLECTION' and o.flow = 'card' and o.state = 'drafted' and ${where}
     and e.code = 'document_closing' and e.created_at > now() - $2::float8 * interval '1 ms'`

const judge = (where: string) => `
  with tried as (${triesOf(where)} order by created_at desc limit $3)
  select count(*) filter (where declined)::int as declined,
         count(*) filter (where paid)::int as paid,
         (select extract(epoch from created_at - now()) * 1000 + $2::float8 from tried
           where declined order by created_at desc offset $4 limit 1)::float8 as wait_ms
    from tried`

/** @returns milliseconds until so few are left that another card may be tried; 0: it may be now */
export async function cardsPausedMs(database: Database, of: CardsOf, key: string): Promise<number> {
  const [row] = await database.query(judge(OF[of]), [
    key,
    LIMITS.startsJudgedForMs,
    LIMITS.startsJudgedMax,
    MAX[of] - 1,
  ])
  const { declined, paid } = countsIn(row)
  if (declined < MAX[of] || declined <= paid) return 0
  return Math.max(1, Number(row?.["wait_ms"] ?? 0))
}

/** Of the account with the most. A wave begins with a decline that none came before for so long. */
const WAVE = `
  with tried as (${triesOf("true")}
  ), worst as (
    select account_id, count(*) filter (where declined)::int as declined,
           count(*) filter (where paid)::int as paid
      from tried where created_at > now() - $1::float8 * interval '1 ms'
     group by account_id order by declined desc limit 1
  ), gaps as (
    select created_at, created_at - lag(created_at) over (order by created_at) as gap
      from tried where declined and account_id = (select account_id from worst)
  )
  select declined, paid,
         (select extract(epoch from now() - max(created_at)) * 1000 from gaps
           where gap is null or gap > $1::float8 * interval '1 ms')::float8 as since_ms
    from worst`

export type DeclinedCards = {
  readonly declined: number
  readonly paid: number
  /** How long ago the wave of declines began that goes on now; an hour at most. */
  readonly sinceMs: number
}

/** For people. */
export async function readDeclinedCards(database: Database): Promise<DeclinedCards> {
  const [row] = await database.query(WAVE, [LIMITS.startsJudgedForMs, LIMITS.startsKeptForMs])
  return { ...countsIn(row), sinceMs: Number(row?.["since_ms"] ?? 0) }
}

function countsIn(row: Row | undefined) {
  return { declined: Number(row?.["declined"] ?? 0), paid: Number(row?.["paid"] ?? 0) }
}
