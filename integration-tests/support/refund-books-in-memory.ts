/**
 * Medusa's five places of a refund, in memory: its rows, the order's transactions and credit lines, and
 * the sums that it keeps of them. The sums are kept, not worked out, as Medusa's are: whoever forgets to
 * count is found out.
 */
import { noFailpoints } from "../../src/core/ports"
import type { HostCreditLine, HostTransaction, ShownRefund } from "../../src/core/refund-delivery"
import type { HostRefundBooks } from "../../src/flows/host"
import { refundForMedusa, type RefundForMedusaDeps } from "../../src/flows/refund/refund-for-medusa"
import type { Database } from "../../src/ledger/database"
import type { Cart } from "./host-in-memory"
import { closeHostRefund, hostRefundsInMemory, openHostRefund } from "./host-refunds-in-memory"

type Entry<T> = { -readonly [K in keyof T]: T[K] }

type Books = {
  /** Beside those of rows that are in the order: what cancelling wrote, and what was removed. */
  transactions: Entry<HostTransaction>[]
  creditLines: Entry<HostCreditLine>[]
  /** As last counted, in major units. */
  orderRefunded: number
  credited: number
  collectionRefunded: number
}

const kept = new WeakMap<Cart, Books>()

export function booksOf(cart: Cart): Books {
  const known = kept.get(cart)
  if (known) return known
  const books: Books = {
    transactions: [],
    creditLines: [],
    orderRefunded: 0,
    credited: 0,
    collectionRefunded: 0,
  }
  kept.set(cart, books)
  return books
}

const OF_ROW = "ordtrx_"
let written = 0

/** Medusa's own writing, when the provider has said yes: transaction, credit line and sums. */
export function writeHostRefund(cart: Cart, rowId: string): void {
  closeHostRefund(cart, rowId, false)
  const row = cart.refunds.find(({ id }) => id === rowId)
  if (!row) return
  const { creditLines } = booksOf(cart)
  creditLines.push({
    ids: [`ordcl_${(written += 1)}`],
    referenceId: rowId,
    amount: row.amount,
    madeVersion: 1,
    isRemoved: false,
  })
  countOrder(cart)
  countCollection(cart)
}

/** What cancelling an order writes where the provider has said no (H24). */
export function writeCanceling(cart: Cart, amount: string): void {
  booksOf(cart).transactions.push(aTransaction(`ordtrx_cancel_${(written += 1)}`, PAYMENT, amount))
  if (cart.order) cart.order.isCanceled = true
  countOrder(cart)
}

const PAYMENT = "pay_1"

function aTransaction(id: string, referenceId: string, amount: string): Entry<HostTransaction> {
  return { id, referenceId, amount, version: 0, isRemoved: false }
}

function transactionsOf(cart: Cart): Entry<HostTransaction>[] {
  const ofRows = cart.refunds
    .filter(({ isInOrder }) => isInOrder)
    .map(({ id, amount }) => aTransaction(`${OF_ROW}${id}`, id, amount))
  return [...booksOf(cart).transactions, ...ofRows]
}

const sum = (amounts: readonly string[]) =>
  Number(amounts.reduce((total, amount) => total + Number(amount), 0).toFixed(5))

const standing = (entries: readonly { readonly amount: string; readonly isRemoved: boolean }[]) =>
  sum(entries.filter(({ isRemoved }) => !isRemoved).map(({ amount }) => amount))

function countOrder(cart: Cart): void {
  const books = booksOf(cart)
  books.orderRefunded = standing(transactionsOf(cart))
  books.credited = standing(books.creditLines)
}

function countCollection(cart: Cart): void {
  booksOf(cart).collectionRefunded = sum(cart.refunds.map(({ amount }) => amount))
}

/** What Medusa shows of all refunds of a cart, and whether its places agree. */
export function shownOf(cart: Cart) {
  const books = booksOf(cart)
  return {
    rows: cart.refunds.map(({ amount }) => amount),
    transactions: transactionsOf(cart)
      .filter(({ isRemoved }) => !isRemoved)
      .map(({ amount }) => amount),
    creditLines: books.creditLines
      .filter(({ isRemoved }) => !isRemoved)
      .map(({ amount }) => amount),
    orderRefunded: books.orderRefunded,
    credited: books.credited,
    collectionRefunded: books.collectionRefunded,
  }
}

/** The order's refund transactions as Medusa would show them, by whose name they are in. */
export function refundEvidenceOf(cart: Cart, paymentId: string) {
  const books = booksOf(cart)
  const living = transactionsOf(cart).filter(({ isRemoved }) => !isRemoved)
  return {
    rows: cart.refunds.map(({ id, amount, createdBy }) => ({ id, amount, createdBy })),
    transactions: living.map(({ referenceId, amount }) => ({
      referenceId: referenceId === PAYMENT ? paymentId : referenceId,
      amount,
    })),
    ofCollection: String(books.collectionRefunded),
    rowsOfCollection: String(sum(cart.refunds.map(({ amount }) => amount))),
    ofOrder: cart.order && {
      summary: String(books.orderRefunded),
      transactions: String(standing(living)),
    },
  }
}

