/**
 * The account's rule `refund_orphans`: money that belongs to no order is refunded at the gateway
 * once, and counts as refunded only when the gateway says so.
 */
import { statusOf } from "../../../src/checkout/rules/status"
import { ofMedusa, type MedusaOperation, type Operation } from "../../../src/core/operation"
import { checkDueOperations, checkNow } from "../../../src/worker/check-due-operations"
import { findRefundsOf } from "../../../src/refunds/sql/find-refunds"
import { MINUTE, SECOND } from "../../support/an-operation"
import { acceptedByAdmin } from "../../support/late-money"
import { setPolicies } from "../../support/policies"
import { actsIn, breachesIn, forgetPlans, useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness({ partialRefunds: "UNCAPPED" })
const { start, reread, checkAfter } = actsIn(harness)

afterEach(async () => {
  expect(await breachesIn(harness)).toEqual([])
  forgetPlans(harness)
})

const optIn = (isOn: boolean) => setPolicies(harness, { refund_orphans: isOn })

/** Declined, seen FAILED twice, and approved a minute later: in review, and paid once. */
async function late(): Promise<{ operation: MedusaOperation; sessionId: string }> {
  const { collectionId, sessionId } = harness.cart()
  harness.simulator.plan({ outcome: "decline_then_approve", times: 1 })
  await start(sessionId)
  const operation = await harness.shown(collectionId)
  await checkAfter(operation, SECOND)
  await checkAfter(operation, 6 * SECOND)
  harness.later(MINUTE)
  const found = await checkAfter(operation, 2 * MINUTE)
  expect(found).toMatchObject({ state: "review", reason: "late_payment" })
  return { operation: ofMedusa(found), sessionId }
}

const eventsOf = async ({ id }: Operation) =>
  harness.ledger.sql(
    "select name, code, facts from mp_operation_event where operation_id = $1 order by seq",
    [id],
  )

const refundsOf = ({ reference }: Operation) =>
  harness.simulator.book.refunds().filter((refund) => refund.originalReference === reference)

it("[B05] late money of an account without the rule stays in review, and nothing checks it again", async () => {
  await optIn(false)
  const { operation } = await late()
  expect(operation.nextCheckAt).toBeNull()
  await checkNow(harness.deps, operation.id)
  expect(await reread(operation)).toMatchObject({ state: "review", nextCheckAt: null })
  expect(refundsOf(operation)).toEqual([])
})

describe("late money of an account with the rule", () => {
  beforeEach(() => optIn(true))

  it("[B05] is refunded by the job alone, its events name the rule, and its cart can be paid again", async () => {
    const { operation, sessionId } = await late()
    expect(operation.nextCheckAt).not.toBeNull()
    await checkDueOperations(harness.deps, { atMost: 50 })
    expect(await reread(operation)).toMatchObject({ state: "review", returnedAt: null })
    const [refund] = await findRefundsOf(harness.deps.database, operation.id)
    if (!refund) throw new Error("nothing was given back")
    harness.later(4 * SECOND)
    expect(await checkAfter(refund, 4 * SECOND)).toMatchObject({ state: "completed" })
    const back = await reread(operation)
    expect(statusOf(back)).toMatchObject({ state: "expired", reason: "returned", can_retry: true })
    expect(refundsOf(operation)).toMatchObject([{ amount: "19.99", status: "COMPLETED" }])
    expect((await eventsOf(operation)).at(-1)).toMatchObject({
      name: "give_back",
      facts: { asked_by: "policy refund_orphans" },
    })
    expect(await start(sessionId)).toMatchObject({ state: "waiting_for_payer" })
  })

  it("[P11] is refunded once, however many workers check it", async () => {
    const { operation } = await late()
    await Promise.all([1, 2, 3].map(() => checkDueOperations(harness.deps, { atMost: 50 })))
    expect(refundsOf(operation)).toHaveLength(1)
  })

  it("[P12] stays with the shop when an admin accepted it while the worker was frozen", async () => {
    const { operation } = await late()
    harness.before("record", async () => void (await acceptedByAdmin(harness, operation)))
    await checkNow(harness.deps, operation.id)
    expect(await reread(operation)).toMatchObject({ state: "completed", reservedRefundMinor: 0n })
    expect(await checkAfter(operation, SECOND)).toMatchObject({
      state: "completed",
      returnedAt: null,
    })
    expect((await reread(operation)).recordedAt).not.toBeNull()
    expect(refundsOf(operation)).toEqual([])
  })

  it("stays in review when its refund fails, and the event gives the reason", async () => {
    const { operation } = await late()
    harness.simulator.plan({ operationType: "REFUND", outcome: "insufficient_funds", times: 1 })
    await checkNow(harness.deps, operation.id)
    const [refund] = await findRefundsOf(harness.deps.database, operation.id)
    if (!refund) throw new Error("nothing was asked for")
    await checkAfter(refund, SECOND)
    expect(await checkAfter(refund, 6 * SECOND)).toMatchObject({ state: "failed" })
    const after = await reread(operation)
    expect(after).toMatchObject({ state: "review", reservedRefundMinor: 0n, nextCheckAt: null })
    expect((await eventsOf(operation)).at(-1)).toMatchObject({
      name: "refund_released",
      facts: { reason: "insufficient_funds" },
    })
  })

  it("is tried again while the gateway is unavailable, and waits for an admin once it refuses", async () => {
    const { operation } = await late()
    harness.simulator.faults.script("createRefundSession", ["500", "422"])
    await checkNow(harness.deps, operation.id)
    const later = await reread(operation)
    expect(later.state).toBe("review")
    expect(later.nextCheckAt).not.toBeNull()
    expect(await checkAfter(operation, MINUTE)).toMatchObject({
      state: "review",
      nextCheckAt: null,
    })
    expect(harness.logged.join()).toContain("It needs a review.")
    expect(refundsOf(operation)).toEqual([])
  })

  it("waits for an admin when its payment intent is unknown", async () => {
    const { operation } = await late()
    await harness.ledger.sql(
      "update mp_operation set payment_intent_id = 999999999 where id = $1",
      [operation.id],
    )
    await checkNow(harness.deps, operation.id)
    expect(await reread(operation)).toMatchObject({ state: "review", nextCheckAt: null })
    expect((await eventsOf(operation)).at(-1)).toMatchObject({
      name: "refund_refused",
      facts: { code: "payment_intent_unknown" },
    })
  })

  it.each<[string, (operation: MedusaOperation) => unknown]>([
    ["the rule is switched off before the job acts", () => optIn(false)],
    [
      "Medusa holds it and can refund it",
      ({ paymentCollectionId, paymentSessionId: sessionId }) =>
        harness
          .of(paymentCollectionId)
          .payments.push({ sessionId, isCaptured: true, isCanceled: false, isInOrder: true }),
    ],
    ...["cart_changed", "amount_mismatch", "source_disagrees", "provider_disabled"].map(
      (reason): [string, (operation: MedusaOperation) => unknown] => [
        `its reason is ${reason}: it isn't certain, or can still become an order`,
        ({ id }) =>
          harness.ledger.sql("update mp_operation set reason = $2 where id = $1", [id, reason]),
      ],
    ),
  ])("[B05] isn't refunded when %s", async (_, change) => {
    const { operation } = await late()
    await change(operation)
    await checkNow(harness.deps, operation.id)
    expect(await reread(operation)).toMatchObject({ state: "review", nextCheckAt: null })
    expect(refundsOf(operation)).toEqual([])
  })

  it("[H25] isn't refunded when an undone completion captured it, though its session has changed since", async () => {
    const { collectionId, sessionId } = harness.cart()
    await start(sessionId)
    const operation = await harness.shown(collectionId)
    harness.simulator.handset.approve(operation.reference ?? "")
    const { payments } = harness.of(collectionId)
    payments.push({ sessionId, isCaptured: true, isCanceled: false, isInOrder: false })
    harness.session(collectionId)
    harness.of(collectionId).order = { id: "order_other", isCanceled: true }
    const stranded = await checkAfter(operation, 3 * SECOND)
    expect(stranded).toMatchObject({ state: "review", reason: "order_canceled" })
    expect(stranded.paymentSessionId).not.toBe(sessionId)
    await checkNow(harness.deps, operation.id)
    expect(await reread(operation)).toMatchObject({ state: "review", nextCheckAt: null })
    expect(refundsOf(operation)).toEqual([])
  })
})
