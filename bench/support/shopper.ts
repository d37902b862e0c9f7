/**
 * A shopper as the demo's storefront behaves: asks after the payment as soon as the page is there
 * and then with the storefront's own pauses, so that its questions cost what they cost in a shop.
 */
import { setTimeout as pause } from "node:timers/promises"
import { pauseMsAfter } from "../../demo/storefront/src/pauses"
import { expectOk, type Payment, type Shop } from "../../integration-tests/http/support/shop"

const END_STATES = ["paid", "failed", "expired", "under_review"]
const PATIENCE_MS = 10 * 60_000

export type Followed = {
  readonly payment: Payment
  /** How often the page asked. */
  readonly reads: number
  /** When it saw the end, in milliseconds since the epoch. */
  readonly seenAtMs: number
}

/** Presses pay. */
export async function startPaying(shop: Shop, sessionId: string, phone: string): Promise<Payment> {
  const { payment } = await expectOk(shop.start(sessionId, { phone }))
  if (!payment) throw new Error(`The start of ${sessionId} answered no payment.`)
  return payment
}

/** Stays on the page until the payment ends. */
export async function followPayment(shop: Shop, sessionId: string): Promise<Followed> {
  const since = performance.now()
  for (let reads = 1; ; reads += 1) {
    const { payment } = await expectOk(shop.status(sessionId))
    if (payment && END_STATES.includes(payment.state)) {
      return { payment, reads, seenAtMs: Date.now() }
    }
    const askingMs = performance.now() - since
    if (askingMs > PATIENCE_MS) throw new Error(`The payment of ${sessionId} does not end.`)
    await pause(pauseMsAfter(askingMs))
  }
}

/** Stays until it is paid, or fails saying what it is instead. */
export async function followToPaid(shop: Shop, sessionId: string): Promise<Followed> {
  const followed = await followPayment(shop, sessionId)
  const { state, reason } = followed.payment
  if (state !== "paid") throw new Error(`A payment ended ${state} (${String(reason)}).`)
  return followed
}
