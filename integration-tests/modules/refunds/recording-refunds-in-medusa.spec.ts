/**
 * Races and faults while a refund is recorded in Medusa, over a real ledger and the simulator, with
 * Medusa in memory. `http/refund-delivery.spec.ts` and `http/refund-records-and-events.spec.ts`
 * show what a real Medusa then holds.
 */
import { LIMITS } from "../../../src/core/limits"
import type { Operation } from "../../../src/core/operation"
import type { FlowDeps } from "../../../src/engine/deps"
import { sweepRefunds, sweepWhenDue } from "../../../src/reconciliation/sweep"
import { resolveOperation } from "../../../src/review/resolve"
import { retryRefund } from "../../../src/review/retry-refund"
import { HOUR, MINUTE, SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import {
  creditDisagreements,
  openMedusaRefund,
  writeMedusaRefund,
} from "../../support/medusa-refunds-in-memory"
import { shownAs, TOTAL, useRefundHarness } from "../../support/refund-harness"

const LONG = 10 * MINUTE
const NOTHING_SHOWN = shownAs()
const ALL = shownAs(TOTAL)

const scene = useRefundHarness()
const { harness, cartOf, click, checkAfter, last, paid, later, shown, sentOf, rest } = scene
const { provider, quick, ask, eventsOf } = scene

const errors = (text: string) => harness.logged.filter((line) => line.includes(text))

async function sweep(other: Partial<FlowDeps["medusa"]> = {}): Promise<void> {
  await harness.ledger.sql("update mp_task set due_at = now() where name = 'sweep'")
  const medusa: FlowDeps["medusa"] = { ...harness.deps.medusa, ...other }
  expect(await sweepWhenDue({ ...harness.deps, medusa })).toBe(true)
}

/** Medusa made its row; the process died before the provider had reserved anything. */
const dieBefore = (parent: Operation, amount: string) =>
  openMedusaRefund(cartOf(parent), amount, "user_bea")

describe("a refund that Medusa shows", () => {
  it("[I7] stays due after it completed until it is recorded", async () => {
    const parent = await paid()
    await click(parent)
    const refund = await last(parent)
    await checkAfter(refund, 5 * SECOND)
    later()
    const after = await checkAfter(refund, 5 * SECOND)
    expect(after).toMatchObject({ state: "completed", nextCheckAt: null })
    expect(after.recordedAt).not.toBeNull()
    expect(await eventsOf(after)).toContain("recorded")
  })
})

describe("a refund that Medusa does not show", () => {
  it("[B20] is adopted once where an admin and the job record it at the same moment", async () => {
    const parent = await paid()
    harness.simulator.faults.script("executeRefund", ["reset:after"])
    harness.simulator.faults.script(
      "getRefundStatus",
      Array.from({ length: 30 }, () => "500" as const),
    )
    await click(parent)
    harness.simulator.faults.clear()
    const before = await last(parent)
    // The job has read that Medusa shows nothing; the admin clicks before it writes.
    harness.before("makeRefund", async () => void (await click(parent)))
    await checkAfter(before, LONG)
    await checkAfter(before, LONG)
    const refund = await checkAfter(before, LONG)
    expect(refund.recordedAt).not.toBeNull()
    expect(shown(parent)).toEqual(ALL)
    expect(sentOf(parent)).toMatchObject([{ timesCalled: 1 }])
  })

  it("is recorded again after longer and longer pauses while Medusa fails, each failure logged", async () => {
    const parent = await paid()
    await click(parent, TOTAL, { dies: true })
    later()
    const refusing: FlowDeps = {
      ...harness.deps,
      medusa: {
        ...harness.deps.medusa,
        makeRefund: () => Promise.reject(new Error("the shop's database is full")),
      },
    }
    let refund = await checkAfter(await last(parent), LONG, refusing)
    for (let tries = 0; tries < LIMITS.settleRetryMs.length; tries++) {
      refund = await checkAfter(refund, LONG, refusing)
    }
    expect(refund).toMatchObject({ state: "completed", recordedAt: null })
    const [row] = await harness.ledger.sql(
      `select extract(epoch from next_check_at - now()) as seconds from mp_operation where id = $1`,
      [refund.id],
    )
    expect(Math.round(Number(row?.["seconds"]) / 60)).toBe(360)
    expect(errors("database is full")).toHaveLength(LIMITS.settleRetryMs.length + 1)
    await checkAfter(refund, 6 * HOUR)
    expect((await checkAfter(refund, MINUTE)).recordedAt).not.toBeNull()
    expect(shown(parent)).toEqual(ALL)
  })
})

describe("a refund that did not go through", () => {
  it("[B21] and completes after all waits for an admin, and Medusa shows it once it is accepted", async () => {
    const parent = await paid()
    harness.simulator.plan({ operationType: "REFUND", outcome: "decline_then_approve", times: 1 })
    expect(await click(parent)).toBe("gateway_refused")
    await checkAfter(await last(parent), 6 * SECOND)
    const undone = await checkAfter(await last(parent), LONG)
    expect(undone.undoneAt).not.toBeNull()
    later()
    const late = await checkAfter(undone, LONG)
    expect(late).toMatchObject({ state: "review", reason: "late_refund", isDuplicate: true })
    expect(shown(parent)).toEqual(NOTHING_SHOWN)
    await resolveOperation(harness.deps, {
      operationId: late.id,
      action: "accept",
      adminId: "user_ada",
      note: "the gateway's portal shows it, too",
    })
    const refund = await checkAfter(await checkAfter(late, LONG), LONG)
    expect(refund).toMatchObject({ state: "completed", isDuplicate: false, undoneAt: null })
    expect(refund.recordedAt).not.toBeNull()
    expect(shown(parent)).toEqual(ALL)
    expect(sentOf(parent)).toHaveLength(1)
    expect(await click(parent)).toBe("refund_too_much")
  })

  it("and was never shown is undone without a word in the log", async () => {
    const parent = await paid()
    harness.simulator.faults.script("createRefundSession", ["422"])
    expect(await click(parent)).toBe("gateway_refused")
    const refused = await last(parent)
    expect(refused.nextCheckAt).not.toBeNull()
    const undone = await checkAfter(refused, LONG)
    expect(undone.undoneAt).not.toBeNull()
    expect(undone.nextCheckAt).toBeNull()
    expect(errors("put right")).toEqual([])
  })
})

describe("a row that a dead process left in Medusa", () => {
  it("is removed with the transaction that another refund of its amount wrote for it", async () => {
    const parent = await paid()
    dieBefore(parent, "5")
    rest()
    await click(parent, "5")
    expect(shown(parent).transactions).toEqual(["5", "5"])
    await sweep()
    expect(shown(parent)).toEqual(shownAs("5"))
    expect((await checkAfter(await last(parent), LONG)).recordedAt).not.toBeNull()
    expect(shown(parent)).toEqual(shownAs("5"))
  })

  it("is found behind a whole page of payments that are not in the ledger", async () => {
    const parent = await paid()
    dieBefore(parent, "7")
    rest()
    const { medusa } = harness.deps
    const suspectRefunds: typeof medusa.suspectRefunds = async (page) => {
      if (page.after) return medusa.suspectRefunds({ ...page, after: undefined })
      const other = { paymentCollectionId: "", paymentId: "", sessionId: "", providerId: "" }
      return Array.from({ length: page.limit }, () => other)
    }
    const deps = { ...harness.deps, medusa: { ...medusa, suspectRefunds } }
    await sweepRefunds(deps, async () => undefined)
    expect(shown(parent)).toEqual(NOTHING_SHOWN)
  })

  it("is removed even where Medusa fails over another payment", async () => {
    const [broken, parent] = [await paid(), await paid()]
    for (const one of [broken, parent]) dieBefore(one, "7")
    rest()
    const { medusa } = harness.deps
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

describe("a refund whose transaction another refund wrote", () => {
  it("ends with its own amount, as the other does", async () => {
    const parent = await paid()
    await click(parent, "5", { dies: true })
    const [first] = cartOf(parent).refunds
    rest()
    await click(parent, "3")
    expect(shown(parent)).toMatchObject({ transactions: ["3", "3"], creditLines: ["3"] })
    const second = await last(parent)
    expect((await checkAfter(second, LONG)).recordedAt).not.toBeNull()
    const [one] = await harness.ledger.sql(
      "select id from mp_operation where medusa_refund_id = $1",
      [first?.id],
    )
    const refund = await checkAfter({ ...second, id: String(one?.["id"]) }, LONG)
    expect(refund.recordedAt).not.toBeNull()
    expect(shown(parent)).toMatchObject({ rows: ["5", "3"], orderRefunded: 8, credited: 8 })
    expect([...shown(parent).transactions].sort()).toEqual(["3", "5"])
    expect(creditDisagreements(cartOf(parent))).toEqual([])
  })

  it("is recorded only when the click at the same moment is refused", async () => {
    const parent = await paid()
    const cart = cartOf(parent)
    const row = openMedusaRefund(cart, "5", "user_ada")
    // Another admin's row is there when Medusa reads which rows have no transaction.
    const other = openMedusaRefund(cart, "5", "user_bea")
    await provider(row)
    writeMedusaRefund(cart, row)
    expect(shown(parent).transactions).toEqual(["5", "5"])
    const refund = await last(parent)
    expect((await checkAfter(refund, 5 * SECOND)).recordedAt).toBeNull()
    await expect(provider(other)).rejects.toMatchObject({
      code: "refund_in_progress",
    })
    cart.refunds = cart.refunds.filter(({ id }) => id !== other)
    expect((await checkAfter(refund, LONG)).recordedAt).not.toBeNull()
    expect(shown(parent)).toEqual(shownAs("5"))
  })
})

it("[B34] a refund is never retried straight at the gateway once Medusa holds the payment", async () => {
  const parent = await paid()
  harness.simulator.faults.script("executeRefund", ["422"])
  await ask(parent)
  await checkAfter(await last(parent), LONG)
  const failed = await checkAfter(await last(parent), LONG)
  expect(await codeOf(retryRefund(quick(), failed.id, "user_bea"))).toBe("refund_unavailable")
  expect((await last(parent)).id).toBe(failed.id)
  expect(shown(parent)).toEqual(NOTHING_SHOWN)
})
