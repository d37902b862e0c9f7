/**
 * Medusa in memory: enough of carts, sessions, payments and orders for the flows.
 * It completes a cart as Medusa does, once, and asks the provider's own answer for it.
 */
import { randomUUID } from "node:crypto"
import type { CustomerId } from "../../src/core/ids"
import { systemIds } from "../../src/core/ports"
import { authorize } from "../../src/checkout/answer-medusa"
import type {
  MedusaOpenOrder,
  MedusaPort,
  MedusaPayable,
  MedusaRecord,
  MissingPart,
} from "../../src/engine/medusa-port"
import type { Database } from "../../src/ledger/database"
import { locked } from "./cart-lock"
import { recordsInMemory } from "./records-in-memory"
import {
  closeMedusaRefund,
  medusaRefundsInMemory,
  noEntries,
  openMedusaRefund,
  refundRecordsInMemory,
  type RefundEntries,
} from "./medusa-refunds-in-memory"

export type Cart = {
  sessions: MedusaPayable[]
  payments: {
    sessionId: string
    isCaptured: boolean
    isCanceled: boolean
    isInOrder: boolean
    /** What was captured, major units; the cart's total at that moment. */
    amount?: string
    /** By the clock of the cart's Medusa; left out: at any time. */
    madeAtMs?: number
  }[]
  /** Medusa's rows of refunds, those that were refused deleted. */
  refunds: {
    id: string
    sessionId: string
    amount: string
    createdBy: string | null
    note?: string | null
    /** By the clock of the cart's Medusa. */
    madeAtMs: number
  }[]
  entries: RefundEntries
  /** The clock of its Medusa. */
  nowMs: () => number
  order: {
    id: string
    isCanceled: boolean
    isPaidOtherwise?: boolean
    /** What it asks for beside that money; left out: nothing. */
    rest?: string
    /** What it asks for before that, where a credit line made it less; left out: its total. */
    open?: string
    /** What it asks for once its own payment is in it, by Medusa's sum; left out: nothing. */
    difference?: string
    /**
     * Payment collections with a payment of another provider that is authorised and not captured.
     */
    uncapturedIn?: string[]
  } | null
  total: string
  /** Its own sum, where the shop's code changed it and left its payment collection as it was. */
  sum?: string
  /** Why Medusa would not complete it; left out: it would. */
  missing?: readonly MissingPart[]
  /** How often Medusa captured. */
  completions: number
  /** Deleted, with its sessions. */
  isGone: boolean
  /** Its region has given our providers up; left out: it has them. */
  isProviderOff?: boolean
  /** The customer of the cart; left out: Medusa has none for it. */
  customer?: { readonly id: CustomerId; readonly hasAccount: boolean }
  /** The public data that sessions were given, as text. */
  shown: string[]
  /** Called once by a completion that is about to undo its order, and waited for. */
  beforeUndo?: () => Promise<void>
  /** A hook of the shop's changes the order that a completion makes. */
  orderMade?: (order: NonNullable<Cart["order"]>) => void
  /** The next completion fails after it has captured, as often as this says. */
  failuresAfterCapture?: number
  /** What the provider says to the refund that Medusa then asks for; left out: no. */
  refundAsked?: (rowId: string) => Promise<void>
}

const refuse = () => Promise.reject(new Error("the provider gives nothing back"))

/** @param nowMs the clock of its Medusa; absent: the machine's */
export function newCart(total: string, nowMs: () => number = Date.now): Cart {
  return {
    sessions: [],
    payments: [],
    refunds: [],
    entries: noEntries(),
    nowMs,
    order: null,
    total,
    completions: 0,
    isGone: false,
    shown: [],
  }
}

