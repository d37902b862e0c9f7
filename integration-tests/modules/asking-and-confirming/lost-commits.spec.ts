/**
 * [P19] A standby database takes over without the last commit: the ledger has a draft whose money
 * call has gone out. Nothing is sent a second time, and nothing is freed.
 */
import { LIMITS } from "../../../src/core/limits"
import type { Operation } from "../../../src/core/operation"
import { cancelPayment } from "../../../src/checkout/cancel-payment"
import { sendRefund } from "../../../src/refunds/send-refund-to-gateway"
import { MINUTE, SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { HOSTED, type FlowsHarness } from "../../support/flows-harness"
import { actsIn, breachesIn, forgetPlans, useFlowsHarness } from "../../support/use-flows-harness"

/** The row as it was before `submit`, which was the last commit, or among the last. */
async function loseSubmit(harness: FlowsHarness, { id }: Operation): Promise<void> {
  await harness.ledger.sql(
    `with lost as (
       delete from mp_operation_event where operation_id = $1 and seq >=
         (select min(seq) from mp_operation_event where operation_id = $1 and name = 'submit')
       returning seq)
     update mp_operation
        set state = 'drafted', version = (select min(seq) from lost) - 1, reference = null,
            submitted_at = null, sendings = 0, last_sent_at = null, last_sending = null,
            gateway_session_id = null, payment_account_id = null, checks = 0, absent_at = null,
            source_status = case when source_id is not null then 'ACTIVE' end,
            lease_token = null, lease_until = null, next_check_at = expires_at
      where id = $1`,
    [id],
  )
}

describe.each([
  { promptedSource: "PROCESSING", repeatedExecution: "ANSWER" },
  { promptedSource: "PROCESSING", repeatedExecution: "REFUSE" },
  { promptedSource: "ACTIVE", repeatedExecution: "ANSWER" },
  { promptedSource: "ACTIVE", repeatedExecution: "REFUSE" },
] as const)("[P19] a payment whose submit was lost (%o)", (options) => {
  const harness = useFlowsHarness(options)
  const { start, reread, checkAfter } = actsIn(harness)

  afterEach(async () => {
    forgetPlans(harness)
    expect(await breachesIn(harness)).toEqual([])
  })

  async function lost(providerId?: string) {
    const cart = harness.cart(providerId)
    await start(cart.sessionId)
    const sent = await harness.shown(cart.collectionId)
    await loseSubmit(harness, sent)
    expect(await reread(sent)).toMatchObject({ state: "drafted", reference: null })
    return { ...cart, sent }
  }

  const executionsOf = ({ sourceId }: Operation) =>
    harness.simulator.book.executions().filter((one) => one.sourceId === sourceId)

  async function approveAll(operation: Operation): Promise<void> {
    for (const { reference } of harness.simulator.handset.pending()) {
      if (executionsOf(operation).some((one) => one.reference === reference)) {
        harness.simulator.handset.approve(reference)
      }
    }
  }

  it("goes on for a shopper who starts again, without a second prompt", async () => {
    const { sessionId, collectionId, sent } = await lost()
    const status = await start(sessionId)
    expect(status).toMatchObject({ state: "waiting_for_payer", reference: sent.reference })
    expect(executionsOf(sent)).toHaveLength(1)
    await approveAll(sent)
    expect((await checkAfter(sent, 3 * SECOND)).recordedAt).not.toBeNull()
    expect(harness.of(collectionId).completions).toBe(1)
  })

  it("is recorded as paid when the payer approved it before the shopper came back", async () => {
    const { sessionId, collectionId, sent } = await lost()
    await approveAll(sent)
    harness.later(5 * SECOND)
    await start(sessionId)
    harness.presently()
    expect((await checkAfter(sent, 3 * SECOND)).recordedAt).not.toBeNull()
    expect(executionsOf(sent)).toHaveLength(1)
    expect(harness.of(collectionId).completions).toBe(1)
  })

  it("is found by the job when the shopper doesn't come back", async () => {
    const { collectionId, sent } = await lost()
    expect(await checkAfter(sent, MINUTE)).toMatchObject({ reference: sent.reference })
    await approveAll(sent)
    expect((await checkAfter(sent, 3 * SECOND)).recordedAt).not.toBeNull()
    expect(harness.of(collectionId).completions).toBe(1)
  })

  it("keeps its cart when the shopper cancels, or starts again with another amount", async () => {
    const given = await lost()
    expect(await codeOf(cancelPayment(harness.deps, given))).toBe("payment_in_progress")
    const other = await lost()
    harness.of(other.collectionId).total = "24.99"
    const sessionId = harness.session(other.collectionId)
    expect(await codeOf(start(sessionId))).toBe("payment_in_progress")
    expect(executionsOf(other.sent)).toHaveLength(1)
  })

  it.each(["500", "503:none", "429:none", "403", "reset"] as const)(
    "is not sent again while its status can't be read (%s)",
    async (fault) => {
      const { sessionId, sent } = await lost()
      harness.simulator.faults.script("getCollectionStatus", [fault, fault, fault])
      expect(await codeOf(start(sessionId))).toBe("gateway_unavailable")
      expect(executionsOf(sent)).toHaveLength(1)
      harness.simulator.faults.clear()
      await start(sessionId)
      expect(executionsOf(sent)).toHaveLength(1)
      expect(await reread(sent)).toMatchObject({ reference: sent.reference })
    },
  )

  it("is sent under no other reference, even when its status reads 404", async () => {
    const { sessionId, sent } = await lost()
    harness.simulator.faults.script("getCollectionStatus", ["404"])
    await codeOf(start(sessionId))
    expect(executionsOf(sent).map((one) => one.reference)).toEqual([sent.reference])
    expect(await checkAfter(sent, MINUTE)).toMatchObject({ reference: sent.reference })
  })

  it("goes on with its page, which may be paid already", async () => {
    const { sessionId, collectionId, sent } = await lost(HOSTED)
    harness.simulator.hosted.pay(sent.sourceId ?? 0, { method: "card" })
    harness.later(5 * SECOND)
    await start(sessionId)
    harness.presently()
    expect((await checkAfter(sent, 3 * SECOND)).recordedAt).not.toBeNull()
    expect(harness.of(collectionId).completions).toBe(1)
  })
})

describe("[P19] a draft that is continued", () => {
  const harness = useFlowsHarness()
  const { start, reread } = actsIn(harness)

  afterEach(async () => {
    forgetPlans(harness)
    expect(await breachesIn(harness)).toEqual([])
  })

  async function drafted() {
    const cart = harness.cart()
    harness.simulator.faults.script("createCheckoutSession", ["500", "500", "500"])
    await codeOf(start(cart.sessionId))
    harness.simulator.faults.clear()
    const draft = await harness.shown(cart.collectionId)
    expect(draft).toMatchObject({ state: "drafted", sourceStatus: "ACTIVE" })
    return { ...cart, draft }
  }

  it("is sent under the reference that it was made with", async () => {
    const { sessionId, collectionId, draft } = await drafted()
    await start(sessionId)
    const { reference } = await harness.shown(collectionId)
    expect(reference).toBe(draft.draftReference)
  })

  it("ends when its document was closed, and a new payment begins", async () => {
    const { sessionId, collectionId, draft } = await drafted()
    await harness.gateway.orders.cancel(draft.sourceId ?? 0)
    const status = await start(sessionId)
    expect(status.state).toBe("waiting_for_payer")
    expect(await reread(draft)).toMatchObject({ state: "expired", sourceStatus: "CANCELED" })
    expect((await harness.shown(collectionId)).sourceId).not.toBe(draft.sourceId)
  })

  it("sends no prompt when its document was paid on the gateway's page", async () => {
    const { sessionId, draft } = await drafted()
    harness.simulator.hosted.pay(draft.sourceId ?? 0, { method: "card" })
    harness.later(5 * SECOND)
    expect(await codeOf(start(sessionId))).toBe("payment_in_progress")
    harness.presently()
    const prompts = harness.simulator.handset.pending()
    expect(prompts.filter((one) => one.sourceId === draft.sourceId)).toEqual([])
    expect(await reread(draft)).toMatchObject({ reference: null })
  })
})

describe("[P19] a refund whose submit was lost", () => {
  const harness = useFlowsHarness()
  const { start, reread, checkAfter } = actsIn(harness)

  afterEach(async () => {
    forgetPlans(harness)
    expect(await breachesIn(harness)).toEqual([])
  })

  const ask = (operationId: string) =>
    sendRefund(harness.deps, {
      operationId,
      medusaAmount: "19.99",
      capturedAmount: "19.99",
      medusaRefundId: null,
      askedBy: "medusa",
      code: "refund_by_medusa",
      isWaitedFor: false,
    })

  async function lost() {
    const cart = harness.cart()
    await start(cart.sessionId)
    const { id, reference } = await harness.shown(cart.collectionId)
    harness.simulator.handset.approve(reference ?? "")
    const paid = await checkAfter({ id }, 3 * SECOND)
    const outcome = await ask(paid.id)
    if (outcome.kind === "nothing_to_send") throw new Error("nothing was sent")
    await loseSubmit(harness, outcome.refund)
    return { paid, refund: outcome.refund }
  }

  it("is found by the job, and the amount stays reserved", async () => {
    const { paid, refund } = await lost()
    expect(await checkAfter(refund, MINUTE)).toMatchObject({ reference: refund.reference })
    expect(await codeOf(ask(paid.id))).not.toBe("none")
    expect((await reread(paid)).reservedRefundMinor).toBe(1_999n)
    harness.later(5 * SECOND)
    expect((await checkAfter(refund, MINUTE)).state).toBe("completed")
  })

  it.each(["404", "500", "403"] as const)(
    "keeps the amount reserved through one odd answer (%s)",
    async (fault) => {
      const { paid, refund } = await lost()
      harness.simulator.faults.script(
        "getRefundStatus",
        [fault, fault, fault].slice(0, fault === "404" ? 1 : 3),
      )
      expect((await checkAfter(refund, MINUTE)).state).toBe("drafted")
      expect((await reread(paid)).reservedRefundMinor).toBe(1_999n)
      harness.simulator.faults.clear()
      await checkAfter(refund, LIMITS.neverLandedAfterMs)
      expect(await reread(refund)).toMatchObject({ reference: refund.reference })
    },
  )
})
