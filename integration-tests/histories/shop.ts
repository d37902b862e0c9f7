/**
 * The Medusa of a history: its carts stand in the referee's process, as Medusa's tables outlive a
 * process of it.
 */
import type { MedusaPort } from "../../src/engine/medusa-port"
import type { Database } from "../../src/ledger/database"
import { medusaInMemory, newCart, newSession, type Cart } from "../support/medusa-in-memory"
import {
  closeMedusaRefund,
  openMedusaRefund,
  writeMedusaRefund,
} from "../support/medusa-refunds-in-memory"

export class Shop {
  /** By the id of their payment collection. */
  readonly carts = new Map<string, Cart>()
  /** Every payment session that a shopper's page was ever opened with. */
  readonly sessionIds = new Set<string>()

  constructor(private readonly nowMs: () => number) {}

  /** As it is at this moment, for whoever reads it while it goes on. */
  copy(): Shop {
    const copy = new Shop(this.nowMs)
    for (const [id, cart] of this.carts) {
      const { sessions, payments, refunds, order } = cart
      copy.carts.set(id, {
        ...cart,
        sessions: [...sessions],
        payments: payments.map((one) => ({ ...one })),
        refunds: [...refunds],
        order: order && { ...order },
      })
    }
    return copy
  }

  medusa(database: Database): MedusaPort {
    return medusaInMemory(this.carts, database)
  }

  open(collectionId: string, total: string): Cart {
    const cart = newCart(total, this.nowMs)
    this.carts.set(collectionId, cart)
    return cart
  }

  cart(collectionId: string): Cart {
    const cart = this.carts.get(collectionId)
    if (!cart) throw new Error(`there is no cart of ${collectionId}`)
    return cart
  }

  /** A page is loaded: the cart's sessions are made anew, one for each of these ways to pay. */
  load(collectionId: string, providerIds: readonly string[]): void {
    const cart = this.cart(collectionId)
    cart.sessions = providerIds.map((id) => newSession(collectionId, id, cart.total))
    for (const { id } of cart.sessions) this.sessionIds.add(id)
  }
}

type Answered = { readonly kind: string }

/**
 * One click on Medusa's Refund: its row, then the provider, then what follows from the answer. A
 * process that dies leaves the row as it is.
 */
export async function clickRefund<Told extends Answered>(
  cart: Cart,
  amount: string,
  ask: (rowId: string) => Promise<Told>,
  createdBy: string | null = null,
): Promise<Told> {
  const rowId = openMedusaRefund(cart, amount, createdBy)
  const told = await ask(rowId)
  if (told.kind === "done") writeMedusaRefund(cart, rowId)
  else if (told.kind !== "died") closeMedusaRefund(cart, rowId, true)
  return told
}
