/** The three sides compared: a real ledger, the simulator, Medusa's records in memory. */
import { sourceReference } from "../../../src/core/source-reference"
import { searchQuery } from "../../../src/core/search-words"
import { LIMITS } from "../../../src/core/limits"
import type { Operation } from "../../../src/core/operation"
import { checkDueOperations } from "../../../src/worker/check-due-operations"
import { sendRefund } from "../../../src/refunds/send-refund-to-gateway"
import { reconcileWhenDue } from "../../../src/reconciliation/reconcile"
import type { FlowDeps } from "../../../src/engine/deps"
import type { SourceRecord } from "../../../src/gateway"
import { findRefundsOf } from "../../../src/refunds/sql/find-refunds"
import { listOperations } from "../../../src/review/sql/list-operations"
import { MINUTE, SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { HOSTED, PHONE } from "../../support/flows-harness"
import { useReconcileHarness } from "../../support/reconcile-harness"
import { said } from "../../support/said"

const { harness, start, differences, reread, checkAfter, underWay, pay, paid } =
  useReconcileHarness()

describe("records that agree", () => {
  it("have no differences, and the result is kept with its counts", async () => {
    await paid()
    await paid(HOSTED)
    await underWay()
    expect(await differences()).toEqual([])
    expect(await harness.ledger.sql("select * from mp_reconciliation")).toMatchObject([
      {
        account_id: "mpacc_env",
        is_complete: true,
        counts: { documents: 3, operations: 3, payments: 2 },
        differences: [],
        left_out: 0,
      },
    ])
  })

  it("are compared with one call for each list, and two for each payment that is new since the last", async () => {
    await paid()
    await differences()
    await paid()
    harness.simulator.resetCalls()
    await differences()
    const lists = { listOrders: 1, listInvoices: 1 }
    const asked = { getCollectionStatus: 1, retrieveOrderReceipt: 1 }
    expect(harness.simulator.calls).toEqual({ ...lists, ...asked })
  })
})

it("money that is paid but not completed is checked again at once, and nothing else happens", async () => {
  const { operation } = await underWay(HOSTED)
  pay(operation)
  await harness.ledger.sql(
    "update mp_operation set next_check_at = now() + interval '1 h' where id = $1",
    [operation.id],
  )
  expect(await differences()).toMatchObject([
    { code: "paid_not_completed", done: "checked_again", operation_id: operation.id },
  ])
  const { nextCheckAt, readAt, state } = await reread(operation)
  expect(state).toBe(operation.state)
  expect(nextCheckAt?.getTime()).toBeLessThanOrEqual(readAt.getTime())
  await checkDueOperations(harness.deps, { atMost: 50 })
  expect(await differences()).toEqual([])
})

/** A document that the ledger never learned of, of a draft that has ended. */
async function neverLearnedOf() {
  const { sessionId, collectionId } = harness.cart(HOSTED)
  harness.simulator.faults.script("createCheckoutSource", ["reset:after"])
  expect(await codeOf(start(sessionId))).toBe("gateway_unavailable")
  const draft = await harness.shown(collectionId)
  const [document] = harness.simulator.book.documentsByReference(sourceReference(draft.id))
  if (!document) throw new Error("there is no document")
  return { sessionId, collectionId, draft, document }
}

describe("money on a document that the ledger never learned of", () => {
  it("[B05] of an ended draft comes under review once, with what was paid", async () => {
    const { draft, document } = await neverLearnedOf()
    expect(await checkAfter(draft, 61 * MINUTE)).toMatchObject({ state: "expired", sourceId: null })
    harness.simulator.hosted.pay(document.id, { method: "card" })
    const found = await Promise.all([differences(), differences()])
    expect(found.flat().filter(({ done }) => done === "held_for_review")).toMatchObject([
      {
        code: "paid_after_end",
        operation_id: draft.id,
        source_id: document.id,
        gateway_status: "PAID",
        gateway_amount: { amount: "19.99", currency: "USD" },
      },
    ])
    expect(await reread(draft)).toMatchObject({
      state: "review",
      reason: "late_payment",
      sourceId: document.id,
      collected: { minor: 1_999n },
    })
    expect(await differences()).toEqual([])
  })

  it("[B15] next to a paid document is a duplicate payment for an admin, and the order is paid once", async () => {
    const { draft, document, sessionId, collectionId } = await neverLearnedOf()
    await start(sessionId)
    pay(await reread(draft))
    expect((await checkAfter(draft, 3 * SECOND)).recordedAt).not.toBeNull()
    harness.simulator.hosted.pay(document.id, { method: "card" })
    expect(await differences()).toMatchObject([
      {
        code: "paid_twice",
        done: "held_for_review",
        operation_id: draft.id,
        source_id: document.id,
      },
    ])
    expect(
      await harness.ledger.sql(
        `select state, is_duplicate, reason, collected_minor, payment_collection_id, credential_id
           from mp_operation where source_id = $1`,
        [document.id],
      ),
    ).toEqual([
      {
        state: "review",
        is_duplicate: true,
        reason: "another_payment",
        collected_minor: "1999",
        payment_collection_id: collectionId,
        credential_id: draft.credentialId,
      },
    ])
    expect(harness.of(collectionId).completions).toBe(1)
    expect(await differences()).toEqual([])
  })
})

it("[B06] money that comes after the watch has ended comes under review", async () => {
  const { operation } = await underWay()
  harness.simulator.handset.decline(operation.reference ?? "")
  await checkAfter(operation, SECOND)
  expect(await checkAfter(operation, 6 * SECOND)).toMatchObject({ state: "failed" })
  await harness.ledger.sql("update mp_operation set next_check_at = null where id = $1", [
    operation.id,
  ])
  harness.simulator.plan({ outcome: "approve", times: 1 })
  harness.simulator.hosted.pay(operation.sourceId ?? 0, { method: "mobile_money", phone: PHONE })
  harness.later(MINUTE)
  expect(await differences()).toMatchObject([{ code: "paid_after_end", done: "held_for_review" }])
  expect(await reread(operation)).toMatchObject({ state: "review", reason: "late_payment" })
})

/** The gateway as it is, but for what one document reads. */
function reading(sourceId: number | null, status: string): FlowDeps {
  const { gateway, deps } = harness
  const { status: asked, orders } = gateway
  const other = {
    ...gateway,
    orders: {
      ...orders,
      stream: (...[filter, take, how]: Parameters<typeof orders.stream>) => {
        const change = (one: SourceRecord) =>
          one.id === sourceId ? { ...one, status: said(status) } : one
        return orders.stream(filter, (batch) => take(batch.map(change)), how)
      },
    },
    status: {
      ...asked,
      source: async (...given: Parameters<typeof asked.source>) => {
        const outcome = await asked.source(...given)
        if (outcome.kind !== "done" || given[0].sourceId !== sourceId) return outcome
        return { ...outcome, value: { ...outcome.value, status: said(status) } }
      },
    },
  }
  return { ...deps, gatewayOf: () => other }
}

describe("a completed payment whose document reads otherwise", () => {
  it.each([
    ["[B07]", "CANCELED", "completed_but_reads_otherwise"],
    ["[B22]", "REFUNDED", "refund_unknown"],
  ])("%s %s is listed and noted once, and stays completed", async (_id, status, code) => {
    const { operation } = await paid()
    const deps = reading(operation.sourceId, status)
    expect(await differences(deps)).toMatchObject([
      { code, done: "listed", operation_id: operation.id, gateway_status: status },
    ])
    expect(await differences(deps)).toHaveLength(1)
    expect(await reread(operation)).toMatchObject({ state: "completed", nextCheckAt: null })
    const ofIt = searchQuery(operation.id, String, () => undefined)
    const filter = { words: ofIt, needsAttention: true }
    const { operations } = await listOperations(harness.deps.database, filter, {
      limit: 2,
      offset: 0,
    })
    expect(operations).toMatchObject([{ attention: "contradicted" }])
    const notes = await harness.ledger.sql(
      "select facts from mp_operation_event where operation_id = $1 and name = 'contradicted'",
      [operation.id],
    )
    expect(notes).toMatchObject([{ facts: { source: status } }])
    expect(harness.logged).toContain(
      `merchant payments: the records of mpacc_env differ: ${code}, 1 times, first ${operation.id}, ` +
        sourceReference(operation.id),
    )
  })

  it("is no difference when only the list reads so", async () => {
    const { operation } = await paid()
    const deps = reading(operation.sourceId, "CANCELED")
    const [account] = await deps.accounts()
    const gateway = account && deps.gatewayOf(account)
    if (!gateway) throw new Error("there is no gateway")
    const gatewayOf = () => ({ ...gateway, status: harness.gateway.status })
    expect(await differences({ ...deps, gatewayOf })).toEqual([])
  })
})

describe("a difference between Medusa and the ledger", () => {
  it("is listed: a capture without an operation, a recorded payment without a capture, another amount", async () => {
    const gone = await paid()
    const moved = await paid()
    const { collectionId: stray, sessionId } = harness.cart()
    const payment = { isCaptured: true, isCanceled: false, isInOrder: true, amount: "19.99" }
    harness.of(stray).payments.push({ ...payment, sessionId })
    harness.of(gone.collectionId).payments = []
    for (const one of harness.of(moved.collectionId).payments) one.amount = "24.99"
    const found = await differences()
    const reported = found.map(({ code, operation_id, done }) => [code, operation_id, done])
    harness.of(stray).payments = []
    harness.of(gone.collectionId).payments = [{ ...payment, sessionId: gone.sessionId }]
    for (const one of harness.of(moved.collectionId).payments) one.amount = "19.99"
    expect(await differences()).toEqual([])
    expect(reported.sort()).toEqual(
      [
        ["amount_differs", moved.operation.id, "listed"],
        ["captured_without_operation", null, "listed"],
        ["recorded_not_captured", gone.operation.id, "listed"],
      ].sort(),
    )
  })
})

describe("a gateway that can't be read", () => {
  it("[B23] without credentials still has ledger and Medusa compared", async () => {
    const { collectionId } = await paid()
    const payments = harness.of(collectionId).payments.splice(0)
    const without = {
      ...harness.deps,
      gatewayOf: () => undefined,
      credentialOf: () => Promise.reject(new Error("the account has no credentials")),
    }
    expect(await differences(without)).toMatchObject([{ code: "recorded_not_captured" }])
    harness.of(collectionId).payments.push(...payments)
    expect(await differences()).toEqual([])
  })

  it("leaves the comparison incomplete, without a false alarm, and due again within the hour", async () => {
    await paid()
    harness.simulator.faults.script("listOrders", ["500", "500", "500"])
    expect(await reconcileWhenDue(harness.deps)).toBe(true)
    expect(
      await harness.ledger.sql("select is_complete, differences from mp_reconciliation"),
    ).toEqual([{ is_complete: false, differences: [] }])
    const [task] = await harness.ledger.sql(
      "select due_at <= now() + interval '1 hour' as is_soon from mp_task where name = 'reconcile'",
    )
    expect(task).toEqual({ is_soon: true })
  })
})

it("[P11] one of many workers compares, once a day", async () => {
  const ran = await Promise.all(
    ["one", "two", "three"].map((worker) => reconcileWhenDue({ ...harness.deps, worker })),
  )
  expect(ran.filter(Boolean)).toHaveLength(1)
  expect(await reconcileWhenDue(harness.deps)).toBe(false)
  expect(await harness.ledger.sql("select from mp_reconciliation")).toHaveLength(1)
})

/** Medusa as it shows so much as refunded, whatever was asked for. */
function refunded(refundedAmount: string): FlowDeps {
  const { medusa } = harness.deps
  return {
    ...harness.deps,
    medusa: {
      ...medusa,
      paymentsOfPeriod: async (...given) =>
        (await medusa.paymentsOfPeriod(...given)).map((one) => ({ ...one, refundedAmount })),
      paymentsOfSessions: async (...given) =>
        (await medusa.paymentsOfSessions(...given)).map((one) => ({ ...one, refundedAmount })),
    },
  }
}

async function refundOf({ id: operationId }: Operation, medusaRefundId: string | null) {
  await sendRefund(harness.deps, {
    operationId,
    medusaAmount: "19.99",
    capturedAmount: "19.99",
    medusaRefundId,
    askedBy: "user_ada",
    code: "refund_by_medusa",
    isWaitedFor: false,
  })
  const [refund] = await findRefundsOf(harness.deps.database, operationId)
  if (!refund) throw new Error("there is no refund")
  return refund
}

const differencesOf = async ({ id }: Operation, deps: FlowDeps) =>
  (await differences(deps)).filter(({ operation_id }) => operation_id === id)

it("[B35] money that went back without Medusa is listed until Medusa shows it", async () => {
  const { operation } = await paid()
  harness.simulator.plan({ operationType: "REFUND", outcome: "approve", times: 1 })
  const refund = await refundOf(operation, null)
  expect(await checkAfter(refund, 2 * SECOND)).toMatchObject({ state: "completed" })
  expect((await reread(operation)).returnedAt).not.toBeNull()
  expect(await differencesOf(operation, refunded("0"))).toMatchObject([
    {
      code: "returned_not_in_medusa",
      done: "listed",
      payment_id: `pay_${operation.paymentSessionId}`,
    },
  ])
  expect(await differencesOf(operation, refunded("19.99"))).toEqual([])
})

it("[B21] a failed refund is not listed as unknown while the job still removes it from Medusa", async () => {
  const { operation } = await paid()
  harness.simulator.plan({ operationType: "REFUND", outcome: "insufficient_funds", times: 1 })
  const refund = await refundOf(operation, "ref_failed")
  await checkAfter(refund, 2 * SECOND)
  expect(await checkAfter(refund, 6 * SECOND)).toMatchObject({ state: "failed", undoneAt: null })
  expect(await differencesOf(operation, refunded("19.99"))).toEqual([])
  const unknown = [{ code: "refund_unknown", done: "listed" }]
  const set = (change: string) =>
    harness.ledger.sql(`update mp_operation set ${change} where id = $1`, [refund.id])
  await set(`settle_attempts = ${LIMITS.settleRetryMs.length}`)
  expect(await differencesOf(operation, refunded("19.99"))).toMatchObject(unknown)
  await set("settle_attempts = 0, undone_at = now()")
  expect(await differencesOf(operation, refunded("19.99"))).toMatchObject(unknown)
})
