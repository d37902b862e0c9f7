/**
 * Medusa asks for refunds: what is sent, what is adopted and what is refused, over a real ledger and the
 * simulator, with Medusa's rows in memory.
 */
import { refundMark } from "../../src/core/adopt-refund"
import type { FailpointName } from "../../src/core/ports"
import type { Operation } from "../../src/core/operation"
import { checkNow } from "../../src/flows/check-due-operations"
import type { FlowDeps } from "../../src/flows/deps"
import { refuseOrderCancel } from "../../src/flows/guard-order"
import { refundForMedusa, type RefundForMedusaDeps } from "../../src/flows/refund/refund-for-medusa"
import { requestRefund } from "../../src/flows/refund/request-refund"
import { startPayment } from "../../src/flows/start/start-payment"
import { findById } from "../../src/ledger/find-operations"
import { findRefundsOf } from "../../src/ledger/find-refunds"
import { MINUTE, SECOND } from "../support/an-operation"
import { readLedger } from "../support/evidence"
import { PHONE, startFlowsWorld, type FlowsWorld } from "../support/flows-world"
import {
  closeHostRefund,
  hostRefundsInMemory,
  openHostRefund,
} from "../support/host-refunds-in-memory"
import { violations } from "../support/violations"

let world: FlowsWorld

beforeAll(async () => {
  world = await startFlowsWorld({ partialRefunds: "UNCAPPED" })
}, 60_000)

afterAll(() => world.stop())

afterEach(async () => {
  const ledger = await readLedger(world.ledger.sql)
  const output = { texts: world.logged, secrets: ["simulator-secret"], phones: [PHONE] }
  expect(violations({ book: world.simulator.book, ledger, output })).toEqual([])
  await world.ledger.sql(
    `update mp_account set checks_paused_until = null, checks_slowed_at = null,
       checks_per_second = checks_per_second_max, checks_left = checks_per_second_max`,
  )
  world.simulator.clearPlans()
  world.simulator.faults.clear()
})

async function reread({ id }: Operation): Promise<Operation> {
  const found = await findById(world.deps.database, id)
  if (!found) throw new Error(`${id} is gone`)
  return found
}

async function paid(): Promise<Operation> {
  const { collectionId, sessionId } = world.cart()
  await startPayment(world.deps, { sessionId, phone: PHONE })
  const { id, reference } = await world.shown(collectionId)
  world.simulator.handset.approve(reference ?? "")
  await world.pass(id, 3 * SECOND)
  await checkNow(world.deps, id)
  return world.shown(collectionId)
}

/** As the provider has it; time that it waits passes at once for the refunds that are due. */
function deps(given: Partial<FlowDeps> = {}): RefundForMedusaDeps {
  return {
    ...world.deps,
    refunds: hostRefundsInMemory(world.carts),
    clock: {
      ...world.deps.clock,
      sleep: async (ms) => {
        const due =
          "select id from mp_operation where type = 'REFUND' and next_check_at is not null"
        for (const { id } of await world.ledger.sql(due)) await world.pass(String(id), ms)
      },
    },
    ...given,
  }
}

const cartOf = (parent: Operation) => world.of(parent.paymentCollectionId)

/** Medusa's own refund: its row, the provider, and what follows. The row's id, or the refusal's code. */
async function click(
  parent: Operation,
  amount = "19.99",
  createdBy: string | null = "user_ada",
  given = deps(),
): Promise<string> {
  const cart = cartOf(parent)
  const row = openHostRefund(cart, amount, createdBy)
  try {
    await refundForMedusa(given, row)
  } catch (error) {
    closeHostRefund(cart, row, true)
    return error instanceof Error && "code" in error ? String(error.code) : String(error)
  }
  closeHostRefund(cart, row, false)
  return row
}

/** The process dies in the middle: Medusa's row stays without its transaction. */
async function clickAndDie(
  parent: Operation,
  at: FailpointName,
  amount = "19.99",
): Promise<string> {
  const row = openHostRefund(cartOf(parent), amount, "user_ada")
  const dying = deps({
    failpoints: {
      at: (name) => {
        if (name === at) throw new Error(`killed at ${at}`)
      },
    },
  })
  await expect(refundForMedusa(dying, row)).rejects.toThrow("killed")
  return row
}

const refundsIn = (parent: Operation) =>
  world.simulator.book
    .refunds()
    .filter(({ originalReference }) => originalReference === parent.reference)

