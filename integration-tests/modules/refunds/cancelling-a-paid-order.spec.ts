/**
 * An admin cancels a paid order. Medusa ignores a refund that is refused, so the guard refuses to
 * cancel while the order's refund can't be sent.
 */
import type { Operation } from "../../../src/core/operation"
import { refuseOrderCancel } from "../../../src/orders/guard-order"
import { MINUTE, SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { closeMedusaRefund, openMedusaRefund } from "../../support/medusa-refunds-in-memory"
import { TOTAL, useRefundHarness } from "../../support/refund-harness"

const scene = useRefundHarness()
const { harness, paid, quick, cartOf, click, last, refundsOf, sentOf, unknown, checkAfter, set } =
  scene

describe("[H24] cancelling a paid order", () => {
  const cancel = (parent: Operation, deps = quick()): Promise<string> =>
    codeOf(refuseOrderCancel(deps, cartOf(parent).order?.id ?? ""))

  it("is allowed while its refund can be sent: before, between and after partial refunds", async () => {
    const parent = await paid()
    expect(await cancel(parent)).toBe("none")
    await click(parent, "5")
    expect(await cancel(parent)).toBe("none")
    await click(parent, "14.99")
    expect(await cancel(parent)).toBe("none")
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

  it("is refused while the refund of the part that is left is unclear", async () => {
    const parent = await paid()
    await click(parent, "5")
    await set(parent, "payer_currency = 'LRD'")
    expect(await cancel(parent)).toBe("refund_unclear")
  })

  it("[B21] is refused where a refund that had failed goes through after all", async () => {
    const parent = await paid()
    harness.simulator.plan({ operationType: "REFUND", outcome: "decline_then_approve", times: 1 })
    await click(parent)
    const refund = await last(parent)
    expect(await checkAfter(refund, 10 * SECOND)).toMatchObject({ state: "failed" })
    harness.later(MINUTE)
    expect(await cancel(parent)).toBe("refund_in_progress")
    expect(await checkAfter(refund, SECOND)).toMatchObject({
      state: "review",
      reason: "late_refund",
    })
  })

  it("is allowed, as is a refund, once its operator took the money back, and sends nothing", async () => {
    const parent = await paid()
    await set(parent, "taken_back_at = now()")
    harness.simulator.resetCalls()
    expect(await cancel(parent)).toBe("none")
    expect(await click(parent)).toMatch(/^ref_/)
    expect(await refundsOf(parent)).toEqual([])
    expect(harness.simulator.calls["executeRefund"] ?? 0).toBe(0)
  })

  it("[B54] is refused while Medusa shows a refund that nobody was asked for yet, and may be refused", async () => {
    const parent = await paid()
    const row = openMedusaRefund(cartOf(parent), TOTAL, "user_ada")
    expect(await cancel(parent)).toBe("refund_in_progress")
    closeMedusaRefund(cartOf(parent), row, true)
    expect(await cancel(parent)).toBe("none")
  })

  // The click's row was counted as given back, and was gone when it was looked for: the order was
  // cancelled over money that needed a second admin.
  it("[B54] is refused where another click of Refund is refused while Medusa's rows are read", async () => {
    const parent = await paid()
    const deps = quick()
    const row = openMedusaRefund(cartOf(parent), TOTAL, "user_ada")
    const medusa: typeof deps.medusa = {
      ...deps.medusa,
      async paidOfOrder(orderId) {
        const counted = await deps.medusa.paidOfOrder(orderId)
        closeMedusaRefund(cartOf(parent), row, true)
        return counted
      },
    }
    expect(await cancel(parent, { ...deps, medusa })).toBe("refund_in_progress")
    expect(await cancel(parent)).toBe("none")
  })

  it("is refused without credentials", async () => {
    const parent = await paid()
    expect(await cancel(parent, { ...quick(), gatewayOf: () => undefined })).toBe("not_configured")
  })

  it("is refused while the outcome of a refund is unknown, and until Medusa shows it", async () => {
    const parent = await paid()
    const refund = await unknown(parent)
    expect(await cancel(parent)).toBe("refund_in_progress")
    await checkAfter(refund, MINUTE)
    expect(await cancel(parent)).toBe("refund_in_progress")
    await click(parent, "5")
    expect(await cancel(parent)).toBe("none")
  })

  it("is allowed while all of the money is on its way already: Medusa only records it", async () => {
    const parent = await paid()
    const refund = await unknown(parent, TOTAL)
    await checkAfter(refund, MINUTE)
    expect(await cancel(parent)).toBe("none")
    expect(await click(parent)).toMatch(/^ref_/)
    expect(sentOf(parent)).toHaveLength(1)
  })
})
