/** Carts that are paid in both ways that a figure compares: Medusa's own provider, and ours. */
import { StartFailure } from "../../demo/run/failure.cjs"
import { expectOk, PUSH } from "../../integration-tests/http/support/shop"
import type { Harness } from "./harness"
import { many } from "./many"
import { followToPaid, startPaying } from "./shopper"
import { sum } from "./statistics"

const CARTS_PREPARED_AT_ONCE = 4
/** Medusa's own provider, which asks nobody. */
export const SYSTEM = "pp_system_default"
const PHONE = "+231886123457"

/** Each cart has its payment collection already: what follows is the payment alone. */
export async function readyCarts({ shop }: Harness, count: number): Promise<string[]> {
  return many(Array.from({ length: count }), CARTS_PREPARED_AT_ONCE, async () => {
    const cartId = await shop.cart()
    await shop.collection(cartId)
    return cartId
  })
}

export async function payWithSystem({ shop }: Harness, cartIds: readonly string[]): Promise<void> {
  await many(cartIds, cartIds.length, async (cartId) => {
    await shop.session(cartId, SYSTEM)
    const { status, body } = await shop.complete(cartId)
    if (status === 200 && body.type === "order") return
    throw new StartFailure(
      `Medusa itself, with ${SYSTEM}, did not complete a cart (${status}: ${JSON.stringify(body)}).` +
        " Most often the machine is too busy: measure again when it is quiet.",
    )
  })
}

/** @returns how often the shoppers asked after their payments */
export async function payWithPhone(harness: Harness, cartIds: readonly string[]): Promise<number> {
  const reads = await many(cartIds, cartIds.length, async (cartId) => {
    const sessionId = await startByPhone(harness, cartId)
    return (await followToPaid(harness.shop, sessionId)).reads
  })
  return sum(reads)
}

/** @returns the session that is now under way */
export async function startByPhone(
  { shop }: Harness,
  cartId: string,
  phone = PHONE,
): Promise<string> {
  const sessionId = await shop.session(cartId, PUSH)
  await startPaying(shop, sessionId, phone)
  return sessionId
}

/** Each region offers Medusa's own provider, too. */
export async function offerSystemProvider({ admin }: Harness): Promise<void> {
  const path = "/admin/regions?fields=id,payment_providers.id"
  const { regions } = await expectOk(
    admin.call<{ regions: { id: string; payment_providers: { id: string }[] }[] }>("GET", path),
  )
  for (const { id, payment_providers: offered } of regions) {
    const ids = [...new Set([...offered.map((provider) => provider.id), SYSTEM])]
    await expectOk(admin.call("POST", `/admin/regions/${id}`, { payment_providers: ids }))
  }
}
