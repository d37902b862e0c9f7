/**
 * Medusa asks for refunds: what is sent, what is adopted and what is refused, over a real ledger
 * and the simulator, with Medusa's rows in memory.
 */
import { refundMark } from "../../../src/refunds/rules/adopt-refund"
import type { Operation } from "../../../src/core/operation"
import { sendRefundOfMedusa } from "../../../src/refunds/send-refund-of-medusa"
import { sendRefund } from "../../../src/refunds/send-refund-to-gateway"
import { findRefundsOf } from "../../../src/refunds/sql/find-refunds"
import { MINUTE, SECOND } from "../../support/an-operation"
import { atMoment } from "../../support/moments"
import { closeMedusaRefund, openMedusaRefund } from "../../support/medusa-refunds-in-memory"
import { judgeEach, medusaRefunds } from "../../support/medusa-refunds"
import { actsIn, useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness({ partialRefunds: "UNCAPPED" })
const { paid, deps, cartOf, click, clickAndDie, refundsIn, only, unknown, checkAfter, set } =
  medusaRefunds(harness)
const { reread } = actsIn(harness)

judgeEach(harness)

describe("an admin's refund", () => {
  it("is sent once, answered, and bound to Medusa's row and to who asked", async () => {
    const parent = await paid()
    const row = await click(parent)
    expect(await only(parent)).toMatchObject({
      state: "in_flight",
      medusaRefundId: row,
      askedBy: "user_ada",
      answeredAt: expect.any(Date),
      recordedAt: null,
    })
    expect(refundsIn(parent)).toMatchObject([{ amount: "19.99", timesCalled: 1 }])
  })

  it("is another one each time that Medusa shows the last: two equal refunds are legitimate", async () => {
    const parent = await paid()
    const rows = [await click(parent, "5"), await click(parent, "5")]
    expect(new Set(rows).size).toBe(2)
    expect(refundsIn(parent).map(({ amount }) => amount)).toEqual(["5.00", "5.00"])
    expect(await click(parent, "10")).toBe("refund_too_much")
  })

  it("of the 66.62 that Medusa shows where it captured 66.61775 is all of it", async () => {
    const parent = await paid()
    const [payment] = cartOf(parent).payments
    Object.assign(payment ?? {}, { amount: "19.98775" })
    expect(await click(parent, "19.99")).toMatch(/^ref_/)
    expect(refundsIn(parent)).toMatchObject([{ amount: "19.99" }])
    expect(await click(parent, "19.99")).toBe("refund_too_much")
  })

  it("[B18] of which one of three is not known keeps its part, and is freed or shown later", async () => {
    const parent = await paid()
    await click(parent, "5")
    await click(parent, "5.01")
    harness.simulator.faults.script("executeRefund", ["reset:before"])
    expect(await click(parent, "9.98")).toBe("refund_in_progress")
    expect((await reread(parent)).reservedRefundMinor).toBe(1_999n)
    expect(await click(parent, "9.98")).toBe("refund_in_progress")
    expect(await click(parent, "1")).toBe("refund_too_much")
    const refunds = await findRefundsOf(harness.deps.database, parent.id)
    const third = refunds.find(({ medusaAmount }) => medusaAmount === "9.98")
    if (!third) throw new Error("no third refund")
    await checkAfter(third, 2 * MINUTE)
    expect(await checkAfter(third, 4 * SECOND)).toMatchObject({ state: "completed" })
    expect(cartOf(parent).refunds.map(({ amount }) => amount)).toEqual(["5", "5.01", "9.98"])
    expect(await click(parent, "9.98")).toBe("refund_too_much")
    expect(refundsIn(parent).map(({ amount }) => amount)).toEqual(["5.00", "5.01", "9.98"])
  })

  it("[B19] of two admins at the same moment is sent once, and the other hears that it is in progress", async () => {
    const parent = await paid()
    const both = await Promise.all([click(parent, "5"), click(parent, "5")])
    expect(both.sort()).toEqual([expect.stringMatching(/^ref_\d/), "refund_in_progress"])
    expect(refundsIn(parent)).toMatchObject([{ amount: "5.00", timesCalled: 1 }])
  })

  it("[B19] of two amounts at the same moment is sent as far as the money goes", async () => {
    const parent = await paid()
    const both = await Promise.all([click(parent, "12"), click(parent, "13")])
    expect(both.filter((one) => one.startsWith("ref_"))).toHaveLength(1)
    expect([await click(parent, "12"), await click(parent, "13")]).toEqual([
      "refund_too_much",
      "refund_too_much",
    ])
    expect(refundsIn(parent)).toHaveLength(1)
  })

  it.each([
    ["insufficient_funds", "wallet_too_low"],
    ["decline", "gateway_refused"],
  ] as const)("[B21] that ends as %s while it is waited for is refused", async (outcome, code) => {
    const parent = await paid()
    harness.simulator.plan({ operationType: "REFUND", outcome, times: 1 })
    expect(await click(parent)).toBe(code)
    expect(await only(parent)).toMatchObject({ answeredAt: null })
    // Its part is free after the second FAILED, and not before.
    expect(await click(parent)).toBe("refund_in_progress")
    expect(await checkAfter(await only(parent), 6 * SECOND)).toMatchObject({ state: "failed" })
    expect(await click(parent)).toMatch(/^ref_/)
  })

  it("of a payment that is not ours, or under no row of Medusa's, is refused", async () => {
    const parent = await paid()
    const cart = cartOf(parent)
    cart.payments.unshift({
      sessionId: "payses_other",
      isCaptured: true,
      isCanceled: false,
      isInOrder: true,
    })
    expect(await click(parent)).toBe("refund_unavailable")
    await expect(sendRefundOfMedusa(deps(), "ref_none")).rejects.toMatchObject({
      key: "refund_unavailable.no_such_refund",
    })
    cart.payments.shift()
    expect(refundsIn(parent)).toEqual([])
  })
})

describe("[B20] a refund of which nothing was known", () => {
  it("is in progress for an admin who asks again, and adopted once it has landed", async () => {
    const parent = await paid()
    const refund = await unknown(parent)
    expect(await click(parent, "5")).toBe("refund_in_progress")
    expect(await checkAfter(refund, MINUTE)).toMatchObject({ state: "completed", answeredAt: null })
    const row = await click(parent, "5")
    expect(await only(parent)).toMatchObject({
      medusaRefundId: row,
      answeredAt: expect.any(Date),
      nextCheckAt: expect.any(Date),
    })
    expect(refundsIn(parent)).toMatchObject([{ amount: "5.00", timesCalled: 1 }])
  })
})

describe("a row that carries the job's mark", () => {
  it("adopts its refund and never calls the gateway", async () => {
    const parent = await paid()
    const refund = await unknown(parent)
    await checkAfter(refund, MINUTE)
    harness.simulator.resetCalls()
    const row = await click(parent, "5", refundMark(refund.id))
    expect(await only(parent)).toMatchObject({ medusaRefundId: row, answeredAt: expect.any(Date) })
    expect(harness.simulator.calls).toEqual({})
  })

  it("adopts it also where all of the payment went back meanwhile", async () => {
    const parent = await paid()
    await click(parent, "14.99")
    const refunds = () => findRefundsOf(harness.deps.database, parent.id)
    harness.simulator.faults.script("executeRefund", ["reset:after"])
    harness.simulator.faults.script(
      "getRefundStatus",
      Array.from({ length: 9 }, () => "404" as const),
    )
    await click(parent, "5")
    harness.simulator.faults.clear()
    for (const one of await refunds()) await checkAfter(one, MINUTE)
    expect((await reread(parent)).returnedAt).not.toBeNull()
    const lost = (await refunds()).find(({ answeredAt }) => answeredAt === null)
    expect(await click(parent, "5", refundMark(lost?.id ?? ""))).toMatch(/^ref_/)
  })

  it.each<readonly [string, string, (refund: Operation, parent: Operation) => Promise<string>]>([
    ["of another amount", "refund_unavailable", (refund, parent) => marked(parent, refund, "4.99")],
    [
      "of another payment",
      "refund_unavailable",
      async (refund) => marked(await paid(), refund, "5"),
    ],
    [
      "of a refund that there is not",
      "refund_unavailable",
      (refund, parent) => marked(parent, { ...refund, id: "mpop_none" }, "5"),
    ],
    [
      "of one that failed",
      "refund_unavailable",
      async (refund, parent) => {
        await set(refund, "state = 'failed'")
        const code = await marked(parent, refund, "5")
        await set(refund, "state = 'submitted'")
        return code
      },
    ],
    [
      "of one that is not known yet",
      "refund_in_progress",
      (refund, parent) => marked(parent, refund, "5"),
    ],
    [
      "of one that Medusa shows already",
      "refund_unavailable",
      async (refund, parent) => {
        await checkAfter(refund, MINUTE)
        await click(parent, "5")
        return marked(parent, refund, "5")
      },
    ],
  ])("is refused where it is %s, with nothing sent", async (_, code, act) => {
    const parent = await paid()
    const refund = await unknown(parent)
    expect(await act(refund, parent)).toBe(code)
    expect(refundsIn(parent)).toHaveLength(1)
  })
})

const marked = (parent: Operation, { id }: Operation, amount: string) =>
  click(parent, amount, refundMark(id))

describe("[P08] the process that asks dies", () => {
  it.each([
    "after executions.refund=PROCESSING",
    "after executions.refund=PROCESSING+1",
    "after status.refund=PROCESSING",
  ] as const)("%s: the job's row adopts what went back, and it is sent once", async (at) => {
    const parent = await paid()
    const row = await clickAndDie(parent, at)
    await set(await only(parent), "answered_at = answered_at - interval '3 min'")
    const refund = await checkAfter(await only(parent), 3 * MINUTE)
    expect(refund).toMatchObject({ state: "completed", answeredAt: expect.any(Date) })
    const [shown, ...others] = cartOf(parent).refunds
    expect(shown).toMatchObject({ id: refund.medusaRefundId, createdBy: refundMark(refund.id) })
    expect([row, others]).toEqual([expect.not.stringMatching(`^${shown?.id}$`), []])
    expect(refundsIn(parent)).toMatchObject([{ timesCalled: 1, status: "COMPLETED" }])
  })

  it("while its row stands, no other click sends it again", async () => {
    const parent = await paid()
    await clickAndDie(parent, "after executions.refund=PROCESSING+1", "5")
    expect(await click(parent, "5")).toBe("refund_in_progress")
    expect(refundsIn(parent)).toHaveLength(1)
  })

  it("asleep until the job has taken its row away, it says no", async () => {
    const parent = await paid()
    const cart = cartOf(parent)
    const row = openMedusaRefund(cart, "5", "user_ada")
    const sleepy = atMoment(deps(), "after executions.refund=PROCESSING+1", () =>
      closeMedusaRefund(cart, row, true),
    )
    await expect(sendRefundOfMedusa(sleepy, row)).rejects.toMatchObject({
      code: "refund_in_progress",
    })
    expect(await only(parent)).toMatchObject({ state: "in_flight", answeredAt: null })
  })
})

it("[I4] what went straight back to the payer is adopted, not sent again", async () => {
  const parent = await paid()
  await sendRefund(deps(), {
    operationId: parent.id,
    medusaAmount: "19.99",
    capturedAmount: "19.99",
    medusaRefundId: null,
    askedBy: "user_ada",
    code: "refund_by_medusa",
    isWaitedFor: true,
  })
  const row = await click(parent)
  expect(await only(parent)).toMatchObject({ medusaRefundId: row })
  expect(refundsIn(parent)).toHaveLength(1)
})
