/**
 * Medusa's own lock of a cart. A completion holds it from before it makes the order until the order
 * is made or undone. It is acquired the way Medusa's workflows do: with the Postgres provider
 * `execute` would be another lock, and would hold a connection.
 */
import { randomUUID } from "node:crypto"
import type { ILockingModule } from "@medusajs/framework/types"
import { LIMITS } from "../../core/limits"
import { systemClock } from "../../core/ports"

/** @throws if the lock is held by another process for {@link LIMITS.orderLockMs} */
export async function whileCartRests<T>(
  locking: Pick<ILockingModule, "acquire" | "release">,
  cartId: string,
  read: () => Promise<T>,
): Promise<T> {
  const ownerId = `merchant-payments:${randomUUID()}`
  const untilMs = systemClock.monotonicMs() + LIMITS.orderLockMs
  for (;;) {
    try {
      await locking.acquire(cartId, { ownerId, expire: LIMITS.cartReadLockMs / 1_000 })
      break
    } catch (error) {
      if (systemClock.monotonicMs() >= untilMs) throw error
    }
    await systemClock.sleep(LIMITS.lockRetryMs)
  }
  try {
    return await read()
  } finally {
    await locking.release(cartId, { ownerId })
  }
}
