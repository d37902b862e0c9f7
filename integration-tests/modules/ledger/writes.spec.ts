/** The ledger is written all or nothing, by one writer at a time, and never against its history. */
import { randomUUID } from "node:crypto"
import { LIMITS } from "../../../src/core/limits"
import { stateAfter, type Event, type Operation, type State } from "../../../src/core/operation"
import { persist } from "../../../src/engine/persist"
import { advanceOperation } from "../../../src/ledger/advance-operation"
import { claimOperation } from "../../../src/ledger/claim-due-operations"
import { insertDraft } from "../../../src/checkout/sql/insert-draft"
import { rebindOperation } from "../../../src/checkout/sql/rebind-operation"
import { MINUTE, SECOND } from "../../support/an-operation"
import {
  aDraft,
  advanced,
  drafted,
  reread,
  startLedgerDatabase,
  submitted,
  type LedgerDatabase,
} from "../../support/ledger-database"
import { said } from "../../support/said"

let ledger: LedgerDatabase

beforeAll(async () => {
  ledger = await startLedgerDatabase()
})

afterAll(() => ledger.stop())

const eventsOf = (operation: Operation) =>
  ledger.sql(
    "select seq, name, state, code, facts from mp_operation_event where operation_id = $1 order by seq",
    [operation.id],
  )

async function held(operation: Operation): Promise<Operation> {
  const row = await claimOperation(ledger.database, operation.id, LIMITS.leaseMs)
  if (!row) throw new Error(`${operation.id} is held by another worker`)
  return row
}

