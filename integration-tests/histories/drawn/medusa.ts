/**
 * Medusa around the one cart: its sessions, its lock while the cart becomes an order, and what it
 * answers to a process that asks, when that process has its turn.
 */
import { idFrom, type CustomerId } from "../../../src/core/ids"
import type { Ids } from "../../../src/core/ports"
import type { FlowDeps } from "../../../src/engine/deps"
import type { MedusaPort, MedusaRefunds } from "../../../src/engine/medusa-port"
import type { Database } from "../../../src/ledger/database"
import { sendRefundOfMedusa } from "../../../src/refunds/send-refund-of-medusa"
import { refundingHere, refundWritingOf } from "../medusa-refund"
import { medusaInMemory, newCart, newSession, type Cart } from "../../support/medusa-in-memory"
import { medusaRefundsInMemory } from "../../support/medusa-refunds-in-memory"
import type { DrivenClock } from "./clock"
import type { Release } from "./release"
import type { Process } from "./turn-taking"

export const COLLECTION = "pay_col_1"
export const CART = `cart_${COLLECTION}`
export const CUSTOMER_ID = idFrom<CustomerId>("cus_1")
const TOTAL = "19.99"
/** The lock of a cart that is being completed outlives its holder by so long. */
const CART_LOCK_MS = 120_000

export class Medusa {
  readonly cart: Cart
  /** By their payment collections: an order that is paid again has one more. */
  readonly carts: Map<string, Cart>
  /** How often it still refuses to complete the cart. */
  refusals = 0
  private lock: { readonly by: Process; readonly untilMs: number } | undefined

  constructor(
    private readonly clock: DrivenClock,
    private readonly ids: Ids,
  ) {
    this.cart = newCart(TOTAL, clock.nowMs)
    this.cart.customer = { id: CUSTOMER_ID, hasAccount: false }
    this.cart.orderMade = (order) => asksForTheSum(this.cart, order)
    this.carts = new Map([[COLLECTION, this.cart]])
  }

  /** Medusa lets nobody change a cart that is an order, or becomes one at this moment. */
  isPlaced(): boolean {
    return this.cart.order !== null || this.isLocked()
  }

  /** Sessions of an order that waits for its money are made anew as those of a cart are. */
  hasOpenSessions(): boolean {
    return !this.isLocked() && this.cart.payments.length === 0
  }

  isLocked(): boolean {
    return this.lock !== undefined && this.clock.nowMs() < this.lock.untilMs
  }

  postSession(providerId: string): void {
    const { payments, sessions } = this.cart
    const paid = sessions.filter(({ id }) => payments.some(({ sessionId }) => sessionId === id))
    // Medusa makes none of a provider that the region does not have.
    const fresh = this.cart.isProviderOff
      ? []
      : [newSession(COLLECTION, providerId, this.cart.total)]
    this.cart.sessions = [...fresh, ...paid]
  }

  /** The cart costs this from now on, and so does its payment collection. */
  reprice(total: string): void {
    this.cart.total = total
    delete this.cart.sum
  }

  medusaOf(process: Process, database: Database, authorize: Release["authorize"]): MedusaPort {
    const medusa = medusaInMemory(this.carts, database, this.ids, authorize)
    return new Proxy(medusa, {
      get: (target, question) => {
        const ask: unknown = Reflect.get(target, question)
        if (typeof ask !== "function") return ask
        return async (...given: unknown[]): Promise<unknown> => {
          await process.turn(`Medusa, ${String(question)}`)
          const answer = () => Promise.resolve(Reflect.apply(ask, target, given))
          // An order that is read while the cart is completed may be undone yet.
          if (question === "settledRecord" && this.isLocked()) throw new Error("The cart is locked")
          try {
            return await (question === "completeCart" ? this.completing(process, answer) : answer())
          } finally {
            await process.over(`Medusa, ${String(question)}`)
          }
        }
      },
    })
  }

  private async completing(process: Process, complete: () => Promise<unknown>): Promise<unknown> {
    if (this.isLocked()) throw new Error("Timed-out acquiring lock.")
    if (this.refusals > 0) {
      this.refusals -= 1
      throw new Error("Some variant does not have the required inventory")
    }
    const lock = { by: process, untilMs: this.clock.nowMs() + CART_LOCK_MS }
    this.lock = lock
    try {
      return await complete()
    } finally {
      if (this.lock === lock) this.lock = undefined
    }
  }

  refundsOf(process: Process): MedusaRefunds {
    const refunds = medusaRefundsInMemory(this.carts)
    return {
      refund: (id) => process.does("Medusa, its refund", () => refunds.refund(id)),
      shown: (ids) => process.does("Medusa, its refunds", () => refunds.shown(ids)),
      paidOfOrder: (id) => process.does("Medusa, its payments", () => refunds.paidOfOrder(id)),
    }
  }

  /** A refund of Medusa's workflow is made in the process that wants it, and asks our provider. */
  refundingIn(process: Process, deps: FlowDeps): FlowDeps {
    const writing = refundWritingOf(this.cart)
    const given = Object.assign(Object.create(deps.medusa) as MedusaPort, writing)
    return { ...deps, medusa: refundingHere(given, this.providerIn(process, deps)) }
  }

  /** Our provider, as Medusa asks it for a refund in this process. */
  providerIn(process: Process, deps: FlowDeps): (rowId: string) => Promise<void> {
    return (rowId) => sendRefundOfMedusa({ ...deps, medusa: this.refundsOf(process) }, rowId)
  }
}

/** An order is made of what the cart costs then, whatever its payment collection asks for. */
function asksForTheSum({ sum, payments }: Cart, order: NonNullable<Cart["order"]>): void {
  if (sum === undefined) return
  const [paid] = payments
  if (paid) order.difference = (Number(sum) - Number(paid.amount)).toFixed(5)
  else order.open = sum
}