/** Whether an order owes what its transactions say, by its credit lines: as Medusa writes both at once. */
export function creditDisagreements(cart: Cart): string[] {
  const { orderRefunded, credited, creditLines, transactions } = shownOf(cart)
  const sums = [sum(transactions), sum(creditLines), credited, orderRefunded]
  return new Set(sums).size === 1 ? [] : [`I2: the order's places disagree: ${sums.join(", ")}`]
}

/** @param provider asked for rows that Medusa makes; without it only marked rows are answered */
export function refundBooksInMemory(
  carts: ReadonlyMap<string, Cart>,
  database: Database,
  provider?: (rowId: string) => Promise<void>,
): HostRefundBooks {
  const every = () => [...carts.values()]
  const ofOrder = (orderId: string) => every().find(({ order }) => order?.id === orderId)
  return {
    async shownRefund(key) {
      const cart = carts.get(key.collectionId)
      if (!cart?.payments.some(({ isCanceled }) => !isCanceled)) return undefined
      return shownRefundOf(cart, key.operationId, key.hostRefundId, key.hostAmount)
    },
    async makeRefund({ amount, createdBy, isByWorkflow, paymentId }) {
      const cart = carts.get(paymentId)
      if (!cart) throw new Error(`no payment ${paymentId}`)
      const row = openHostRefund(cart, amount, createdBy)
      try {
        await (provider ? provider(row) : markedOnly(carts, database, row))
      } catch (error) {
        closeHostRefund(cart, row, true)
        throw error
      }
      if (isByWorkflow) writeHostRefund(cart, row)
      countCollection(cart)
    },
    async removeRefunds(rowIds) {
      for (const cart of every()) {
        cart.refunds = cart.refunds.filter(({ id }) => !rowIds.includes(id))
      }
    },
    async removeRefundTransactions(ids) {
      for (const cart of every()) {
        const books = booksOf(cart)
        for (const one of transactionsOf(cart).filter(({ id }) => ids.includes(id))) {
          const row = cart.refunds.find(({ id }) => id === one.referenceId)
          if (row) row.isInOrder = false
          books.transactions = books.transactions.filter(({ id }) => id !== one.id)
          books.transactions.push({ ...one, isRemoved: true })
        }
      }
    },
    async removeCreditLines(ids) {
      for (const line of every().flatMap((cart) => booksOf(cart).creditLines)) {
        if (line.ids.some((id) => ids.includes(id))) line.isRemoved = true
      }
    },
    async addCreditLine({ orderId, rowId, amount }) {
      const cart = ofOrder(orderId)
      const lines = cart && booksOf(cart).creditLines
      if (lines?.some((line) => line.referenceId === rowId && !line.isRemoved)) return
      const ids = [`ordcl_${(written += 1)}`]
      lines?.push({ ids, referenceId: rowId, amount, madeVersion: 1, isRemoved: false })
    },
    async addRefundTransaction({ orderId, rowId }) {
      const cart = ofOrder(orderId)
      if (!cart) return
      closeHostRefund(cart, rowId, false)
      booksOf(cart).orderRefunded = standing(transactionsOf(cart))
    },
    async recountOrder(orderId) {
      const cart = ofOrder(orderId)
      if (cart) countOrder(cart)
    },
    async recountCollection(collectionId) {
      const cart = carts.get(collectionId)
      if (cart) countCollection(cart)
    },
  }

  function shownRefundOf(
    cart: Cart,
    operationId: string,
    hostRefundId: string | null,
    amount: string,
  ): ShownRefund {
    const isMarked = (createdBy: string | null) => createdBy === `mp_operation:${operationId}`
    const own = cart.refunds.filter(
      ({ id, createdBy }) => id === hostRefundId || isMarked(createdBy),
    )
    const ids = [...own.map(({ id }) => id), hostRefundId]
    const all = transactionsOf(cart)
    const isClaimed = cart.refunds.some(
      (row) => !ids.includes(row.id) && !row.isInOrder && row.amount === amount,
    )
    const [collectionId = ""] = [...carts].find(([, one]) => one === cart) ?? []
    return {
      paymentId: collectionId,
      order: cart.order && { id: cart.order.id, isCanceled: cart.order.isCanceled },
      rows: own.map((row) => ({
        id: row.id,
        isBound: row.id === hostRefundId,
        isMarked: isMarked(row.createdBy),
      })),
      transactions: all
        .filter(
          ({ referenceId, amount: other }) =>
            ids.includes(referenceId) ||
            (referenceId === PAYMENT && Number(other) === Number(amount) && !isClaimed),
        )
        .map((one) => (one.referenceId === PAYMENT ? { ...one, referenceId: collectionId } : one)),
      allTransactions: all,
      creditLines: booksOf(cart).creditLines,
    }
  }
}

/** The job's own rows: the provider reads ledger and rows, and calls nobody. */
function markedOnly(
  carts: ReadonlyMap<string, Cart>,
  database: Database,
  rowId: string,
): Promise<void> {
  const deps: Pick<RefundForMedusaDeps, "database" | "refunds" | "failpoints"> = {
    database,
    refunds: hostRefundsInMemory(carts),
    failpoints: noFailpoints,
  }
  return refundForMedusa(deps as RefundForMedusaDeps, rowId)
}
