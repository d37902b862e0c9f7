/**
 * What this browser remembers between visits: ids and the link of the last receipt, never a name, a
 * phone number or an amount. A browser that refuses storage still works, it just forgets.
 */
import { recordOf, textOf } from "./api/wire"

export type Memory = { read(): string | null; write(value: string | null): void }

function memoryOf(key: string): Memory {
  let fallback: string | null = null
  return {
    read() {
      try {
        return window.localStorage.getItem(key)
      } catch {
        return fallback
      }
    },
    write(value) {
      fallback = value
      try {
        if (value === null) window.localStorage.removeItem(key)
        else window.localStorage.setItem(key, value)
      } catch {
        // Private windows may refuse; the value lives as long as the page.
      }
    },
  }
}

export const rememberedCart = memoryOf("shop.cart_id")
export const rememberedLanguage = memoryOf("shop.language")
export const rememberedRegion = memoryOf("shop.region_id")

/** The order that this browser has paid last. Only with it the shop shows an order's page. */
export type LastOrder = {
  orderId: string
  /** Its payment session, by which its receipt is asked for. */
  sessionId: string
  /** Whoever has it can open the receipt; null: not known yet. */
  receiptUrl: string | null
  /** ISO 8601. */
  at: string
}

const LAST_ORDER = memoryOf("shop.last_order")
/** As long as the receipt's link lives after a payment. */
const KEPT_FOR_MS = 90 * 24 * 60 * 60 * 1_000

export const rememberedOrder = {
  /** Null also for an order whose time is over; that one is forgotten. */
  read(): LastOrder | null {
    const order = lastOrderFrom(LAST_ORDER.read())
    if (order === null || Date.now() - Date.parse(order.at) < KEPT_FOR_MS) return order
    LAST_ORDER.write(null)
    return null
  },
  write(order: LastOrder | null): void {
    LAST_ORDER.write(order && JSON.stringify(order))
  },
}

function lastOrderFrom(text: string | null): LastOrder | null {
  try {
    const kept = recordOf(JSON.parse(text ?? "null"))
    const [orderId, sessionId, at] = [kept.orderId, kept.sessionId, kept.at].map(textOf)
    if (!orderId || !sessionId || !at || Number.isNaN(Date.parse(at))) return null
    return { orderId, sessionId, at, receiptUrl: textOf(kept.receiptUrl) }
  } catch {
    return null
  }
}
