/** What was promised about money and about asking, held against the gateway's own book. */
import type { BookView } from "../../packages/simulator/src/book/view"
import { LIMITS } from "../../src/core/limits"
import type { Cluster } from "./cluster"
import { simulate, type Purchase } from "./shoppers"

/** Two questions about one payment are never closer, but for the clock of this process. */
const APART_MS = LIMITS.waitingCheckFloorMs - LIMITS.tickSlackMs - 100
const BUDGET_WINDOW_MS = 10_000
/** Over all processes, beside what the account's setting says. */
const BUDGET_SLACK = 1.1

type Facts = { readonly purchases: readonly Purchase[]; readonly fromMs: number }

/** @returns one sentence for each promise that is broken; empty when all hold */
export async function judge(cluster: Cluster, facts: Facts): Promise<string[]> {
  return [
    ...(await money(cluster, facts)),
    ...askedTooOften(cluster, facts),
    ...overBudget(cluster, facts),
    ...facts.purchases.flatMap(({ cartId, odd }) =>
      odd.map((one) => `${cartId} was answered ${one}`),
    ),
    ...(await secrets(cluster)),
  ]
}

const PAID = `
  select o.cart_id, o.payment_collection_id, o.reference, o.state, o.recorded_at, o.order_id,
         o.lease_until, o.next_check_at,
         (select count(*)::int from mp_operation other
           where other.cart_id = o.cart_id and other.type = 'COLLECTION') as tries
    from mp_operation o where o.type = 'COLLECTION' and o.cart_id = any($1)`

const IN_MEDUSA = `
  select oc.cart_id, count(distinct oc.order_id)::int as orders,
         count(distinct p.id)::int as payments,
         count(distinct c.id)::int as captures
    from order_cart oc
    left join order_payment_collection opc on opc.order_id = oc.order_id and opc.deleted_at is null
    left join payment p on p.payment_collection_id = opc.payment_collection_id
         and p.canceled_at is null and p.deleted_at is null
    left join capture c on c.payment_id = p.id and c.deleted_at is null
   where oc.cart_id = any($1) and oc.deleted_at is null
   group by oc.cart_id`

type Row = {
  readonly cart_id: string
  readonly reference: string | null
  readonly state: string
  readonly recorded_at: Date | null
  readonly next_check_at: Date | null
}

/** Each purchase was charged once, recorded once, and has one order with one captured payment. */
async function money(cluster: Cluster, { purchases }: Facts): Promise<string[]> {
  const carts = purchases.map(({ cartId }) => cartId)
  const rows = await cluster.sql<Row>(PAID, [carts])
  const book = await simulate<ReturnType<BookView["toJSON"]>>(cluster, "book")
  const charged = carts.flatMap((cart) => {
    const own = rows.filter(({ cart_id }) => cart_id === cart)
    const references = own.map(({ reference }) => reference)
    const charges = book.executions
      .filter(({ reference }) => references.includes(reference))
      .reduce((sum, execution) => sum + execution.charges, 0)
    const recorded = own.filter((one) => one.state === "completed" && one.recorded_at !== null)
    return [
      ...(charges === 1 ? [] : [`${cart} was charged ${charges} times`]),
      ...(recorded.length === 1 ? [] : [`${cart} was recorded ${recorded.length} times`]),
    ]
  })
  return [...charged, ...(await inMedusa(cluster, carts))]
}

/** Each cart has one order with one captured payment. */
export async function inMedusa(cluster: Cluster, carts: readonly string[]): Promise<string[]> {
  const held = await cluster.sql<{
    cart_id: string
    orders: number
    payments: number
    captures: number
  }>(IN_MEDUSA, [carts])
  return carts.flatMap((cart) => {
    const medusa = held.find(({ cart_id }) => cart_id === cart)
    return [
      ...(medusa?.orders === 1 ? [] : [`${cart} has ${medusa?.orders ?? 0} orders`]),
      ...(medusa?.payments === 1 && medusa.captures === 1
        ? []
        : [`${cart} has ${medusa?.payments ?? 0} payments and ${medusa?.captures ?? 0} captures`]),
    ]
  })
}

const STATUS = /^\/v1\/status\/collection\/([0-9a-f-]{36})/

/** No payment was asked about twice within the shortest interval, over all processes. */
function askedTooOften({ gateway }: Cluster, { fromMs }: Facts): string[] {
  const last = new Map<string, number>()
  return gateway.asked.flatMap(({ atMs, path }) => {
    const reference = STATUS.exec(path)?.[1]
    if (reference === undefined || atMs < fromMs) return []
    const before = last.get(reference)
    last.set(reference, atMs)
    const isClose = before !== undefined && atMs - before < APART_MS
    return isClose ? [`${reference} was asked again after ${Math.round(atMs - before)} ms`] : []
  })
}

function overBudget({ gateway }: Cluster, { fromMs }: Facts): string[] {
  const atMs = gateway.asked
    .filter((one) => one.atMs >= fromMs && STATUS.test(one.path))
    .map((one) => one.atMs)
  const most = (LIMITS.checksPerSecondMax * BUDGET_WINDOW_MS * BUDGET_SLACK) / 1_000
  let first = 0
  let worst = 0
  atMs.forEach((at, index) => {
    while (at - (atMs[first] ?? at) > BUDGET_WINDOW_MS) first += 1
    worst = Math.max(worst, index - first + 1)
  })
  return worst <= most ? [] : [`${worst} questions in ten seconds; the budget is ${most}`]
}

/** The logs of all processes name no phone number and no secret. */
async function secrets({ logs }: Cluster): Promise<string[]> {
  const text = logs()
  const found = ["simulator-secret", ...new Set(text.match(/\b231886\d{6}\b/g) ?? [])]
  return found.filter((one) => text.includes(one)).map((one) => `a log names ${one.slice(0, 6)}…`)
}
