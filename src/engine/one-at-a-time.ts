/**
 * Medusa's workflows of one purchase run one at a time across our processes, whatever locking
 * module the shop has: a row in our database is held until the call has really ended, or its lease
 * ends after a crash. A storefront's own `complete` is excluded by Medusa's lock of the cart.
 */
import { LIMITS } from "../core/limits"
import type { Operation } from "../core/operation"
import type { Clock } from "../core/ports"
import { Refusal } from "../core/refusal"
import type { Database } from "../ledger/database"
import { postponeUnasked } from "../ledger/postpone-operation"
import { dropTask, keepTask, takeTask, type HeldTask } from "../ledger/tasks"
import type { Host } from "./host"

/** What a call names of a purchase. */
export type Named =
  { readonly orderId: string } | { readonly sessionId: string } | { readonly paymentId: string }

export type OneAtATime = {
  readonly database: Database
  readonly clock: Pick<Clock, "monotonicMs" | "sleep">
  /**
   * One key for all that belongs to a purchase: its cart, which is known before there is an order
   * and does not change after; else, where there never was a cart, its order.
   */
  keyOf(named: Named): Promise<string>
}

/** Another worker is in Medusa with the same purchase; nothing was done. */
export class PurchaseBusy extends Refusal {
  constructor() {
    super("payment_in_progress", {}, { payment: null })
  }
}

/** The same host, its workflows of one purchase one after the other. */
export function oneAtATime(host: Host, deps: OneAtATime): Host {
  const alone = async <T>(key: string, call: () => Promise<T>, waitMs = 0): Promise<T> => {
    const held = await take(deps, key, waitMs)
    const ended = new AbortController()
    void renewUntil(ended.signal, deps, held)
    try {
      return await call()
    } finally {
      ended.abort()
      // With the database away the row stays, until its lease ends.
      await dropTask(deps.database, held).catch(() => undefined)
    }
  }
  return {
    ...host,
    completeCart: (cartId) => alone(cartId, () => host.completeCart(cartId)),
    captureOnOrder: async (sessionId, amount) =>
      alone(await deps.keyOf({ sessionId }), () => host.captureOnOrder(sessionId, amount)),
    cancelOrder: async (orderId) =>
      alone(await deps.keyOf({ orderId }), () => host.cancelOrder(orderId)),
    makeRefund: async (refund) => alone(await deps.keyOf(refund), () => host.makeRefund(refund)),
    // An admin waits for these two.
    refundCaptured: async (sessionId, refund) =>
      alone(
        await deps.keyOf({ sessionId }),
        () => host.refundCaptured(sessionId, refund),
        LIMITS.orderLockMs,
      ),
    openSession: async (orderId, providerId) =>
      alone(
        await deps.keyOf({ orderId }),
        () => host.openSession(orderId, providerId),
        LIMITS.orderLockMs,
      ),
  }
}

/**
 * @returns whether it was the other worker's turn: the operation is due again shortly, no try used
 *   up
 */
export async function postponedIfBusy(
  database: Database,
  operation: Operation,
  error: unknown,
): Promise<boolean> {
  if (!(error instanceof PurchaseBusy)) return false
  await postponeUnasked(database, operation, LIMITS.purchaseBusyMs)
  return true
}

/** @throws PurchaseBusy */
async function take(deps: OneAtATime, key: string, waitMs: number): Promise<HeldTask> {
  const { clock, database } = deps
  const untilMs = clock.monotonicMs() + waitMs
  for (;;) {
    const held = await takeTask(database, `purchase:${key}`, LIMITS.purchaseLeaseMs)
    if (held) return held
    if (clock.monotonicMs() >= untilMs) throw new PurchaseBusy()
    await clock.sleep(LIMITS.lockRetryMs)
  }
}

/** A renewal that could not be written is made up for by the next: the lease outlives two. */
async function renewUntil(
  signal: AbortSignal,
  { clock, database }: OneAtATime,
  held: HeldTask,
): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(LIMITS.purchaseLeaseMs / 3, signal).catch(() => undefined)
    if (signal.aborted) return
    await keepTask(database, held, LIMITS.purchaseLeaseMs).catch(() => undefined)
  }
}
