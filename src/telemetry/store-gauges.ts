/**
 * The gauges: what this process holds, and what the database says of all processes together. They
 * are read when the shop's SDK collects, with one statement.
 */
import { majorText, parseCurrency } from "../core/money"
import type { Database } from "../ledger/database"
import { readGauges } from "../ledger/read-gauges"
import { observeGauges, type Observe } from "./metrics"

export type Observed = {
  readonly database: Database
  /** How many operations this process holds. */
  leases(): number
  /** How many live streams of this process are open. */
  streams(): number
}

/** @returns a function that ends that */
export function observeStore(observedOf: () => Observed): () => void {
  return observeGauges(async (observe) => {
    const { database, leases, streams } = observedOf()
    observe("merchant_payments.leases", leases())
    observe("merchant_payments.streams", streams())
    // A database that is away, or tables that are not migrated yet, leave the shared gauges out.
    await observeShared(database, observe).catch(() => undefined)
  })
}

async function observeShared(database: Database, observe: Observe): Promise<void> {
  const read = await readGauges(database)
  observe("merchant_payments.due.oldest.seconds", (read.oldestDueMs ?? 0) / 1_000)
  observe("merchant_payments.unrecorded", read.unrecorded)
  observe("merchant_payments.workers", read.workers)
  observe("merchant_payments.workers.expected", read.expected)
  observe("merchant_payments.accounts.paused", read.paused)
  for (const { type, currency, count, minor } of read.review) {
    const attributes = { "payment.type": type, "payment.currency": currency }
    observe("merchant_payments.review", count, attributes)
    const code = parseCurrency(currency)
    if (!code) continue
    const money = Number(majorText({ minor: BigInt(minor), currency: code }))
    observe("merchant_payments.review.money", money, attributes)
  }
  // Without a row there is nothing to alarm about, and a silent gauge looks like a broken one.
  if (read.review.length === 0) observe("merchant_payments.review", 0)
  for (const method of read.disrupted) {
    observe("merchant_payments.methods.disrupted", 1, { "payment.method": method })
  }
}
