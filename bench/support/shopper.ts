/**
 * A shopper on the page of a shop: one that asks after the payment, with the pauses of the checkout
 * kit where no stream holds, and one that the kit shows it to. Their questions cost what they cost
 * in a shop.
 */
import { createRequire } from "node:module"
import { setTimeout as pause } from "node:timers/promises"
import { expectOk, type Payment, type Shop } from "../../integration-tests/http/support/shop"
import type { Store } from "./store"

type Checkout = typeof import("../../packages/checkout/src/checkout.js", {
  with: { "resolution-mode": "import" },
})
type Follow = typeof import("../../packages/checkout/src/follow.js", {
  with: { "resolution-mode": "import" },
})

/** The kit is an ES module, which `load-typescript.cjs` compiles for this process. */
const load = createRequire(__filename)
const { createCheckout } = load("../../packages/checkout/src/checkout") as Checkout
const { pauseMsAfter } = load("../../packages/checkout/src/follow") as Follow

const END_STATES = ["paid", "failed", "expired", "under_review"]
const PATIENCE_MS = 10 * 60_000

export type Followed = {
  readonly sessionId: string
  readonly payment: Pick<Payment, "state" | "reason" | "order_id">
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
async function followPayment(shop: Shop, sessionId: string): Promise<Followed> {
  const since = performance.now()
  for (let reads = 1; ; reads += 1) {
    const { payment } = await expectOk(shop.status(sessionId))
    if (payment && END_STATES.includes(payment.state)) {
      return { sessionId, payment, reads, seenAtMs: Date.now() }
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

/** A page on the kit: it starts the payment, and stays until it is paid. */
export async function payByKit(
  { url, publishableKey }: Pick<Store, "url" | "publishableKey">,
  sessionId: string,
  phone: string,
): Promise<Followed> {
  let reads = 0
  const call: typeof fetch = (...asked) => {
    reads += 1
    return fetch(...asked)
  }
  const checkout = createCheckout({ baseUrl: url, publishableKey, call, storage: null })
  const payment = checkout.payment(sessionId)
  const { problem } = await payment.start({ phone })
  if (problem) throw problem
  return new Promise((resolve, reject) => {
    const look = () => {
      const { phase, status } = payment.getView()
      const isOver = phase === "failed" || phase === "expired" || phase === "under_review"
      if (isOver) reject(new Error(`A payment ended ${phase} (${String(status?.reason)}).`))
      if (phase !== "paid" || status === null) return
      resolve({ sessionId, payment: status, reads, seenAtMs: Date.now() })
      stop()
    }
    const stop = payment.subscribe(look)
  })
}
