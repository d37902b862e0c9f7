/** One number in many carts, over both servers at once: the limit is the shop's, not a server's. */
import type { BookView } from "../../packages/simulator/src/book/view"
import { LIMITS } from "../../src/core/limits"
import type { Cluster } from "./cluster"
import { shoppersOf, simulate } from "./shoppers"

const CARTS = 12
const PHONE = "+231886800010"

const REFERENCES = `
  select reference from mp_operation
   where cart_id = any($1) and type = 'COLLECTION' and reference is not null`

export type Rung = {
  readonly carts: number
  /** Prompts that the gateway was asked for, by its own book. */
  readonly prompts: number
  readonly tookMs: number
  readonly violations: readonly string[]
}

export async function ringOnePhone(cluster: Cluster): Promise<Rung> {
  const { shop } = await shoppersOf(cluster)
  const carts: { readonly cartId: string; readonly sessionId: string }[] = []
  while (carts.length < CARTS) {
    const cartId = await shop.cart({
      region: "Liberia",
      phone: PHONE,
      items: [["enamel-mug", 1]],
    })
    carts.push({ cartId, sessionId: await shop.session(cartId) })
  }
  const fromMs = performance.now()
  const answers = await Promise.all(carts.map(({ sessionId }) => shop.start(sessionId)))
  const tookMs = performance.now() - fromMs
  const accepted = answers.filter(({ status }) => status < 300).length
  const odd = answers.filter(({ status }) => status >= 300 && status !== 429)

  const rows = await cluster.sql<{ reference: string }>(REFERENCES, [
    carts.map(({ cartId }) => cartId),
  ])
  const book = await simulate<ReturnType<BookView["toJSON"]>>(cluster, "book")
  const own = new Set(rows.map(({ reference }) => reference))
  const prompts = book.executions.filter(({ reference }) => own.has(reference)).length
  // A number earns a start back while they are made.
  const most = LIMITS.startsOfPhoneAtOnce + Math.ceil(tookMs / LIMITS.startOfPhoneBackMs) - 1
  return {
    carts: CARTS,
    prompts,
    tookMs: Math.round(tookMs),
    violations: [
      ...(prompts <= most ? [] : [`${prompts} prompts for one number; the limit is ${most}`]),
      ...(accepted >= LIMITS.startsOfPhoneAtOnce ? [] : [`only ${accepted} starts were accepted`]),
      ...odd.map(({ status, body }) => `a start was answered ${status}: ${String(body.code)}`),
    ],
  }
}
