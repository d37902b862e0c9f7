/**
 * [P19] Refunds of recorded payments that a played-back backup has lost: the comparison of the lost
 * time brings them back into the ledger, whoever asked for them, and sends nothing.
 */
import fc from "fast-check"
import type { Operation } from "../../../src/core/operation"
import { findBehind, noticeBehind } from "../../../src/ledger/database-mark"
import { accountantFile } from "../../../src/reconciliation/accountant-file"
import { compareLostTime } from "../../../src/reconciliation/compare-lost-time"
import { findRefundsOf } from "../../../src/refunds/sql/find-refunds"
import { sendRefund } from "../../../src/refunds/send-refund-to-gateway"
import { checkDueOperations } from "../../../src/worker/check-due-operations"
import { DAY, SECOND } from "../../support/an-operation"
import { noEntries } from "../../support/medusa-refunds-in-memory"
import { backUp } from "../../support/play-back"
import { useReconcileHarness } from "../../support/reconcile-harness"

const { harness, reread, paid } = useReconcileHarness(
  { partialRefunds: "UNCAPPED" },
  { isClockKept: true },
)

beforeEach(() => harness.ledger.sql("truncate mp_database_mark"))

const refund = (operation: Operation, medusaAmount: string) =>
  sendRefund(harness.deps, {
    operationId: operation.id,
    medusaAmount,
    capturedAmount: "19.99",
    medusaRefundId: null,
    askedBy: "user_ada",
    code: "note",
    isWaitedFor: false,
  })

async function untilQuiet(): Promise<void> {
  for (let passes = 0; passes < 6; passes++) {
    harness.later(4 * SECOND)
    await harness.ledger.sql(
      "update mp_operation set next_check_at = now() where next_check_at > now()",
    )
    await checkDueOperations(harness.deps, { atMost: 50 })
  }
}

/** Medusa's tables are in the same database. */
const restored = async (playBack: () => Promise<void>, { collectionId }: Paid) => {
  await playBack()
  Object.assign(harness.of(collectionId), { refunds: [], entries: noEntries() })
  await noticeBehind(harness.deps.database, "person")
}

type Paid = Awaited<ReturnType<typeof paid>>

async function compare(): Promise<boolean> {
  const behind = await findBehind(harness.deps.database)
  if (!behind) throw new Error("nothing was noticed")
  return (await compareLostTime(harness.deps, behind)).isOver
}

const sentBack = ({ reference }: Operation) =>
  harness.simulator.book.refunds().filter((one) => one.originalReference === reference)

it("refunds of any number and amount come back, and the rules stand still until all are there", async () => {
  const part = fc.integer({ min: 1, max: 666 })
  await fc.assert(
    fc.asyncProperty(
      fc.array(part, { minLength: 1, maxLength: 3 }),
      fc.nat(),
      async (parts, keptAt) => {
        const shopping = await paid()
        const { operation } = shopping
        let playBack = await backUp(harness)
        for (const [index, minor] of parts.entries()) {
          if (index === keptAt % parts.length) playBack = await backUp(harness)
          await refund(operation, (minor / 100).toFixed(2))
          await untilQuiet()
        }
        await restored(playBack, shopping)
        let comparisons = 1
        while (!(await compare())) {
          expect(await findBehind(harness.deps.database)).toBeDefined()
          expect((comparisons += 1)).toBeLessThan(6)
          await untilQuiet()
        }
        const total = parts.reduce((sum, minor) => sum + minor, 0)
        expect((await reread(operation)).refundedMinor).toBe(BigInt(total))
        expect(sentBack(operation)).toHaveLength(parts.length)
        expect(await findBehind(harness.deps.database)).toBeUndefined()
      },
    ),
    { numRuns: 5 },
  )
}, 60_000)

describe("a comparison after a restore", () => {
  async function lost(): Promise<Operation> {
    const shopping = await paid()
    const playBack = await backUp(harness)
    await refund(shopping.operation, "5.00")
    await untilQuiet()
    await restored(playBack, shopping)
    return shopping.operation
  }

  it("is not over while the gateway does not say whether there is a refund", async () => {
    const operation = await lost()
    harness.simulator.faults.script("getRefundStatus", Array<"503">(50).fill("503"))
    expect(await compare()).toBe(false)
    expect(await findRefundsOf(harness.deps.database, operation.id)).toEqual([])
    harness.simulator.faults.clear()
    expect(await compare()).toBe(false)
    await untilQuiet()
    expect(await compare()).toBe(true)
    expect((await reread(operation)).refundedMinor).toBe(500n)
  })

  it.each([
    ["en", "unknown: found at the gateway after a restore"],
    ["fr", "retrouvé auprès de la passerelle après une restauration"],
  ] as const)("says in the sheet where a refund came from (%s)", async (language, words) => {
    const operation = await lost()
    await compare()
    await untilQuiet()
    expect(await compare()).toBe(true)
    const [refund] = await findRefundsOf(harness.deps.database, operation.id)
    const until = new Date(Date.now() + DAY)
    const from = new Date(until.getTime() - 3 * DAY)
    const asked = { from, until, language, timeZone: "UTC" }
    const sheet = await accountantFile(harness.deps, asked)
    let text = ""
    for await (const lines of sheet.lines) text += lines
    const line = text.split("\n").find((one) => one.includes(refund?.reference ?? "none"))
    expect(line).toContain(words)
  })
})
