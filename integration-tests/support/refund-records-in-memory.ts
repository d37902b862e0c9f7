/**
 * Medusa's five places of a refund, in memory: its rows, the order's transactions and credit lines,
 * and the sums that it keeps of them. The sums are kept, not worked out, as Medusa's are: whoever
 * forgets to count is found out.
 */
import { LIMITS } from "../../src/core/limits"
import type { RefundRecords } from "../../src/core/host-records"
import type { HostRefundRecords, HostSuspect } from "../../src/engine/host"
import type { MoneyDeps } from "../../src/engine/deps"
import { sendRefundOfMedusa } from "../../src/refunds/send-refund-of-medusa"
import type { Database } from "../../src/ledger/database"
import type { Cart } from "./host-in-memory"
import { closeHostRefund, hostRefundsInMemory, openHostRefund } from "./host-refunds-in-memory"
import {
  addCreditLine,
  addTransaction,
  entriesOf,
  hostNowMs,
  hostRow,
  PAYMENT,
  writeTransactions,
} from "./refund-entries-in-memory"

type Sums = {
  /** As last counted, in major units. */
  orderRefunded: number
  credited: number
  collectionRefunded: number
}

const kept = new WeakMap<Cart, Sums>()

function sumsOf(cart: Cart): Sums {
  const known = kept.get(cart)
  if (known) return known
  const sums: Sums = { orderRefunded: 0, credited: 0, collectionRefunded: 0 }
  kept.set(cart, sums)
  return sums
}

/**
 * Medusa's own writing, when the provider has said yes: transactions, credit line and sums. Of a
 * cancelled order the workflow refuses then, and takes the transactions back; the row stays.
 */
export function writeHostRefund(cart: Cart, rowId: string): void {
  if (cart.order?.isCanceled === true) return countCollection(cart)
  writeHostTransactions(cart, rowId)
  const row = cart.refunds.find(({ id }) => id === rowId)
  if (!row || !cart.order) return
  addCreditLine(cart, null, row.amount)
  countOrder(cart)
}

/** As far as Medusa's process comes that dies before the credit line. */
export function writeHostTransactions(cart: Cart, rowId: string): void {
  writeTransactions(cart, rowId)
  countOrder(cart)
  countCollection(cart)
}

/** What cancelling an order writes where the provider has said no (H24). */
export function writeCanceling(cart: Cart, amount: string): void {
  addTransaction(cart, PAYMENT, amount)
  if (cart.order) cart.order.isCanceled = true
  countOrder(cart)
}

const sum = (amounts: readonly string[]) =>
  Number(amounts.reduce((total, amount) => total + Number(amount), 0).toFixed(5))

const existing = (entries: readonly { readonly amount: string; readonly isRemoved: boolean }[]) =>
  sum(entries.filter(({ isRemoved }) => !isRemoved).map(({ amount }) => amount))

function countOrder(cart: Cart): void {
  const { transactions, creditLines } = entriesOf(cart)
  const sums = sumsOf(cart)
  sums.orderRefunded = existing(transactions)
  sums.credited = existing(creditLines)
}

const ofRows = (cart: Cart, without: readonly string[] = []) =>
  sum(cart.refunds.filter(({ id }) => !without.includes(id)).map(({ amount }) => amount))

function countCollection(cart: Cart, without: readonly string[] = []): void {
  sumsOf(cart).collectionRefunded = ofRows(cart, without)
}

/** Its refunds and its credit lines do not add up. */
export function isOrderOpen(cart: Cart): boolean {
  const { orderRefunded, credited } = sumsOf(cart)
  return orderRefunded !== credited
}

const living = <T extends { readonly isRemoved: boolean }>(entries: readonly T[]) =>
  entries.filter(({ isRemoved }) => !isRemoved)

/** What Medusa shows of all refunds of a cart, and whether its places agree. */
export function shownOf(cart: Cart) {
  const { transactions, creditLines } = entriesOf(cart)
  return {
    rows: cart.refunds.map(({ amount }) => amount),
    transactions: living(transactions).map(({ amount }) => amount),
    creditLines: living(creditLines).map(({ amount }) => amount),
    ...sumsOf(cart),
  }
}

/** The order's refund transactions as Medusa would show them, by whose name they are in. */
export function refundEvidenceOf(cart: Cart, paymentId: string) {
  const transactions = living(entriesOf(cart).transactions)
  const { collectionRefunded, orderRefunded } = sumsOf(cart)
  return {
    rows: cart.refunds.map(({ id, amount, createdBy }) => ({ id, amount, createdBy })),
    transactions: transactions.map(({ referenceId, amount }) => ({
      referenceId: referenceId === PAYMENT ? paymentId : referenceId,
      amount,
    })),
    ofCollection: String(collectionRefunded),
    rowsOfCollection: String(ofRows(cart)),
    ofOrder: cart.order && {
      summary: String(orderRefunded),
      transactions: String(existing(transactions)),
    },
  }
}

/**
 * Whether an order owes what its transactions say, by its credit lines: as Medusa writes both at
 * once.
 */
export function creditDisagreements(cart: Cart): string[] {
  const { orderRefunded, credited, creditLines, transactions } = shownOf(cart)
  const sums = [sum(transactions), sum(creditLines), credited, orderRefunded]
  return new Set(sums).size === 1 ? [] : [`I2: the order's places disagree: ${sums.join(", ")}`]
}

