/**
 * How soon after the gateway completed a payment its shopper reads that it is paid, on a page of
 * the checkout kit, and how many requests that page makes. Against the same payments' own way into
 * Medusa in the same run; the payers are those of `confirm_to_paid_ms`.
 */
import type { Benchmark, Figure } from "../figure"
import { inHarness, type Harness } from "../support/harness"
import { payByKit } from "../support/shopper"
import { median, percentile } from "../support/statistics"
import { PAYMENTS, payAll } from "./confirm-to-paid"

const P50_AFTER_PAID_MS = 400
const P95_AFTER_PAID_MS = 900
const REQUESTS_LIMIT = 3

export const shopperSeesIt: Benchmark = {
  name: "shopper_sees_it_ms",
  on: "store",
  run: (fixture) => inHarness(fixture, {}, measure),
}

async function measure(harness: Harness): Promise<Figure> {
  const { paid, seen, reads, calls } = await payAll(harness, ({ sessionId, phone }) =>
    payByKit(harness.store, sessionId, phone),
  )
  const [paidP50, paidP95] = [median(paid), percentile(paid, 0.95)]
  return {
    value: median(seen),
    unit: "ms",
    better: "lower",
    against: "the moment at which the same payments were paid in Medusa, and 400 or 900 ms",
    limit: paidP50 + P50_AFTER_PAID_MS,
    samples: PAYMENTS,
    p50: median(seen),
    p95: percentile(seen, 0.95),
    p95_limit: paidP95 + P95_AFTER_PAID_MS,
    paid_p50: paidP50,
    paid_p95: paidP95,
    requests_per_payment: reads / PAYMENTS,
    requests_per_payment_limit: REQUESTS_LIMIT,
    status_calls_per_payment: (calls["getCollectionStatus"] ?? 0) / PAYMENTS,
  }
}
