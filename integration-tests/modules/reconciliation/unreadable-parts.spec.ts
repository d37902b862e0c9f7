/**
 * A part that can't be read ends no comparison of the other accounts, of the other rows, or of
 * documents whose list is too long.
 */
import type { FlowDeps } from "../../../src/engine/deps"
import { reconcileWhenDue } from "../../../src/reconciliation/reconcile"
import { sweep } from "../../../src/reconciliation/sweep"
import { Unavailable, type SourceRecord, type Gateway } from "../../../src/gateway"
import { LIMITS } from "../../../src/core/limits"
import { saveAccount } from "../../../src/ledger/accounts/find-accounts"
import { MINUTE } from "../../support/an-operation"
import { HOSTED } from "../../support/flows-harness"
import { useReconcileHarness } from "../../support/reconcile-harness"

const { harness, reports, differences, reread, checkAfter, underWay, pay, paid } =
  useReconcileHarness()

const kept = () =>
  harness.ledger.sql(
    "select account_id, is_complete, incomplete_because from mp_reconciliation order by account_id",
  )

/** The task is due within the hour, rather than tomorrow. */
async function isSoon(): Promise<unknown> {
  const [task] = await harness.ledger.sql(
    "select due_at <= now() + interval '1 hour' as is_soon from mp_task where name = 'reconcile'",
  )
  return task?.["is_soon"]
}

describe("[P27] a part that throws", () => {
  const OTHER = "mpacc_0_first"

  /** A second account, read before the first one, whose client can't be made. */
  async function throwing(): Promise<FlowDeps> {
    const [account] = await harness.deps.accounts()
    if (!account) throw new Error("there is no account")
    await saveAccount(harness.ledger.database, { ...account, id: OTHER, isDefault: false })
    const deps = harness.deps
    return {
      ...deps,
      accounts: async () => {
        const all = await deps.accounts()
        return [...all].sort((one, other) => Number(one.id !== OTHER) - Number(other.id !== OTHER))
      },
      gatewayOf: (one) => {
        if (one.id === OTHER) throw new Error("its secret can't be opened")
        return deps.gatewayOf(one)
      },
    }
  }

  afterEach(async () => {
    await harness.ledger.sql("truncate mp_reconciliation")
    await harness.ledger.sql("delete from mp_account where id = $1", [OTHER])
  })

  it("of one account ends neither the comparison nor the sweep of the others", async () => {
    await paid()
    const deps = await throwing()
    expect((await reports(deps)).map((one) => [one.account_id, one.incomplete_because])).toEqual([
      [OTHER, ["stopped"]],
      ["mpacc_env", []],
    ])
    expect(await kept()).toEqual([
      { account_id: OTHER, is_complete: false, incomplete_because: ["stopped"] },
      { account_id: "mpacc_env", is_complete: true, incomplete_because: [] },
    ])
    harness.simulator.resetCalls()
    await sweep(deps, () => Promise.resolve())
    expect(harness.simulator.calls.listOrders).toBe(2)
    expect(harness.logged).toContain(
      `merchant payments: the comparison of ${OTHER} failed: its secret can't be opened`,
    )
  })

  it("is compared again within the hour", async () => {
    expect(await reconcileWhenDue(await throwing())).toBe(true)
    expect(await isSoon()).toBe(true)
  })

  it("of one row ends neither the comparison of the others nor their sweep", async () => {
    const { operation: broken } = await paid()
    await underWay(HOSTED)
    const { operation: gone, collectionId } = await underWay()
    harness.of(collectionId).sessions = []
    const forget = (currency: string) =>
      harness.ledger.sql("update mp_operation set currency_code = $2 where id = any($1)", [
        [broken.id, gone.id],
        currency,
      ])
    const [before] = await reports(harness.deps)
    await forget("?")
    const [report] = await reports(harness.deps)
    await sweep(harness.deps, () => Promise.resolve())
    await forget("USD")
    expect(report?.incomplete_because).toEqual(["rows_unreadable"])
    expect(report?.counts["operations"]).toBe(Number(before?.counts["operations"]) - 2)
    expect(harness.logged).toContain(
      `merchant payments: mp_operation ${broken.id}: column currency_code can't be read`,
    )
  })
})

