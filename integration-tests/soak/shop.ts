/**
 * All carts of the soak, in the referee's process, as Medusa's tables outlive a process of it. Each
 * cart has a stand-in of its own; a question goes to the one whose id it names.
 */
import type { MedusaPort, MedusaPayable, MedusaRefunds } from "../../src/engine/medusa-port"
import type { Database } from "../../src/ledger/database"
import { medusaInMemory, newCart, newSession, type Cart } from "../support/medusa-in-memory"
import { medusaRefundsInMemory } from "../support/medusa-refunds-in-memory"
import { refundRecordsInMemory } from "../support/refund-records-in-memory"

export type Shop = {
  readonly medusa: MedusaPort & MedusaRefunds
  readonly carts: ReadonlyMap<string, Cart>
  open(collectionId: string, total: string): Cart
  /** A page is loaded: the cart's sessions are made anew, one for each of these ways to pay. */
  load(collectionId: string, providerIds: readonly string[]): readonly MedusaPayable[]
}

export function openShop(database: Database, nowMs: () => number): Shop {
  const carts = new Map<string, Cart>()
  const standIns = new Map<string, MedusaPort>()
  const collections = new Map<string, string>()
  const nobody = medusaInMemory(new Map(), database)

  const known = (id: string) => collections.get(id) ?? collections.get(id.replace(/^cart_/, ""))
  const collectionOf = (given: unknown): string | undefined => {
    if (typeof given === "string") return known(given)
    if (Array.isArray(given)) return collectionOf(given[0])
    if (typeof given !== "object" || given === null) return undefined
    if ("collectionId" in given) return collectionOf(given.collectionId)
    if ("cartId" in given) return collectionOf(given.cartId)
    return "id" in given ? collectionOf(given.id) : undefined
  }
  const ask = async (question: keyof MedusaPort, given: unknown[]): Promise<unknown> => {
    const collectionId = collectionOf(given[0])
    const standIn = standIns.get(collectionId ?? "") ?? nobody
    const answer: unknown = Reflect.get(standIn, question)
    if (typeof answer !== "function") throw new Error(`Medusa has no ${question}`)
    const said: unknown = await Reflect.apply(answer, standIn, given)
    const order = carts.get(collectionId ?? "")?.order
    if (order && collectionId) collections.set(order.id, collectionId)
    return said
  }
  // They name rows, payments and orders; which cart's those are, the stand-in itself finds.
  const refunds = { ...medusaRefundsInMemory(carts), ...refundRecordsInMemory(carts, database) }
  return {
    carts,
    medusa: new Proxy(refunds as MedusaPort & MedusaRefunds, {
      get:
        (_target, question: keyof MedusaPort | keyof MedusaRefunds) =>
        (...given: unknown[]): unknown =>
          question in refunds
            ? Reflect.apply(refunds[question as keyof typeof refunds], refunds, given)
            : ask(question, given),
    }),
    open(collectionId, total) {
      const cart = newCart(total)
      cart.nowMs = nowMs
      carts.set(collectionId, cart)
      collections.set(collectionId, collectionId)
      standIns.set(collectionId, medusaInMemory(new Map([[collectionId, cart]]), database))
      return cart
    },
    load(collectionId, providerIds) {
      const cart = carts.get(collectionId)
      if (!cart) throw new Error(`there is no cart of ${collectionId}`)
      const made = providerIds.map((id) => newSession(collectionId, id, cart.total))
      for (const { id } of made) collections.set(id, collectionId)
      cart.sessions = made
      return made
    },
  }
}
