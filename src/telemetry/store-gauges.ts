/**
 * The gauges: what this process holds, and what the database says of all processes together. They
 * are read when the shop's SDK collects, with one statement.
 */
import { majorText, parseCurrency } from "../core/money"
import type { Database } from "../ledger/database"
import { readGauges, type Gauges } from "../ledger/read-gauges"
import type { Attributes } from "./attributes"
import { observeGauges, type Observe } from "./metrics"

export type Observed = {
  readonly database: Database
  /** How many operations this process holds. */
  leases(): number
  /** How many live streams of this process are open. */
  streams(): number
}

type Of = Readonly<Record<string, Attributes>>

/** @returns a function that ends that */
export function observeStore(observedOf: () => Observed): () => void {
  /** An SDK repeats what it was last told, so what is no longer there has to be told as none. */
  const seen: Record<"review" | "disrupted", Record<string, Attributes>> = {
    review: {},
    disrupted: {},
  }
  return observeGauges(async (observe) => {
    const { database, leases, streams } = observedOf()
    observe("merchant_payments.leases", leases())
    observe("merchant_payments.streams", streams())
    // Also where the tables are not migrated yet: then the plugin asks them nothing.
    const read = await readGauges(database).catch(() => undefined)
    observe("merchant_payments.database", read ? 1 : 0)
    if (!read) return
    observeShared(read, observe)
    observeReview(read, observe, seen.review)
    Object.assign(seen.review, ofReview(read))
    observeDisrupted(read, observe, seen.disrupted)
    Object.assign(seen.disrupted, ofDisrupted(read))
  })
}

function observeShared(read: Gauges, observe: Observe): void {
  observe("merchant_payments.due.oldest.seconds", (read.oldestDueMs ?? 0) / 1_000)
  observe("merchant_payments.unrecorded", read.unrecorded)
  observe("merchant_payments.workers", read.workers)
  observe("merchant_payments.workers.expected", read.expected)
  observe("merchant_payments.accounts.paused", read.paused)
}

type Waiting = Gauges["review"][number]

const keyOf = ({ type, currency }: Pick<Waiting, "type" | "currency">) => `${type} ${currency}`

const ofReview = ({ review }: Gauges): Of =>
  Object.fromEntries(
    review.map((one) => [
      keyOf(one),
      { "payment.type": one.type, "payment.currency": one.currency },
    ]),
  )

function observeReview(read: Gauges, observe: Observe, before: Of): void {
  const now = new Map(read.review.map((one) => [keyOf(one), one]))
  const all = Object.entries({ ...before, ...ofReview(read) })
  for (const [key, attributes] of all) {
    const one = now.get(key)
    observe("merchant_payments.review", one?.count ?? 0, attributes)
    observe("merchant_payments.review.money", one ? majorOf(one) : 0, attributes)
  }
  // A gauge that is never written looks broken.
  if (all.length === 0) observe("merchant_payments.review", 0)
}

function majorOf({ minor, currency: code }: Waiting): number {
  const currency = parseCurrency(code)
  return currency ? Number(majorText({ minor: BigInt(minor), currency })) : 0
}

const ofDisrupted = ({ disrupted }: Gauges): Of =>
  Object.fromEntries(disrupted.map((method) => [method, { "payment.method": method }]))

function observeDisrupted(read: Gauges, observe: Observe, before: Of): void {
  for (const [method, attributes] of Object.entries({ ...before, ...ofDisrupted(read) })) {
    const isNow = read.disrupted.includes(method)
    observe("merchant_payments.methods.disrupted", isNow ? 1 : 0, attributes)
  }
}
