/**
 * Where a refund's payment intent id comes from (contract, 3 and 17.1): from unknown fields of the
 * execution's answers, which are kept with the events, and otherwise from an admin.
 */
import type { Operation } from "../../../src/core/operation"
import { checkNow } from "../../../src/worker/check-due-operations"
import { enterPaymentIntent } from "../../../src/review/payment-intent"
import { SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import type { FlowsHarness } from "../../support/flows-harness"
import { useRefundHarness } from "../../support/refund-harness"
import { actsIn } from "../../support/use-flows-harness"

/** The unknown fields of answers that the events of an operation keep, oldest first. */
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

describe("a payment intent in an object of another name", () => {
  const { harness, paid, click, sentOf } = useRefundHarness({ showsPaymentIntent: "NESTED" })

  it("is taken, and a refund is sent with it", async () => {
    const parent = await paid()
    const { paymentIntentId } = harness.simulator.book.execution(parent.reference ?? "") ?? {}
    expect(parent.paymentIntentId).toBe(paymentIntentId)
    expect(await click(parent)).toMatch(/^ref_/)
    expect(sentOf(parent)).toMatchObject([{ originalPaymentIntentId: paymentIntentId }])
  })

  it("is kept with the answers that changed something, not with each check", async () => {
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

describe("a payment intent under two names that disagree", () => {
  const { harness, paid, click, sentOf } = useRefundHarness({ showsPaymentIntent: "TWO_NAMES" })

  it("is not taken: an admin finds both ids in the events", async () => {
    const parent = await paid()
    const { paymentIntentId = 0 } = harness.simulator.book.execution(parent.reference ?? "") ?? {}
    expect(parent).toMatchObject({ state: "completed", paymentIntentId: null })
    expect(await click(parent)).toBe("payment_intent_unknown")
    expect(sentOf(parent)).toEqual([])
    expect((await keptBy(harness, parent)).at(-1)).toEqual({
      payment_intent_id: paymentIntentId,
      checkout_payment_intent_id: paymentIntentId + 1,
    })
  })

  it("[B40] is one of the two that an admin enters; a third one is refused", async () => {
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

describe("a payment intent that no answer names", () => {
  const { harness, paid } = useRefundHarness({ showsPaymentIntent: false })

  it("stays unknown, and the events keep no unknown fields", async () => {
    const parent = await paid()
    expect(parent.paymentIntentId).toBeNull()
    expect(await keptBy(harness, parent)).toEqual([])
  })

  it("[B40] is the one that an admin enters", async () => {
    const parent = await paid()
    await enter(harness, parent, 999_999_999)
    expect(await harness.shown(parent.paymentCollectionId)).toMatchObject({
      paymentIntentId: 999_999_999,
    })
  })
})

describe("a payment intent that two payments have", () => {
  const { harness, paid, click, sentOf } = useRefundHarness({})

  it("is used for no refund: the money of one could reach the payer of the other", async () => {
    const [one, other] = [await paid(), await paid()]
    await harness.ledger.sql("update mp_operation set payment_intent_id = $2 where id = $1", [
      other.id,
      one.paymentIntentId,
    ])
    for (const payment of [one, other]) {
      expect(await click(payment)).toBe("payment_intent_taken")
      expect(sentOf(payment)).toEqual([])
    }
    await harness.ledger.sql("update mp_operation set payment_intent_id = $2 where id = $1", [
      other.id,
      other.paymentIntentId,
    ])
    expect(await click(one)).toMatch(/^ref_/)
  })
})
