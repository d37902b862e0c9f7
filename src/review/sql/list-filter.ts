/** The filter of a list of operations, and its conditions on the row `o`. */
import type {
  AccountId,
  CartId,
  OperationId,
  OrderId,
  PaymentCollectionId,
  PaymentSessionId,
} from "../../core/ids"
import { MONEY_PLACES } from "../../core/money-place"
import type { Flow, OperationType, State } from "../../core/operation"
import { FOR_A_PERSON, NOT_FOR_A_PERSON } from "./attention"
import { all } from "./list-page"
import { HAS_MOVED } from "./moved-money"
import { hasWords, type WordSearch } from "./word-search"

export type OperationFilter = {
  readonly states?: readonly State[] | undefined
  readonly types?: readonly OperationType[] | undefined
  readonly flows?: readonly Flow[] | undefined
  readonly currency?: string | undefined
  readonly accountId?: AccountId | undefined
  readonly paymentMethods?: readonly string[] | undefined
  readonly createdFrom?: Date | undefined
  /** Only operations that were created before this moment. */
  readonly createdTo?: Date | undefined
  /** Only operations whose money came, went or was taken back, at this moment or later. */
  readonly movedFrom?: Date | undefined
  /** As `movedFrom`, before this moment. */
  readonly movedTo?: Date | undefined
  readonly ids?: readonly OperationId[] | undefined
  readonly orderIds?: readonly OrderId[] | undefined
  readonly cartIds?: readonly CartId[] | undefined
  readonly paymentCollectionIds?: readonly PaymentCollectionId[] | undefined
  /** Only operations whose payment session is one of these now. */
  readonly paymentSessionIds?: readonly PaymentSessionId[] | undefined
  /** The UUID under which the money moves. */
  readonly reference?: string | undefined
  readonly phoneHint?: string | undefined
  /** A query of PostgreSQL's text search, over `mp_operation_search`. */
  readonly words?: string | undefined
  /**
   * Only payments whose money is in this place, as the reconciliation counts it. `received`:
   * wherever it is.
   */
  readonly money?: MoneyFilter | undefined
  readonly needsAttention?: boolean | undefined
}

/** Places, and what is in several of them: all that came in, and what operators took back. */
export const MONEY_FILTERS = ["received", ...MONEY_PLACES, "taken_back"] as const
export type MoneyFilter = (typeof MONEY_FILTERS)[number]

const IS_RECEIVED = `o.type = 'COLLECTION'
  and (o.collected_minor is not null or o.state = 'completed')`
/** Money that came in, or that the gateway lists as paid while the payment has not ended. */
const HAS_MONEY = `o.type = 'COLLECTION' and (o.collected_minor is not null or o.state = 'completed'
  or (o.source_status = 'PAID' and o.state not in ('failed', 'expired')))`
/** Repeats the condition of the index `operation_money_elsewhere`. */
const IS_ELSEWHERE = `o.type = 'COLLECTION' and o.recorded_at is null
  and (o.returned_at is not null
       or (o.state in ('failed', 'expired') and o.collected_minor is not null))`

/** Of each place as `moneyPlaceOf`, and `received` as `receivedOf`. */
const MONEY_IS: Readonly<Record<MoneyFilter, string>> = {
  taken_back: "o.taken_back_at is not null",
  received: IS_RECEIVED,
  recorded: `${HAS_MONEY} and o.recorded_at is not null`,
  under_review: `${HAS_MONEY} and o.recorded_at is null and o.state = 'review'`,
  given_back: `${HAS_MONEY} and ${IS_ELSEWHERE}
    and o.returned_at is not null and o.state <> 'review'`,
  dismissed: `${IS_ELSEWHERE} and o.returned_at is null`,
  under_way: `${HAS_MONEY} and o.recorded_at is null and o.returned_at is null
    and o.state in ('drafted', 'submitted', 'in_flight', 'completed')`,
}

export type Bind = (value: unknown) => string

const equal = (column: string, value: string | undefined, bind: Bind): string[] =>
  value === undefined ? [] : [`o.${column} = ${bind(value)}`]

/** One value is compared, not an array of one: an index then gives its rows in the list's order. */
const oneOf = (column: string, values: readonly string[] | undefined, bind: Bind): string[] =>
  values?.length === 1
    ? equal(column, values[0], bind)
    : values === undefined
      ? []
      : [`o.${column} = any(${bind([...values])}::text[])`]

export function conditionsOf(filter: OperationFilter, bind: Bind, search: WordSearch): string[] {
  const { words, reference, createdFrom, createdTo, money, needsAttention } = filter
  return [
    ...oneOf("state", filter.states, bind),
    ...oneOf("type", filter.types, bind),
    ...oneOf("flow", filter.flows, bind),
    ...equal("currency_code", filter.currency, bind),
    ...equal("account_id", filter.accountId, bind),
    ...oneOf("payment_method", filter.paymentMethods, bind),
    ...oneOf("id", filter.ids, bind),
    ...oneOf("order_id", filter.orderIds, bind),
    ...oneOf("cart_id", filter.cartIds, bind),
    ...oneOf("payment_collection_id", filter.paymentCollectionIds, bind),
    ...ofSessions(filter.paymentSessionIds, bind),
    ...equal("phone_hint", filter.phoneHint, bind),
    ...(reference ? [`o.reference = ${bind(reference)}::uuid`] : []),
    ...(createdFrom ? [`o.created_at >= ${bind(createdFrom)}`] : []),
    ...(createdTo ? [`o.created_at < ${bind(createdTo)}`] : []),
    ...movedWithin(filter, bind),
    ...(money ? [MONEY_IS[money]] : []),
    ...(needsAttention === true ? [FOR_A_PERSON] : []),
    ...(needsAttention === false ? [NOT_FOR_A_PERSON] : []),
    ...(words === undefined ? [] : [hasWords(bind(words), search)]),
  ]
}

/** Found through the sessions' own table, which has an index by session. */
function ofSessions(ids: OperationFilter["paymentSessionIds"], bind: Bind): string[] {
  if (ids === undefined) return []
  const any = `payment_session_id = any(${bind([...ids])}::text[])`
  return [
    `o.${any} and o.payment_collection_id in
       (select s.payment_collection_id from mp_operation_session s where s.${any})`,
  ]
}

/** Without a place, money moved when it came and when its operator took it back. */
function movedWithin({ movedFrom, movedTo, money }: OperationFilter, bind: Bind): string[] {
  if (!movedFrom && !movedTo) return []
  const [from, to] = [movedFrom && bind(movedFrom), movedTo && bind(movedTo)]
  const isWithin = (at: string) =>
    all([...(from ? [`o.${at} >= ${from}`] : []), ...(to ? [`o.${at} < ${to}`] : [])])
  if (money === "taken_back") return [HAS_MOVED, isWithin("taken_back_at")]
  if (money !== undefined) return [HAS_MOVED, isWithin("money_at")]
  return [HAS_MOVED, `(${isWithin("money_at")} or ${isWithin("taken_back_at")})`]
}