async function only(parent: Operation): Promise<Operation> {
  const [refund, ...others] = await findRefundsOf(world.deps.database, parent.id)
  if (!refund || others.length > 0) throw new Error(`${others.length + 1} refunds, not one`)
  return refund
}

/** Sent, and nobody knows: the answer is lost, and so are the questions. */
async function unknown(parent: Operation, amount = "5"): Promise<Operation> {
  const lost = Array.from({ length: 9 }, () => "404" as const)
  world.simulator.faults.script("executeRefund", ["reset:after"])
  world.simulator.faults.script("getRefundStatus", lost)
  expect(await click(parent, amount)).toBe("refund_in_progress")
  world.simulator.faults.clear()
  return only(parent)
}

async function look(refund: Operation, afterMs: number): Promise<Operation> {
  world.later(4 * SECOND)
  await world.pass(refund.id, afterMs)
  await checkNow(world.deps, refund.id)
  return reread(refund)
}

describe("an admin's refund", () => {
  it("is sent once, answered, and bound to Medusa's row and to who asked", async () => {
    const parent = await paid()
    const row = await click(parent)
    expect(await only(parent)).toMatchObject({
      state: "in_flight",
      hostRefundId: row,
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
    world.simulator.faults.script("executeRefund", ["reset:before"])
    expect(await click(parent, "9.98")).toBe("refund_in_progress")
    expect((await reread(parent)).reservedRefundMinor).toBe(1_999n)
    expect(await click(parent, "9.98")).toBe("refund_in_progress")
    expect(await click(parent, "1")).toBe("refund_too_much")
    const refunds = await findRefundsOf(world.deps.database, parent.id)
    const third = refunds.find(({ hostAmount }) => hostAmount === "9.98")
    if (!third) throw new Error("no third refund")
    await look(third, 2 * MINUTE)
    expect(await look(third, 4 * SECOND)).toMatchObject({ state: "completed" })
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
    world.simulator.plan({ operationType: "REFUND", outcome, times: 1 })
    expect(await click(parent)).toBe(code)
    expect(await only(parent)).toMatchObject({ answeredAt: null })
    // Its part is free after the second FAILED, and not before.
    expect(await click(parent)).toBe("refund_in_progress")
    expect(await look(await only(parent), 6 * SECOND)).toMatchObject({ state: "failed" })
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
    await expect(refundForMedusa(deps(), "ref_none")).rejects.toThrow("no such refund")
    cart.payments.shift()
    expect(refundsIn(parent)).toEqual([])
  })
})

describe("[B20] a refund of which nothing was known", () => {
  it("is in progress for whoever asks again, and adopted once it has landed", async () => {
    const parent = await paid()
    const refund = await unknown(parent)
    expect(await click(parent, "5")).toBe("refund_in_progress")
    expect(await look(refund, MINUTE)).toMatchObject({ state: "completed", answeredAt: null })
    const row = await click(parent, "5")
    expect(await only(parent)).toMatchObject({
      hostRefundId: row,
      answeredAt: expect.any(Date),
      nextCheckAt: expect.any(Date),
    })
    expect(refundsIn(parent)).toMatchObject([{ amount: "5.00", timesCalled: 1 }])
  })

  it("is adopted once when an admin and the job ask for it at the same moment", async () => {
    const parent = await paid()
    const refund = await unknown(parent)
    await look(refund, MINUTE)
    const both = await Promise.all([click(parent, "5"), click(parent, "5", refundMark(refund.id))])
    const rows = both.filter((one) => one.startsWith("ref_"))
    // Whoever comes second finds it shown: the job is refused, the admin's is another refund.
    const bound = (await findRefundsOf(world.deps.database, parent.id)).map(
      (one) => one.hostRefundId,
    )
    expect(rows.sort()).toEqual([...bound].sort())
    expect(refundsIn(parent)).toHaveLength(rows.length)
  })
})

describe("a row that carries the job's mark", () => {
  it("adopts its refund and never calls the gateway", async () => {
    const parent = await paid()
    const refund = await unknown(parent)
    await look(refund, MINUTE)
    world.simulator.resetCalls()
    const row = await click(parent, "5", refundMark(refund.id))
    expect(await only(parent)).toMatchObject({ hostRefundId: row, answeredAt: expect.any(Date) })
    expect(world.simulator.calls).toEqual({})
  })

  it("adopts it also where all of the payment went back meanwhile", async () => {
    const parent = await paid()
    await click(parent, "14.99")
    const refunds = () => findRefundsOf(world.deps.database, parent.id)
    world.simulator.faults.script("executeRefund", ["reset:after"])
    world.simulator.faults.script(
      "getRefundStatus",
      Array.from({ length: 9 }, () => "404" as const),
    )
    await click(parent, "5")
    world.simulator.faults.clear()
    for (const one of await refunds()) await look(one, MINUTE)
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
        await look(refund, MINUTE)
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

const set = ({ id }: Operation, change: string) =>
  world.ledger.sql(`update mp_operation set ${change} where id = $1`, [id])

describe("[P08] the process that asks dies", () => {
  it.each([
    "refund_execute.answered",
    "refund_execute.committed",
    "refund_answer.before_commit",
    "refund_answer.committed",
  ] as const)("at %s: the job's row adopts what went back, and it is sent once", async (at) => {
    const parent = await paid()
    const row = await clickAndDie(parent, at)
    await set(await only(parent), "answered_at = answered_at - interval '3 min'")
    const refund = await look(await only(parent), 3 * MINUTE)
    expect(refund).toMatchObject({ state: "completed", answeredAt: expect.any(Date) })
    const [shown, ...others] = cartOf(parent).refunds
    expect(shown).toMatchObject({ id: refund.hostRefundId, createdBy: refundMark(refund.id) })
    expect([row, others]).toEqual([expect.not.stringMatching(`^${shown?.id}$`), []])
    expect(refundsIn(parent)).toMatchObject([{ timesCalled: 1, status: "COMPLETED" }])
  })

  it("while its row stands, nobody else's click sends it again", async () => {
    const parent = await paid()
    await clickAndDie(parent, "refund_execute.committed", "5")
    expect(await click(parent, "5")).toBe("refund_in_progress")
    expect(refundsIn(parent)).toHaveLength(1)
  })

  it("asleep until the job has taken its row away, it says no", async () => {
    const parent = await paid()
    const cart = cartOf(parent)
    const row = openHostRefund(cart, "5", "user_ada")
    const sleepy = deps({
      failpoints: {
        at: (name) => {
          if (name === "refund_execute.committed") closeHostRefund(cart, row, true)
        },
      },
    })
    await expect(refundForMedusa(sleepy, row)).rejects.toThrow("in progress")
    expect(await only(parent)).toMatchObject({ state: "in_flight", answeredAt: null })
  })
})

describe("[H24] cancelling a paid order", () => {
  const cancel = async (parent: Operation): Promise<string> => {
    const orderId = cartOf(parent).order?.id ?? ""
    return refuseOrderCancel({ ...world.deps, ...deps() }, orderId).then(
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
    ["its payment intent is not known", "payment_intent_id = null", "payment_intent_unknown"],
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

  it("is refused without credentials", async () => {
    const parent = await paid()
    const given = { ...world.deps, ...deps(), gatewayOf: () => undefined }
    await expect(refuseOrderCancel(given, cartOf(parent).order?.id ?? "")).rejects.toMatchObject({
      code: "not_configured",
    })
  })

  it("is refused while a refund is not known, and until Medusa shows it", async () => {
    const parent = await paid()
    const refund = await unknown(parent)
    expect(await cancel(parent)).toBe("refund_in_progress")
    await look(refund, MINUTE)
    expect(await cancel(parent)).toBe("refund_in_progress")
    await click(parent, "5")
    expect(await cancel(parent)).toBe("passes")
  })

  it("passes while all of it is on its way already: Medusa is only told so", async () => {
    const parent = await paid()
    const refund = await unknown(parent, "19.99")
    await look(refund, MINUTE)
    expect(await cancel(parent)).toBe("passes")
    expect(await click(parent)).toMatch(/^ref_/)
    expect(refundsIn(parent)).toHaveLength(1)
  })
})

it("[I4] what went straight back to the payer is adopted, not sent again", async () => {
  const parent = await paid()
  await requestRefund(deps(), {
    operationId: parent.id,
    hostAmount: "19.99",
    capturedAmount: "19.99",
    hostRefundId: null,
    askedBy: "user_ada",
    why: "a person gives it back",
    isWaitedFor: true,
  })
  const row = await click(parent)
  expect(await only(parent)).toMatchObject({ hostRefundId: row })
  expect(refundsIn(parent)).toHaveLength(1)
})