describe("a write", () => {
  it("[I8] commits state and event together", async () => {
    const operation = await submitted(ledger.database)
    const seen = await advanced(ledger.database, operation, {
      event: "see",
      code: "execution_reads",
      facts: { execution: "PROCESSING" },
    })
    expect(seen).toMatchObject({ state: "in_flight", version: 3 })
    expect((await eventsOf(operation)).at(-1)).toEqual({
      seq: 3,
      name: "see",
      state: "in_flight",
      code: "execution_reads",
      facts: { execution: "PROCESSING" },
    })
  })

  it("[I8] whose event can't be written changes no state", async () => {
    const operation = await submitted(ledger.database)
    await ledger.sql(
      `insert into mp_operation_event (operation_id, seq, name, state, code)
       values ($1, 3, 'note', 'submitted', 'in the way')`,
      [operation.id],
    )
    const write = advanceOperation(ledger.database, operation, {
      event: "see",
      code: "execution_reads",
    })
    await expect(write).rejects.toMatchObject({ constraint: "one_event_per_seq" })
    expect(await reread(ledger.database, operation)).toMatchObject({
      state: "submitted",
      version: 2,
    })
  })

  it("of an old version is refused", async () => {
    const operation = await submitted(ledger.database)
    await advanced(ledger.database, operation, {
      event: { note: "first" },
      code: "execution_reads",
    })
    const second = { event: "see", code: "execution_reads" } as const
    expect(await advanceOperation(ledger.database, operation, second)).toBeUndefined()
    expect(await eventsOf(operation)).toHaveLength(3)
  })

  it("of the same version by 20 writers is taken once", async () => {
    const operation = await submitted(ledger.database)
    const writes = Array.from({ length: 20 }, (_, index) =>
      advanceOperation(ledger.database, operation, {
        event: { note: `n${index}` },
        code: "execution_reads",
      }),
    )
    expect((await Promise.all(writes)).filter(Boolean)).toHaveLength(1)
    expect((await eventsOf(operation)).map(({ seq }) => seq)).toEqual([1, 2, 3])
  })

  it("that the state machine does not allow is refused", async () => {
    const operation = await submitted(ledger.database)
    for (const event of ["submit", "strand", "accept", "dismiss"] as const) {
      expect(
        await advanceOperation(ledger.database, operation, { event, code: "execution_reads" }),
      ).toBeUndefined()
    }
    expect(await eventsOf(operation)).toHaveLength(2)
  })

  it("never strands a payment that Medusa has recorded", async () => {
    const operation = await submitted(ledger.database)
    const paid = await advanced(ledger.database, operation, {
      event: "complete",
      code: "paid",
      changes: { collectedMinor: 1_999n },
    })
    const recorded = await advanced(ledger.database, paid, {
      event: { note: "recorded" },
      code: "recorded",
      changes: { recordedAt: true },
      next: "never",
    })
    const strand = { event: "strand", code: "session_gone" } as const
    expect(await advanceOperation(ledger.database, recorded, strand)).toBeUndefined()
    expect(await reread(ledger.database, operation)).toMatchObject({ state: "completed" })
  })

  it("[I6] never changes a reference", async () => {
    const operation = await submitted(ledger.database)
    const other = {
      event: { note: "sending" },
      code: "ready_to_send",
      changes: { reference: randomUUID() },
    } as const
    expect(await advanceOperation(ledger.database, operation, other)).toBeUndefined()
    const { reference } = await reread(ledger.database, operation)
    expect(reference).toBe(operation.reference)
    const same = { ...other, changes: { reference: operation.reference ?? "" } }
    expect(await advanceOperation(ledger.database, operation, same)).toBeDefined()
  })

  it("[S09] accepts any text of the gateway", async () => {
    const operation = await submitted(ledger.database)
    const odd = "a\0b \uD83E c"
    const written = await advanced(ledger.database, operation, {
      event: { note: "answered" },
      code: "execution_reads",
      facts: { deep: [odd] },
      changes: { sourceStatus: said(odd), messages: { gateway: said(odd), wallet: null } },
    })
    expect(written.sourceStatus).toBe("a�b � c")
    expect((await eventsOf(operation)).at(-1)).toMatchObject({
      facts: { deep: ["a�b � c"] },
    })
  })

  it("sets moments by the database's clock, and clears them", async () => {
    const operation = await submitted(ledger.database)
    const noted = await advanced(ledger.database, operation, {
      event: { note: "failed_once" },
      code: "execution_reads",
      changes: { failedAt: true, reason: "declined", payerAmount: said("20.50") },
      next: { inMs: 5 * SECOND },
      lease: { forMs: MINUTE },
    })
    expect(noted.failedAt).toEqual(noted.readAt)
    expect((noted.nextCheckAt?.getTime() ?? 0) - noted.readAt.getTime()).toBe(5 * SECOND)
    expect((noted.leaseUntil?.getTime() ?? 0) - noted.readAt.getTime()).toBe(MINUTE)
    expect(noted).toMatchObject({ reason: "declined", payerAmount: "20.50" })
    const forgotten = await advanced(ledger.database, noted, {
      event: { note: "seen" },
      code: "execution_reads",
      changes: { failedAt: false, reason: null },
      next: "never",
      lease: "release",
    })
    expect(forgotten).toMatchObject({
      failedAt: null,
      reason: null,
      nextCheckAt: null,
      leaseToken: null,
      leaseUntil: null,
    })
  })
})

describe("[I8] the state of every operation", () => {
  it("equals the fold of its events, after any walk", async () => {
    const walks: Event[][] = [
      ["submit", "see", "complete", "strand", "accept"],
      ["expire", "complete", "give_back"],
      ["submit", "fail", "complete", "dismiss", "complete"],
      ["submit", "doubt", "dismiss", "see", "submit"],
    ]
    for (const walk of walks) {
      let operation: Operation = await drafted(ledger.database, { flow: "hosted" })
      for (const event of walk) {
        operation =
          (await advanceOperation(ledger.database, operation, {
            event,
            code: "execution_reads",
          })) ?? operation
      }
      const events = await eventsOf(operation)
      const folded = events.reduce<State>((state, { name }) => {
        const event = walk.find((one) => one === name)
        return event ? (stateAfter(state, event) ?? state) : state
      }, "drafted")
      expect(operation.state).toBe(folded)
      expect(events.at(-1)).toMatchObject({ state: folded, seq: operation.version })
    }
  })
})