/** @param provider asked for rows that Medusa makes; without it only marked rows are answered */
export function refundRecordsInMemory(
  carts: ReadonlyMap<string, Cart>,
  database: Database,
  provider?: (rowId: string) => Promise<void>,
): HostRefundRecords {
  const every = () => [...carts.values()]
  const ofOrder = (orderId: string) => every().find(({ order }) => order?.id === orderId)
  return {
    async refundRecords({ collectionId }) {
      const cart = carts.get(collectionId)
      const isPaid = cart?.payments.some(({ isCanceled }) => !isCanceled)
      return cart && isPaid ? refundRecordsOf(cart, collectionId) : undefined
    },
    async suspectRefunds({ after, limit }) {
      const all = [...carts].flatMap(([collectionId, cart]) => suspectsOf(cart, collectionId))
      return all
        .sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1))
        .filter((one) => after === undefined || placeOf(one) > placeOf(after))
        .slice(0, limit)
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
        const removed = cart.refunds.filter(({ id }) => rowIds.includes(id))
        entriesOf(cart).removedRows.push(...removed)
        cart.refunds = cart.refunds.filter(({ id }) => !rowIds.includes(id))
      }
    },
    async removeRefundTransactions(ids) {
      for (const cart of every()) {
        for (const one of entriesOf(cart).transactions) {
          if (ids.includes(one.id)) one.isRemoved = true
        }
      }
    },
    async removeCreditLines(ids) {
      for (const line of every().flatMap((cart) => entriesOf(cart).creditLines)) {
        if (line.ids.some((id) => ids.includes(id))) line.isRemoved = true
      }
    },
    async addCreditLine({ orderId, rowId, amount, isInTransactions }) {
      const cart = ofOrder(orderId)
      if (!cart) return
      const { creditLines, transactions } = entriesOf(cart)
      if (living(creditLines).some(({ referenceId }) => referenceId === rowId)) return
      const open =
        existing(transactions) - existing(creditLines) - (isInTransactions ? Number(amount) : 0)
      // What is owed already needs no line.
      const credit = Number(amount) + Math.min(0, open)
      if (credit > 0.00001) addCreditLine(cart, rowId, String(Number(credit.toFixed(5))))
    },
    async addRefundTransaction({ orderId, rowId, amount }) {
      const cart = ofOrder(orderId)
      if (!cart) return
      addTransaction(cart, rowId, amount)
      sumsOf(cart).orderRefunded = existing(entriesOf(cart).transactions)
    },
    async recountOrder(orderId) {
      const cart = ofOrder(orderId)
      if (cart) countOrder(cart)
    },
    async recountCollection(collectionId, without = []) {
      const cart = carts.get(collectionId)
      if (cart) countCollection(cart, without)
    },
  }
}

function refundRecordsOf(cart: Cart, collectionId: string): RefundRecords {
  const { transactions, creditLines, removedRows, version } = entriesOf(cart)
  const { orderRefunded, credited, collectionRefunded } = sumsOf(cart)
  const rows = [
    ...cart.refunds.map((row) => hostRow(cart, row, false)),
    ...removedRows.map((row) => hostRow(cart, row, true)),
  ]
  const open = existing(transactions) - existing(creditLines)
  return {
    paymentId: collectionId,
    order: cart.order && {
      id: cart.order.id,
      isCanceled: cart.order.isCanceled,
      version,
      open: Math.max(0, open).toFixed(5),
      isCounted: orderRefunded === existing(transactions) && credited === existing(creditLines),
    },
    isCollectionCounted: collectionRefunded === ofRows(cart),
    rows,
    transactions: transactions.map(({ referenceId, madeAtMs, ...one }) => ({
      ...one,
      referenceId: referenceId === PAYMENT ? collectionId : referenceId,
      paymentId: collectionId,
      ageMs: hostNowMs(cart) - madeAtMs,
    })),
    creditLines,
  }
}

/** The pages' order: by payment, its rows after what is of none. */
const placeOf = ({ paymentId, hostRefundId }: HostSuspect) => `${paymentId} ${hostRefundId ?? ""}`

/** More than Medusa's statement finds: what is none is told apart by who asked for them. */
function suspectsOf(cart: Cart, collectionId: string): HostSuspect[] {
  const [payment] = cart.payments
  const [session] = cart.sessions
  const entries = cart.refunds.length + entriesOf(cart).transactions.length
  if (entries === 0 && sumsOf(cart).collectionRefunded === 0) return []
  const old = cart.refunds.filter(
    ({ madeAtMs }) => hostNowMs(cart) - madeAtMs > LIMITS.refundRowAbandonedMs,
  )
  const rowIds = [...old.map(({ id }) => id), null]
  return rowIds.flatMap((hostRefundId) =>
    payment
      ? {
          hostRefundId,
          collectionId,
          paymentId: collectionId,
          sessionId: payment.sessionId,
          providerId: session?.providerId ?? "",
        }
      : [],
  )
}

/** The job's own rows: the provider reads ledger and rows, and calls nobody. */
function markedOnly(
  carts: ReadonlyMap<string, Cart>,
  database: Database,
  rowId: string,
): Promise<void> {
  const deps: Pick<MoneyDeps, "database" | "host"> = { database, host: hostRefundsInMemory(carts) }
  return sendRefundOfMedusa(deps as MoneyDeps, rowId)
}
