/**
 * Money that comes late, twice, or for no live payment: it waits for an admin under a reason, is
 * never applied by itself, and is never held twice.
 */
import { readStatus } from "../../../src/checkout/read-status"
import { sourceReference } from "../../../src/core/source-reference"
import { LIMITS } from "../../../src/core/limits"
import { ofMedusa, type Operation } from "../../../src/core/operation"
import { checkDueOperations } from "../../../src/worker/check-due-operations"
import { MINUTE, money, SECOND } from "../../support/an-operation"
import { dieAt } from "../../support/moments"
import { codeOf } from "../../support/code-of"
import { HOSTED } from "../../support/flows-harness"
import { useLateMoney } from "../../support/late-money"
import { passForAll, untilQuiet } from "../../support/until-quiet"

const { harness, start, reread, checkAfter, payByHand, failed, operationsOf } = useLateMoney()

/** Two attempts with one source, both declined. */
async function failedTwice() {
  const { cart, operation } = await failed()
  await start(cart.sessionId)
  const second = await harness.shown(cart.collectionId)
  expect(second.sourceId).toBe(operation.sourceId)
  harness.simulator.handset.decline(second.reference ?? "")
  await checkAfter(second, SECOND)
  expect(await checkAfter(second, 6 * SECOND)).toMatchObject({ state: "failed" })
  return { cart, operation, second }
}

const asked = () => harness.simulator.calls["getCollectionStatus"] ?? 0

/** Its page asks, the job comes by, and so much time passes. */
async function onScreen(operation: Operation, ms: number): Promise<Operation> {
  await readStatus(harness.deps, { sessionId: ofMedusa(operation).paymentSessionId })
  await passForAll(harness, ms)
  await checkDueOperations(harness.deps, { atMost: 50 })
  return reread(operation)
}

describe("a payment that seemed to have ended", () => {
  it("[B05] is completed when the gateway refused its push and carried it out anyway", async () => {
    harness.simulator.plan({ outcome: "approve", times: 1 })
    harness.simulator.faults.script("executeCollection", ["422:after"])
    harness.simulator.faults.script("getCollectionStatus", ["404"])
    const cart = harness.cart()
    await start(cart.sessionId)
    const operation = await harness.shown(cart.collectionId)
    expect(await checkAfter(operation, 2 * SECOND)).toMatchObject({ state: "submitted" })
    expect(await checkAfter(operation, 6 * SECOND)).toMatchObject({
      state: "completed",
      collected: money(1_999),
    })
  })

  it("[B05] goes to review when its start died and its page was paid anyway", async () => {
    const cart = harness.cart(HOSTED)
    await dieAt(harness.deps, "after checkouts.create=ACTIVE+1", (deps) =>
      start(cart.sessionId, deps),
    )
    const draft = await harness.shown(cart.collectionId)
    expect(draft).toMatchObject({ state: "drafted", sourceStatus: "ACTIVE" })
    payByHand(draft)
    await checkAfter(draft, 61 * MINUTE)
    expect(await checkAfter(draft, SECOND)).toMatchObject({
      state: "review",
      reason: "late_payment",
    })
  })

  it("[B06] goes to review when it reads FAILED and later COMPLETED", async () => {
    const { operation } = await failed("decline_then_approve")
    expect(await checkAfter(operation, 2 * MINUTE)).toMatchObject({
      state: "review",
      reason: "late_payment",
      isDuplicate: false,
      collected: money(1_999),
    })
  })

  it("[B06] is found paid while the shopper is on the page, and the watch keeps its checks", async () => {
    const { cart, operation } = await failed("decline_then_approve")
    const before = asked()
    let last = operation
    while (last.state === "failed") {
      // An early check uses up nothing of the watch.
      expect(last.checks).toBeLessThanOrEqual(0)
      last = await onScreen(last, 5 * SECOND)
    }
    expect(last.state).toBe("review")
    expect(asked() - before).toBeLessThanOrEqual(LIMITS.failedOnScreenMs.length)
    const { status } = await readStatus(harness.deps, { sessionId: cart.sessionId })
    expect(status).toMatchObject({ state: "under_review", can_retry: false })
  })

  it("[S03] is asked about at most four times while its page polls a gateway that doesn't answer", async () => {
    const { operation } = await failed()
    const before = asked()
    harness.simulator.faults.script("getCollectionStatus", Array<"500">(200).fill("500"))
    let last = operation
    const ageMs = () => last.readAt.getTime() - (last.failedAt?.getTime() ?? 0)
    // The first check of the watch, at two minutes, would be one more.
    while (ageMs() < 110 * SECOND) last = await onScreen(last, 2 * SECOND)
    expect(asked()).toBeGreaterThan(before)
    // The client sends each question up to three times.
    expect(asked() - before).toBeLessThanOrEqual(3 * LIMITS.failedOnScreenMs.length)
    expect(last.checks).toBeGreaterThanOrEqual(-1)
  })

  it("[B06] goes to review as a duplicate payment when its cart was paid again with the same source", async () => {
    const { cart, operation } = await failed("decline_then_approve")
    await start(cart.sessionId)
    const second = await harness.shown(cart.collectionId)
    expect(second).toMatchObject({ sourceId: operation.sourceId, state: "in_flight" })
    harness.simulator.handset.approve(second.reference ?? "")
    expect(await checkAfter(second, 3 * SECOND)).toMatchObject({ state: "completed" })
    expect((await reread(second)).recordedAt).not.toBeNull()
    expect(await checkAfter(operation, 2 * MINUTE)).toMatchObject({
      state: "review",
      reason: "late_payment",
      isDuplicate: true,
    })
    expect(harness.of(cart.collectionId).completions).toBe(1)
  })

  it("[B06] doesn't lend its late money to a second attempt, which was declined", async () => {
    const { cart, operation } = await failed("decline_then_approve")
    await start(cart.sessionId)
    const second = await harness.shown(cart.collectionId)
    harness.simulator.handset.decline(second.reference ?? "")
    await checkAfter(second, 3 * SECOND)
    expect(await checkAfter(second, MINUTE)).toMatchObject({ state: "failed", reason: "declined" })
    await untilQuiet(harness)
    expect(await reread(operation)).toMatchObject({ state: "review", reason: "late_payment" })
    expect(await reread(second)).toMatchObject({ state: "failed", collected: null })
  })

  it("[B15] goes to review when the source of its failed push is paid by hand", async () => {
    const { cart, operation } = await failed()
    payByHand(operation)
    expect(await checkAfter(operation, 2 * MINUTE)).toMatchObject({
      state: "review",
      reason: "late_payment",
      isDuplicate: false,
      collected: money(1_999),
    })
    expect(await codeOf(start(cart.sessionId))).toBe("under_review")
  })

  it("[B15] holds what was paid by hand once, though several attempts share the source", async () => {
    const { cart, operation, second } = await failedTwice()
    payByHand(second)
    await untilQuiet(harness)
    const rows = await operationsOf(cart.collectionId)
    expect(rows.filter(({ state }) => state === "review")).toHaveLength(1)
    expect(await reread(operation)).toMatchObject({ state: "failed" })
  })

  it("[B15] isn't charged again by a start that finds its source paid by hand", async () => {
    const { cart, operation, second } = await failedTwice()
    payByHand(second)
    expect(await codeOf(start(cart.sessionId))).toBe("under_review")
    const rows = await operationsOf(cart.collectionId)
    expect(rows.map(({ state }) => state).sort()).toEqual(["failed", "review"])
    expect((await reread(operation)).collected).toBeNull()
  })
})

