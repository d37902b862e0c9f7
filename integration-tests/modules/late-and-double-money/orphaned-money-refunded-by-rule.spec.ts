/**
 * Money that belongs to no order, where the account gives it back by itself: straight to the
 * gateway, once, and only when the gateway says so is it given back.
 */
import { MINUTE, SECOND } from "../../support/an-operation"
import { statusOf } from "../../../src/checkout/rules/status"
import type { Operation } from "../../../src/core/operation"
import { checkDueOperations, checkNow } from "../../../src/worker/check-due-operations"
import { startPayment } from "../../../src/checkout/start-payment"
import { saveAccount } from "../../../src/ledger/accounts/find-accounts"
import { findById } from "../../../src/ledger/find-operations"
import { findRefundsOf } from "../../../src/refunds/sql/find-refunds"
import { readLedger } from "../../support/evidence"
import { PHONE, startFlowsHarness, type FlowsHarness } from "../../support/flows-harness"
import { violations } from "../../support/violations"

let harness: FlowsHarness

beforeAll(async () => {
  harness = await startFlowsHarness({ partialRefunds: "UNCAPPED" })
})

afterAll(() => harness.stop())

afterEach(async () => {
  const ledger = await readLedger(harness.ledger.sql)
  const output = { texts: harness.logged, secrets: ["simulator-secret"], phones: [PHONE] }
  expect(violations({ book: harness.simulator.book, ledger, output })).toEqual([])
  harness.simulator.clearPlans()
  harness.simulator.faults.clear()
})

async function optIn(isOn: boolean): Promise<void> {
  const [account] = await harness.deps.accounts()
  if (!account) throw new Error("there is no account")
  const policies = { ...account.policies, refund_orphans: isOn }
  await saveAccount(harness.ledger.database, { ...account, policies })
}

async function reread({ id }: Operation): Promise<Operation> {
  const found = await findById(harness.deps.database, id)
  if (!found) throw new Error(`${id} is gone`)
  return found
}

async function checkAfter(operation: Operation, afterMs: number): Promise<Operation> {
  await harness.pass(operation.id, afterMs)
  await checkNow(harness.deps, operation.id)
  return reread(operation)
}

/** Declined, seen twice, and approved a minute later: in review, and paid only once. */
async function late(): Promise<{ operation: Operation; sessionId: string }> {
  const { collectionId, sessionId } = harness.cart()
  harness.simulator.plan({ outcome: "decline_then_approve", times: 1 })
  await startPayment(harness.deps, { sessionId, phone: PHONE })
  const operation = await harness.shown(collectionId)
  await checkAfter(operation, SECOND)
  await checkAfter(operation, 6 * SECOND)
  harness.later(MINUTE)
  const found = await checkAfter(operation, 2 * MINUTE)
  expect(found).toMatchObject({ state: "review", reason: "late_payment" })
  return { operation: found, sessionId }
}

const eventsOf = async ({ id }: Operation) =>
  harness.ledger.sql(
    "select name, code, facts from mp_operation_event where operation_id = $1 order by seq",
    [id],
  )

const refundsOf = ({ reference }: Operation) =>
  harness.simulator.book.refunds().filter((refund) => refund.originalReference === reference)

describe("without the policy", () => {
  it("[B05] late money stays in review, and no check follows by itself", async () => {
    await optIn(false)
    const { operation } = await late()
    expect(operation.nextCheckAt).toBeNull()
    await checkNow(harness.deps, operation.id)
    expect(await reread(operation)).toMatchObject({ state: "review", nextCheckAt: null })
    expect(refundsOf(operation)).toEqual([])
  })
})

describe("with the policy", () => {
  beforeEach(() => optIn(true))

  it("[B05] late money goes back by the job alone, named in its events, and its cart can be paid", async () => {
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
    const again = await startPayment(harness.deps, { sessionId, phone: PHONE })
    expect(again).toMatchObject({ state: "waiting_for_payer" })
  })

  it("[P11] is given back once, however many workers check", async () => {
    const { operation } = await late()
    await Promise.all([1, 2, 3].map(() => checkDueOperations(harness.deps, { atMost: 50 })))
    expect(refundsOf(operation)).toHaveLength(1)
  })

  it("[P12] stays where a person has accepted it while the worker was frozen", async () => {
    const { operation } = await late()
    harness.before("record", async () => {
      await harness.ledger.sql(
        `with moved as (
           update mp_operation set state = 'completed', version = version + 1, reason = null,
                  next_check_at = now(), lease_token = null, lease_until = null
            where id = $1 returning *)
         insert into mp_operation_event (operation_id, seq, name, state, code)
         select id, version, 'accept', state, 'note' from moved`,
        [operation.id],
      )
    })
    await checkNow(harness.deps, operation.id)
    expect(await reread(operation)).toMatchObject({ state: "completed", reservedRefundMinor: 0n })
    expect(await checkAfter(operation, SECOND)).toMatchObject({
      state: "completed",
      returnedAt: null,
    })
    expect((await reread(operation)).recordedAt).not.toBeNull()
    expect(refundsOf(operation)).toEqual([])
  })

  it("stays in review with the reason when the refund fails", async () => {
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

  it("is tried again while the gateway is away, and left to a person when it refuses", async () => {
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

  it("is left to a person where the payment intent is not known", async () => {
    const { operation } = await late()
    await harness.ledger.sql("update mp_operation set payment_intent_id = null where id = $1", [
      operation.id,
    ])
    await checkNow(harness.deps, operation.id)
    expect(await reread(operation)).toMatchObject({ state: "review", nextCheckAt: null })
    expect((await eventsOf(operation)).at(-1)).toMatchObject({
      name: "refund_refused",
      facts: { code: "payment_intent_unknown" },
    })
  })

  it("is read at the moment of acting: switched off meanwhile, nothing goes back", async () => {
    const { operation } = await late()
    await optIn(false)
    await checkNow(harness.deps, operation.id)
    expect(await reread(operation)).toMatchObject({ state: "review", nextCheckAt: null })
    expect(refundsOf(operation)).toEqual([])
  })

  it("leaves alone what Medusa holds: that is refunded through Medusa", async () => {
    const { operation } = await late()
    harness.of(operation.paymentCollectionId).payments.push({
      sessionId: operation.paymentSessionId,
      isCaptured: true,
      isCanceled: false,
      isInOrder: true,
    })
    await checkNow(harness.deps, operation.id)
    expect(refundsOf(operation)).toEqual([])
  })

  it("[H25] leaves alone what an undone completion captured, though the session is another now", async () => {
    const { collectionId, sessionId } = harness.cart()
    await startPayment(harness.deps, { sessionId, phone: PHONE })
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

  it.each(["cart_changed", "amount_mismatch", "source_disagrees", "provider_disabled"])(
    "leaves %s to a person: it may have an order yet, or is not certain",
    async (reason) => {
      const { operation } = await late()
      await harness.ledger.sql("update mp_operation set reason = $2 where id = $1", [
        operation.id,
        reason,
      ])
      await checkNow(harness.deps, operation.id)
      expect(await reread(operation)).toMatchObject({ state: "review", nextCheckAt: null })
      expect(refundsOf(operation)).toEqual([])
    },
  )
})
