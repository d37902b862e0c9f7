/**
 * A worker that dies while Medusa completes a cart may leave an order behind that nothing links to
 * the cart. The money is right on the order that the next completion makes; the first one stays
 * open, holds stock, and nobody pays it. The sweep finds such orders and lists them with their
 * payment. An admin cancels them, or the account's policy `cancel_stray_orders` does.
 *
 * Medusa and the ledger are asked anew each time: when the order is found, shown and cancelled.
 */
import { sentence } from "../core/messages"
import type { AdminId, OrderId } from "../core/ids"
import type { Operation } from "../core/operation"
import { refusal } from "../core/refusal"
import { accountById } from "../ledger/accounts/find-accounts"
import { isBehind } from "../ledger/database-mark"
import { findById } from "../ledger/find-operations"
import type { FlowDeps } from "../engine/deps"
import type { StrayOrder } from "../engine/stray-order"
import { persist } from "../engine/persist"
import {
  findCompletedInto,
  findStrayOrders,
  findStrayOrdersOf,
  forgetStrayOrder,
  noteStrayOrder,
} from "./sql/stray-orders"

type Ports = Pick<FlowDeps, "database" | "medusa">

/** The name under which the policy cancels an order. */
const BY_POLICY = "policy cancel_stray_orders"

/**
 * Lists the stray orders that were made since then, and takes from the list what is none any more.
 * An account's policy cancels only what an earlier sweep has found, so two readings agree.
 */
export async function sweepStrayOrders(
  deps: FlowDeps,
  lookBackMs: number,
  keep: () => Promise<void>,
): Promise<void> {
  for (const { orderId, operationId } of await findStrayOrders(deps.database)) {
    await keep()
    const payment = await findById(deps.database, operationId)
    const stray = payment && (await readStray(deps, payment, orderId))
    if (!payment || !stray) {
      await close(deps, orderId, payment)
    } else if (await mayCancel(deps, payment)) {
      await cancel(deps, payment, stray, BY_POLICY)
    }
  }
  const since = new Date(deps.clock.now().getTime() - lookBackMs)
  for (const stray of await deps.medusa.strayOrdersSince(since)) {
    await keep()
    const payment = await paymentOf(deps, stray)
    if (payment && (await noteStrayOrder(deps.database, stray.id, payment.id))) {
      await found(deps, payment, stray)
    }
  }
}

async function mayCancel(deps: FlowDeps, { accountId }: Operation): Promise<boolean> {
  const account = accountById(await deps.accounts(), accountId)
  if (account?.policies.cancel_stray_orders !== true) return false
  // An order seems stray too if the database has lost the payment that it belongs to.
  return !(await isBehind(deps.database))
}

/** The stray orders of a payment that are so now, and that {@link cancelStrayOrder} accepts. */
export async function strayOrdersOf(
  deps: Ports,
  payment: Operation,
): Promise<readonly StrayOrder[]> {
  if (payment.type !== "COLLECTION" || payment.recordedAt === null) return []
  const noted = await findStrayOrdersOf(deps.database, payment.id)
  const strays = await Promise.all(noted.map((orderId) => readStray(deps, payment, orderId)))
  return strays.filter((one) => one !== undefined)
}

/**
 * An admin cancels a stray order, through Medusa.
 *
 * @throws Refusal `operation_not_found`, `order_not_found`: it is no stray order of this payment,
 *   or not any more
 */
export async function cancelStrayOrder(
  deps: FlowDeps,
  {
    operationId,
    orderId,
    adminId,
  }: {
    readonly operationId: Operation["id"]
    readonly orderId: OrderId
    readonly adminId: AdminId
  },
): Promise<void> {
  const payment = await findById(deps.database, operationId)
  if (!payment) throw refusal("operation_not_found")
  const strays = await strayOrdersOf(deps, payment)
  const stray = strays.find(({ id }) => id === orderId)
  if (!stray) throw refusal("order_not_found.stray")
  await cancel(deps, payment, stray, adminId)
}

async function readStray(
  deps: Ports,
  payment: Operation,
  orderId: OrderId,
): Promise<StrayOrder | undefined> {
  for (const stray of await deps.medusa.strayOrders([orderId])) {
    if ((await paymentOf(deps, stray))?.id === payment.id) return stray
  }
  return undefined
}

function paymentOf({ database }: Pick<Ports, "database">, stray: StrayOrder) {
  const { madeId: orderId, cartId, createdAt: strayAt } = stray
  return findCompletedInto(database, { orderId, cartId, strayAt })
}

async function found(deps: FlowDeps, payment: Operation, { id, number }: StrayOrder) {
  const code = "stray_order_found"
  const facts = { order: id, number }
  deps.logger.error(`merchant payments: ${payment.id}: ${sentence("event", code, facts)}`)
  await persist(deps.database, payment, { event: { note: "stray_order" }, code, facts })
}

/** If the process dies after Medusa's answer, the next sweep finds the order cancelled. */
async function cancel(deps: FlowDeps, payment: Operation, stray: StrayOrder, by: string) {
  const { id: order, number } = stray
  await deps.medusa.cancelOrder(order)
  await forgetStrayOrder(deps.database, order)
  await persist(deps.database, payment, {
    event: { note: "stray_order_closed" },
    code: "stray_order_canceled",
    facts: { by, order, number },
  })
}

/** Somebody has cancelled, paid or changed the order, or has linked it. */
async function close(deps: FlowDeps, orderId: OrderId, payment: Operation | undefined) {
  if (!(await forgetStrayOrder(deps.database, orderId)) || !payment) return
  await persist(deps.database, payment, {
    event: { note: "stray_order_closed" },
    code: "stray_order_left",
    facts: { order: orderId },
  })
}
