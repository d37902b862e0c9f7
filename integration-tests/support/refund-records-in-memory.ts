/** Medusa's records of refunds in memory, as the job reads and repairs them, and as tests see them. */
import type { RefundRecords } from "../../src/core/medusa-records"
import type { MedusaRefundRecords, MedusaSuspect } from "../../src/engine/medusa-port"
import type { MoneyDeps } from "../../src/engine/deps"
import { sendRefundOfMedusa } from "../../src/refunds/send-refund-of-medusa"
import type { Database } from "../../src/ledger/database"
import type { Cart } from "./medusa-in-memory"
import {
  addCreditLine,
  addTransaction,
  closeMedusaRefund,
  countCollection,
  countOrder,
  medusaRefundsInMemory,
  openMedusaRefund,
  PAYMENT,
  sumOf,
  writeMedusaRefund,
} from "./medusa-refunds-in-memory"

/** What Medusa shows of all refunds of a cart, and whether its places agree. */
export function shownOf({ refunds, entries }: Cart) {
  const amountsOf = (all: readonly { readonly amount: string }[]) => all.map(({ amount }) => amount)
  const { orderRefunded, credited, collectionRefunded } = entries
  return {
    rows: amountsOf(refunds),
    transactions: amountsOf(entries.transactions),
    creditLines: amountsOf(entries.creditLines),
    orderRefunded,
    credited,
    collectionRefunded,
  }
}

/** The order's refund transactions as Medusa would show them, by whose name they are in. */
export function refundEvidenceOf({ refunds, entries, order }: Cart, paymentId: string) {
  return {
    rows: refunds.map(({ id, amount, createdBy }) => ({ id, amount, createdBy })),
    transactions: entries.transactions.map(({ referenceId, amount }) => ({
      referenceId: referenceId === PAYMENT ? paymentId : referenceId,
      amount,
    })),
    ofCollection: String(entries.collectionRefunded),
    rowsOfCollection: String(sumOf(refunds)),
    ofOrder: order && {
      summary: String(entries.orderRefunded),
      transactions: String(sumOf(entries.transactions)),
    },
  }
}

/**
 * Whether an order owes what its transactions say, by its credit lines: as Medusa writes both at
 * once.
 */
export function creditDisagreements({ entries }: Cart): string[] {
  const { orderRefunded, credited, creditLines, transactions } = entries
  const sums = [sumOf(transactions), sumOf(creditLines), credited, orderRefunded]
  return new Set(sums).size === 1 ? [] : [`I2: the order's places disagree: ${sums.join(", ")}`]
}