export function newSession(
  collectionId: string,
  providerId: string,
  amount: string,
): MedusaPayable {
  return {
    id: `payses_${randomUUID()}`,
    paymentCollectionId: collectionId,
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
type Carts = Map<string, Cart>
export function medusaInMemory(
  carts: Carts,
  database: Database,
  ids = systemIds,
  ask = authorize,
): MedusaPort {
  const find = (sessionId: string) =>
    [...carts.values()].flatMap(({ sessions }) => sessions).find(({ id }) => id === sessionId)
  const cartOf = (cartId: string) => carts.get(cartId.replace(/^cart_/, ""))
  const byOrder = (orderId: string) =>
    [...carts].find(([, { order }]) => order !== null && order.id === orderId)
  /** What an order's own payments have brought into it, the first one's first. */
  const broughtInto = (order: Cart["order"]) =>
    [...carts.values()].flatMap((cart) =>
      order === null || cart.order?.id !== order.id
        ? []
        : cart.payments.filter(({ isCanceled, isInOrder }) => !isCanceled && isInOrder),
    )
  const basketOf = (cart: Cart | undefined) =>
    cart && {
      positions: [{ title: "T-shirt", quantity: 1, total: cart.total }],
      total: cart.sum ?? cart.total,
      title: cart.order ? `Harbour & Hills #${cart.order.id.slice(-4)}` : "Harbour & Hills",
      email: "shopper@example.com",
      phone: null,
      name: "A Shopper",
      country: "lr",
      missing: cart.missing ?? [],
      soldOut: cart.missing?.includes("stock") ? [{ title: "T-shirt", lacking: 1 }] : [],
      order: cart.order === null ? null : openOf(cart, cart.order),
    }
  /** Its own money, another's, and its credit lines: what Medusa's sum leaves open. */
  const openOf = (cart: Cart, order: NonNullable<Cart["order"]>): MedusaOpenOrder => {
    const { isPaidOtherwise = false, rest = "0", difference = "0", open = cart.total } = order
    // As Medusa's sum: of the order's transactions, not of its payments.
    const [first, ...later] = broughtInto(order)
    const came = later.reduce((sum, { amount = "0" }) => sum + Number(amount), 0)
    const left = came === 0 ? difference : (Number(difference) - came).toFixed(2)
    return {
      id: order.id,
      currency: "usd",
      openAmount: first ? left : isPaidOtherwise ? rest : open,
      isCanceled: order.isCanceled,
      isDraft: false,
      uncapturedIn: order.uncapturedIn ?? [],
    }
  }
  /** For money beside a payment that the order has, Medusa makes another payment collection. */
  const more = (own: readonly (readonly [string, Cart])[]): readonly [string, Cart] => {
    const [id, first] = own[0] ?? []
    if (id === undefined || !first) throw new Error("no such order")
    const made = { ...newCart("0", first.nowMs), order: first.order }
    const collectionId = `${id}_${own.length}`
    carts.set(collectionId, made)
    return [collectionId, made]
  }
  const capture = (cart: Cart, { id: sessionId, amount }: MedusaPayable) => {
    const known = cart.payments.find((payment) => payment.sessionId === sessionId)
    if (known) return known
    cart.completions += 1
    const fresh = { isCaptured: true, isCanceled: false, isInOrder: false }
    const made = { sessionId, ...fresh, amount, madeAtMs: cart.nowMs() }
    cart.payments.push(made)
    return made
  }
  const complete = async (cart: Cart, cartId: string): Promise<string> => {
    if (cart.order) return cart.order.id
    const [first] = cart.sessions
    if (!first) throw new Error("no session")
    // Linked before the provider is asked: whoever reads now sees it.
    const order: NonNullable<Cart["order"]> = { id: `order_${randomUUID()}`, isCanceled: false }
    cart.order = order
    try {
      await authorized(cart, first, { cartId, orderId: order.id })
      if ((cart.failuresAfterCapture ?? 0) > 0 && cart.payments.length > 0) {
        cart.failuresAfterCapture = (cart.failuresAfterCapture ?? 0) - 1
        throw new Error("the shop's hook refuses the order")
      }
      for (const payment of cart.payments) payment.isInOrder ||= payment.sessionId === first.id
      cart.orderMade?.(order)
      return order.id
    } catch (error) {
      const { beforeUndo } = cart
      delete cart.beforeUndo
      await beforeUndo?.()
      cart.order = null
      await undoPayment(cart, first)
      throw error
    }
  }
  /** A payment that the session has is taken as it is; else the provider is asked. */
  const authorized = async (
    cart: Cart,
    session: MedusaPayable,
    of: { cartId: string; orderId: string },
  ): Promise<void> => {
    if (cart.payments.some(({ sessionId }) => sessionId === session.id)) return
    const answer = await ask({ database, logger: console, ids }, session, {
      ...of,
      hasPayment: cart.payments.some(({ isCanceled }) => !isCanceled),
    })
    if (answer.kind === "requires_more") throw new Error("not authorized")
    if (answer.kind === "captured") capture(cart, session)
  }
  /**
   * Medusa asks for a refund in nobody's name, and makes another session whatever the answer (H25).
   */
  const undoPayment = async (cart: Cart, session: MedusaPayable): Promise<void> => {
    const payment = cart.payments.find(({ sessionId }) => sessionId === session.id)
    if (!payment) return
    const row = openMedusaRefund(cart, payment.amount ?? cart.total, null)
    const refused = (cart.refundAsked ?? refuse)(row).then(
      () => false,
      () => true,
    )
    closeMedusaRefund(cart, row, await refused)
    cart.sessions = [newSession(session.paymentCollectionId, session.providerId, cart.total)]
  }
  const recordOf = (collectionId: string): MedusaRecord => {
    const cart = carts.get(collectionId)
    return {
      sessions: [...(cart?.sessions ?? [])].reverse(),
      payments: (cart?.payments ?? []).map((payment) => ({ ...payment })),
      order: cart?.order
        ? { ...cart.order, isPaidOtherwise: cart.order.isPaidOtherwise ?? false }
        : null,
      amount: cart?.total ?? "",
      cartId: cart?.isGone === true ? null : `cart_${collectionId}`,
      isProviderEnabled: cart?.order != null || cart?.isProviderOff !== true,
    }
  }
  return {
    ...refundRecordsInMemory(carts, database),
    ...medusaRefundsInMemory(carts),
    ...recordsInMemory(carts),
    payable: async (id) => {
      const session = find(id)
      const cart = session && carts.get(session.paymentCollectionId)
      if (!cart) return undefined
      return {
        ...session,
        orderId: cart.order?.id ?? null,
        isOrderCanceled: cart.order?.isCanceled ?? false,
        isProviderEnabled: cart.isProviderOff !== true,
        registeredCustomerId:
          cart.customer?.hasAccount === true ? cart.customer.id : session.registeredCustomerId,
        dueAmount: cart.total,
        hasPayment: cart.payments.some(({ isCanceled }) => !isCanceled),
      }
    },
    session: async (id) => find(id),
    due: async (collectionId) => {
      const cart = carts.get(collectionId)
      return (
        cart && {
          amount: cart.total,
          currency: "usd",
          orderId: cart.order?.id ?? null,
          providerIds: cart.sessions.map(({ providerId }) => providerId),
          isOrderCanceled: cart.order?.isCanceled ?? false,
          isAbandoned: cart.isGone,
        }
      )
    },
    registeredCustomer: async ({ cartId }) =>
      cartOf(cartId ?? "")?.sessions[0]?.registeredCustomerId ?? null,
    contact: async () => undefined,
    payableCart: async () => undefined,
    basketOfCart: async (cartId) => basketOf(cartOf(cartId)),
    cartTotal: async (cartId) => cartOf(cartId)?.sum ?? cartOf(cartId)?.total,
    basketOfOrder: async (orderId) => basketOf(byOrder(orderId)?.[1]),
    order: async (collectionId) => {
      const cart = carts.get(collectionId)
      if (!cart?.order) return undefined
      const open = cart.sessions.filter(({ status }) => status !== "canceled" && status !== "error")
      return {
        id: cart.order.id,
        isCanceled: cart.order.isCanceled,
        isCancelable: true,
        hasMoney:
          cart.order.isPaidOtherwise === true ||
          broughtInto(cart.order).length > 0 ||
          cart.payments.some(({ isCanceled }) => !isCanceled),
        providerIds: open.map(({ providerId }) => providerId),
      }
    },
    openOrder: async (orderId) => {
      const cart = byOrder(orderId)?.[1]
      return cart?.order ? openOf(cart, cart.order) : undefined
    },
    openSession: async (orderId, providerId) => {
      const own = [...carts].filter(([, { order }]) => order?.id === orderId)
      const [collectionId, cart] = own.find(([, one]) => one.payments.length === 0) ?? more(own)
      // Medusa's payment collection follows what is open; a credit line alone leaves it as it was.
      if (cart.order) cart.total = openOf(cart, cart.order).openAmount
      const fits = cart.sessions.find(
        (one) => one.providerId === providerId && one.amount === cart.total,
      )
      const session = fits ?? newSession(collectionId, providerId, cart.total)
      cart.sessions = [session]
      return session.id
    },
    collectionsOfOrder: async (orderId) =>
      [...carts].filter(([, { order }]) => order?.id === orderId).map(([id]) => id),
    paidSessionsOfOrder: async () => [],
    record: async (collectionId) => recordOf(collectionId),
    settledRecord: async (collectionId) => {
      const cart = carts.get(collectionId)
      if (!cart?.order || cart.isGone) return recordOf(collectionId)
      return locked(cart, async () => recordOf(collectionId))
    },
    dropCapture: async (sessionId) => {
      for (const cart of carts.values()) {
        cart.payments = cart.payments.filter((payment) => payment.sessionId !== sessionId)
      }
    },
    showOnSession: async (session, show) => {
      const cart = carts.get(session.paymentCollectionId)
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
    // The order first, the provider's answer last; an answer that is no yes undoes the order.
    completeCart: async (cartId) => {
      const cart = cartOf(cartId)
      if (!cart) throw new Error("no cart")
      return locked(cart, () => complete(cart, cartId))
    },
    // Whether there is an order is read before the lock of the cart is taken, as Medusa does.
    captureOnOrder: async (sessionId) => {
      const session = find(sessionId)
      const cart = session && carts.get(session.paymentCollectionId)
      if (!session || !cart) return
      const hadOrder = cart.order !== null
      await locked(cart, async () => {
        const payment = capture(cart, session)
        payment.isInOrder ||= cart.order !== null
      })
      if (!hadOrder) await locked(cart, () => complete(cart, session.cartId ?? ""))
    },
    refundCaptured: () => Promise.reject(new Error("only Medusa itself gives back what it holds")),
    cancelOrder: async (orderId) => {
      const order = byOrder(orderId)?.[1].order
      if (!order) throw new Error(`no order ${orderId}`)
      if (order.isCanceled) throw new Error(`Order with id ${orderId} has been canceled.`)
      order.isCanceled = true
    },
  }
}
