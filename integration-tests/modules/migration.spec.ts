/**
 * A new version over the rows of the one before: payments in every state, written by its own statements
 * into its own tables, are read, asked about and settled after the update; and its workers, which go on
 * for a while beside the new ones, still can.
 */
import { checkDueOperations } from "../../src/flows/check-due-operations"
import { startPayment } from "../../src/flows/start/start-payment"
import { systemIds } from "../../src/core/ports"
import { claimDueOperations } from "../../src/ledger/claim-due-operations"
import { findByCollection } from "../../src/ledger/find-operations"
import { postponeOperation } from "../../src/ledger/postpone-operation"
import { DAY, MINUTE, SECOND } from "../support/an-operation"
import { readLedger } from "../support/evidence"
import { PHONE, PUSH, startFlowsWorld, type FlowsWorld } from "../support/flows-world"
import { leftBehind, there } from "../support/left-behind"
import { medusaOf } from "../support/medusa-in-memory"
import { migrationSql } from "../support/migrations"
import {
  PREVIOUS_MIGRATION,
  previousVersion,
  type PreviousVersion,
} from "../support/previous-version"
import { violations } from "../support/violations"

const DIGITS = PHONE.slice(1)

let world: FlowsWorld
let previous: PreviousVersion
/** A payment in each state, by a name of its own: its payment collection. */
let left: ReadonlyMap<string, string>
/** Events of before the update that the shop would be told of after it. */
let untold: number

beforeAll(async () => {
  world = await startFlowsWorld()
  const before = await migrationSql({ upTo: PREVIOUS_MIGRATION })
  const all = await migrationSql()
  await world.ledger.sql("drop schema public cascade")
  await world.ledger.sql("create schema public")
  for (const statement of before) await world.ledger.sql(statement)
  previous = previousVersion((text, parameters) => world.ledger.sql(text, parameters))
  await previous.saveAccount()
  await liftBudget()
  left = await leftBehind(world, previous)
  for (const statement of all.slice(before.length)) await world.ledger.sql(statement)
  untold = (await world.ledger.sql("select from mp_operation_event where announced_at is null"))
    .length
})

afterAll(() => world.stop())

const liftBudget = () =>
  world.ledger.sql(
    `update mp_account set checks_per_second_max = 100000, checks_per_second = 100000,
            checks_left = 100000`,
  )

const collectionOf = (name: string): string => left.get(name) ?? ""
const shown = (name: string) => world.shown(collectionOf(name))

/** Some time passes for one payment, and the job looks at it. */
async function lookAfter(ms: number, name: string): Promise<void> {
  const rows = await world.ledger.sql(
    "select id from mp_operation where next_check_at is not null and payment_collection_id = $1",
    [collectionOf(name)],
  )
  for (const { id } of rows) await world.pass(String(id), ms)
  await checkDueOperations(world.deps, { atMost: 50 })
}

/** So that a claim takes this one and no other. */
const onlyDue = (operationId: string) =>
  world.ledger.sql(
    `update mp_operation set next_check_at = now() + case when id = $1 then '0' else '1 hour' end::interval
      where next_check_at is not null`,
    [operationId],
  )

async function evidence() {
  return {
    book: world.simulator.book,
    ledger: await readLedger((sql) => world.ledger.sql(sql)),
    medusa: medusaOf(world.carts),
    output: { texts: world.logged, secrets: ["simulator-secret"], phones: [DIGITS] },
  }
}

