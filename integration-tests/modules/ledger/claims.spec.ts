/** Which worker gets which work, and what becomes of it when the worker is gone. */
import { randomUUID } from "node:crypto"
import { Client } from "pg"
import {
  CLAIM_AT_GATEWAY,
  CLAIM_IN_MEDUSA,
  claimOperation,
} from "../../../src/ledger/claim-due-operations"
import { GRANT } from "../../../src/ledger/limits/check-budget"
import { postponeOperation, releaseOperation } from "../../../src/ledger/postpone-operation"
import { advanceOperation } from "../../../src/ledger/advance-operation"
import { LIMITS } from "../../../src/core/limits"
import { claimAll } from "../../support/claim-all"
import {
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

beforeEach(() =>
  ledger.sql("update mp_operation set next_check_at = null where id not like 'mpop_many_%'"),
)

const LEASE_MS = LIMITS.leaseMs
const claim = (limit: number) => claimAll(ledger.database, limit)

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
  it("[P10] never gives a row twice to 4 callers of 200 rows at the same moment", async () => {
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
    // A caller that sees only rows which others are just taking stops early; the rest is left for
    // it.
    for (let rest = await claim(50); rest.length > 0; rest = await claim(50)) {
      taken.push(...rest.map(({ id }) => id))
    }
    expect(taken).toHaveLength(200)
    expect(new Set(taken).size).toBe(200)
  })

  it("takes operations with a waiting shopper first, then the longest due", async () => {
    const [a, b, c, d] = await due(10, 30, 5, 20)
    await ledger.sql("update mp_operation set waiting = true where id = any($1)", [[a, c]])
    expect((await claim(3)).map(({ id }) => id)).toEqual([a, c, b])
    expect((await claim(3)).map(({ id }) => id)).toEqual([d])
  })

  it("takes only what is due, and no more than requested", async () => {
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

  it("gives a row again when its lease is over", async () => {
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

  it("[P12] of a frozen worker lets no late write through", async () => {
    const [id = ""] = await due(1)
    const [frozen] = await claim(1)
    await ledger.sql("update mp_operation set lease_until = now() where id = $1", [id])
    const [holder] = await claim(1)
    if (!frozen || !holder) throw new Error("both had it")
    const late = { event: "expire", code: "paid_after_end", lease: "release" } as const
    expect(await advanceOperation(ledger.database, frozen, late)).toBeUndefined()
    await postponeOperation(ledger.database, frozen, {
      inMs: 0,
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

it("[P13] a claim goes on in a worker that runs while a column is added", async () => {
  await due(3, 2, 1)
  expect(await claim(1)).toHaveLength(1)
  await ledger.sql("alter table mp_operation add column of_a_later_version text")
  expect(await claim(1)).toHaveLength(1)
  await ledger.sql("alter table mp_operation drop column of_a_later_version")
  expect(await claim(1)).toHaveLength(1)
})

describe("[P23] with 20,000 operations, half of them live", () => {
  const OPERATIONS = 20_000

  beforeAll(async () => {
    await ledger.sql(
      `insert into mp_operation (id, type, state, flow, account_id, provider_id,
         payment_collection_id, payment_session_id, currency_code, amount_minor, source_type,
         expires_at, next_check_at, waiting)
       select 'mpop_many_' || n, 'COLLECTION', case when n % 2 = 0 then 'submitted' else 'expired' end,
              'hosted', 'mpacc_env', 'pp_hosted-checkout_merchant', 'col_' || n, 'ses_' || n, 'USD',
              100, 'ORDER', now(),
              case when n % 2 = 0 then now() + (n % 1000 - 100) * interval '1 s' end, n % 100 = 0
         from generate_series(1, ${OPERATIONS}) n`,
    )
    await ledger.sql("vacuum analyze mp_operation")
  })

  /** The plan that each connection keeps: made without knowing the parameters. */
  const planOf = async (statement: string, parameters: string) => {
    const client = new Client({ connectionString: ledger.url })
    await client.connect()
    await client.query("set plan_cache_mode = force_generic_plan")
    await client.query(`prepare planned as ${statement}`)
    const { rows } = await client.query<Record<string, unknown>>(
      `explain (analyze, format json) execute planned (${parameters})`,
    )
    await client.end()
    return nodesOf(rows[0]?.["QUERY PLAN"])
  }

  const PLACES = `gen_random_uuid(), 1000, ${LIMITS.checksPerRun}, 10`
  const STATEMENTS = [
    ["a grant", GRANT, "operation_due_at_gateway", "50, '{}', '{}'"],
    [
      "a claim at the gateway",
      CLAIM_AT_GATEWAY,
      "operation_due_at_gateway",
      `${PLACES}, 'mpacc_env'`,
    ],
    ["a claim in Medusa", CLAIM_IN_MEDUSA, "operation_due_in_medusa", PLACES],
  ] as const

  it.each(STATEMENTS)(
    "%s reads what is due by index, from the oldest",
    async (_, text, index, given) => {
      const nodes = await planOf(text, given)
      const read = nodes.filter((node) => node["Relation Name"] === "mp_operation")
      expect(read.map((node) => node["Index Name"])).toContain(index)
      expect(read.filter((node) => node["Node Type"] === "Seq Scan")).toEqual([])
      expect(read.filter((node) => /Bitmap/.test(String(node["Node Type"])))).toEqual([])
      const rows = nodes.map((node) => Number(node["Actual Rows"]) * Number(node["Actual Loops"]))
      expect(Math.max(...rows)).toBeLessThanOrEqual(2 * LIMITS.checksPerRun)
    },
  )

  it("a claim is planned as too small to be compiled", async () => {
    for (const [, statement, , given] of STATEMENTS) {
      const [top] = await planOf(statement, given)
      // Postgres compiles statements whose planned cost is above 100,000.
      expect(Number(top?.["Total Cost"])).toBeLessThan(50_000)
    }
  })

  it("a lease is written without touching an index", async () => {
    // The claims above have filled pages; Postgres cleans those only when it gets to them.
    await ledger.sql("vacuum full mp_operation")
    const client = new Client({ connectionString: ledger.url })
    await client.connect()
    await client.query("begin")
    const values = [randomUUID(), 1_000, LIMITS.checksPerRun, 10, "mpacc_env"]
    const { rows } = await client.query(CLAIM_AT_GATEWAY, values)
    const written = await client.query(
      `select n_tup_upd::int as all, n_tup_hot_upd::int as beside
         from pg_stat_xact_user_tables where relname = 'mp_operation'`,
    )
    await client.query("rollback")
    await client.end()
    expect(rows).toHaveLength(LIMITS.checksPerRun)
    expect(written.rows).toEqual([{ all: rows.length, beside: rows.length }])
  })
})

type PlanNode = Readonly<Record<string, unknown>>

/** Every node of what `explain (format json)` answers. */
function nodesOf(plan: unknown): PlanNode[] {
  if (Array.isArray(plan)) return plan.flatMap(nodesOf)
  if (typeof plan !== "object" || plan === null) return []
  const node = plan as PlanNode
  return [
    ...("Node Type" in node ? [node] : []),
    ...nodesOf(node["Plan"]),
    ...nodesOf(node["Plans"]),
  ]
}
