/**
 * Medusa's refunds in memory: it makes its row, asks the provider, and deletes the row where the
 * answer is no. After a yes its workflow writes a transaction for every row that has none, each of
 * the amount that it was itself asked for, and a credit line. Medusa keeps its sums and does not
 * work them out: a writer that forgets to count is found out.
 */
import { LIMITS } from "../../src/core/limits"
import type { RefundRecords } from "../../src/core/medusa-records"
import type { MoneyDeps } from "../../src/engine/deps"
import type {
  MedusaRefundRecords,
  MedusaRefunds,
  MedusaSuspect,
} from "../../src/engine/medusa-port"
import type { Database } from "../../src/ledger/database"
import { sendRefundOfMedusa } from "../../src/refunds/send-refund-of-medusa"
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
const PAYMENT = "pay_1"

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
export function openMedusaRefund(
  cart: Cart,
  amount: string,
  createdBy: string | null,
  note: string | null = null,
): string {
  const [payment] = cart.payments
  if (!payment) throw new Error("Medusa holds no payment to give back")
  const id = `ref_${(made += 1)}`
  const { sessionId } = payment
  cart.refunds.push({ id, sessionId, amount, createdBy, note, madeAtMs: cart.nowMs() })
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

/**
 * What cancelling an order writes, whatever the provider has said (H24); a credit line only after a
 * yes.
 */
export function writeCanceling(cart: Cart, amount: string, isRefunded = false): void {
  addTransaction(cart, PAYMENT, amount)
  if (isRefunded) {
    countCollection(cart)
    cart.entries.version += 1
    addCreditLine(cart, null, amount)
  }
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

function addTransaction(cart: Cart, referenceId: string, amount: string): void {
  const { transactions, version } = cart.entries
  const id = `ordtrx_${(made += 1)}`
  transactions.push({ id, referenceId, amount, version, madeAtMs: cart.nowMs() })
}

/** @param rowId in whose name; null: Medusa's own line, which names no refund */
function addCreditLine(cart: Cart, rowId: string | null, amount: string): void {
  cart.entries.creditLines.push({ id: `ordcl_${(made += 1)}`, rowId, amount })
}

function isInOrder(cart: Cart, rowId: string): boolean {
  return cart.entries.transactions.some(({ referenceId }) => referenceId === rowId)
}

const sumOf = (all: readonly { readonly amount: string }[]) =>
  Number(all.reduce((total, { amount }) => total + Number(amount), 0).toFixed(5))

function countOrder({ entries }: Cart): void {
  entries.orderRefunded = sumOf(entries.transactions)
  entries.credited = sumOf(entries.creditLines)
}

function countCollection(cart: Cart, without: readonly string[] = []): void {
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
        note: row.note ?? null,
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
    async makeRefund({ amount, createdBy, note, isByWorkflow, paymentId }) {
      const cart = carts.get(paymentId)
      if (!cart) throw new Error(`no payment ${paymentId}`)
      const row = openMedusaRefund(cart, amount, createdBy, note)
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
