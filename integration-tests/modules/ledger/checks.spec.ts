/** When a check is due again, and which process may change that while another checks. */
import { LIMITS } from "../../../src/core/limits"
import type { Operation } from "../../../src/core/operation"
import { bringForward, markWaiting } from "../../../src/ledger/bring-forward"
import { claimOperation } from "../../../src/ledger/claim-due-operations"
import { postponeOperation } from "../../../src/ledger/postpone-operation"
import { HOUR, MINUTE, SECOND } from "../../support/an-operation"
import {
  advanced,
  drafted,
  reread,
  startLedgerDatabase,
  submitted,
  type LedgerDatabase,
} from "../../support/ledger-database"

let ledger: LedgerDatabase

beforeAll(async () => {
  ledger = await startLedgerDatabase()
})

afterAll(() => ledger.stop())

async function held(operation: Operation): Promise<Operation> {
  const row = await claimOperation(ledger.database, operation.id, LIMITS.leaseMs)
  if (!row) throw new Error(`${operation.id} is held by another worker`)
  return row
}

const postpone = (operation: Operation, inMs: number | null) =>
  postponeOperation(ledger.database, operation, {
    inMs,
    wasAnswered: true,
    isCounted: true,
  })

describe("a check that changed nothing", () => {
  it("sets the next check, counts, gives the lease back, and writes no event", async () => {
    const operation = await held(await submitted(ledger.database))
    await postpone(operation, 30 * SECOND)
    const after = await reread(ledger.database, operation)
    expect(after).toMatchObject({ checks: 1, version: 2, leaseToken: null, leaseUntil: null })
    expect(after.checkedAt).not.toBeNull()
    const inMs = (after.nextCheckAt?.getTime() ?? 0) - (after.checkedAt?.getTime() ?? 0)
    expect(inMs).toBe(30 * SECOND)
    const events = await ledger.sql("select 1 from mp_operation_event where operation_id = $1", [
      operation.id,
    ])
    expect(events).toHaveLength(2)
  })

  it("[S03] keeps the earlier time that a return visit set meanwhile", async () => {
    const { id } = await submitted(ledger.database)
    await ledger.sql(
      "update mp_operation set next_check_at = now() - interval '1 s' where id = $1",
      [id],
    )
    const operation = await claimOperation(ledger.database, id, LIMITS.leaseMs)
    if (!operation) throw new Error("not held")
    await bringForward(ledger.database, id, LIMITS.returnVisitEveryMs)
    await postpone(operation, 30 * MINUTE)
    const after = await reread(ledger.database, operation)
    expect(after.nextCheckAt?.getTime()).toBeLessThanOrEqual(after.readAt.getTime())
    expect(after.waiting).toBe(true)
  })

  it("keeps the earlier time that a returning shopper set meanwhile", async () => {
    const { id } = await submitted(ledger.database)
    await ledger.sql(
      "update mp_operation set next_check_at = now() - interval '1 s' where id = $1",
      [id],
    )
    const operation = await claimOperation(ledger.database, id, LIMITS.leaseMs)
    if (!operation) throw new Error("not held")
    await markWaiting(ledger.database, [id])
    await postpone(operation, 30 * MINUTE)
    const after = await reread(ledger.database, operation)
    expect((after.nextCheckAt?.getTime() ?? 0) - after.readAt.getTime()).toBeLessThan(2_001)
  })

  it("forgets a waiting shopper after five minutes", async () => {
    const { id } = await submitted(ledger.database)
    await markWaiting(ledger.database, [id])
    const seen = await claimOperation(ledger.database, id, LIMITS.leaseMs)
    if (!seen) throw new Error("not held")
    await postpone(seen, 2_000)
    expect((await reread(ledger.database, seen)).waiting).toBe(true)
    await ledger.sql(
      "update mp_operation set waiting_at = now() - interval '301 s' where id = $1",
      [id],
    )
    const again = await held(seen)
    await postpone(again, 2_000)
    expect((await reread(ledger.database, seen)).waiting).toBe(false)
  })
})

describe("bringing a check forward", () => {
  it("[S03] after an end does not use up the watch", async () => {
    const operation = await submitted(ledger.database)
    await advanced(ledger.database, operation, {
      event: "fail",
      code: "failed_twice",
      changes: { checks: 0 },
      next: { inMs: LIMITS.failedWatchMs[0] },
    })
    for (let visit = 0; visit < 8; visit++) {
      await bringForward(ledger.database, operation.id, 0)
      const row = await held(operation)
      expect(row.nextCheckAt?.getTime()).toBeLessThanOrEqual(row.readAt.getTime())
      await postpone(row, LIMITS.failedWatchMs[0])
    }
    expect((await reread(ledger.database, operation)).checks).toBe(0)
  })

  it("[S03] does not happen again so soon after an answer", async () => {
    const operation = await held(await submitted(ledger.database))
    await postpone(operation, 2 * HOUR)
    await bringForward(ledger.database, operation.id, HOUR)
    const after = await reread(ledger.database, operation)
    expect((after.nextCheckAt?.getTime() ?? 0) - after.readAt.getTime()).toBeGreaterThan(HOUR)
  })

  it("wakes no operation that is settled, returned, under review or only drafted", async () => {
    const paid = await submitted(ledger.database)
    for (const set of [
      "state = 'completed', recorded_at = now()",
      "state = 'completed', recorded_at = null, returned_at = now()",
      "state = 'review', returned_at = null",
    ]) {
      await ledger.sql(`update mp_operation set next_check_at = null, ${set} where id = $1`, [
        paid.id,
      ])
      await bringForward(ledger.database, paid.id, 0)
      await markWaiting(ledger.database, [paid.id], 0)
      expect((await reread(ledger.database, paid)).nextCheckAt).toBeNull()
    }
    const draft = await drafted(ledger.database)
    await bringForward(ledger.database, draft.id, 0)
    expect((await reread(ledger.database, draft)).nextCheckAt).toEqual(draft.nextCheckAt)
  })
})
