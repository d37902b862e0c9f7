/**
 * What Medusa writes of refunds beside their rows, in memory: the order's transactions and credit
 * lines. As Medusa's workflow does, a refund writes a transaction for every row that has none, and
 * each of the amount that it was itself asked for.
 */
import type { HostCreditLine, HostRow } from "../../src/core/host-records"
import type { Cart } from "./host-in-memory"

export type HostEntry = {
  readonly id: string
  /** A refund row, or `PAYMENT`. */
  readonly referenceId: string
  readonly amount: string
  readonly version: number
  readonly madeAtMs: number
  isRemoved: boolean
}

export type Entries = {
  transactions: HostEntry[]
  creditLines: { -readonly [K in keyof HostCreditLine]: HostCreditLine[K] }[]
  /** Removed softly: a later look still finds them. */
  removedRows: Cart["refunds"]
  /** Of the order; each credit line of Medusa's workflow makes the next. */
  version: number
}

/** By this the transactions of a cancelled order are in. */
export const PAYMENT = "pay_1"

const kept = new WeakMap<Cart, Entries>()
const clocks = new WeakMap<Cart, () => number>()
let written = 0

export function entriesOf(cart: Cart): Entries {
  const known = kept.get(cart)
  if (known) return known
  const entries: Entries = { transactions: [], creditLines: [], removedRows: [], version: 1 }
  kept.set(cart, entries)
  return entries
}

/** The cart's Medusa lives by this clock from now on. */
export function setHostClock(cart: Cart, nowMs: () => number): void {
  clocks.set(cart, nowMs)
}

export function hostNowMs(cart: Cart): number {
  return clocks.get(cart)?.() ?? Date.now()
}

export function isInOrder(cart: Cart, rowId: string): boolean {
  return entriesOf(cart).transactions.some(
    ({ referenceId, isRemoved }) => referenceId === rowId && !isRemoved,
  )
}

export function addTransaction(cart: Cart, referenceId: string, amount: string): void {
  const { transactions, version } = entriesOf(cart)
  transactions.push({
    id: `ordtrx_${(written += 1)}`,
    referenceId,
    amount,
    version,
    madeAtMs: hostNowMs(cart),
    isRemoved: false,
  })
}

/** Of the workflow that was asked for the row: one for every row that has none. */
export function writeTransactions(cart: Cart, rowId: string): void {
  const asked = cart.refunds.find(({ id }) => id === rowId)
  if (!asked || !cart.order) return
  for (const row of cart.refunds) {
    if (!isInOrder(cart, row.id)) addTransaction(cart, row.id, asked.amount)
  }
}

/** @param rowId in whose name; null: Medusa's own, which names nobody and makes the next version */
export function addCreditLine(cart: Cart, rowId: string | null, amount: string): void {
  const entries = entriesOf(cart)
  if (rowId === null) entries.version += 1
  entries.creditLines.push({
    ids: [`ordcl_${(written += 1)}`],
    referenceId: rowId,
    amount,
    madeVersion: entries.version,
    isRemoved: false,
  })
}

export function hostRow(cart: Cart, row: Cart["refunds"][number], isRemoved: boolean): HostRow {
  const { id, amount, createdBy, madeAtMs } = row
  return { id, amount, createdBy, ageMs: hostNowMs(cart) - madeAtMs, isRemoved }
}
