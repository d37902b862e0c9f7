/**
 * Shoppers as a storefront serves them, over the proxy: each asks again where a connection breaks
 * or a server says "later", and ends when their order is there.
 */
import { shopAt, type Answer, type Paid, type Shop } from "../http/support/shop"
import type { Cluster } from "./cluster"

/** Between two questions of a page. */
const ASK_EVERY_MS = 1_000
/** From the approval until the order; a lease that ends by itself takes minutes. */
const PAID_WITHIN_MS = 15 * 60_000

export type Purchase = {
  readonly cartId: string
  readonly sessionId: string
  /** Null: the database has lost the session that it was paid in. */
  readonly orderId: string | null
  /** From the first `start` until the page read that the order is there. */
  readonly tookMs: number
  /** Answers that are not in the documented shape, such as a raw 500. */
  readonly odd: readonly string[]
}

export type Shoppers = {
  /** So many shoppers pay, some at once, and more of them until `isEnough`. */
  pay(count: number, isEnough?: () => boolean): Promise<readonly Purchase[]>
  readonly shop: Shop
}

/** They wait at the gateway for two seconds, as a payer does who types a code. */
export async function shoppersOf(cluster: Cluster): Promise<Shoppers> {
  const shop = shopAt(cluster.url, cluster.publishableKey)
  await simulate(cluster, "plans", {
    operationType: "COLLECTION",
    outcome: "pending_then_approve",
    afterMs: 2_000,
  })
  let number = 0
  const one = async (): Promise<Purchase> => {
    number += 1
    const digits = String(1_000_000 + number).slice(1)
    // Together: a cart may be lost before its session is made.
    const [cartId, sessionId] = await persistently(async () => {
      const phone = `+231886${digits}`
      const id = await shop.cart({ region: "Liberia", phone, items: [["enamel-mug", 1]] })
      return [id, await shop.session(id)] as const
    })
    return pay(shop, cartId, sessionId)
  }
  return {
    shop,
    async pay(count, isEnough = () => true) {
      const atOnce = 4
      const paid: Purchase[] = []
      let left = count
      const worker = async () => {
        while (left-- > 0 || !isEnough()) paid.push(await one())
      }
      await Promise.all(Array.from({ length: atOnce }, worker))
      return paid
    },
  }
}

async function pay(shop: Shop, cartId: string, sessionId: string): Promise<Purchase> {
  const since = performance.now()
  const odd: string[] = []
  const note = (what: string, { status, body }: Answer<Paid>) => {
    // Each refusal of ours has a stable code.
    if (status >= 500 && body.code === undefined) {
      odd.push(`${what} ${status}: ${JSON.stringify(body).slice(0, 200)}`)
    }
  }
  let started = false
  while (performance.now() - since < PAID_WITHIN_MS) {
    const answer = await quietly(() => (started ? shop.status(sessionId) : shop.start(sessionId)))
    if (answer) {
      note(started ? "status" : "start", answer)
      const { payment } = answer.body
      if (!started && answer.status === 404) {
        return { cartId, sessionId, orderId: null, tookMs: performance.now() - since, odd }
      }
      // Where nothing is known of the payment, the page shows its form again, and the shopper presses.
      started = started ? answer.status !== 404 && payment !== null : answer.status < 300
      if (payment?.order_id) {
        return {
          cartId,
          sessionId,
          orderId: payment.order_id,
          tookMs: performance.now() - since,
          odd,
        }
      }
      if (payment && ["failed", "expired", "canceled"].includes(payment.state)) {
        throw new Error(`${cartId} ended as ${payment.state}: ${payment.reason}`)
      }
    }
    await pause(ASK_EVERY_MS)
  }
  throw new Error(`${cartId} (${sessionId}) has no order after ${PAID_WITHIN_MS} ms`)
}

export async function simulate<T = unknown>(
  { simulatorUrl }: Pick<Cluster, "simulatorUrl">,
  about: string,
  body?: object,
): Promise<T> {
  const answer = await fetch(`${simulatorUrl}/_simulator/${about}`, {
    method: body ? "POST" : "GET",
    ...(body && {
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  })
  if (!answer.ok) throw new Error(`${about} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as T
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Undefined where the connection broke: a page asks again. */
async function quietly<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch {
    return undefined
  }
}

/** Medusa's own routes before the payment, tried until they answer. */
async function persistently<T>(ask: () => Promise<T>): Promise<T> {
  const since = performance.now()
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (performance.now() - since > PAID_WITHIN_MS) throw error
      await pause(ASK_EVERY_MS)
    }
  }
}
