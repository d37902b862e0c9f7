/** Who gets which work, and what becomes of it when the holder is gone. */
import { CLAIM, claimDueOperations, claimOperation } from "../../src/ledger/claim-due-operations"
import { postponeOperation, releaseOperation } from "../../src/ledger/postpone-operation"
import { advanceOperation } from "../../src/ledger/advance-operation"
import { LIMITS } from "../../src/core/limits"
import { SECOND } from "../support/an-operation"
import {
  reread,
  startLedgerDatabase,
  submitted,
  type LedgerDatabase,
} from "../support/ledger-database"

let ledger: LedgerDatabase

beforeAll(async () => {
  ledger = await startLedgerDatabase()
}, 60_000)

afterAll(() => ledger.stop())

beforeEach(() => ledger.sql("update mp_operation set next_check_at = null"))

const LEASE_MS = 120 * SECOND
const claim = (limit: number) => claimDueOperations(ledger.database, { leaseMs: LEASE_MS, limit })

/** Operations that became due so many seconds ago; negative: that are not due yet. */
async function due(...secondsAgo: number[]): Promise<string[]> {
  const made = await Promise.all(secondsAgo.map(() => submitted(ledger.database)))
  for (const [index, { id }] of made.entries()) {
    await ledger.sql(
      "update mp_operation set next_check_at = now() - $2 * interval '1 s' where id = $1",
      [id, secondsAgo[index]],
    )
  }
  return made.map(({ id }) => id)
}

describe("a claim", () => {
  it("[P10] never gives a row twice: 4 callers, 200 rows, at the same moment", async () => {
    await due(...Array.from({ length: 200 }, (_, index) => index + 1))
    const taken: string[] = []
    const caller = async () => {
      for (;;) {
        const rows = await claim(7)
        if (rows.length === 0) return
        expect(rows.length).toBeLessThanOrEqual(7)
        taken.push(...rows.map(({ id }) => id))
      }
    }
    await Promise.all([caller(), caller(), caller(), caller()])
    // A caller that sees only rows which others are just taking stops early; the rest is left for it.
    const rest = await claim(200)
    const all = [...taken, ...rest.map(({ id }) => id)]
    expect(all).toHaveLength(200)
    expect(new Set(all).size).toBe(200)
  })

  it("takes those for whom a shopper waits first, then the longest due", async () => {
    const [a, b, c, d] = await due(10, 30, 5, 20)
    await ledger.sql("update mp_operation set waiting = true where id = any($1)", [[a, c]])
    expect((await claim(3)).map(({ id }) => id)).toEqual([a, c, b])
    expect((await claim(3)).map(({ id }) => id)).toEqual([d])
  })

  it("takes nothing that is not due, and no more than asked for", async () => {
    await due(-60, 1, 2, 3)
    expect(await claim(2)).toHaveLength(2)
    expect(await claim(50)).toHaveLength(1)
    expect(await claim(50)).toHaveLength(0)
  })

  it("writes a token and the end of the lease, both by the database's clock", async () => {
    await due(1)
    const [held] = await claim(1)
    expect(held?.leaseToken).toMatch(/^[0-9a-f-]{36}$/)
    expect((held?.leaseUntil?.getTime() ?? 0) - (held?.readAt.getTime() ?? 0)).toBe(LEASE_MS)
  })

  it("gives a row again when its holder's lease is over", async () => {
    const [id = ""] = await due(1)
    const [first] = await claim(1)
    expect(await claimOperation(ledger.database, id, LEASE_MS)).toBeUndefined()
    await ledger.sql(
      "update mp_operation set lease_until = now() - interval '1 ms' where id = $1",
      [id],
    )
    const [second] = await claim(1)
    expect(second?.id).toBe(id)
    expect(second?.leaseToken).not.toBe(first?.leaseToken)
  })

  it("[P12] of a frozen holder lets no late write through", async () => {
    const [id = ""] = await due(1)
    const [frozen] = await claim(1)
    await ledger.sql("update mp_operation set lease_until = now() where id = $1", [id])
    const [holder] = await claim(1)
    if (!frozen || !holder) throw new Error("both had it")
    const late = { event: "expire", why: "late", lease: "release" } as const
    expect(await advanceOperation(ledger.database, frozen, late)).toBeUndefined()
    await postponeOperation(ledger.database, frozen, {
      inMs: 0,
      waitingForgottenMs: 0,
      wasAnswered: true,
      isCounted: true,
    })
    await releaseOperation(ledger.database, frozen)
    const after = await reread(ledger.database, holder)
    expect(after).toMatchObject({
      state: "submitted",
      leaseToken: holder.leaseToken,
      leaseUntil: holder.leaseUntil,
      checks: 0,
    })
    expect(await advanceOperation(ledger.database, holder, late)).toMatchObject({
      state: "expired",
      leaseToken: null,
    })
  })

  it("[P10] of one operation goes to one of 20 callers", async () => {
    const [id = ""] = await due(1)
    const claims = Array.from({ length: 20 }, () => claimOperation(ledger.database, id, LEASE_MS))
    expect((await Promise.all(claims)).filter(Boolean)).toHaveLength(1)
  })
})

describe("[P23] with 30,000 operations that ended", () => {
  beforeAll(async () => {
    await ledger.sql(
      `insert into mp_operation (id, type, state, flow, account_id, provider_id,
         payment_collection_id, payment_session_id, currency_code, amount_minor, source_type,
         expires_at, next_check_at)
       select 'mpop_old_' || n, 'COLLECTION', 'expired', 'hosted', 'mpacc_env',
              'pp_hosted-checkout_merchant', 'col_' || n, 'ses_' || n, 'USD', 100, 'ORDER', now(),
              case when n % 50 = 0 then now() + interval '1 day' end
         from generate_series(1, 30000) n`,
    )
    await ledger.sql("analyze mp_operation")
  })

  it("the claim reads the index of what is due, and is quick", async () => {
    await due(1, 2, 3)
    const plan = await ledger.sql(
      `explain (analyze, format json) ${CLAIM.replaceAll("$1", "gen_random_uuid()")
        .replaceAll("$2", "1000")
        .replaceAll("$3", String(LIMITS.checksPerRun))
        .replaceAll("$4", "null")
        .replaceAll(/\$[567]/g, "10000")}`,
    )
    const text = JSON.stringify(plan)
    expect(text).toContain("operation_due_to_ask")
    expect(text).toContain("operation_due_to_tell")
    expect(text).not.toMatch(/"Seq Scan","[^}]*"mp_operation"/)
    const [row] = plan
    const ms = Number(/"Execution Time":([\d.]+)/.exec(JSON.stringify(row))?.[1])
    expect(ms).toBeLessThan(50)
  })
})
