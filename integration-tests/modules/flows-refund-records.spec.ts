/**
 * Medusa writes a transaction for every refund row that has none, and each step of a refund by
 * itself. An order's sums are right even if a process died, or another workflow wrote into its row.
 */
import { LIMITS } from "../../src/core/limits"
import type { Operation } from "../../src/core/operation"
import type { FlowDeps } from "../../src/engine/deps"
import { sendRefundOfMedusa } from "../../src/refunds/send-refund-of-medusa"
import { reconcile } from "../../src/reconciliation/reconcile"
import { sweepWhenDue } from "../../src/reconciliation/sweep"
import { findRefundsOf } from "../../src/refunds/sql/find-refunds"
import { MINUTE, SECOND } from "../support/an-operation"
import { closeHostRefund, openHostRefund } from "../support/host-refunds-in-memory"
import { atMoment } from "../support/moments"
import {
  creditDisagreements,
  writeCanceling,
  writeHostRefund,
  writeHostTransactions,
} from "../support/refund-records-in-memory"
import { addTransaction } from "../support/refund-entries-in-memory"
import { NOTHING_SHOWN, TOTAL, useRefundScene } from "../support/refund-scene"

const LONG = 10 * MINUTE

const scene = useRefundScene()
const { its, cartOf, click, pass, last, paid, shown, sentOf, rest, provider, eventsOf } = scene

const errors = (text: string) => its().logged.filter((line) => line.includes(text))

async function sweep(other: Partial<FlowDeps["host"]> = {}): Promise<void> {
  await its().ledger.sql("update mp_task set due_at = now() where name = 'sweep'")
  const host: FlowDeps["host"] = { ...its().deps.host, ...other }
  expect(await sweepWhenDue({ ...its().deps, host })).toBe(true)
}

/** Medusa made its row; the process died before our provider had reserved anything. */
const dieBefore = (parent: Operation, amount: string) =>
  openHostRefund(cartOf(parent), amount, "user_bea")

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

/** What the reconciliation lists of the order's credit lines. */
async function listed({ id }: Operation): Promise<string[]> {
  const period = { from: new Date(0), until: new Date(Date.now() + 60 * MINUTE) }
  const reports = await reconcile(its().deps, period)
  return reports
    .flatMap(({ differences }) => differences)
    .filter(({ operation_id, done }) => operation_id === id && done === "listed")
    .flatMap(({ code }) => (code === "credit_line_unclear" ? code : []))
}

/** Until its next check. */
function inMs({ nextCheckAt, readAt }: Operation): number {
  return nextCheckAt ? nextCheckAt.getTime() - readAt.getTime() : Infinity
}

