/**
 * A page or source is closed once no attempt can use it any more: an open one invites a second
 * payment.
 */
import { cancelPayment } from "../../../src/checkout/cancel-payment"
import type { FlowDeps } from "../../../src/engine/deps"
import { HOUR, MINUTE, SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { HOSTED } from "../../support/flows-harness"
import { useLateMoney } from "../../support/late-money"

const { harness, start, checkAfter, started, failed } = useLateMoney()

describe("a page", () => {
  it("[B09] ends when its source is canceled elsewhere, and its cart is free", async () => {
    const { cart, operation } = await started(HOSTED)
    await harness.gateway.orders.cancel(operation.sourceId ?? 0)
    expect(await checkAfter(operation, 3 * SECOND)).toMatchObject({
      state: "expired",
      reason: "canceled",
    })
    expect(await start(cart.sessionId)).toMatchObject({ state: "waiting_for_payer" })
    expect((await harness.shown(cart.collectionId)).sourceId).not.toBe(operation.sourceId)
  })

  it("is closed later when the gateway answers the shopper's cancel with 429, which pauses the account", async () => {
    const paused: number[] = []
    const deps: FlowDeps = {
      ...harness.deps,
      budget: { ...harness.deps.budget, pause: (_account, ms) => void paused.push(ms) },
    }
    const { cart, operation } = await started(HOSTED)
    harness.simulator.faults.script("cancelOrder", ["429"])
    expect(await codeOf(cancelPayment(deps, { sessionId: cart.sessionId }))).toBe(
      "payment_in_progress",
    )
    expect(paused).toHaveLength(1)
    expect(await checkAfter(operation, MINUTE)).toMatchObject({
      state: "expired",
      reason: "canceled",
    })
  })
})

describe("the source of a push that has ended", () => {
  it.each([null, "PAYER"])(
    "is closed when no other attempt can use it (fee bearer %s)",
    async (bearer) => {
      await harness.ledger.sql("update mp_account set fee_bearer = $1", [bearer])
      const { operation } = await failed()
      const sourceId = operation.sourceId ?? 0
      await checkAfter(operation, 2 * MINUTE)
      expect(harness.simulator.book.document(sourceId)?.status).toBe("ACTIVE")
      const later = await checkAfter(operation, 27 * MINUTE)
      expect(later).toMatchObject({ state: "failed", sourceStatus: "CANCELED" })
      expect(harness.simulator.book.document(sourceId)?.status).toBe("CANCELED")
    },
  )

  it("is due when the time for another attempt is over", async () => {
    const { operation } = await failed()
    const soon = await checkAfter(operation, 15 * MINUTE)
    const dueInMs = (soon.nextCheckAt?.getTime() ?? 0) - soon.readAt.getTime()
    expect(dueInMs).toBeLessThan(15 * MINUTE)
    expect(soon.checks).toBe(operation.checks)
  })

  it("is closed when the push was refused at once", async () => {
    harness.simulator.faults.script("executeCollection", ["422"])
    const cart = harness.cart()
    await start(cart.sessionId)
    const operation = await harness.shown(cart.collectionId)
    await checkAfter(operation, 2 * SECOND)
    expect(await checkAfter(operation, 6 * SECOND)).toMatchObject({
      state: "expired",
      sourceStatus: "CANCELED",
    })
  })

  it("stays open for the attempt that took it over", async () => {
    const { cart, operation } = await failed()
    await start(cart.sessionId)
    const second = await harness.shown(cart.collectionId)
    expect(second.sourceId).toBe(operation.sourceId)
    await checkAfter(operation, HOUR)
    harness.simulator.handset.approve(second.reference ?? "")
    expect(await checkAfter(second, SECOND)).toMatchObject({ state: "completed" })
  })
})
