/**
 * Medusa's refunds in memory: it makes its row, asks the provider, and deletes the row where the
 * answer is no. After a yes its workflow writes a transaction for every row that has none, each of
 * the amount that it was itself asked for, and a credit line. Medusa keeps its sums and does not
 * work them out: a writer that forgets to count is found out.
 */
import { LIMITS } from "../../src/core/limits"
import type { MedusaRefunds } from "../../src/engine/medusa-port"
import type { Cart } from "./medusa-in-memory"

/** Medusa's records of a cart's refunds, besides their rows. */
export type RefundEntries = {
  transactions: {
    readonly id: string
    /** A refund row, or `PAYMENT`. */
    readonly referenceId: string
    readonly amount: string
    readonly version: number
    readonly madeAtMs: number
  }[]
  creditLines: { readonly id: string; readonly rowId: string | null; readonly amount: string }[]
  /** The order's; each credit line of Medusa's workflow makes the next. */
  version: number
  /** As last counted, in major units. */
  orderRefunded: number
  credited: number
  collectionRefunded: number
}

/** The transactions of a cancelled order are in this name. */
export const PAYMENT = "pay_1"

export const noEntries = (): RefundEntries => ({
  transactions: [],
  creditLines: [],
  version: 1,
  orderRefunded: 0,
  credited: 0,
  collectionRefunded: 0,
})

let made = 0

/** @returns the id of the row; the provider is to be asked for it next */
export function openMedusaRefund(cart: Cart, amount: string, createdBy: string | null): string {
  const [payment] = cart.payments
  if (!payment) throw new Error("Medusa holds no payment to give back")
  const id = `ref_${(made += 1)}`
  const { sessionId } = payment
  cart.refunds.push({ id, sessionId, amount, createdBy, madeAtMs: cart.nowMs() })
  return id
}

/** Refused: the row is deleted. Else its workflow goes as far as the transactions. */
export function closeMedusaRefund(cart: Cart, id: string, isRefused: boolean): void {
  if (isRefused) cart.refunds = cart.refunds.filter((row) => row.id !== id)
  else writeTransactions(cart, id)
}

/**
 * Medusa's own writing, when the provider has said yes: transactions, credit line and sums. Of a
 * cancelled order the workflow refuses then, and takes the transactions back; the row stays.
 */
export function writeMedusaRefund(cart: Cart, rowId: string): void {
  if (cart.order?.isCanceled === true) return countCollection(cart)
  writeTransactions(cart, rowId)
  countCollection(cart)
  const row = cart.refunds.find(({ id }) => id === rowId)
  if (!row || !cart.order) return
  cart.entries.version += 1
  addCreditLine(cart, null, row.amount)
  countOrder(cart)
}

/** What cancelling an order writes where the provider has said no (H24). */
export function writeCanceling(cart: Cart, amount: string): void {
  addTransaction(cart, PAYMENT, amount)
  if (cart.order) cart.order.isCanceled = true
  countOrder(cart)
}

function writeTransactions(cart: Cart, rowId: string): void {
  const asked = cart.refunds.find(({ id }) => id === rowId)
  if (!asked || !cart.order) return
  for (const row of cart.refunds) {
    if (!isInOrder(cart, row.id)) addTransaction(cart, row.id, asked.amount)
  }
}

export function addTransaction(cart: Cart, referenceId: string, amount: string): void {
  const { transactions, version } = cart.entries
  const id = `ordtrx_${(made += 1)}`
  transactions.push({ id, referenceId, amount, version, madeAtMs: cart.nowMs() })
}

/** @param rowId in whose name; null: Medusa's own line, which names no refund */
export function addCreditLine(cart: Cart, rowId: string | null, amount: string): void {
  cart.entries.creditLines.push({ id: `ordcl_${(made += 1)}`, rowId, amount })
}

function isInOrder(cart: Cart, rowId: string): boolean {
  return cart.entries.transactions.some(({ referenceId }) => referenceId === rowId)
}

export const sumOf = (all: readonly { readonly amount: string }[]) =>
  Number(all.reduce((total, { amount }) => total + Number(amount), 0).toFixed(5))

export function countOrder({ entries }: Cart): void {
  entries.orderRefunded = sumOf(entries.transactions)
  entries.credited = sumOf(entries.creditLines)
}

export function countCollection(cart: Cart, without: readonly string[] = []): void {
  cart.entries.collectionRefunded = sumOf(cart.refunds.filter(({ id }) => !without.includes(id)))
}

export function medusaRefundsInMemory(carts: ReadonlyMap<string, Cart>): MedusaRefunds {
  const all = () => [...carts.values()]
  return {
    refund: async (id) => {
      const cart = all().find(({ refunds }) => refunds.some((row) => row.id === id))
      const row = cart?.refunds.find((one) => one.id === id)
      if (!cart || !row) return undefined
      const session = cart.sessions.find((one) => one.id === row.sessionId) ?? cart.sessions[0]
      const before = cart.refunds.slice(0, cart.refunds.indexOf(row))
      const nowMs = cart.nowMs()
      const isAtWork = (other: Cart["refunds"][number]) =>
        nowMs - other.madeAtMs < LIMITS.leaseMs && !isInOrder(cart, other.id)
      return {
        id,
        sessionId: row.sessionId,
        providerId: session?.providerId ?? "",
        amount: row.amount,
        capturedAmount: cart.payments[0]?.amount ?? "0",
        createdBy: row.createdBy,
        hasOrder: cart.order !== null,
        ageMs: nowMs - row.madeAtMs,
        isBehind: cart.order !== null && before.some(isAtWork),
      }
    },
    shown: async (ids) => {
      const rows = all().flatMap(({ refunds }) => refunds)
      return new Set(rows.flatMap(({ id }) => (ids.includes(id) ? id : [])))
    },
    paidOfOrder: async (orderId) =>
      all()
        .filter(({ order }) => order?.id === orderId)
        .flatMap(({ payments, refunds }) =>
          payments.map(({ sessionId, amount = "0" }) => ({
            sessionId,
            capturedAmount: amount,
            leftAmount: Math.max(0, Number(amount) - sumOf(refunds)).toFixed(5),
          })),
        ),
  }
}
