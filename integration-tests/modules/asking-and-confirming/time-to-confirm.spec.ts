/** How long payers took, as the ledger records it. */
import { MINUTE, SECOND } from "../../support/an-operation"
import {
  advanced,
  startLedgerDatabase,
  submitted,
  type LedgerDatabase,
} from "../../support/ledger-database"

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
  it("is halfway between the last check that didn't know and the first that did", async () => {
    expect(await confirmed(40 * SECOND, 10 * SECOND, "A")).toBe(35 * SECOND)
    expect(await confirmed(4 * SECOND, null, "A")).toBe(2 * SECOND)
  })

  it("isn't guessed when the checks were too far apart", async () => {
    expect(await confirmed(10 * MINUTE, 9 * MINUTE, "A")).toBeNull()
  })
})