describe("[B06] late money", () => {
  const late = {
    event: "complete",
    code: "paid_after_end",
    changes: { reason: "late_payment" },
  } as const

  it("takes its collection when no other operation holds it", async () => {
    const first = await submitted(ledger.database)
    const failed = await advanced(ledger.database, first, { event: "fail", code: "failed_twice" })
    expect(await persist(ledger.database, failed, late)).toMatchObject({
      state: "review",
      isDuplicate: false,
    })
  })

  it("is a duplicate payment when another operation is live", async () => {
    const first = await submitted(ledger.database)
    const failed = await advanced(ledger.database, first, { event: "fail", code: "failed_twice" })
    const { paymentCollectionId } = first
    const second = await drafted(ledger.database, { paymentCollectionId })
    const duplicate = await persist(ledger.database, failed, late)
    expect(duplicate).toMatchObject({
      state: "review",
      isDuplicate: true,
      reason: "late_payment",
    })
    expect((await eventsOf(first)).at(-1)).toMatchObject({ facts: { is_duplicate: true } })
    expect(await reread(ledger.database, second)).toMatchObject({ state: "drafted" })
  })

  it("of two ended operations takes the collection once", async () => {
    const first = await submitted(ledger.database)
    const { paymentCollectionId } = first
    const failed = await advanced(ledger.database, first, { event: "fail", code: "failed_twice" })
    const second = await submitted(ledger.database, { paymentCollectionId })
    const expired = await advanced(ledger.database, second, {
      event: "expire",
      code: "window_over",
    })
    const both = await Promise.all([
      persist(ledger.database, failed, late),
      persist(ledger.database, expired, late),
    ])
    expect(both.map((row) => row?.state)).toEqual(["review", "review"])
    expect(both.map((row) => row?.isDuplicate).sort()).toEqual([false, true])
  })
})

describe("a rebind", () => {
  it("points the operation to the new session, with an event", async () => {
    const operation = await submitted(ledger.database)
    const bound = await rebindOperation(ledger.database, operation, "payses_new")
    expect(bound).toMatchObject({ paymentSessionId: "payses_new", version: 3, state: "submitted" })
    expect((await eventsOf(operation)).at(-1)).toMatchObject({ name: "rebound" })
    const sessions = await ledger.sql(
      "select payment_session_id from mp_operation_session where operation_id = $1 order by 1",
      [operation.id],
    )
    expect(sessions.map((row) => row["payment_session_id"]).sort()).toEqual(
      [operation.paymentSessionId, "payses_new"].sort(),
    )
  })

  it("[P10] at the same moment as a check's write loses neither", async () => {
    for (let round = 0; round < 10; round++) {
      const operation = await held(await submitted(ledger.database))
      const sessionId = `payses_${randomUUID()}`
      const rebind = async (row: Operation): Promise<unknown> =>
        (await rebindOperation(ledger.database, row, sessionId)) ??
        rebind(await reread(ledger.database, row))
      await Promise.all([
        rebind(operation),
        persist(ledger.database, operation, {
          event: "see",
          code: "execution_reads",
          lease: "release",
        }),
      ])
      const after = await reread(ledger.database, operation)
      expect(after).toMatchObject({
        state: "in_flight",
        paymentSessionId: sessionId,
        version: 4,
        leaseToken: null,
      })
      expect((await eventsOf(operation)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
    }
  })
})

describe("a second draft after an end", () => {
  it("is possible at once", async () => {
    const first = await submitted(ledger.database)
    await advanced(ledger.database, first, { event: "expire", code: "window_over", next: "never" })
    const { paymentCollectionId, paymentSessionId } = first
    const again = aDraft({ paymentCollectionId, paymentSessionId })
    expect(await insertDraft(ledger.database, again)).toMatchObject({ state: "drafted" })
  })
})
