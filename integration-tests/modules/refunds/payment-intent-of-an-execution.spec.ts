/**
 * Where a refund's payment intent id comes from (contract, 3 and 17.1): from whatever the
 * execution's answers have beside their fields, which is kept with what happened, and else from a
 * person.
 */
import type { Operation } from "../../../src/core/operation"
import { checkNow } from "../../../src/worker/check-due-operations"
import { enterPaymentIntent } from "../../../src/review/payment-intent"
import { SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import type { FlowsHarness } from "../../support/flows-harness"
import { judgeEach, medusaRefunds } from "../../support/medusa-refunds"
import { actsIn, useFlowsHarness } from "../../support/use-flows-harness"

/** What the events of an operation keep of the answers' other fields, oldest first. */
async function keptBy(harness: FlowsHarness, { id }: Operation): Promise<unknown[]> {
  const events = await harness.ledger.sql(
    `select facts->'other_fields' as kept from mp_operation_event
      where operation_id = $1 and facts ? 'other_fields' order by seq`,
    [id],
  )
  return events.map(({ kept }) => kept)
}

const enter = ({ deps }: FlowsHarness, { id }: Operation, paymentIntentId: number) =>
  enterPaymentIntent(deps, { operationId: id, paymentIntentId, adminId: "user_ada" })

describe("in an object of another name", () => {
  const harness = useFlowsHarness({ showsPaymentIntent: "NESTED" })
  const { paid, click, refundsIn } = medusaRefunds(harness)
  judgeEach(harness)

  it("it is taken, and a refund is sent with it", async () => {
    const parent = await paid()
    const { paymentIntentId } = harness.simulator.book.execution(parent.reference ?? "") ?? {}
    expect(parent.paymentIntentId).toBe(paymentIntentId)
    expect(await click(parent)).toMatch(/^ref_/)
    expect(refundsIn(parent)).toMatchObject([{ originalPaymentIntentId: paymentIntentId }])
  })

  it("the object is kept with the answers that changed something, not with each check", async () => {
    const { collectionId, sessionId } = harness.cart()
    await actsIn(harness).start(sessionId)
    const { id, reference } = await harness.shown(collectionId)
    for (let checks = 0; checks < 3; checks++) {
      await harness.pass(id, 3 * SECOND)
      await checkNow(harness.deps, id)
    }
    const before = await keptBy(harness, await harness.shown(collectionId))
    expect(before.length).toBe(1)
    harness.simulator.handset.approve(reference ?? "")
    await harness.pass(id, 3 * SECOND)
    await checkNow(harness.deps, id)
    const operation = await harness.shown(collectionId)
    const kept = { payment_intent: { id: String(operation.paymentIntentId), kind: "COLLECTION" } }
    expect(await keptBy(harness, operation)).toEqual([...before, kept])
    expect(before).toEqual([kept])
  })
})

describe("under two names that disagree", () => {
  const harness = useFlowsHarness({ showsPaymentIntent: "TWO_NAMES" })
  const { paid, click, refundsIn } = medusaRefunds(harness)
  judgeEach(harness)

  it("none is taken: a person finds both in what is kept, and types the right one", async () => {
    const parent = await paid()
    const { paymentIntentId = 0 } = harness.simulator.book.execution(parent.reference ?? "") ?? {}
    expect(parent).toMatchObject({ state: "completed", paymentIntentId: null })
    expect(await click(parent)).toBe("payment_intent_unknown")
    expect(refundsIn(parent)).toEqual([])
    expect((await keptBy(harness, parent)).at(-1)).toEqual({
      payment_intent_id: paymentIntentId,
      checkout_payment_intent_id: paymentIntentId + 1,
    })
  })

  it("[B40] a third one that a person types is refused, and one of the two is taken", async () => {
    const parent = await paid()
    const { paymentIntentId = 0 } = harness.simulator.book.execution(parent.reference ?? "") ?? {}
    await expect(enter(harness, parent, paymentIntentId + 2)).rejects.toMatchObject({
      code: "payment_intent_differs",
      details: { named: [paymentIntentId, paymentIntentId + 1] },
    })
    harness.simulator.faults.script("getCollectionStatus", ["500", "500", "500"])
    expect(await codeOf(enter(harness, parent, paymentIntentId))).toBe("gateway_unavailable")
    harness.simulator.faults.clear()
    expect(await harness.shown(parent.paymentCollectionId)).toMatchObject({ paymentIntentId: null })
    await enter(harness, parent, paymentIntentId)
    expect(await click(parent)).toMatch(/^ref_/)
  })
})

describe("where the answers have nothing beside their fields", () => {
  const harness = useFlowsHarness({ showsPaymentIntent: false })
  const { paid } = medusaRefunds(harness)
  judgeEach(harness)

  it("nothing is taken and nothing is kept", async () => {
    const parent = await paid()
    expect(parent.paymentIntentId).toBeNull()
    expect(await keptBy(harness, parent)).toEqual([])
  })

  it("[B40] a person's word is all there is", async () => {
    const parent = await paid()
    await enter(harness, parent, 999_999_999)
    expect(await harness.shown(parent.paymentCollectionId)).toMatchObject({
      paymentIntentId: 999_999_999,
    })
  })
})

describe("the same id for two payments", () => {
  const harness = useFlowsHarness()
  const { paid, click, refundsIn } = medusaRefunds(harness)
  judgeEach(harness)

  it("sends nothing: the money of one could reach the payer of the other", async () => {
    const [one, other] = [await paid(), await paid()]
    await harness.ledger.sql("update mp_operation set payment_intent_id = $2 where id = $1", [
      other.id,
      one.paymentIntentId,
    ])
    for (const payment of [one, other]) {
      expect(await click(payment)).toBe("payment_intent_taken")
      expect(refundsIn(payment)).toEqual([])
    }
    await harness.ledger.sql("update mp_operation set payment_intent_id = $2 where id = $1", [
      other.id,
      other.paymentIntentId,
    ])
    expect(await click(one)).toMatch(/^ref_/)
  })
})