describe("[P13] the rows of the version before, after an update", () => {
  it("are there in every state, all of them can be read, and none is told as news", async () => {
    const states = await Promise.all(
      [...left.values()].map((id) => findByCollection(world.ledger.database, id)),
    )
    expect(new Set(states.map((one) => one?.state))).toEqual(
      new Set(["drafted", "submitted", "in_flight", "completed", "failed", "expired", "review"]),
    )
    expect(states.every((one) => one?.amount.minor === 1_999n && one.lines.length === 1)).toBe(true)
    expect(violations(await evidence())).toEqual([])
    expect(untold).toBe(0)
  })

  it("are claimed and given back as its own, and what is over stays over", async () => {
    await world.ledger.sql(
      "update mp_operation set next_check_at = now() where next_check_at is not null",
    )
    const held = await claimDueOperations(world.ledger.database, { leaseMs: MINUTE, limit: 50 })
    expect(held.length).toBeGreaterThan(8)
    for (const operation of held) {
      await postponeOperation(world.ledger.database, operation, {
        inMs: MINUTE,
        wasAnswered: false,
        isCounted: false,
      })
    }
    expect((await shown("money that Medusa holds")).nextCheckAt).toBeNull()
    expect((await shown("a push that a person looks at")).nextCheckAt).toBeNull()
  })

  it("are asked about and settled, each by what the gateway says", async () => {
    for (const name of ["a push that the gateway works on", "a push whose answer was lost"]) {
      world.simulator.handset.approve((await shown(name)).reference ?? "")
    }
    await lookAfter(5 * SECOND, "an open page")
    for (const name of [
      "a push that the gateway works on",
      "a push whose answer was lost",
      "a page that was paid meanwhile",
      "money that Medusa does not know yet",
    ]) {
      await lookAfter(5 * SECOND, name)
      expect([name, await shown(name)]).toMatchObject([
        name,
        { state: "completed", recordedAt: expect.any(Date) },
      ])
      expect([name, world.of(collectionOf(name)).completions]).toEqual([name, 1])
    }
    expect((await shown("an open page")).state).toBe("submitted")
  })

  it("are sent again under the reference that they had, when the gateway knows nothing of it", async () => {
    const name = "a push that never left"
    const { reference } = await shown(name)
    await lookAfter(5 * SECOND, name)
    await lookAfter(6 * SECOND, name)
    world.simulator.handset.approve(reference ?? "")
    await lookAfter(5 * SECOND, name)
    expect(await shown(name)).toMatchObject({
      reference,
      state: "completed",
      recordedAt: expect.any(Date),
    })
    expect(world.simulator.book.chargesOf(reference ?? "")).toBe(1)
  })

  it("are watched after their end: money that comes late is held for a person", async () => {
    world.later(5 * MINUTE)
    await lookAfter(3 * MINUTE, "a push that failed")
    expect(await shown("a push that failed")).toMatchObject({
      state: "review",
      reason: "late_payment",
    })
  })

  it("are drafts that the next start continues, or that end by themselves", async () => {
    const collectionId = collectionOf("a draft whose start died")
    const sourceId = (await shown("a draft whose start died")).sourceId
    const [session] = world.of(collectionId).sessions
    await startPayment(world.deps, { sessionId: session?.id ?? "", phone: PHONE })
    const continued = await shown("a draft whose start died")
    expect(continued).toMatchObject({ state: "in_flight", sourceId })
    world.simulator.handset.approve(continued.reference ?? "")
    await lookAfter(5 * SECOND, "a draft whose start died")
    expect((await shown("a draft whose start died")).recordedAt).not.toBeNull()
    await lookAfter(DAY, "a draft without a source")
    expect((await shown("a draft without a source")).state).toBe("expired")
  })
})

describe("[P13] a worker of the version before, beside new ones", () => {
  it("starts, claims, writes, postpones and rebinds as it always did", async () => {
    const { collectionId, sessionId } = world.cart()
    const id = systemIds.operationId()
    const draft = { id, flow: "push" as const, providerId: PUSH, collectionId, sessionId }
    const row = there(await previous.draft(draft))
    expect(await previous.draft({ ...draft, id: systemIds.operationId() })).toBeUndefined()
    await onlyDue(id)
    const [claimed] = await previous.claim(10)
    expect(claimed?.["id"]).toBe(id)
    expect(await previous.claim(10)).toEqual([])
    expect(await previous.postpone(there(claimed), 60_000)).toBe(true)
    expect(await previous.postpone(there(claimed), 60_000)).toBe(false)
    const rebound = there(await previous.rebind(row, `${sessionId}_again`))
    expect(await previous.write(row, { event: "note", state: "drafted", sets: {} })).toBeUndefined()
    const expired = await previous.write(rebound, {
      event: "expire",
      state: "expired",
      sets: { reason: "window_closed", next_check_at: null },
    })
    expect(expired?.["state"]).toBe("expired")
  })

  it("takes rows that a new worker wrote, and leaves them so that a new one goes on", async () => {
    const { collectionId, sessionId } = world.cart()
    await startPayment(world.deps, { sessionId, phone: PHONE })
    const started = await world.shown(collectionId)
    await onlyDue(started.id)
    const [claimed] = await previous.claim(10)
    expect(claimed?.["id"]).toBe(started.id)
    const seen = await previous.write(there(claimed), {
      event: "seen",
      state: String(claimed?.["state"]),
      sets: {
        checked_at: "now()",
        checks: 1,
        next_check_at: "now()",
        lease_token: null,
        lease_until: null,
      },
    })
    expect(seen?.["version"]).toBe(started.version + 1)
    world.simulator.handset.approve(started.reference ?? "")
    await checkDueOperations(world.deps, { atMost: 50 })
    expect((await world.shown(collectionId)).recordedAt).not.toBeNull()
  })

  it("and nothing that either of them wrote breaks a promise", async () => {
    expect(violations(await evidence())).toEqual([])
  })
})