/** @param provider asked for rows that Medusa makes; without it only marked rows are answered */
export function refundRecordsInMemory(
  carts: ReadonlyMap<string, Cart>,
  database: Database,
  provider = markedOnly(carts, database),
): MedusaRefundRecords {
  const every = () => [...carts.values()]
  const ofOrder = (orderId: string) => every().find(({ order }) => order?.id === orderId)
  return {
    async refundRecords({ paymentCollectionId: collectionId }) {
      const cart = carts.get(collectionId)
      const isPaid = cart?.payments.some(({ isCanceled }) => !isCanceled)
      return cart && isPaid ? refundRecordsOf(cart, collectionId) : undefined
    },
    // More than Medusa's statement finds: the sweep itself tells which of them are none.
    async suspectRefunds({ after, limit }) {
      const all = [...carts].flatMap(([id, cart]) => suspectOf(cart, id) ?? [])
      return all
        .sort((one, other) => (one.paymentId < other.paymentId ? -1 : 1))
        .filter(({ paymentId }) => paymentId > (after?.paymentId ?? ""))
        .slice(0, limit)
    },
    async makeRefund({ amount, createdBy, isByWorkflow, paymentId }) {
      const cart = carts.get(paymentId)
      if (!cart) throw new Error(`no payment ${paymentId}`)
      const row = openMedusaRefund(cart, amount, createdBy)
      try {
        await provider(row)
      } catch (error) {
        closeMedusaRefund(cart, row, true)
        throw error
      }
      if (isByWorkflow) writeMedusaRefund(cart, row)
      countCollection(cart)
    },
    async removeRefunds(ids) {
      for (const cart of every()) cart.refunds = without(cart.refunds, ids)
    },
    async removeRefundTransactions(ids) {
      for (const { entries } of every()) entries.transactions = without(entries.transactions, ids)
    },
    async removeCreditLines(ids) {
      for (const { entries } of every()) entries.creditLines = without(entries.creditLines, ids)
    },
    async addCreditLine({ orderId, rowId, amount, isInTransactions }) {
      const cart = ofOrder(orderId)
      if (!cart || cart.entries.creditLines.some((line) => line.rowId === rowId)) return
      // What is owed already needs no line.
      const open = openOf(cart) - (isInTransactions ? Number(amount) : 0)
      const credit = Number(amount) + Math.min(0, open)
      if (credit > 0.00001) addCreditLine(cart, rowId, String(Number(credit.toFixed(5))))
    },
    async addRefundTransaction({ orderId, rowId, amount }) {
      const cart = ofOrder(orderId)
      if (!cart) return
      addTransaction(cart, rowId, amount)
      cart.entries.orderRefunded = sumOf(cart.entries.transactions)
    },
    async recountOrder(orderId) {
      const cart = ofOrder(orderId)
      if (cart) countOrder(cart)
    },
    async recountCollection(collectionId, withoutIds) {
      const cart = carts.get(collectionId)
      if (cart) countCollection(cart, withoutIds)
    },
  }
}

const without = <T extends { readonly id: string }>(all: readonly T[], ids: readonly string[]) =>
  all.filter(({ id }) => !ids.includes(id))

const openOf = ({ entries }: Cart) => sumOf(entries.transactions) - sumOf(entries.creditLines)

function refundRecordsOf(cart: Cart, collectionId: string): RefundRecords {
  const { transactions, creditLines, version, ...sums } = cart.entries
  const nowMs = cart.nowMs()
  return {
    paymentId: collectionId,
    order: cart.order && {
      id: cart.order.id,
      isCanceled: cart.order.isCanceled,
      version,
      open: Math.max(0, openOf(cart)).toFixed(5),
      isCounted: sums.orderRefunded === sumOf(transactions) && sums.credited === sumOf(creditLines),
    },
    isCollectionCounted: sums.collectionRefunded === sumOf(cart.refunds),
    rows: cart.refunds.map(({ id, amount, createdBy, madeAtMs }) => ({
      id,
      amount,
      createdBy,
      ageMs: nowMs - madeAtMs,
    })),
    transactions: transactions.map(({ referenceId, madeAtMs, ...one }) => ({
      ...one,
      referenceId: referenceId === PAYMENT ? collectionId : referenceId,
      paymentId: collectionId,
      ageMs: nowMs - madeAtMs,
    })),
    creditLines: creditLines.map(({ id, rowId, amount }) => ({ ids: [id], rowId, amount })),
  }
}

function suspectOf({ payments, sessions }: Cart, id: string): MedusaSuspect | undefined {
  const [payment] = payments
  if (!payment) return undefined
  const providerId = sessions[0]?.providerId ?? ""
  return { paymentCollectionId: id, paymentId: id, sessionId: payment.sessionId, providerId }
}

/** The job's own rows: the provider reads ledger and rows, and calls nobody. */
function markedOnly(carts: ReadonlyMap<string, Cart>, database: Database) {
  const deps: Pick<MoneyDeps, "database" | "medusa"> = {
    database,
    medusa: medusaRefundsInMemory(carts),
  }
  return (rowId: string): Promise<void> => sendRefundOfMedusa(deps as MoneyDeps, rowId)
}
