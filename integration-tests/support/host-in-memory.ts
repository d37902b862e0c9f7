/**
 * A host in memory in Medusa's place: enough of carts, sessions, payments and orders for the flows. It
 * completes a cart as Medusa does, once, and asks the provider's own answer for it.
 */
import { randomUUID } from "node:crypto"
import { systemIds } from "../../src/core/ports"
import { authorize } from "../../src/flows/answer-medusa"
import type { Host, HostPayable, HostRecord } from "../../src/flows/host"
import type { Database } from "../../src/ledger/database"

export type Cart = {
  sessions: HostPayable[]
  payments: {
    sessionId: string
    isCaptured: boolean
    isCanceled: boolean
    isInOrder: boolean
    /** What was captured, major units; the cart's total at that moment. */
    amount?: string
  }[]
  order: { id: string; isCanceled: boolean } | null
  total: string
  /** How often Medusa made an order, or captured. */
  completions: number
  /** The public data that sessions were given, as text. */
  shown: string[]
}

export function newCart(total: string): Cart {
  return { sessions: [], payments: [], order: null, total, completions: 0, shown: [] }
}

export function newSession(collectionId: string, providerId: string, amount: string): HostPayable {
  return {
    id: `payses_${randomUUID()}`,
    collectionId,
    providerId,
    amount,
    currency: "usd",
    status: "pending",
    createdAt: new Date(),
    cartId: `cart_${collectionId}`,
    orderId: null,
    isOrderCanceled: false,
    hasPayment: false,
    isProviderEnabled: true,
    registeredCustomerId: null,
  }
}

/** Over carts by the id of their payment collection; a cart's own id is `cart_` and that. */
export function hostInMemory(carts: ReadonlyMap<string, Cart>, database: Database): Host {
  const find = (sessionId: string) =>
    [...carts.values()].flatMap(({ sessions }) => sessions).find(({ id }) => id === sessionId)
  const cartOf = (cartId: string) => carts.get(cartId.replace(/^cart_/, ""))
  const basket = (cartId: string) => {
    const cart = cartOf(cartId)
    return (
      cart && {
        positions: [{ title: "T-shirt", quantity: 1, total: cart.total }],
        total: cart.total,
        email: "shopper@example.com",
        phone: null,
        name: "A Shopper",
        country: "lr",
        missing: [],
      }
    )
  }
  const pay = (cart: Cart, sessionId: string) => {
    const isPaid = cart.payments.some((payment) => payment.sessionId === sessionId)
    if (isPaid) return
    cart.completions += 1
    cart.payments.push({
      sessionId,
      isCaptured: true,
      isCanceled: false,
      isInOrder: true,
      amount: cart.total,
    })
  }
  return {
    payable: async (id) => {
      const session = find(id)
      const cart = session && carts.get(session.collectionId)
      if (!cart) return undefined
      return {
        ...session,
        orderId: cart.order?.id ?? null,
        isOrderCanceled: cart.order?.isCanceled ?? false,
        hasPayment: cart.payments.some(({ isCanceled }) => !isCanceled),
      }
    },
    session: async (id) => find(id),
    due: async (collectionId) => {
      const cart = carts.get(collectionId)
      const providerIds = cart?.sessions.map(({ providerId }) => providerId) ?? []
      return cart && { amount: cart.total, currency: "usd", providerIds }
    },
    payableCart: async () => undefined,
    basketOfCart: async (cartId) => basket(cartId),
    basketOfOrder: async () => undefined,
    paidSessionsOfOrder: async () => [],
    cartTotal: async (cartId) => cartOf(cartId)?.total,
    record: async (collectionId): Promise<HostRecord> => {
      const cart = carts.get(collectionId)
      return {
        sessions: [...(cart?.sessions ?? [])].reverse(),
        payments: [...(cart?.payments ?? [])],
        order: cart?.order ?? null,
        cartId: `cart_${collectionId}`,
        isProviderEnabled: true,
      }
    },
    showOnSession: async (session, show) => {
      const cart = carts.get(session.collectionId)
      if (show.data) cart?.shown.push(JSON.stringify(show.data))
      if (!cart || !show.status) return
      const status = show.status
      cart.sessions = cart.sessions.map((one) => (one.id === session.id ? { ...one, status } : one))
    },
    deleteSessions: async (ids) => {
      for (const cart of carts.values()) {
        cart.sessions = cart.sessions.filter(({ id }) => !ids.includes(id))
      }
    },
    completeCart: async (cartId) => {
      const cart = cartOf(cartId)
      const [first] = cart?.sessions ?? []
      if (!cart || !first) throw new Error("no session")
      const answer = await authorize({ database, logger: console, ids: systemIds }, first, {
        cartId,
        orderId: null,
      })
      if (answer.kind !== "captured") throw new Error("not authorized")
      cart.order ??= { id: `order_${randomUUID()}`, isCanceled: false }
      pay(cart, first.id)
      return cart.order.id
    },
    captureOnOrder: async (sessionId) => {
      const session = find(sessionId)
      const cart = session && carts.get(session.collectionId)
      if (cart) pay(cart, sessionId)
    },
  }
}