describe("a draft that never sent anything", () => {
  /** With a source, and set back before anything went out. */
  async function stuck() {
    const cart = harness.cart()
    harness.simulator.faults.script("createCheckoutSession", ["503"])
    expect(await codeOf(start(cart.sessionId))).toBe("gateway_unavailable")
    const draft = await harness.shown(cart.collectionId)
    expect(draft).toMatchObject({ state: "drafted", reference: null, sourceStatus: "ACTIVE" })
    return { cart, draft }
  }

  it("[B15] goes to review when its source was paid by hand", async () => {
    const { cart, draft } = await stuck()
    payByHand(draft)
    expect(await checkAfter(draft, 31 * MINUTE)).toMatchObject({ state: "expired" })
    expect(await checkAfter(draft, SECOND)).toMatchObject({
      state: "review",
      reason: "late_payment",
      reference: null,
      collected: money(1_999),
    })
    expect(await codeOf(start(cart.sessionId))).toBe("under_review")
  })

  it("[B15] asks for no second payment when it is continued after its source was paid by hand", async () => {
    const { cart, draft } = await stuck()
    payByHand(draft)
    expect(await codeOf(start(cart.sessionId))).toBe("payment_in_progress")
    expect(await codeOf(start(cart.sessionId))).toBe("under_review")
    expect(await reread(draft)).toMatchObject({ state: "review", reason: "late_payment" })
    const documents = harness.simulator.book.documents()
    expect(
      documents.filter(({ referenceId }) => referenceId === sourceReference(draft.id)),
    ).toHaveLength(1)
  })

  it("[B15] goes to review when the idle source of its page is paid by hand", async () => {
    await harness.ledger.sql("update mp_account set fee_bearer = 'PAYER'")
    const cart = harness.cart(HOSTED)
    harness.simulator.faults.script("getPaymentLink", ["503:60"])
    expect(await codeOf(start(cart.sessionId))).toBe("gateway_unavailable")
    const draft = await harness.shown(cart.collectionId)
    await harness.ledger.sql("update mp_operation set source_status = 'IDLE' where id = $1", [
      draft.id,
    ])
    payByHand(draft)
    expect(await codeOf(start(cart.sessionId))).toBe("payment_in_progress")
    expect(await codeOf(start(cart.sessionId))).toBe("under_review")
  })

  it("doesn't hold the money of the failed push whose source it took over", async () => {
    const { cart, operation } = await failed("decline_then_approve")
    harness.simulator.faults.script("createCheckoutSession", ["503"])
    expect(await codeOf(start(cart.sessionId))).toBe("gateway_unavailable")
    const draft = await harness.shown(cart.collectionId)
    expect(draft).toMatchObject({ state: "drafted", sourceId: operation.sourceId })
    await untilQuiet(harness)
    const states = [await reread(operation), await reread(draft)].map(({ state }) => state)
    expect(states).toEqual(["review", "expired"])
    expect(await codeOf(start(cart.sessionId))).toBe("under_review")
  })
})
