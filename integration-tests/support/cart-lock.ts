/** Medusa's locks of its carts, in memory. */
import type { Cart } from "./medusa-in-memory"

const locks = new WeakMap<Cart, Promise<unknown>>()

/** Medusa's lock of a cart: one after the other. */
export async function locked<T>(cart: Cart, work: () => Promise<T>): Promise<T> {
  const before = locks.get(cart)
  const done = (before ?? Promise.resolve()).then(work)
  const settled = done.catch(() => undefined)
  locks.set(cart, settled)
  try {
    return await done
  } finally {
    if (locks.get(cart) === settled) locks.delete(cart)
  }
}

/** Its Medusa was started anew. */
export const unlock = (cart: Cart): void => void locks.delete(cart)
