/**
 * How long an admin waits for a refund after the gateway has accepted it, and how many calls it
 * costs: one that opens the session, one that executes, and the looks at what became of it. The
 * gateway carries it out after two seconds, between the plugin's first and second look.
 */
import { PUSH, expectOk } from "../../integration-tests/http/support/shop"
import type { Benchmark, Figure } from "../figure"
import { followToPaid, startPaying } from "../support/shopper"
import { median, percentile } from "../support/statistics"
import { inHarness, type Harness } from "../support/harness"

const LIMIT_MS = 4_000
const REFUNDS = 10
const PAID_AFTER_MS = 500
const REFUNDED_AFTER_MS = 2_000
const PHONE = "+231886123457"

export const refundAnswer: Benchmark = {
  name: "refund_answer_ms",
  on: "store",
  run: (fixture) => inHarness(fixture, {}, measure),
}

async function measure(harness: Harness): Promise<Figure> {
  const { admin, simulator } = harness
  await simulator.plan({ outcome: "approve", afterMs: PAID_AFTER_MS, operationType: "COLLECTION" })
  await simulator.plan({ outcome: "approve", afterMs: REFUNDED_AFTER_MS, operationType: "REFUND" })
  const payments: string[] = []
  for (let order = 0; order <= REFUNDS; order += 1) payments.push(await paidOrder(harness))
  // The first warms the code up.
  const [first = "", ...measured] = payments
  await expectOk(admin.refund(first))
  const before = new Set((await simulator.refunds()).keys())
  await simulator.resetCalls()
  const answeredAtMs: number[] = []
  for (const paymentId of measured) {
    await expectOk(admin.refund(paymentId))
    answeredAtMs.push(Date.now())
  }
  const calls = await simulator.calls()
  const accepted = [...(await simulator.refunds())]
    .filter(([reference]) => !before.has(reference))
    .map(([, acceptedAtMs]) => acceptedAtMs)
    .sort((one, other) => one - other)
  if (accepted.length !== REFUNDS) throw new Error(`${accepted.length} refunds, not ${REFUNDS}.`)
  const waited = answeredAtMs.map((atMs, index) => atMs - (accepted[index] ?? Number.NaN))
  const perRefund = (operation: string) => (calls[operation] ?? 0) / REFUNDS
  return {
    value: median(waited),
    unit: "ms",
    better: "lower",
    against: "the moment at which the gateway accepted it",
    limit: LIMIT_MS,
    samples: REFUNDS,
    p50: median(waited),
    p95: percentile(waited, 0.95),
    p95_limit: LIMIT_MS,
    slowest: Math.max(...waited),
    calls_per_refund: perRefund("createRefundSession") + perRefund("executeRefund"),
    calls_per_refund_limit: 2,
    status_checks_per_refund: perRefund("getRefundStatus"),
  }
}

async function paidOrder({ shop, admin }: Harness): Promise<string> {
  const sessionId = await shop.session(await shop.cart(), PUSH)
  await startPaying(shop, sessionId, PHONE)
  const { payment } = await followToPaid(shop, sessionId)
  const order = await admin.order(payment.order_id ?? "")
  const id = order.payment_collections[0]?.payments[0]?.id
  if (id === undefined) throw new Error(`${order.id} has no payment.`)
  return id
}
