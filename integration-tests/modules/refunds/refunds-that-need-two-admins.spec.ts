/** Refunds in Medusa's own admin, where the account wants two admins above an amount. */
import type { Operation } from "../../../src/core/operation"
import { checkNow } from "../../../src/worker/check-due-operations"
import type { FlowDeps } from "../../../src/engine/deps"
import { refuseOrderCancel } from "../../../src/orders/guard-order"
import { sendRefundOfMedusa } from "../../../src/refunds/send-refund-of-medusa"
import { sendRefund } from "../../../src/refunds/send-refund-to-gateway"
import { startPayment } from "../../../src/checkout/start-payment"
import { SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { useReviewHarness } from "../../support/review-harness"
import { PHONE } from "../../support/flows-harness"
import { closeMedusaRefund, openMedusaRefund } from "../../support/medusa-refunds-in-memory"

const review = useReviewHarness()

beforeEach(() => review.policies({ refund_second_admin_above: { USD: 10 } }))

const deps = (): FlowDeps => review.quick()

async function paid(): Promise<Operation> {
  const { cart, shown, simulator, pass, deps } = review.its()
  const { collectionId, sessionId } = cart()
  await startPayment(deps, { sessionId, phone: PHONE })
  const { id, reference } = await shown(collectionId)
  simulator.handset.approve(reference ?? "")
  await pass(id, 3 * SECOND)
  await checkNow(deps, id)
  return shown(collectionId)
}

/** Medusa's own refund, taken back by it where it is refused; the refusal's code. */
async function click(
  payment: Operation,
  amount: string,
  by: string | null,
  harness = deps(),
): Promise<string> {
  const cart = review.its().of(payment.paymentCollectionId)
  const row = openMedusaRefund(cart, amount, by)
  const code = await sendRefundOfMedusa(harness, row).then(
    () => "refunded",
    (error: unknown) =>
      error instanceof Error && "code" in error ? String(error.code) : String(error),
  )
  closeMedusaRefund(cart, row, code !== "refunded")
  return code
}

it("above the amount the first click is noted, and another admin's goes", async () => {
  const payment = await paid()
  expect(await click(payment, "15", "user_ada")).toBe("refund_needs_second_admin")
  expect(await click(payment, "15", "user_ada")).toBe("refund_needs_second_admin")
  expect(await click(payment, "12", "user_bob")).toBe("refund_needs_second_admin")
  expect(review.refundsAt(payment)).toEqual([])
  expect(await click(payment, "15", "user_bob")).toBe("refunded")
  expect(review.refundsAt(payment)).toMatchObject([{ amount: "15.00" }])
})

describe("[S17] parts of a day count together", () => {
  it("for a refund of what one admin alone may not give back at once", async () => {
    const payment = await paid()
    expect(await click(payment, "6", "user_ada")).toBe("refunded")
    expect(await click(payment, "4", "user_ada")).toBe("refunded")
    expect(await click(payment, "0.01", "user_ada")).toBe("refund_needs_second_admin")
    expect(await click(payment, "0.01", "user_bob")).toBe("refunded")
  })

  it("and those of the day before do not", async () => {
    const payment = await paid()
    expect(await click(payment, "6", "user_ada")).toBe("refunded")
    await review.settled()
    await review
      .its()
      .ledger.sql(
        "update mp_operation set created_at = created_at - interval '1 day' where type = 'REFUND'",
      )
    expect(await click(payment, "6", "user_ada")).toBe("refunded")
    expect(await click(payment, "6", "user_ada")).toBe("refund_needs_second_admin")
  })

  it("also of two at the same moment", async () => {
    const payment = await paid()
    const both = await Promise.all(
      ["5.5", "5.6"].map((medusaAmount) =>
        codeOf(
          sendRefund(deps(), {
            operationId: payment.id,
            medusaAmount,
            capturedAmount: "19.99",
            medusaRefundId: null,
            askedBy: "user_ada",
            adminId: "user_ada",
            code: "refund_by_medusa",
            isWaitedFor: false,
          }),
        ),
      ),
    )
    expect(both.sort()).toEqual(["none", "refund_needs_second_admin"])
  })

  it("and cancelling the order gives back the rest", async () => {
    const payment = await paid()
    await review.policies({ refund_second_admin_above: { USD: 15 } })
    expect(await click(payment, "9.99", "user_ada")).toBe("refunded")
    await expect(refuseOrderCancel(deps(), payment.orderId ?? "")).rejects.toMatchObject({
      code: "refund_needs_second_admin",
    })
  })
})

it("below it, and by no person, one is enough", async () => {
  const payment = await paid()
  expect(await click(payment, "5", "user_ada")).toBe("refunded")
  expect(await click(payment, "14.99", null)).toBe("refunded")
  expect(review.refundsAt(payment)).toHaveLength(2)
})

it("the word of two stands where nothing was sent", async () => {
  const payment = await paid()
  expect(await click(payment, "15", "user_ada")).toBe("refund_needs_second_admin")
  review.its().simulator.faults.script("createRefundSession", ["422"])
  expect(await click(payment, "15", "user_bob")).toBe("gateway_refused")
  expect(await click(payment, "15", "user_bob")).toBe("refunded")
})

it("[H24] cancelling the order is refused: Medusa would swallow that a second admin is needed", async () => {
  const payment = await paid()
  await expect(refuseOrderCancel(deps(), payment.orderId ?? "")).rejects.toMatchObject({
    code: "refund_needs_second_admin",
  })
  await review.policies({ refund_second_admin_above: null })
  await refuseOrderCancel(deps(), payment.orderId ?? "")
})

it("an API key is neither the first admin nor the second", async () => {
  const payment = await paid()
  expect(await click(payment, "15", "apk_01JKEYONE")).toBe("refund_needs_second_admin")
  expect(await click(payment, "15", "user_ada")).toBe("refund_needs_second_admin")
  expect(await click(payment, "15", "apk_01JKEYONE")).toBe("refund_needs_second_admin")
  expect(await click(payment, "15", "apk_01JKEYTWO")).toBe("refund_needs_second_admin")
  expect(review.refundsAt(payment)).toEqual([])
  expect(await click(payment, "5", "apk_01JKEYONE")).toBe("refunded")
  expect(await click(payment, "12", "user_ada")).toBe("refund_needs_second_admin")
  expect(await click(payment, "12", "user_bob")).toBe("refunded")
})

it("a limit that can't be read holds everything back", async () => {
  const payment = await paid()
  await review
    .its()
    .ledger.sql(
      `update mp_account set policies = jsonb_build_object('refund_second_admin_above', '200')`,
    )
  expect(await click(payment, "1", "user_ada")).toBe("refund_needs_second_admin")
})

describe("of an account that was removed", () => {
  const gone = (is: boolean) =>
    review.its().ledger.sql(`update mp_account set deleted_at = ${is ? "now()" : "null"}`)
  afterEach(() => gone(false))

  it("a refund above the amount still needs two", async () => {
    const payment = await paid()
    await gone(true)
    const { gateway } = review.its()
    const harness = { ...deps(), keptGateway: () => Promise.resolve(gateway) }
    expect(await click(payment, "15", "user_ada", harness)).toBe("refund_needs_second_admin")
    await expect(refuseOrderCancel(harness, payment.orderId ?? "")).rejects.toMatchObject({
      code: "refund_needs_second_admin",
    })
    expect(review.refundsAt(payment)).toEqual([])
    expect(await click(payment, "15", "user_bob", harness)).toBe("refunded")
  })
})
