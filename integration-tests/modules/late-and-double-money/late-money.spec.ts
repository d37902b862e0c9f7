/**
 * Money that comes late, twice, or for no live payment: each is held for a person under a reason,
 * none is applied by itself, none is held twice.
 */
import { readStatus } from "../../../src/checkout/read-status"
import { sourceReference } from "../../../src/core/source-reference"
import { LIMITS } from "../../../src/core/limits"
import { checkDueOperations } from "../../../src/worker/check-due-operations"
import { MINUTE, money, SECOND } from "../../support/an-operation"
import { dieAt } from "../../support/moments"
import { codeOf } from "../../support/code-of"
import { HOSTED } from "../../support/flows-harness"
import { useLateMoney } from "../../support/late-money"
import { passForAll, untilQuiet } from "../../support/until-quiet"

const { harness, start, reread, checkAfter, payByHand, failed, operationsOf } = useLateMoney()

describe("after an end", () => {
  it("[B05] a push that was refused and carried out all the same is paid in time", async () => {
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

  it("[B05] a page whose start died and that was paid all the same is late money", async () => {
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

  it("[B06] FAILED, later COMPLETED, is late money of an unpaid cart", async () => {
    const { operation } = await failed("decline_then_approve")
    expect(await checkAfter(operation, 2 * MINUTE)).toMatchObject({
      state: "review",
      reason: "late_payment",
      isDuplicate: false,
      collected: money(1_999),
    })
  })

  it("[B06] is found while the shopper is on the page, and the watch keeps its checks", async () => {
    const { cart, operation } = await failed("decline_then_approve")
    const onScreen = async (seconds: number) => {
      await readStatus(harness.deps, { sessionId: cart.sessionId })
      await passForAll(harness, seconds * SECOND)
      await checkDueOperations(harness.deps, { atMost: 50 })
      return (await reread(operation)).state
    }
    const asked = () => harness.simulator.calls.getCollectionStatus ?? 0
    const before = asked()
    for (let times = 0; times < 8; times++) expect(await onScreen(5)).toBe("failed")
    expect(asked() - before).toBe(3)
    const { checks, nextCheckAt, readAt } = await reread(operation)
    // The next of the watch, as if there were no page; or, where the machine was so slow that the
    // page has asked for one more already, that one, whose use of the watch is given back before.
    const isOfWatch = (nextCheckAt?.getTime() ?? 0) > readAt.getTime() + MINUTE
    expect(checks).toBe(isOfWatch ? 0 : -1)
    expect(await onScreen(10)).toBe("failed")
    expect(await onScreen(20)).toBe("review")
    const { status } = await readStatus(harness.deps, { sessionId: cart.sessionId })
    expect(status).toMatchObject({ state: "under_review", can_retry: false })
  })

  it("[S03] of a gateway that does not answer, a page that asks on and on makes four questions", async () => {
    const { cart, operation } = await failed()
    const before = harness.simulator.calls["getCollectionStatus"] ?? 0
    harness.simulator.faults.script("getCollectionStatus", Array<"500">(200).fill("500"))
    for (let times = 0; times < 55; times++) {
      await readStatus(harness.deps, { sessionId: cart.sessionId })
      await passForAll(harness, 2 * SECOND)
      await checkDueOperations(harness.deps, { atMost: 50 })
    }
    const asked = (harness.simulator.calls["getCollectionStatus"] ?? 0) - before
    // The client sends each question up to three times.
    expect(asked).toBeGreaterThan(0)
    expect(asked).toBeLessThanOrEqual(3 * LIMITS.failedOnScreenMs.length)
    // Late money is watched for as before.
    expect((await reread(operation)).checks).toBeGreaterThanOrEqual(-1)
  })

  it("[B06] FAILED, later COMPLETED, is a duplicate payment when the cart was paid again with its source", async () => {
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

  it("[B06] late money of the first try is not the second's, which was declined", async () => {
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

  it("[B15] a failed push's source that is paid by hand is found by the watch", async () => {
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

  it("[B15] of several tries with one source, one holds what was paid by hand", async () => {
    const { cart, operation } = await failed()
    await start(cart.sessionId)
    const second = await harness.shown(cart.collectionId)
    harness.simulator.handset.decline(second.reference ?? "")
    await checkAfter(second, SECOND)
    expect(await checkAfter(second, 6 * SECOND)).toMatchObject({ state: "failed" })
    payByHand(second)
    await untilQuiet(harness)
    const rows = await operationsOf(cart.collectionId)
    expect(rows.filter(({ state }) => state === "review")).toHaveLength(1)
    expect(await reread(operation)).toMatchObject({ state: "failed" })
  })

  it("[B15] a start finds what was paid by hand, and asks for no second payment", async () => {
    const { cart, operation } = await failed()
    await start(cart.sessionId)
    const second = await harness.shown(cart.collectionId)
    harness.simulator.handset.decline(second.reference ?? "")
    await checkAfter(second, SECOND)
    await checkAfter(second, 6 * SECOND)
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

  it("[B15] is held for a person when its source was paid by hand", async () => {
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

  it("[B15] that is continued after its source was paid by hand asks for no second payment", async () => {
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

  it("[B15] of a page whose source was idle and is paid by hand meanwhile is found, too", async () => {
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

  it("does not hold the money of the failed push whose source it took over", async () => {
    const { cart, operation } = await failed("decline_then_approve")
    harness.simulator.faults.script("createCheckoutSession", ["503"])
    expect(await codeOf(start(cart.sessionId))).toBe("gateway_unavailable")
    const draft = await harness.shown(cart.collectionId)
    expect(draft).toMatchObject({ state: "drafted", sourceId: operation.sourceId })
    await untilQuiet(harness)
    const states = [await reread(operation), await reread(draft)].map(({ state }) => state)
    expect(states).toEqual(["review", "expired"])
  })
})