describe("[P28] a list that is longer than can be read", () => {
  const tooLong = async () => ({
    kind: "unknown" as const,
    error: new Unavailable("too large", { operation: "orders.list", reason: "too_large" }),
  })

  function unlisted(): FlowDeps {
    const { gateway, deps } = harness
    const other: Gateway = { ...gateway, orders: { ...gateway.orders, stream: tooLong } }
    return { ...deps, gatewayOf: () => other }
  }

  it("is replaced by a check of each known document, and the report says so", async () => {
    const { operation } = await paid()
    const { operation: open } = await underWay(HOSTED)
    pay(open)
    expect(await differences(unlisted())).toMatchObject([
      { code: "paid_not_completed", done: "checked_again", operation_id: open.id },
    ])
    expect(await kept()).toMatchObject([
      { is_complete: false, incomplete_because: ["list_too_long"] },
    ])
    expect((await reread(operation)).state).toBe("completed")
    await checkAfter(open, MINUTE)
  })

  it("still finds money that came after the end, and is not repeated within the hour", async () => {
    const { operation } = await underWay()
    harness.simulator.handset.decline(operation.reference ?? "")
    await checkAfter(operation, 1_000)
    expect(await checkAfter(operation, 6_000)).toMatchObject({ state: "failed" })
    harness.simulator.hosted.pay(operation.sourceId ?? 0, { method: "card" })
    expect(await reconcileWhenDue(unlisted())).toBe(true)
    expect(await reread(operation)).toMatchObject({ state: "review", reason: "late_payment" })
    expect(await isSoon()).toBe(false)
  })
})

describe("a list that has only its newest page", () => {
  /** The gateway shows some of its documents, the newest first. */
  function showing(some: (newest: readonly SourceRecord[]) => readonly SourceRecord[]) {
    const { gateway, deps } = harness
    const stream: Gateway["orders"]["stream"] = (filter, take, how) => {
      const page = (batch: readonly SourceRecord[]) =>
        some([...batch].sort((one, other) => other.id - one.id))
      return gateway.orders.stream(filter, (batch) => take(page(batch)), how)
    }
    return { ...deps, gatewayOf: () => ({ ...gateway, orders: { ...gateway.orders, stream } }) }
  }

  const aged = (id: string) => harness.pass(id, LIMITS.unlistedAfterMs)

  it("is incomplete, and the ledger's other documents are checked one by one", async () => {
    const { operation: open } = await underWay(HOSTED)
    pay(open)
    await aged(open.id)
    const { operation: newest } = await paid()
    const found = await differences(showing((all) => all.slice(0, 1)))
    expect(found).toMatchObject([{ code: "paid_not_completed", operation_id: open.id }])
    expect(await kept()).toMatchObject([
      { is_complete: false, incomplete_because: ["list_incomplete"] },
    ])
    expect((await reread(newest)).state).toBe("completed")
    await checkAfter(open, MINUTE)
    expect((await reread(open)).state).toBe("completed")
  })

  it("is complete where that page has all of the gateway's documents", async () => {
    const { operation } = await underWay(HOSTED)
    await aged(operation.id)
    await differences(showing((all) => all))
    expect(await kept()).toMatchObject([{ is_complete: true, incomplete_because: [] }])
  })

  it("causes no check of a document that was created while the list was read", async () => {
    await underWay(HOSTED)
    harness.simulator.resetCalls()
    await differences(showing((all) => all.slice(1)))
    expect(harness.simulator.calls["getSourceStatus"] ?? 0).toBe(0)
    expect(await kept()).toMatchObject([{ is_complete: true }])
  })
})
