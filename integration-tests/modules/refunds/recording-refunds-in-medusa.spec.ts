/**
 * Races and faults of refunds that Medusa asked for, over a real ledger and the simulator, with
 * Medusa in memory. What its own records come to stands in `http/refund-delivery.spec.ts` and
 * `http/refund-records-and-events.spec.ts`.
 */
import { LIMITS } from "../../../src/core/limits"
import type { Operation } from "../../../src/core/operation"
import type { FlowDeps } from "../../../src/engine/deps"
import { sweepRefunds, sweepWhenDue } from "../../../src/reconciliation/sweep"
import { resolveOperation } from "../../../src/review/resolve"
import { sendRefund } from "../../../src/refunds/send-refund-to-gateway"
import { retryRefund } from "../../../src/review/retry-refund"
import { HOUR, MINUTE, SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { openMedusaRefund, writeMedusaRefund } from "../../support/medusa-refunds-in-memory"
import { creditDisagreements } from "../../support/refund-records-in-memory"
import { NOTHING_SHOWN, TOTAL, useRefundScene } from "../../support/refund-scene"

const LONG = 10 * MINUTE

const scene = useRefundScene()
const { its, cartOf, click, pass, last, paid, later, shown, sentOf, rest, provider } = scene
const { waiting, eventsOf } = scene

const errors = (text: string) => its().logged.filter((line) => line.includes(text))

async function sweep(other: Partial<FlowDeps["medusa"]> = {}): Promise<void> {
  await its().ledger.sql("update mp_task set due_at = now() where name = 'sweep'")
  const medusa: FlowDeps["medusa"] = { ...its().deps.medusa, ...other }
  expect(await sweepWhenDue({ ...its().deps, medusa })).toBe(true)
}

/** Medusa made its row; the process died before our provider had reserved anything. */
const dieBefore = (parent: Operation, amount: string) =>
  openMedusaRefund(cartOf(parent), amount, "user_bea")

/** As Medusa would show refunds of these amounts, each written by itself. */
const SHOWN = (...amounts: readonly string[]) => {
  const sum = Number(amounts.reduce((total, amount) => total + Number(amount), 0).toFixed(5))
  return {
    rows: amounts,
    transactions: amounts,
    creditLines: amounts,
    orderRefunded: sum,
    credited: sum,
    collectionRefunded: sum,
  }
}

const ALL = SHOWN(TOTAL)

describe("a refund that Medusa shows", () => {
  it("[I7] is due after it completed until it is recorded, and then no more", async () => {
    const parent = await paid()
    await click(parent)
    const refund = await last(parent)
    await pass(refund, 5 * SECOND)
    later()
    const after = await pass(refund, 5 * SECOND)
    expect(after).toMatchObject({ state: "completed", nextCheckAt: null })
    expect(after.recordedAt).not.toBeNull()
    expect(await eventsOf(after)).toContain("recorded")
  })
})

describe("a refund that Medusa does not show", () => {
  it("[B20] is adopted once where an admin and the job bring it at the same moment", async () => {
    const parent = await paid()
    its().simulator.faults.script("executeRefund", ["reset:after"])
    its().simulator.faults.script(
      "getRefundStatus",
      Array.from({ length: 30 }, () => "500" as const),
    )
    await click(parent)
    its().simulator.faults.clear()
    const before = await last(parent)
    // The job has read that Medusa shows nothing; then the admin is faster.
    its().before("makeRefund", async () => void (await click(parent)))
    await pass(before, LONG)
    await pass(before, LONG)
    const refund = await pass(before, LONG)
    expect(refund.recordedAt).not.toBeNull()
    expect(shown(parent)).toEqual(ALL)
    expect(sentOf(parent)).toMatchObject([{ timesCalled: 1 }])
  })

  it("is brought to Medusa again and again, and an error says so from some time on", async () => {
    const parent = await paid()
    await click(parent, { dies: "before the transaction" })
    later()
    const refusing: FlowDeps = {
      ...its().deps,
      medusa: {
        ...its().deps.medusa,
        makeRefund: () => Promise.reject(new Error("the shop's database is full")),
      },
    }
    let refund = await pass(await last(parent), LONG, refusing)
    for (let tries = 0; tries < LIMITS.settleRetryMs.length; tries++) {
      refund = await pass(refund, LONG, refusing)
    }
    expect(refund).toMatchObject({ state: "completed", recordedAt: null })
    const [row] = await its().ledger.sql(
      `select extract(epoch from next_check_at - now()) as seconds from mp_operation where id = $1`,
      [refund.id],
    )
    expect(Math.round(Number(row?.["seconds"]) / 60)).toBe(360)
    expect(errors("database is full")).toHaveLength(LIMITS.settleRetryMs.length + 1)
    await pass(refund, 6 * HOUR)
    expect((await pass(refund, MINUTE)).recordedAt).not.toBeNull()
    expect(shown(parent)).toEqual(ALL)
  })
})

describe("a refund that did not go through", () => {
  it("[B21] that completes after all waits for a person, and Medusa shows nothing of it", async () => {
    const parent = await paid()
    its().simulator.plan({ operationType: "REFUND", outcome: "decline_then_approve", times: 1 })
    expect(await click(parent)).toBe("gateway_refused")
    await pass(await last(parent), 6 * SECOND)
    const undone = await pass(await last(parent), LONG)
    expect(undone.undoneAt).not.toBeNull()
    later()
    const late = await pass(undone, LONG)
    expect(late).toMatchObject({ state: "review", reason: "late_refund", isDuplicate: true })
    expect(shown(parent)).toEqual(NOTHING_SHOWN)
  })

  it("[B21] that completes after all and is accepted is shown in Medusa once more", async () => {
    const parent = await paid()
    its().simulator.plan({ operationType: "REFUND", outcome: "decline_then_approve", times: 1 })
    await click(parent)
    await pass(await last(parent), 6 * SECOND)
    const undone = await pass(await last(parent), LONG)
    later()
    const late = await pass(undone, LONG)
    await resolveOperation(its().deps, {
      operationId: late.id,
      action: "accept",
      adminId: "user_ada",
      note: "the gateway's portal shows it, too",
    })
    const refund = await pass(await pass(late, LONG), LONG)
    expect(refund).toMatchObject({ state: "completed", isDuplicate: false, undoneAt: null })
    expect(refund.recordedAt).not.toBeNull()
    expect(shown(parent)).toEqual(ALL)
    expect(sentOf(parent)).toHaveLength(1)
    expect(await click(parent)).toBe("refund_too_much")
  })

  it("was never shown: nothing is taken out, and nothing more is said", async () => {
    const parent = await paid()
    its().simulator.faults.script("createRefundSession", ["422"])
    expect(await click(parent)).toBe("gateway_refused")
    const refused = await last(parent)
    expect(refused.nextCheckAt).not.toBeNull()
    const undone = await pass(refused, LONG)
    expect(undone.undoneAt).not.toBeNull()
    expect(undone.nextCheckAt).toBeNull()
    expect(errors("put right")).toEqual([])
  })
})

describe("a row that a dead process has left", () => {
  it("goes with what another refund of its own amount has written for it", async () => {
    const parent = await paid()
    dieBefore(parent, "5")
    rest()
    await click(parent, { amount: "5" })
    expect(shown(parent).transactions).toEqual(["5", "5"])
    await sweep()
    expect(shown(parent)).toEqual(SHOWN("5"))
    expect((await pass(await last(parent), LONG)).recordedAt).not.toBeNull()
    expect(shown(parent)).toEqual(SHOWN("5"))
  })

  it("is found behind a whole page of payments that are no longer ours", async () => {
    const parent = await paid()
    dieBefore(parent, "7")
    rest()
    const { medusa } = its().deps
    const suspectRefunds: typeof medusa.suspectRefunds = async (page) => {
      if (page.after) return medusa.suspectRefunds({ ...page, after: undefined })
      const other = { paymentCollectionId: "", paymentId: "", sessionId: "", providerId: "" }
      return Array.from({ length: page.limit }, () => other)
    }
    const deps = { ...its().deps, medusa: { ...medusa, suspectRefunds } }
    await sweepRefunds(deps, async () => undefined)
    expect(shown(parent)).toEqual(NOTHING_SHOWN)
  })

  it("goes also where Medusa fails over another payment", async () => {
    const [broken, parent] = [await paid(), await paid()]
    for (const one of [broken, parent]) dieBefore(one, "7")
    rest()
    const { medusa } = its().deps
    await sweep({
      refundRecords: (key) =>
        key.paymentCollectionId === broken.paymentCollectionId
          ? Promise.reject(new Error("no summary"))
          : medusa.refundRecords(key),
    })
    expect([shown(broken).rows, shown(parent).rows]).toEqual([["7"], []])
    expect(errors("could not be put right: no summary")).toHaveLength(1)
    await sweep()
    expect(shown(broken)).toEqual(NOTHING_SHOWN)
  })
})

describe("a refund into which another was written", () => {
  it("has its own amount in the end, and so has the other", async () => {
    const parent = await paid()
    await click(parent, { amount: "5", dies: "before the transaction" })
    const [first] = cartOf(parent).refunds
    rest()
    await click(parent, { amount: "3" })
    expect(shown(parent)).toMatchObject({ transactions: ["3", "3"], creditLines: ["3"] })
    const second = await last(parent)
    expect((await pass(second, LONG)).recordedAt).not.toBeNull()
    const [one] = await its().ledger.sql(
      "select id from mp_operation where medusa_refund_id = $1",
      [first?.id],
    )
    const refund = await pass({ ...second, id: String(one?.["id"]) }, LONG)
    expect(refund.recordedAt).not.toBeNull()
    expect(shown(parent)).toMatchObject({ rows: ["5", "3"], orderRefunded: 8, credited: 8 })
    expect([...shown(parent).transactions].sort()).toEqual(["3", "5"])
    expect(creditDisagreements(cartOf(parent))).toEqual([])
  })

  it("waits with what it wrote for a click at the same moment until that is refused", async () => {
    const parent = await paid()
    const cart = cartOf(parent)
    const row = openMedusaRefund(cart, "5", "user_ada")
    // Another admin's row is there when Medusa reads which rows have no transaction.
    const other = openMedusaRefund(cart, "5", "user_bea")
    await provider(row)
    writeMedusaRefund(cart, row)
    expect(shown(parent).transactions).toEqual(["5", "5"])
    const refund = await last(parent)
    expect((await pass(refund, 5 * SECOND)).recordedAt).toBeNull()
    await expect(provider(other)).rejects.toMatchObject({
      code: "refund_in_progress",
    })
    cart.refunds = cart.refunds.filter(({ id }) => id !== other)
    expect((await pass(refund, LONG)).recordedAt).not.toBeNull()
    expect(shown(parent)).toEqual(SHOWN("5"))
  })
})

it("[B34] a retry never goes straight to the gateway once Medusa holds the payment", async () => {
  const parent = await paid()
  its().simulator.faults.script("executeRefund", ["422"])
  await sendRefund(waiting(), {
    operationId: parent.id,
    medusaAmount: TOTAL,
    capturedAmount: TOTAL,
    medusaRefundId: null,
    askedBy: "user_ada",
    code: "refund_by_medusa",
    isWaitedFor: true,
  })
  await pass(await last(parent), LONG)
  const failed = await pass(await last(parent), LONG)
  expect(await codeOf(retryRefund(waiting(), failed.id, "user_bea"))).toBe("refund_unavailable")
  expect((await last(parent)).id).toBe(failed.id)
  expect(shown(parent)).toEqual(NOTHING_SHOWN)
})