describe("a row that a dead process has left", () => {
  it("is given no transaction by the next refund, and goes with the sweep", async () => {
    const parent = await paid()
    const dead = dieBefore(parent, "7")
    rest()
    await click(parent, { amount: "5" })
    expect(shown(parent).transactions).toEqual(["5", "5"])
    const refund = await pass(await last(parent), 5 * SECOND)
    expect(refund.recordedAt).toBeNull()
    // Medusa may only be slow: its records are read again soon.
    scene.later()
    const again = await pass(refund, 6 * SECOND)
    expect([again.state, again.recordedAt]).toEqual(["completed", null])
    expect(inMs(again)).toBeLessThanOrEqual(LIMITS.refundHostCheckMs)
    expect((await pass(refund, LONG)).recordedAt).not.toBeNull()
    expect(shown(parent)).toMatchObject({ transactions: ["5"], creditLines: ["5"] })
    expect(await eventsOf(refund)).toContain("records_repaired")
    expect(errors("or of no refund")).toHaveLength(1)

    await sweep()
    expect(shown(parent)).toEqual(SHOWN("5"))
    expect(await eventsOf(parent)).toContain("records_repaired")
    await sweep()
    expect(errors("refunds that were never sent")).toHaveLength(1)
    expect(cartOf(parent).refunds.map(({ id }) => id)).not.toContain(dead)
    expect(sentOf(parent)).toHaveLength(1)
  })

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

  it("does not let the job write it a transaction", async () => {
    const parent = await paid()
    await click(parent, { amount: "5", dies: "before the transaction" })
    cartOf(parent).refunds.unshift({
      ...(cartOf(parent).refunds[0] ?? never()),
      id: "ref_dead",
      amount: "7",
      madeAtMs: 0,
    })
    const refund = await pass(await pass(await last(parent), LONG), LONG)
    expect(refund.recordedAt).not.toBeNull()
    expect(shown(parent)).toMatchObject({ transactions: ["5"], creditLines: ["5"] })
    await sweep()
    expect(shown(parent)).toEqual(SHOWN("5"))
  })

  it("stays while it is young: its process may be at it", async () => {
    const parent = await paid()
    dieBefore(parent, "7")
    await sweep()
    expect(shown(parent).rows).toEqual(["7"])
    rest()
    await sweep()
    expect(shown(parent)).toEqual(NOTHING_SHOWN)
  })

  it("stays where it has a transaction of its own: that is for the reconciliation to list", async () => {
    const parent = await paid()
    const cart = cartOf(parent)
    const row = dieBefore(parent, "7")
    writeHostRefund(cart, row)
    rest()
    await sweep()
    expect(shown(parent)).toEqual(SHOWN("7"))
  })

  it("is found behind a whole page of refunds that only resemble it", async () => {
    const parent = await paid()
    const row = await click(parent, { amount: "5" })
    dieBefore(parent, "7")
    rest()
    const { host } = its().deps
    await sweep({
      suspectRefunds: async (page) => {
        const [one] = await host.suspectRefunds(page)
        if (page.after || !one) return host.suspectRefunds(page)
        return Array.from({ length: page.limit }, () => ({ ...one, hostRefundId: row }))
      },
    })
    expect(shown(parent)).toEqual(SHOWN("5"))
  })

  it("goes also where Medusa fails over another payment", async () => {
    const [broken, parent] = [await paid(), await paid()]
    for (const one of [broken, parent]) dieBefore(one, "7")
    rest()
    const { host } = its().deps
    await sweep({
      refundRecords: (key) =>
        key.collectionId === broken.paymentCollectionId
          ? Promise.reject(new Error("no summary"))
          : host.refundRecords(key),
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
    const [one] = await its().ledger.sql("select id from mp_operation where host_refund_id = $1", [
      first?.id,
    ])
    const refund = await pass({ ...second, id: String(one?.["id"]) }, LONG)
    expect(refund.recordedAt).not.toBeNull()
    expect(shown(parent)).toMatchObject({ rows: ["5", "3"], orderRefunded: 8, credited: 8 })
    expect([...shown(parent).transactions].sort()).toEqual(["3", "5"])
    expect(creditDisagreements(cartOf(parent))).toEqual([])
  })

  it("waits with what it wrote for a click at the same moment until that is refused", async () => {
    const parent = await paid()
    const cart = cartOf(parent)
    const row = openHostRefund(cart, "5", "user_ada")
    // Another admin's row is there when Medusa reads which rows have no transaction.
    const other = openHostRefund(cart, "5", "user_bea")
    await provider(row)
    writeHostRefund(cart, row)
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

describe("a credit line that a dead process has not written", () => {
  it("is written before the refund counts as shown", async () => {
    const parent = await paid()
    await click(parent, { amount: "5", dies: "before the credit line" })
    const early = await pass(await last(parent), 5 * SECOND)
    expect([early.recordedAt, shown(parent).creditLines]).toEqual([null, []])
    expect((await pass(early, LONG)).recordedAt).not.toBeNull()
    expect(shown(parent)).toEqual(SHOWN("5"))
  })

  it("is listed by the reconciliation where another refund was written at the same moment", async () => {
    const parent = await paid()
    const { simulator } = its()
    const hold = { operationType: "REFUND", outcome: "approve", afterMs: 60 * MINUTE } as const
    simulator.plan({ ...hold, times: 2 })
    await click(parent, { amount: "5", dies: "before the credit line" })
    const first = await last(parent)
    await click(parent, { amount: "5" })
    const second = await last(parent)
    for (const one of [first, second]) {
      expect((await pass(await pass(one, LONG), LONG)).recordedAt).not.toBeNull()
    }
    expect(shown(parent)).toMatchObject({ transactions: ["5", "5"], creditLines: ["5"] })
    expect(await listed(parent)).toEqual(["credit_line_unclear"])
    // The order is even again once the refund without a line is gone.
    simulator.backOffice.settle(first.reference ?? "", "FAILED")
    await pass(first, LONG)
    await pass(first, LONG)
    expect((await pass(first, LONG)).undoneAt).not.toBeNull()
    expect(shown(parent)).toEqual(SHOWN("5"))
    expect(await listed(parent)).toEqual([])
  })

  it("is left to a person where something else has changed the order since", async () => {
    const parent = await paid()
    await click(parent, { amount: "5", dies: "before the credit line" })
    // An edit of the order made another version of it.
    const { refundRecords } = its().deps.host
    const host = Object.create(its().deps.host) as FlowDeps["host"]
    host.refundRecords = async (key) => {
      const records = await refundRecords(key)
      return records?.order ? { ...records, order: { ...records.order, version: 9 } } : records
    }
    const edited = { ...its().deps, host }
    const refund = await pass(await last(parent), LONG, edited)
    expect(refund.recordedAt).not.toBeNull()
    expect(shown(parent)).toMatchObject({ transactions: ["5"], creditLines: [] })
    expect(errors("whether its credit line is missing is not known")).toHaveLength(1)
    expect(await listed(parent)).toEqual(["credit_line_unclear"])
  })
})

describe("[H24] what cancelling an order has written for a refund that the ledger never had", () => {
  it("is taken out of the order once no workflow can be at it any more, and is logged", async () => {
    const parent = await paid()
    await its().ledger.sql("update mp_operation set payment_intent_id = null where id = $1", [
      parent.id,
    ])
    expect(await click(parent)).toBe("payment_intent_unknown")
    writeCanceling(cartOf(parent), TOTAL)
    await sweep()
    expect(shown(parent)).toMatchObject({ transactions: [TOTAL], orderRefunded: 19.99 })
    its().hostLater(LIMITS.refundHostQuietMs + SECOND)
    await sweep()
    expect(shown(parent)).toEqual(NOTHING_SHOWN)
    expect(errors("refunds that were never sent")).toHaveLength(1)
    await sweep()
    expect(errors("refunds that were never sent")).toHaveLength(1)
  })

  it("stays where the money went back, or may have", async () => {
    const parent = await paid()
    its().simulator.faults.script("executeRefund", ["reset:after"])
    its().simulator.faults.script(
      "getRefundStatus",
      Array.from({ length: 30 }, () => "500" as const),
    )
    expect(await click(parent)).toBe("refund_in_progress")
    writeCanceling(cartOf(parent), TOTAL)
    rest()
    await sweep()
    expect(shown(parent).transactions).toEqual([TOTAL])
  })

  it("goes but for one where many cancelled the order at once, and one refund went through", async () => {
    const parent = await paid()
    const cart = cartOf(parent)
    await click(parent, { dies: "before the transaction" })
    for (let canceled = 0; canceled < 4; canceled += 1) writeCanceling(cart, TOTAL)
    rest()
    expect((await pass(await last(parent), LONG)).recordedAt).not.toBeNull()
    await sweep()
    expect(shown(parent)).toMatchObject({ transactions: [TOTAL], orderRefunded: 19.99 })
  })

  it("stays where the row is that it was written for", async () => {
    const parent = await paid()
    const cart = cartOf(parent)
    await click(parent, { dies: "before the transaction" })
    writeCanceling(cart, TOTAL)
    rest()
    await sweep()
    expect(shown(parent).transactions).toEqual([TOTAL])
    expect((await pass(await last(parent), LONG)).recordedAt).not.toBeNull()
    expect(shown(parent).transactions).toEqual([TOTAL])
  })
})

it("a transaction whose row is gone is taken out by the sweep, also after its writer was recorded", async () => {
  const parent = await paid()
  const cart = cartOf(parent)
  await click(parent, { amount: "5" })
  expect((await pass(await last(parent), LONG)).recordedAt).not.toBeNull()
  const refused = openHostRefund(cart, "7", "user_bea")
  addTransaction(cart, refused, "5")
  closeHostRefund(cart, refused, true)
  await its().deps.host.recountOrder(cart.order?.id ?? "")
  expect(shown(parent).orderRefunded).toBe(10)
  await sweep()
  expect(shown(parent)).toEqual(SHOWN("5"))
  expect(errors("refunds that were never sent")).toHaveLength(1)
})

it("a sum that counted a click which was refused a moment later is counted anew by the sweep", async () => {
  const parent = await paid()
  const cart = cartOf(parent)
  await click(parent, { amount: "5" })
  expect((await pass(await last(parent), LONG)).recordedAt).not.toBeNull()
  const refused = openHostRefund(cart, "7", "user_bea")
  await its().deps.host.recountCollection(parent.paymentCollectionId)
  closeHostRefund(cart, refused, true)
  expect(shown(parent).collectionRefunded).toBe(12)
  rest()
  await sweep()
  expect(shown(parent)).toEqual(SHOWN("5"))
  expect(errors("counted again")).toHaveLength(1)
  await sweep()
  expect(errors("counted again")).toHaveLength(1)
})

it("a half that is there already is not written twice by a workflow that is frozen and goes on", async () => {
  const parent = await paid()
  const row = await click(parent, { amount: "5", dies: "before the transaction" })
  expect((await pass(await pass(await last(parent), LONG), LONG)).recordedAt).not.toBeNull()
  writeHostTransactions(cartOf(parent), row)
  expect(shown(parent).transactions).toEqual(["5"])
})

it("a request that slept until the job had recorded its refund is refused, and no credit line is doubled", async () => {
  const parent = await paid()
  const cart = cartOf(parent)
  const row = openHostRefund(cart, "5", "user_ada")
  const record = async () => {
    const refund = await last(parent)
    // Another's workflow writes into its row, so the job writes what is missing one by one.
    its().hostLater(LIMITS.leaseMs + SECOND)
    await click(parent, { amount: "7" })
    await its().ledger.sql(
      "update mp_operation set created_at = created_at - interval '3 min' where id = $1",
      [refund.id],
    )
    scene.later()
    expect((await pass(refund, LONG)).recordedAt).not.toBeNull()
  }
  const sleepy = atMoment(scene.waiting(), "after executions.refund=PROCESSING+1", record)
  const refused = { code: "refund_in_progress" }
  await expect(sendRefundOfMedusa(sleepy, row)).rejects.toMatchObject(refused)
  // Medusa deletes the row of what was refused; its workflow writes nothing more.
  closeHostRefund(cart, row, true)
  const [anew, other] = await findRefundsOf(its().deps.database, parent.id)
  if (!anew || !other) throw new Error("two refunds were made")
  expect(anew).toMatchObject({ recordedAt: null, hostRefundId: row })
  expect(inMs(anew)).toBeGreaterThan(LIMITS.refundHostQuietMs - 10 * SECOND)
  expect((await pass(anew, LONG)).recordedAt).not.toBeNull()
  expect((await pass(other, LONG)).recordedAt).not.toBeNull()
  expect(shown(parent)).toEqual(SHOWN("7", "5"))
  expect(sentOf(parent)).toHaveLength(2)
})

function never(): never {
  throw new Error("there is no row")
}
