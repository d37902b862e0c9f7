/**
 * A paid order is cancelled: Medusa would swallow that its refund can't be sent, so the guard says
 * it before.
 */
import type { Operation } from "../../../src/core/operation"
import { refuseOrderCancel } from "../../../src/orders/guard-order"
import { findRefundsOf } from "../../../src/refunds/sql/find-refunds"
import { MINUTE, SECOND } from "../../support/an-operation"
import { judgeEach, medusaRefunds } from "../../support/medusa-refunds"
import { useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness({ partialRefunds: "UNCAPPED" })
const { paid, deps, cartOf, click, refundsIn, unknown, checkAfter, set } = medusaRefunds(harness)

judgeEach(harness)

describe("[H24] cancelling a paid order", () => {
  const cancel = async (parent: Operation): Promise<string> => {
    const orderId = cartOf(parent).order?.id ?? ""
    return refuseOrderCancel({ ...deps(), medusa: harness.deps.medusa }, orderId).then(
      () => "passes",
      (error: unknown) =>
        error instanceof Error && "code" in error ? String(error.code) : String(error),
    )
  }

  it("passes while its refund can be sent, in whole, after a part, and after all of it", async () => {
    const parent = await paid()
    expect(await cancel(parent)).toBe("passes")
    await click(parent, "5")
    expect(await cancel(parent)).toBe("passes")
    await click(parent, "14.99")
    expect(await cancel(parent)).toBe("passes")
  })

  it.each([
    ["it is not recorded yet", "recorded_at = null", "payment_in_progress"],
    ["it is under review", "state = 'review', reason = 'order_canceled'", "under_review"],
  ])("is refused while %s", async (_, change, code) => {
    const parent = await paid()
    await set(parent, change)
    expect(await cancel(parent)).toBe(code)
    await set(parent, "state = 'completed', recorded_at = now(), payment_intent_id = 1")
  })

  it("is refused while a part is left that is not clear", async () => {
    const parent = await paid()
    await click(parent, "5")
    await set(parent, "payer_currency = 'LRD'")
    expect(await cancel(parent)).toBe("refund_unclear")
  })

  it("[B21] is refused where a refund that had failed goes through after all", async () => {
    const parent = await paid()
    harness.simulator.plan({ operationType: "REFUND", outcome: "decline_then_approve", times: 1 })
    await click(parent)
    const [refund] = await findRefundsOf(harness.deps.database, parent.id)
    if (!refund) throw new Error("no refund was made")
    expect(await checkAfter(refund, 10 * SECOND)).toMatchObject({ state: "failed" })
    harness.later(MINUTE)
    expect(await cancel(parent)).toBe("refund_in_progress")
    expect(await checkAfter(refund, SECOND)).toMatchObject({
      state: "review",
      reason: "late_refund",
    })
  })

  it("is refused without credentials", async () => {
    const parent = await paid()
    const given = { ...harness.deps, ...deps(), gatewayOf: () => undefined }
    await expect(refuseOrderCancel(given, cartOf(parent).order?.id ?? "")).rejects.toMatchObject({
      code: "not_configured",
    })
  })

  it("is refused while a refund is not known, and until Medusa shows it", async () => {
    const parent = await paid()
    const refund = await unknown(parent)
    expect(await cancel(parent)).toBe("refund_in_progress")
    await checkAfter(refund, MINUTE)
    expect(await cancel(parent)).toBe("refund_in_progress")
    await click(parent, "5")
    expect(await cancel(parent)).toBe("passes")
  })

  it("passes while all of it is on its way already: Medusa only records it", async () => {
    const parent = await paid()
    const refund = await unknown(parent, "19.99")
    await checkAfter(refund, MINUTE)
    expect(await cancel(parent)).toBe("passes")
    expect(await click(parent)).toMatch(/^ref_/)
    expect(refundsIn(parent)).toHaveLength(1)
  })
})
