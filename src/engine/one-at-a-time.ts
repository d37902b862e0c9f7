/**
 * Runs Medusa's workflows of one purchase one at a time across our processes, whatever locking
 * module the store has. A row in our database is held until the call has really ended; after a
 * crash its lease ends. Medusa's lock of the cart excludes a storefront's own `complete`.
 */
import type { MedusaPaymentId, OrderId, PaymentSessionId } from "../core/ids"
import { LIMITS } from "../core/limits"
import type { Operation } from "../core/operation"
import type { Clock } from "../core/ports"
import { Refusal } from "../core/refusal"
import type { Database } from "../ledger/database"
import { postponeUnasked } from "../ledger/postpone-operation"
import { dropTask, keepTask, takeTask, type HeldTask } from "../ledger/tasks"
import type { UnderWay } from "./deps"
import type { MedusaPort } from "./medusa-port"

/** The id by which a call names its purchase. */
export type Named =
  | { readonly orderId: OrderId }
  | { readonly sessionId: PaymentSessionId }
  | { readonly paymentId: MedusaPaymentId }

export type OneAtATime = {
  readonly database: Database
  readonly clock: Pick<Clock, "monotonicMs" | "sleep">
  /** This process, and what it notes of its changes; left out: others wait for the lease's end. */
  readonly worker?: string
  readonly underWay?: Pick<UnderWay, "changePurchase" | "hasEnded">
  /**
   * One key for all that belongs to a purchase: its cart, which exists before the order and never
   * changes. A purchase that never had a cart has its order as the key.
   */
  keyOf(named: Named): Promise<string>
}

/** Another worker is running a workflow of the same purchase; this one has done nothing. */
export class PurchaseBusy extends Refusal {
  constructor() {
    super("payment_in_progress", {}, { payment: null })
  }
}

/** Wraps Medusa, so that workflows of one purchase run one after the other. */
export function oneAtATime(medusa: MedusaPort, deps: OneAtATime): MedusaPort {
  const alone = async <T>(key: string, call: () => Promise<T>, waitMs = 0): Promise<T> => {
    // Noted before the row is taken: a process that ends meanwhile must not free it.
    const changed = deps.underWay?.changePurchase()
    try {
      return await callHeld(await take(deps, key, waitMs), call)
    } finally {
      changed?.()
    }
  }
  const callHeld = async <T>(held: HeldTask, call: () => Promise<T>): Promise<T> => {
    const ended = new AbortController()
    void renewUntil(ended.signal, deps, held)
    try {
      return await call()
    } finally {
      ended.abort()
      // While the database is away the row stays until its lease ends.
      await dropTask(deps.database, held).catch(() => undefined)
    }
  }
  return {
    ...medusa,
    completeCart: (cartId) => alone(cartId, () => medusa.completeCart(cartId)),
    captureOnOrder: async (sessionId, amount) =>
      alone(await deps.keyOf({ sessionId }), () => medusa.captureOnOrder(sessionId, amount)),
    cancelOrder: async (orderId) =>
      alone(await deps.keyOf({ orderId }), () => medusa.cancelOrder(orderId)),
    makeRefund: async (refund) => alone(await deps.keyOf(refund), () => medusa.makeRefund(refund)),
    // An admin waits for these two calls, so they wait for their turn.
    refundCaptured: async (sessionId, refund) =>
      alone(
        await deps.keyOf({ sessionId }),
        () => medusa.refundCaptured(sessionId, refund),
        LIMITS.orderLockMs,
      ),
    openSession: async (orderId, providerId) =>
      alone(
        await deps.keyOf({ orderId }),
        () => medusa.openSession(orderId, providerId),
        LIMITS.orderLockMs,
      ),
  }
}

/**
 * @returns whether another worker was busy with the purchase; the operation is then due again
 *   shortly, and no try is used up
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

/**
 * A process that has said its end may still answer a request. Its name would free the row at once,
 * so the row names none, and is free at its lease's end.
 *
 * @throws PurchaseBusy
 */
async function take(deps: OneAtATime, key: string, waitMs: number): Promise<HeldTask> {
  const { clock, database, underWay } = deps
  const untilMs = clock.monotonicMs() + waitMs
  for (;;) {
    const worker = underWay?.hasEnded() ? undefined : deps.worker
    const held = await takeTask(database, `purchase:${key}`, LIMITS.purchaseLeaseMs, { worker })
    if (held) return held
    if (clock.monotonicMs() >= untilMs) throw new PurchaseBusy()
    await clock.sleep(LIMITS.lockRetryMs)
  }
}

/** A failed renewal is made up for by the next one: the lease lasts three times the interval. */
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
