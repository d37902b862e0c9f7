/**
 * How many cards were declined and how many paid lately, read from the ledger's payments: of a
 * cart, a registered customer, a network, a browser in it, or an account. A card counts as declined
 * whether the gateway refused its token or its execution. A payment that is paid after all no
 * longer counts as declined. A failure for the shop's credentials or the processor's outage counts
 * against no shopper.
 */
import { LIMITS } from "../../core/limits"
import type { Database, Row } from "../database"
import { ASKING_CARD } from "../flow-lists"
import { BY_CARD } from "./network-starts"

const STARTED = (column: "network" | "client" | "customer") => `
  o.payment_collection_id in (
    select payment_collection_id from mp_start
     where ${column} = $1 and number_digest = '${BY_CARD}'
       and at > now() - $2::float8 * interval '1 ms')`

/** What cards are counted for, each with the SQL condition that finds its payments. */
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

/** The last line is a decline before any execution: a draft that the gateway's refusal ended. */
const IS_DECLINED = `(
  not ${IS_PAID} and coalesce(o.reason, '') not in ('operator_unavailable', 'not_configured')
  and (o.failed_at is not null or o.last_sending = 'refused'
       or (o.state = 'expired' and o.submitted_at is null and o.reason = 'unknown')))`

/**
 * The card tries of `$1` within `$2` ms: payments, and each refusal of a draft whose source could
 * not be closed yet. Such a draft serves for the next card, so each of its refusals is a try.
 */
const triesOf = (where: string) => `
  select o.account_id, o.created_at, ${IS_PAID} as paid, coalesce(${IS_DECLINED}, false) as declined
    from mp_operation o
   where o.type = 'COLLECTION' and o.flow in (${ASKING_CARD}) and ${where}
     and o.created_at > now() - $2::float8 * interval '1 ms'
  union all
  select o.account_id, e.created_at, false, true
    from mp_operation o join mp_operation_event e on e.operation_id = o.id
   where o.type = 'COLLECTION' and o.flow in (${ASKING_CARD})
     and o.state = 'drafted' and ${where}
     and e.code = 'source_closing' and e.created_at > now() - $2::float8 * interval '1 ms'`

const judge = (where: string) => `
  with tried as (${triesOf(where)} order by created_at desc limit $3)
  select count(*) filter (where declined)::int as declined,
         count(*) filter (where paid)::int as paid,
         (select extract(epoch from created_at - now()) * 1000 + $2::float8 from tried
           where declined order by created_at desc offset $4 limit 1)::float8 as wait_ms
    from tried`

/**
 * @returns milliseconds until so few declines count that another card may be tried; 0: it may be
 *   tried now
 */
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

/**
 * The cards of the account with the most declines. A wave begins with a decline that no other
 * decline precedes within `$1` ms.
 */
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
  /** Milliseconds since the current wave of declines began; an hour at most. */
  readonly sinceMs: number
}

/** The account with the most declined cards, for people to see: it decides nothing. */
export async function readDeclinedCards(database: Database): Promise<DeclinedCards> {
  const [row] = await database.query(WAVE, [LIMITS.startsJudgedForMs, LIMITS.startsKeptForMs])
  return { ...countsIn(row), sinceMs: Number(row?.["since_ms"] ?? 0) }
}

function countsIn(row: Row | undefined) {
  return { declined: Number(row?.["declined"] ?? 0), paid: Number(row?.["paid"] ?? 0) }
}
