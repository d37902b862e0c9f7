/**
 * [N31] A gateway that asks to be left alone for a day or for months: one answer is obeyed for a
 * minute, whatever the question was about, and then the gateway is asked again.
 */
import { LIMITS } from "../../../src/core/limits"
import { sendRefund } from "../../../src/refunds/send-refund-to-gateway"
import { findRefundsOf } from "../../../src/refunds/sql/find-refunds"
import { SECOND } from "../../support/an-operation"
import { payoutOf, usePayoutsHarness } from "../../support/payouts-harness"
import { actsIn } from "../../support/use-flows-harness"

const { harness, pay, under, checkAfter: checkPayout } = usePayoutsHarness()
const { start, checkAfter } = actsIn(harness)

/** The last statuses and the worst that was seen of either header. */
const LONG = ["503:86400", "429:9999999"] as const

async function expectSoon(id: string): Promise<void> {
  const [row] = await harness.ledger.sql(
    `select extract(epoch from next_check_at - now())::float8 * 1000 as check_ms,
            (select max(extract(epoch from checks_paused_until - now())::float8 * 1000)
               from mp_account) as pause_ms
       from mp_operation where id = $1`,
    [id],
  )
  for (const ms of [row?.["check_ms"], row?.["pause_ms"]]) {
    expect(Number(ms)).toBeGreaterThan(0)
    expect(Number(ms)).toBeLessThanOrEqual(LIMITS.retryAfterCapMs + SECOND)
  }
}

async function started() {
  const { sessionId, collectionId } = harness.cart()
  await start(sessionId)
  return harness.shown(collectionId)
}

async function refunded() {
  const waiting = await started()
  harness.simulator.handset.approve(waiting.reference ?? "")
  const { id } = await checkAfter(waiting, 3 * SECOND)
  await sendRefund(harness.deps, {
    operationId: id,
    medusaAmount: "19.99",
    capturedAmount: "19.99",
    medusaRefundId: null,
    askedBy: "user_ada",
    code: "refund_by_medusa",
    isWaitedFor: false,
  })
  const [refund] = await findRefundsOf(harness.deps.database, id)
  if (!refund) throw new Error("no refund was made")
  return refund
}

describe.each(LONG)("[N31] the answer %s", (fault) => {
  it("to a question puts a payment off by a minute at most", async () => {
    const payment = await started()
    harness.simulator.faults.script("getCollectionStatus", [fault])
    await checkAfter(payment, 3 * SECOND)
    await expectSoon(payment.id)
  })

  it("to the money call puts a payment off by a minute at most", async () => {
    harness.simulator.faults.script("executeCollection", [fault])
    const { id } = await started()
    await expectSoon(id)
  })

  it("to a question puts a refund off by a minute at most", async () => {
    const refund = await refunded()
    harness.simulator.faults.script("getRefundStatus", [fault])
    await checkAfter(refund, 2 * SECOND)
    await expectSoon(refund.id)
  })

  it("to a question puts a payout off by a minute at most", async () => {
    const request = payoutOf()
    await pay(request)
    harness.simulator.faults.script("getPayoutStatus", [fault])
    await checkPayout(request.idempotencyKey, 2 * SECOND, 0)
    await expectSoon((await under(request.idempotencyKey))?.id ?? "")
  })
})

it("[N31] a 503 to a refund's money call puts the refund off by a minute at most", async () => {
  harness.simulator.faults.script("executeRefund", ["503:86400"])
  await expectSoon((await refunded()).id)
})

it("[N31] a 503 to a payout's money call puts the payout off by a minute at most", async () => {
  const request = payoutOf()
  harness.simulator.faults.script("executePayout", ["503:86400"])
  await pay(request)
  await expectSoon((await under(request.idempotencyKey))?.id ?? "")
})
