/**
 * Does what Medusa's dashboard does for an order that asks for money: makes a payment collection
 * for the open amount, or updates it, and makes a payment session in it. Both by Medusa's
 * workflows.
 *
 * The caller keeps two admins from making two collections (`engine/one-at-a-time.ts`). Medusa's
 * dashboard may still make another one; `start` then allows only one payment of the order.
 */
import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import type { SessionReader } from "./session-reader"

export async function openSession(
  container: MedusaContainer,
  reader: Pick<SessionReader, "openSessionOf">,
  { orderId, providerId }: { readonly orderId: string; readonly providerId: string },
): Promise<string> {
  const workflows = container.resolve(Modules.WORKFLOW_ENGINE)
  const run = async (id: string, input: object): Promise<unknown> =>
    ((await workflows.run(id, { input })) as { readonly result: unknown }).result
  const collectionId = collectionIn(
    await run("create-or-update-order-payment-collection", { order_id: orderId }),
  )
  const open = await reader.openSessionOf(collectionId, providerId)
  if (open) return open
  return idIn(
    await run("create-payment-sessions", {
      payment_collection_id: collectionId,
      provider_id: providerId,
    }),
  )
}

/** The workflow returns the collections that it made or changed. */
function collectionIn(result: unknown): string {
  return idIn(Array.isArray(result) ? result[0] : result)
}

function idIn(result: unknown): string {
  if (typeof result === "object" && result !== null && "id" in result) return String(result.id)
  throw new Error("Medusa made nothing that could be paid for the order")
}
