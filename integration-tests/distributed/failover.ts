/**
 * A standby takes over that has not heard of the last transactions, some of them of payments that
 * were being sent to the gateway. What is gone here the gateway still knows.
 */
import { ADMIN } from "../../demo/run/store.cjs"
import type { BookView } from "../../packages/simulator/src/book/view"
import type {
  DifferenceResponse,
  ReconciliationResponse,
} from "../../src/reconciliation/schemas/reconciliation"
import { adminAt } from "../http/support/admin"
import { expectOk } from "../http/support/shop"
import { until } from "../support/until"
import type { Cluster } from "./cluster"
import { inMedusa } from "./judge"
import { shoppersOf, simulate, type Purchase } from "./shoppers"
import type { Pair } from "./standby"

const PAYMENTS = 16
const FIRST_PAID = 4
const LOOK_AGAIN_MS = 20
const SENT_WITHIN_MS = 240_000
const COMPARE_AGAIN_MS = 500
const RECONCILIATION = "/admin/merchant-payments/reconciliation?only=differences"
const EXECUTION = "/v1/executions/collection"

export type FailedOver = {
  readonly purchases: readonly Purchase[]
  /** What the gateway charged for a payment that nobody here remembers, named by the comparison. */
  readonly forgotten: number
  readonly violations: readonly string[]
}

export async function failOver(cluster: Cluster, pair: Pair): Promise<FailedOver> {
  const shoppers = await shoppersOf(cluster)
  let isOver = false
  const taken = takeOver(cluster, pair).finally(() => (isOver = true))
  const paid = shoppers.pay(PAYMENTS, () => isOver)
  // Without a database the shoppers would wait in vain.
  await Promise.race([taken, paid])
  await taken
  const purchases = await paid
  for (const member of cluster.members) await member.ready()
  const { forgotten, violations } = await judged(cluster, purchases)
  return { purchases, forgotten, violations }
}

/** As soon as something was sent that the standby will not hear of. */
async function takeOver(cluster: Cluster, pair: Pair): Promise<void> {
  const sent = () => cluster.gateway.asked.filter(({ path }) => path === EXECUTION).length
  const untilSent = (more: number) =>
    until(() => Promise.resolve(sent() >= more), "payments are sent", SENT_WITHIN_MS, LOOK_AGAIN_MS)
  await untilSent(FIRST_PAID)
  await pair.cutTheLine()
  await untilSent(sent() + 1)
  const written = await cluster.sql<{ event: string }>(LAST_EVENTS)
  await cluster.moveDatabaseTo(await pair.failOver())
  const kept = (await cluster.sql<{ event: string }>(LAST_EVENTS)).map(({ event }) => event)
  if (written.every(({ event }) => kept.includes(event))) {
    throw new Error("The standby has lost nothing, so this failover proves nothing.")
  }
}

/** By their moments, which no later event of the same operation has. */
const LAST_EVENTS = "select operation_id || ' ' || created_at as event from mp_operation_event"

/** Each charge is in an order, before a person, given back, or named by the comparison. */
async function judged(cluster: Cluster, purchases: readonly Purchase[]) {
  const book = await simulate<ReturnType<BookView["toJSON"]>>(cluster, "book")
  const charged = book.executions.filter(({ charges }) => charges > 0)
  const accounted = await cluster.sql<{ reference: string }>(ACCOUNTED)
  const differences = await differencesOf(cluster)
  const untold = charged.filter(
    ({ reference, sourceReferenceId }) =>
      !accounted.some((one) => one.reference === reference) &&
      (sourceReferenceId === null ||
        !differences.some((one) => one.document_reference === sourceReferenceId)),
  )
  const carts = purchases.map(({ cartId }) => cartId)
  const kept = (await cluster.sql<{ cart_id: string }>(WITH_ORDER, [carts])).map(
    (row) => row.cart_id,
  )
  // A shopper has seen an order that the standby never heard of. Its money is among the named.
  const gone = purchases.filter(({ orderId, cartId }) => orderId !== null && !kept.includes(cartId))
  return {
    forgotten: differences.filter(({ code }) => code === "paid_unknown_to_ledger").length,
    violations: [
      ...untold.map(({ reference }) => `${reference} was charged, and nobody is told`),
      ...charged
        .filter(({ charges }) => charges > 1)
        .map(({ reference }) => `${reference} was charged twice`),
      ...(gone.length > differences.length
        ? [`${gone.length} orders are gone, and ${differences.length} are named`]
        : []),
      ...(await inMedusa(cluster, kept)),
      ...purchases.flatMap(({ cartId, odd }) => odd.map((one) => `${cartId} was answered ${one}`)),
    ],
  }
}

const WITH_ORDER = `
  select distinct cart_id from order_cart where cart_id = any($1) and deleted_at is null`

const ACCOUNTED = `
  select reference from mp_operation
   where type = 'COLLECTION' and reference is not null
     and (recorded_at is not null or returned_at is not null or state = 'review')`

/** What the comparison of today says once it is complete. */
async function differencesOf(cluster: Cluster): Promise<readonly DifferenceResponse[]> {
  const { shop } = await shoppersOf(cluster)
  const admin = adminAt(shop, ADMIN)
  const ask = (fresh: boolean) =>
    admin.call<ReconciliationResponse>("GET", `${RECONCILIATION}&fresh=${fresh}`)
  while ((await ask(true)).status === 409) await pause(COMPARE_AGAIN_MS)
  for (;;) {
    const { is_running: isRunning, accounts } = await expectOk(ask(false))
    if (!isRunning && accounts.length > 0) {
      return accounts.flatMap(({ is_complete: isComplete, label, differences }) => {
        if (!isComplete) throw new Error(`The comparison of ${label} is incomplete.`)
        return differences
      })
    }
    await pause(COMPARE_AGAIN_MS)
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
