/** [P19] A database that was restored from a backup, and the gateway's book, which knows more. */
import { sourceReference } from "../../../src/core/source-reference"
import { keyedDigest } from "../../../src/medusa/secrets/keyed-digest"
import { findBehind, noticeBehind } from "../../../src/ledger/database-mark"
import { compareLostTime } from "../../../src/reconciliation/compare-lost-time"
import { agreementOf } from "../../../src/reconciliation/rules/agreement"
import { checkDueOperations } from "../../../src/worker/check-due-operations"
import { MINUTE, SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { HOSTED } from "../../support/flows-harness"
import { useReconcileHarness } from "../../support/reconcile-harness"

const { harness, reports, start, differences, reread, checkAfter, underWay, pay, paid } =
  useReconcileHarness()

/** The job's checks, for as long as something is due. */
async function untilQuiet(): Promise<void> {
  for (let pass = 0; pass < 20; pass++) {
    await harness.ledger.sql(
      "update mp_operation set next_check_at = now() where next_check_at > now()",
    )
    if ((await checkDueOperations(harness.deps, { atMost: 50 })) === 0) return
  }
}

describe("[P19] a database restored from an hour ago", () => {
  const TABLES = ["mp_operation", "mp_operation_session", "mp_operation_event"] as const

  async function backUp(): Promise<void> {
    for (const table of TABLES) {
      await harness.ledger.sql(`drop table if exists backup_${table}`)
      await harness.ledger.sql(`create table backup_${table} as select * from ${table}`)
    }
  }

  async function restore(collectionIds: readonly string[]): Promise<void> {
    await harness.ledger.sql("truncate mp_operation cascade")
    for (const table of TABLES) {
      await harness.ledger.sql(`insert into ${table} select * from backup_${table}`)
    }
    // Medusa's tables are in the same database.
    for (const collectionId of collectionIds) {
      Object.assign(harness.of(collectionId), { payments: [], order: null, completions: 0 })
    }
  }

  it("converges with the gateway's book, and settles once what was under way", async () => {
    const push = await underWay()
    const page = await underWay(HOSTED)
    const settled = await paid()
    await backUp()
    pay(push.operation)
    pay(page.operation)
    await checkAfter(push.operation, 3 * SECOND)
    await checkAfter(page.operation, 3 * SECOND)
    await restore([push.collectionId, page.collectionId])
    await untilQuiet()
    expect(await differences()).toEqual([])
    for (const { collectionId, operation } of [push, page, settled]) {
      expect(await reread(operation)).toMatchObject({ state: "completed" })
      expect(harness.of(collectionId).completions).toBe(1)
    }
  })

  it("holds for an admin money that was sent after the backup under a lost reference", async () => {
    const { sessionId, collectionId } = harness.cart(HOSTED)
    harness.simulator.faults.script("createCheckoutSource", ["503"])
    await codeOf(start(sessionId))
    await backUp()
    await start(sessionId)
    const sent = await harness.shown(collectionId)
    pay(sent)
    expect((await checkAfter(sent, 3 * SECOND)).recordedAt).not.toBeNull()
    await restore([collectionId])
    expect(await reread(sent)).toMatchObject({ state: "drafted", sourceId: null })
    await checkAfter(sent, 61 * MINUTE)
    await differences()
    expect(await reread(sent)).toMatchObject({ state: "review", collected: { minor: 1_999n } })
    expect(harness.of(collectionId).completions).toBe(0)
  })

  it("completes once a payment that went out after the backup, and whose document was lost with it", async () => {
    const { sessionId, collectionId } = harness.cart()
    harness.simulator.faults.script("createCheckoutSource", ["503"])
    await codeOf(start(sessionId))
    await backUp()
    await start(sessionId)
    const sent = await harness.shown(collectionId)
    await restore([collectionId])
    expect(await reread(sent)).toMatchObject({ state: "drafted", sourceId: null })
    pay(sent)
    await checkAfter(sent, 3 * SECOND)
    expect(await differences()).toMatchObject([
      { code: "paid_not_completed", done: "checked_again", operation_id: sent.id },
    ])
    await untilQuiet()
    expect(await differences()).toEqual([])
    expect(await reread(sent)).toMatchObject({ state: "completed", sourceId: sent.sourceId })
    expect(harness.of(collectionId).completions).toBe(1)
  })

  it("[B22] lists money whose operation is gone, with its reference, and makes no order", async () => {
    await backUp()
    const { operation, collectionId } = await paid(HOSTED)
    await restore([collectionId])
    await untilQuiet()
    expect(await differences()).toMatchObject([
      {
        code: "paid_unknown_to_ledger",
        done: "listed",
        operation_id: null,
        source_id: operation.sourceId,
        document_reference: sourceReference(operation.id),
        gateway_amount: { amount: "19.99", currency: "USD" },
      },
    ])
    expect(harness.of(collectionId).completions).toBe(0)
    expect(harness.logged.join("\n")).toContain("paid_unknown_to_ledger")
  })

  it("leaves another shop on the gateway account in agreement, which lists the money apart", async () => {
    await backUp()
    const { collectionId } = await paid(HOSTED)
    await restore([collectionId])
    await untilQuiet()
    harness.logged.length = 0
    const shop = { ...harness.deps, digest: keyedDigest({ MERCHANT_PAYMENTS_CLIENT_SECRET: "b" }) }
    const [account] = await reports(shop)
    const others = account?.differences.filter(({ code }) => code === "paid_elsewhere") ?? []
    expect(others.length).toBeGreaterThan(0)
    expect(account?.differences).toEqual(others)
    // What waits are payments of the tests before.
    const { open } = agreementOf(account ? [account] : [])
    expect(open.filter(({ kind }) => kind === "unequal")).toEqual([])
    expect(harness.logged.join("\n")).not.toContain("paid_elsewhere")
    await noticeBehind(harness.deps.database, "person")
    const behind = await findBehind(harness.deps.database)
    if (!behind) throw new Error("nothing was noticed")
    expect((await compareLostTime(shop, behind)).isOver).toBe(true)
    expect(await differences()).toContainEqual(
      expect.objectContaining({ code: "paid_unknown_to_ledger" }),
    )
  })
})
