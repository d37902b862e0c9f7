/**
 * Refunds that Medusa requests: what is sent, what is adopted and what is refused, over a real
 * ledger and the simulator, with Medusa's rows in memory.
 */
import { refundMark } from "../../../src/refunds/rules/adopt-refund"
import type { Operation } from "../../../src/core/operation"
import { MINUTE, SECOND } from "../../support/an-operation"
import { atMoment } from "../../support/moments"
import { closeMedusaRefund, openMedusaRefund } from "../../support/medusa-refunds-in-memory"
import { useRefundHarness } from "../../support/refund-harness"

const scene = useRefundHarness()
const { harness, paid, quick, cartOf, provider, click, clickAndDie, ask, set } = scene
const { refundsOf, sentOf, last, only, unknown, checkAfter, reread } = scene

describe("an admin's refund", () => {
  it("is sent once, answered, and bound to Medusa's row and to the admin", async () => {
    const parent = await paid()
    const row = await click(parent)
    expect(await only(parent)).toMatchObject({
      state: "in_flight",
      medusaRefundId: row,
      askedBy: "user_ada",
      answeredAt: expect.any(Date),
      recordedAt: null,
    })
    expect(sentOf(parent)).toMatchObject([{ amount: "19.99", timesCalled: 1 }])
  })

  it("may be repeated once Medusa shows the first: two equal refunds are legitimate", async () => {
    const parent = await paid()
    const rows = [await click(parent, "5"), await click(parent, "5")]
    expect(new Set(rows).size).toBe(2)
    expect(sentOf(parent).map(({ amount }) => amount)).toEqual(["5.00", "5.00"])
    expect(await click(parent, "10")).toBe("refund_too_much")
  })

  it("of the rounded total that Medusa shows, where it captured 19.98775, is all of the payment", async () => {
    const parent = await paid()
    const [payment] = cartOf(parent).payments
    Object.assign(payment ?? {}, { amount: "19.98775" })
    expect(await click(parent, "19.99")).toMatch(/^ref_/)
    expect(sentOf(parent)).toMatchObject([{ amount: "19.99" }])
    expect(await click(parent, "19.99")).toBe("refund_too_much")
  })

  it("[B18] whose outcome is unknown, as one of three, keeps its part until it is shown later", async () => {
    const parent = await paid()
    await click(parent, "5")
    await click(parent, "5.01")
    harness.simulator.faults.script("executeRefund", ["reset:before"])
    expect(await click(parent, "9.98")).toBe("refund_in_progress")
    expect((await reread(parent)).reservedRefundMinor).toBe(1_999n)
    expect(await click(parent, "9.98")).toBe("refund_in_progress")
    expect(await click(parent, "1")).toBe("refund_too_much")
    const third = await last(parent)
    await checkAfter(third, 2 * MINUTE)
    expect(await checkAfter(third, 4 * SECOND)).toMatchObject({ state: "completed" })
    expect(cartOf(parent).refunds.map(({ amount }) => amount)).toEqual(["5", "5.01", "9.98"])
    expect(await click(parent, "9.98")).toBe("refund_too_much")
    expect(sentOf(parent).map(({ amount }) => amount)).toEqual(["5.00", "5.01", "9.98"])
  })

  it("[B19] that two admins click at the same moment is sent once, and one of them reads that it is in progress", async () => {
    const parent = await paid()
    const both = await Promise.all([click(parent, "5"), click(parent, "5")])
    expect(both.sort()).toEqual([expect.stringMatching(/^ref_\d/), "refund_in_progress"])
    expect(sentOf(parent)).toMatchObject([{ amount: "5.00", timesCalled: 1 }])
  })

  it.each([
    ["insufficient_funds", "wallet_too_low"],
    ["decline", "gateway_refused"],
  ] as const)("[B21] that ends as %s while its admin waits is refused", async (outcome, code) => {
    const parent = await paid()
    harness.simulator.plan({ operationType: "REFUND", outcome, times: 1 })
    expect(await click(parent)).toBe(code)
    expect(await only(parent)).toMatchObject({ answeredAt: null })
    // Its part is free after the second FAILED, and not before.
    expect(await click(parent)).toBe("refund_in_progress")
    expect(await checkAfter(await only(parent), 6 * SECOND)).toMatchObject({ state: "failed" })
    expect(await click(parent)).toMatch(/^ref_/)
  })

  it("of another provider's payment, or under no row of Medusa's, is refused", async () => {
    const parent = await paid()
    const cart = cartOf(parent)
    cart.payments.unshift({
      sessionId: "payses_other",
      isCaptured: true,
      isCanceled: false,
      isInOrder: true,
    })
    expect(await click(parent)).toBe("refund_unavailable")
    await expect(provider("ref_none")).rejects.toMatchObject({
      key: "refund_unavailable.no_such_refund",
    })
    cart.payments.shift()
    expect(sentOf(parent)).toEqual([])
  })
})

