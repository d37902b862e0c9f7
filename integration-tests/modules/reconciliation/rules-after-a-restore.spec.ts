/**
 * [P19] A backup is played back, and the gateway knows more than the ledger: no rule moves money a
 * second time, noticed or not, and noticed they all stand still until the lost time is compared.
 */
import fc from "fast-check"
import { findBehind, noticeBehind, endBehind } from "../../../src/ledger/database-mark"
import { saveAccount } from "../../../src/ledger/accounts/find-accounts"
import { ofMedusa, type Operation } from "../../../src/core/operation"
import type { FlowDeps } from "../../../src/engine/deps"
import { findRefundsOf } from "../../../src/refunds/sql/find-refunds"
import { sendRefund } from "../../../src/refunds/send-refund-to-gateway"
import { compareLostTime } from "../../../src/reconciliation/compare-lost-time"
import { resolveOperation } from "../../../src/review/resolve"
import { beat } from "../../../src/worker/beat"
import { checkDueOperations } from "../../../src/worker/check-due-operations"
import { MINUTE, SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { backUp } from "../../support/play-back"
import { actsIn, breachesIn, forgetPlans, useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness({ partialRefunds: "UNCAPPED" })
const { start, reread, checkAfter } = actsIn(harness)

beforeEach(async () => {
  await harness.ledger.sql("truncate mp_task, mp_database_mark")
  await setRules({ refund_orphans: true, place_late_money: false })
})

afterEach(async () => {
  forgetPlans(harness)
  // By then the gateway has done all that it was asked for.
  harness.later(60 * MINUTE)
  expect(await breachesIn(harness)).toEqual([])
  harness.presently()
})

async function setRules(rules: Record<string, boolean>): Promise<void> {
  const [account] = await harness.deps.accounts()
  if (!account) throw new Error("there is no account")
  const policies = { ...account.policies, ...rules }
  await saveAccount(harness.ledger.database, { ...account, policies })
}

/** Declined, seen twice, and approved a minute later: money that belongs to no order. */
async function orphan(): Promise<Operation> {
  const { collectionId, sessionId } = harness.cart()
  harness.simulator.plan({ outcome: "decline_then_approve", times: 1 })
  await start(sessionId)
  const operation = await harness.shown(collectionId)
  await checkAfter(operation, SECOND)
  await checkAfter(operation, 6 * SECOND)
  harness.later(MINUTE)
  const found = await checkAfter(operation, 2 * MINUTE)
  expect(found).toMatchObject({ state: "review", reason: "late_payment" })
  return found
}

/** All that is due, once; what waits is due at once. */
async function pass(deps: FlowDeps = harness.deps): Promise<void> {
  await harness.ledger.sql(
    "update mp_operation set next_check_at = now() where next_check_at > now()",
  )
  await checkDueOperations(deps, { atMost: 50 })
}

async function untilQuiet(): Promise<void> {
  for (let passes = 0; passes < 8; passes++) {
    harness.later(4 * SECOND)
    await pass()
  }
}

const sentBack = ({ reference }: Operation) =>
  harness.simulator.book.refunds().filter((refund) => refund.originalReference === reference)

/** Another process: it shares the database and remembers nothing. */
const anotherProcess = (): FlowDeps => ({
  ...harness.deps,
  database: { query: (...given) => harness.deps.database.query(...given) },
})

describe("money that the rule gave back within the lost hour", () => {
  it("is given back once though nothing noticed the restore, and the ledger finds the refund", async () => {
    const operation = await orphan()
    const playBack = await backUp(harness)
    await untilQuiet()
    expect(sentBack(operation)).toMatchObject([{ amount: "19.99", status: "COMPLETED" }])
    await playBack()
    await untilQuiet()
    expect(sentBack(operation)).toHaveLength(1)
    expect(await findRefundsOf(harness.deps.database, operation.id)).toMatchObject([
      { state: "completed", reference: sentBack(operation)[0]?.reference },
    ])
    expect((await reread(operation)).returnedAt).not.toBeNull()
    // What was found shows that commits are lost, so the rules stand still from now on.
    expect(await findBehind(harness.deps.database)).toMatchObject({ noticedBy: "gateway" })
  })

  it("is not given back again where the backup is of the moment in which it was drafted", async () => {
    const operation = await orphan()
    harness.simulator.faults.script("createRefundSession", ["503"])
    await pass()
    const playBack = await backUp(harness)
    await untilQuiet()
    await playBack()
    await untilQuiet()
    expect(sentBack(operation)).toHaveLength(1)
  })

  it("waits while the gateway can't say whether it was", async () => {
    const operation = await orphan()
    const playBack = await backUp(harness)
    await untilQuiet()
    await playBack()
    harness.simulator.faults.script("getRefundStatus", ["503", "503", "503", "503", "503", "503"])
    await pass()
    expect(sentBack(operation)).toHaveLength(1)
    expect(await reread(operation)).toMatchObject({ state: "review", reservedRefundMinor: 0n })
    harness.simulator.faults.clear()
    await untilQuiet()
    expect(sentBack(operation)).toHaveLength(1)
  })

  it("is found, and not sent again, when a person refunds while the time is not compared", async () => {
    const operation = await orphan()
    const playBack = await backUp(harness)
    await untilQuiet()
    await playBack()
    await noticeBehind(harness.deps.database, "person")
    const asked = sendRefund(harness.deps, {
      operationId: operation.id,
      medusaAmount: "19.99",
      capturedAmount: "19.99",
      medusaRefundId: null,
      askedBy: "user_admin",
      code: "note",
      isWaitedFor: true,
    })
    expect(await codeOf(asked)).toBe("refund_in_progress")
    await untilQuiet()
    expect(sentBack(operation)).toHaveLength(1)
    expect((await reread(operation)).returnedAt).not.toBeNull()
  })
})

describe("late money that a person gave back within the lost hour", () => {
  it.each([true, false])(
    "is placed onto no cart, whether or not the restore was noticed (%s)",
    async (isNoticed) => {
      await setRules({ refund_orphans: false, place_late_money: true })
      const operation = await orphan()
      const playBack = await backUp(harness)
      await sendRefund(harness.deps, {
        operationId: operation.id,
        medusaAmount: "19.99",
        capturedAmount: "19.99",
        medusaRefundId: null,
        askedBy: "user_admin",
        code: "note",
        isWaitedFor: true,
      })
      await untilQuiet()
      expect(sentBack(operation)).toMatchObject([{ status: "COMPLETED" }])
      await playBack()
      if (isNoticed) await noticeBehind(harness.deps.database, "person")
      const behind = await findBehind(harness.deps.database)
      if (behind) expect((await compareLostTime(harness.deps, behind)).isOver).toBe(false)
      await untilQuiet()
      expect(harness.of(operation.paymentCollectionId ?? "").completions).toBe(0)
      expect((await reread(operation)).returnedAt).not.toBeNull()
      expect(sentBack(operation)).toHaveLength(1)
      expect(await findBehind(harness.deps.database)).toMatchObject({ noticedBy: "gateway" })
    },
  )
})

it("late money that went back within the lost hour can't be accepted", async () => {
  await setRules({ refund_orphans: true, place_late_money: false })
  const operation = await orphan()
  const playBack = await backUp(harness)
  await untilQuiet()
  await playBack()
  const accepted = resolveOperation(harness.deps, {
    operationId: operation.id,
    action: "accept",
    note: "It is theirs",
    adminId: "user_ada",
  })
  expect(await codeOf(accepted)).toBe("refund_in_progress")
  await untilQuiet()
  expect((await reread(operation)).returnedAt).not.toBeNull()
  expect(sentBack(operation)).toHaveLength(1)
})

describe("rules", () => {
  it.each(["refund_orphans", "place_late_money"])(
    "%s stands still until the lost time is compared, and goes on afterwards",
    async (rule) => {
      await setRules({ refund_orphans: false, place_late_money: false, [rule]: true })
      const operation = await orphan()
      await noticeBehind(harness.deps.database, "person")
      await untilQuiet()
      expect(await reread(operation)).toMatchObject({ state: "review", reservedRefundMinor: 0n })
      const behind = await findBehind(harness.deps.database)
      if (!behind) throw new Error("nothing was noticed")
      expect((await compareLostTime(harness.deps, behind)).isOver).toBe(true)
      expect(await findBehind(harness.deps.database)).toBeUndefined()
      await untilQuiet()
      expect((await reread(operation)).state).toBe("completed")
    },
  )

  it("stand still for as long as the gateway has a payment that the database has lost", async () => {
    const playBack = await backUp(harness)
    const lost = harness.cart()
    await start(lost.sessionId)
    const operation = await harness.shown(lost.collectionId)
    harness.simulator.handset.approve(operation.reference ?? "")
    await checkAfter(operation, 3 * SECOND)
    await playBack()
    harness.of(lost.collectionId).payments = []
    await noticeBehind(harness.deps.database, "person")
    const behind = await findBehind(harness.deps.database)
    if (!behind) throw new Error("nothing was noticed")
    const { isOver, accounts } = await compareLostTime(harness.deps, behind)
    expect(isOver).toBe(false)
    expect(accounts[0]?.counts).toMatchObject({ paid_unknown_to_ledger: 1 })
    expect(await findBehind(harness.deps.database)).toBeDefined()
    await endBehind(harness.deps.database, behind)
    expect(await findBehind(harness.deps.database)).toBeUndefined()
  })
})

describe("a restore is noticed", () => {
  it("by a worker that lived through it, from its own number", async () => {
    const worker = anotherProcess()
    await beat(worker)
    const playBack = await backUp(harness)
    await beat(worker)
    await playBack()
    // Already between two signs of life.
    expect(await findBehind(worker.database)).toBeDefined()
    await beat(worker)
    expect(await findBehind(harness.deps.database)).toMatchObject({ noticedBy: "process" })
    expect(harness.logged.join("\n")).toContain("may lack what was committed last")
  })

  it("by a worker that lived through the restore of a backup older than the mark", async () => {
    const worker = anotherProcess()
    await beat(worker)
    await harness.ledger.sql("truncate mp_database_mark")
    await beat(worker)
    expect(await findBehind(harness.deps.database)).toMatchObject({ noticedBy: "process" })
  })

  it("by a new process, from the time that nobody was heard", async () => {
    await beat(anotherProcess())
    await harness.ledger.sql("update mp_database_mark set beat_at = now() - interval '1 hour'")
    expect(await findBehind(anotherProcess().database)).toMatchObject({ noticedBy: "silence" })
    await beat(anotherProcess())
    const behind = await findBehind(harness.deps.database)
    expect(behind?.noticedBy).toBe("silence")
    expect(Date.now() - Number(behind?.since)).toBeGreaterThan(59 * MINUTE)
  })

  const OTHERS = ["system", "timeline", "database", "table"]
  it.each(
    OTHERS.flatMap((what) => [
      `a new process, from another ${what}`,
      `a worker that lived through it without losing its number, from another ${what}`,
    ]),
  )("by %s", async (how) => {
    const what = how.split(" ").at(-1)
    const worker = anotherProcess()
    await beat(worker)
    const [mark] = await harness.ledger.sql("select place from mp_database_mark")
    expect(mark?.["place"]).toHaveProperty(what ?? "")
    await harness.ledger.sql(
      "update mp_database_mark set place = place || jsonb_build_object($1::text, 'other')",
      [what],
    )
    const noticing = how.startsWith("a new") ? anotherProcess() : worker
    // A rule need not wait for the next sign of life.
    expect(await findBehind(noticing.database)).toMatchObject({ noticedBy: "place" })
    await beat(noticing)
    expect(await findBehind(harness.deps.database)).toMatchObject({ noticedBy: "place" })
  })

  it("by a process that can't read all of the place, from the rest", async () => {
    const { query } = harness.deps.database
    const denied: FlowDeps = {
      ...harness.deps,
      database: {
        query: (sql, ...given) =>
          sql.includes("pg_control_system")
            ? Promise.reject(Object.assign(new Error("denied"), { code: "42501" }))
            : query(sql, ...given),
      },
    }
    await beat(denied)
    const [mark] = await harness.ledger.sql("select place from mp_database_mark")
    expect(Object.keys(Object(mark?.["place"])).sort()).toEqual(["database", "table", "timeline"])
  })

  it("by none where workers come and go in time", async () => {
    const [one, other] = [anotherProcess(), anotherProcess()]
    for (const deps of [one, other, one, anotherProcess(), other]) {
      await beat(deps)
      expect(await findBehind(deps.database)).toBeUndefined()
    }
  })
})

const RULES = ["refund_orphans", "place_late_money"] as const
const setRule = (rule: (typeof RULES)[number]) =>
  setRules({ refund_orphans: false, place_late_money: false, [rule]: true })

/** With the ledger, Medusa's tables of this cart: they are in the same database. */
async function backUpWith({
  collectionId,
}: {
  collectionId: string
}): Promise<() => Promise<void>> {
  const cart = harness.of(collectionId)
  const { payments, order, sessions } = structuredClone({
    payments: cart.payments,
    order: cart.order,
    sessions: cart.sessions,
  })
  const playBack = await backUp(harness)
  return async () => {
    await playBack()
    Object.assign(cart, structuredClone({ payments, order, sessions }))
  }
}

it("a backup of any moment of a history, played back at any later one, moves late money once, by either rule", async () => {
  const STEPS = ["check", "later", "fault", "beat"] as const
  const drawn = fc.record({
    history: fc.array(fc.constantFrom(...STEPS), { minLength: 4, maxLength: 10 }),
    at: fc.nat(),
    backAt: fc.nat(),
    isNoticed: fc.boolean(),
    /** An admin has the rule changed after the restore, or leaves it. */
    rules: fc.tuple(fc.constantFrom(...RULES), fc.constantFrom(...RULES)),
  })
  await fc.assert(
    fc.asyncProperty(drawn, async ({ history, at, backAt, isNoticed, rules }) => {
      await harness.ledger.sql("truncate mp_task, mp_database_mark")
      harness.presently()
      await setRule(rules[0])
      const worker = anotherProcess()
      const operation = ofMedusa(await orphan())
      const from = at % history.length
      const to = from + (backAt % (history.length - from))
      let playBack: (() => Promise<void>) | undefined
      for (const [index, step] of history.entries()) {
        const { paymentCollectionId: collectionId } = operation
        if (index === from) playBack = await backUpWith({ collectionId })
        if (step === "check") await pass(worker)
        if (step === "later") harness.later(4 * SECOND)
        if (step === "fault") harness.simulator.faults.script("createRefundSession", ["503"])
        if (step === "beat") await beat(isNoticed ? worker : anotherProcess())
        if (index !== to) continue
        await playBack?.()
        await setRule(rules[1])
      }
      harness.simulator.faults.clear()
      await beat(worker)
      const behind = await findBehind(worker.database)
      if (behind) await endBehind(worker.database, behind)
      await untilQuiet()
      const { returnedAt, recordedAt } = await reread(operation)
      const back = sentBack(operation).length
      const placed = harness.of(operation.paymentCollectionId).payments.length
      expect([back, placed]).toEqual(returnedAt === null ? [0, 1] : [1, 0])
      expect(returnedAt === null).toBe(recordedAt !== null)
      expect(back === 0 || rules.includes("refund_orphans")).toBe(true)
    }),
    { numRuns: 20 },
  )
}, 120_000)
