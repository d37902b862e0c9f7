/** How long payers took, as the ledger records it and reads it. */
import { fitConfirmations, PRIOR } from "../../src/core/confirmations"
import { LIMITS } from "../../src/core/limits"
import { systemClock } from "../../src/core/ports"
import type { Database } from "../../src/ledger/database"
import { readConfirmationHistory } from "../../src/ledger/confirmation-history"
import { knownConfirmations } from "../../src/medusa/wiring/known-confirmations"
import { MINUTE, SECOND } from "../support/an-operation"
import {
  advanced,
  startLedgerDatabase,
  submitted,
  type LedgerDatabase,
} from "../support/ledger-database"

const WAY = { accountId: "mpacc_env", flow: "push", paymentMethod: null } as const

let ledger: LedgerDatabase

beforeAll(async () => {
  ledger = await startLedgerDatabase()
})

afterAll(() => ledger.stop())

/** Confirmed now; sent, and last asked about without an answer that ended it, so long ago. */
async function confirmed(sentAgoMs: number, askedAgoMs: number | null, paymentMethod?: string) {
  const operation = await submitted(ledger.database)
  await ledger.sql(
    `update mp_operation set submitted_at = now() - $2 * interval '1 ms', payment_method = $4,
            checked_at = now() - $3 * interval '1 ms' where id = $1`,
    [operation.id, sentAgoMs, askedAgoMs, paymentMethod ?? null],
  )
  await advanced(ledger.database, operation, {
    event: "complete",
    code: "paid",
    changes: { confirmedAfter: true },
  })
  const [row] = await ledger.sql("select confirmed_after_ms from mp_operation where id = $1", [
    operation.id,
  ])
  const after = row?.["confirmed_after_ms"]
  return after === null ? null : Math.round(Number(after) / 100) * 100
}

describe("how long a payer took", () => {
  it("is half-way between the last check that did not know and the one that did", async () => {
    expect(await confirmed(40 * SECOND, 10 * SECOND, "A")).toBe(35 * SECOND)
    expect(await confirmed(4 * SECOND, null, "A")).toBe(2 * SECOND)
  })

  it("is not guessed where the checks were too far apart", async () => {
    expect(await confirmed(10 * MINUTE, 9 * MINUTE, "A")).toBeNull()
  })
})

describe("what the ledger knows of it", () => {
  it("is by account, flow and method, of the latest only, and without what is absurd", async () => {
    for (const method of ["B", "B", "B", "C"]) await confirmed(20 * SECOND, 6 * SECOND, method)
    const of = (paymentMethod: string | null) =>
      readConfirmationHistory(ledger.database, { ...WAY, paymentMethod })
    const known = await of("B")
    expect(known.count).toBe(3)
    expect(Math.exp(known.mean)).toBeCloseTo(17, 0)
    expect(known.variance).toBeLessThan(0.01)
    expect((await of("C")).count).toBe(1)
    expect(await of("D")).toEqual({ count: 0, mean: 0, variance: 0 })
    await ledger.sql(
      "update mp_operation set submitted_at = submitted_at - $1 * interval '1 ms' where payment_method = 'C'",
      [LIMITS.historyForMs],
    )
    expect((await of("C")).count).toBe(0)
    await ledger.sql("update mp_operation set confirmed_after_ms = -5 where payment_method = 'B'")
    expect((await of("B")).mean).toBe(0)
  })
})

describe("what a worker knows of it", () => {
  const spied = (isAway: () => boolean) => {
    let reads = 0
    const database: Database = {
      ...ledger.database,
      query: (text, parameters) => {
        reads += 1
        return isAway()
          ? Promise.reject(new Error("away"))
          : ledger.database.query(text, parameters)
      },
    }
    return { database, reads: () => reads }
  }

  it("is read once for many checks, and again when the cache has ended", async () => {
    let nowMs = 0
    const { database, reads } = spied(() => false)
    const known = knownConfirmations(database, { monotonicMs: () => nowMs })
    const way = { ...WAY, paymentMethod: "B" }
    await Promise.all([known(way), known(way), known(way)])
    expect(reads()).toBe(1)
    nowMs += LIMITS.historyCacheMs
    const history = await readConfirmationHistory(ledger.database, way)
    expect(await known(way)).toEqual(fitConfirmations(history))
    expect(reads()).toBe(2)
  })

  it("is the prior where nothing can be read", async () => {
    const { database } = spied(() => true)
    expect(await knownConfirmations(database, systemClock)(WAY)).toEqual(PRIOR)
  })
})