describe("[B20] a refund whose outcome is unknown", () => {
  it("is in progress for an admin who clicks again, and is adopted once it has landed", async () => {
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
    expect(sentOf(parent)).toMatchObject([{ amount: "5.00", timesCalled: 1 }])
  })
})

describe("a row that carries the job's mark", () => {
  it("adopts its refund and never calls the gateway", async () => {
    const parent = await paid()
    const refund = await unknown(parent)
    await checkAfter(refund, MINUTE)
    harness.simulator.resetCalls()
    const row = await marked(parent, refund, "5")
    expect(await only(parent)).toMatchObject({ medusaRefundId: row, answeredAt: expect.any(Date) })
    expect(harness.simulator.calls).toEqual({})
  })

  it("adopts its refund even after the rest of the payment went back", async () => {
    const parent = await paid()
    await click(parent, "14.99")
    const lost = await unknown(parent)
    for (const one of await refundsOf(parent)) await checkAfter(one, MINUTE)
    expect((await reread(parent)).returnedAt).not.toBeNull()
    expect(await marked(parent, lost, "5")).toMatch(/^ref_/)
  })

  it.each<readonly [string, string, (refund: Operation, parent: Operation) => Promise<string>]>([
    ["of another amount", "refund_unavailable", (refund, parent) => marked(parent, refund, "4.99")],
    [
      "of another payment",
      "refund_unavailable",
      async (refund) => marked(await paid(), refund, "5"),
    ],
    [
      "of a refund that does not exist",
      "refund_unavailable",
      (refund, parent) => marked(parent, { ...refund, id: "mpop_none" }, "5"),
    ],
    [
      "of a refund that failed",
      "refund_unavailable",
      async (refund, parent) => {
        await set(refund, "state = 'failed'")
        const code = await marked(parent, refund, "5")
        await set(refund, "state = 'submitted'")
        return code
      },
    ],
    [
      "of a refund whose outcome is unknown",
      "refund_in_progress",
      (refund, parent) => marked(parent, refund, "5"),
    ],
    [
      "of a refund that Medusa already shows",
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
    expect(sentOf(parent)).toHaveLength(1)
  })
})

const marked = (parent: Operation, { id }: Operation, amount: string) =>
  click(parent, amount, { by: refundMark(id) })

describe("[P08] a refund whose process dies", () => {
  it.each([
    "after executions.refund=PROCESSING",
    "after executions.refund=PROCESSING+1",
    "after status.refund=PROCESSING",
  ] as const)("%s is sent once, and adopted by the job's row", async (at) => {
    const parent = await paid()
    const row = await clickAndDie(parent, at)
    const refund = await checkAfter(await only(parent), 3 * MINUTE)
    expect(refund).toMatchObject({ state: "completed", answeredAt: expect.any(Date) })
    const [shown, ...others] = cartOf(parent).refunds
    expect(shown).toMatchObject({ id: refund.medusaRefundId, createdBy: refundMark(refund.id) })
    expect([row, others]).toEqual([expect.not.stringMatching(`^${shown?.id}$`), []])
    expect(sentOf(parent)).toMatchObject([{ timesCalled: 1, status: "COMPLETED" }])
  })

  it("is not sent again by another click while its row stands", async () => {
    const parent = await paid()
    await clickAndDie(parent, "after executions.refund=PROCESSING+1", "5")
    expect(await click(parent, "5")).toBe("refund_in_progress")
    expect(sentOf(parent)).toHaveLength(1)
  })

  it("is refused where the process only slept until the job had removed its row", async () => {
    const parent = await paid()
    const cart = cartOf(parent)
    const row = openMedusaRefund(cart, "5", "user_ada")
    const sleepy = atMoment(quick(), "after executions.refund=PROCESSING+1", () =>
      closeMedusaRefund(cart, row, true),
    )
    await expect(provider(row, sleepy)).rejects.toMatchObject({
      code: "refund_in_progress",
    })
    expect(await only(parent)).toMatchObject({ state: "in_flight", answeredAt: null })
  })
})

it("[I4] a refund that went straight to the payer is adopted by Medusa's, not sent again", async () => {
  const parent = await paid()
  await ask(parent)
  const row = await click(parent)
  expect(await only(parent)).toMatchObject({ medusaRefundId: row })
  expect(sentOf(parent)).toHaveLength(1)
})
