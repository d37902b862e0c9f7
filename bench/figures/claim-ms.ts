/**
 * How long a worker waits for its work: the grant and the claims of as many operations as it takes
 * at once, with a million live ones in the ledger, half of them due; sent, answered and read. What was claimed is
 * written in between, as a pass does, so that the table and its indexes are in the state that
 * claims leave them.
 */
import { LIMITS } from "../../src/core/limits"
import { systemRandom } from "../../src/core/ports"
import { CLAIM_AT_GATEWAY } from "../../src/ledger/claim-due-operations"
import { postponeOperations } from "../../src/ledger/postpone-operation"
import { claimWork } from "../../src/worker/claim-work"
import type { LedgerDatabase } from "../../integration-tests/support/ledger-database"
import type { Benchmark, Figure } from "../figure"
import type { ClientFixture } from "../support/client-fixture"
import { addLiveRows, inLedger } from "../support/ledger"
import { median, percentile } from "../support/statistics"

const LIMIT_MS = 10
const LIVE_ROWS = 1_000_000
const FEW_ROWS = 20_000
const CLAIMS = 1_000
const WARM_UP = 50
const AGAIN_IN_MS = 3_600_000

export const claimMs: Benchmark = { name: "claim_ms_p99", on: "client", run: measure }

async function measure({ say }: ClientFixture): Promise<Figure> {
  const few = await inLedger(async (ledger) => {
    await fill(ledger, FEW_ROWS, say)
    return claims(ledger, Math.floor(surelyDue(FEW_ROWS) / LIMITS.checksPerRun) - WARM_UP)
  })
  return inLedger(async (ledger) => {
    await fill(ledger, LIVE_ROWS, say)
    const took = await claims(ledger, CLAIMS)
    const plan = await planOfClaim(ledger)
    return {
      value: percentile(took, 0.99),
      unit: "ms",
      better: "lower",
      against: `a limit, and the same claims with ${FEW_ROWS} live rows`,
      limit: LIMIT_MS,
      samples: took.length,
      p50: median(took),
      p95: percentile(took, 0.95),
      max: Math.max(...took),
      p50_few_rows: median(few),
      p99_few_rows: percentile(few, 0.99),
      live_rows: LIVE_ROWS,
      rows_a_claim: LIMITS.checksPerRun,
      ...plan,
    }
  })
}

/** Half are due, but for chance: they are spread at random. */
const surelyDue = (rows: number) => rows * 0.45

const fill = (ledger: LedgerDatabase, count: number, say: (line: string) => void) =>
  addLiveRows(ledger, { count, dueSinceSeconds: 1_800, dueInSeconds: 1_800 }, say)

/** What each took, in milliseconds. */
async function claims({ database }: LedgerDatabase, count: number): Promise<number[]> {
  const took: number[] = []
  const underWay = { groups: () => [], room: () => LIMITS.checksPerRun }
  const deps = { database, random: systemRandom, logger: console, underWay }
  const finding = { inMs: AGAIN_IN_MS, wasAnswered: true, isCounted: true }
  for (let claim = 0; claim < WARM_UP + count; claim += 1) {
    const since = performance.now()
    const { operations: due } = await claimWork(deps, LIMITS.checksPerRun)
    if (claim >= WARM_UP) took.push(performance.now() - since)
    if (due.length !== LIMITS.checksPerRun) throw new Error(`A claim took ${due.length} rows.`)
    await postponeOperations(
      database,
      due.map((operation) => [operation, finding] as const),
    )
  }
  return took
}

type PlanNode = Readonly<Record<string, unknown>>

/** What `explain` says of one claim: how it finds its rows, and how many it touches. */
async function planOfClaim(ledger: LedgerDatabase) {
  const values = ["gen_random_uuid()", "1000", `${LIMITS.checksPerRun}`, "10", "'mpacc_env'"]
  const statement = values.reduce(
    (text, value, index) => text.replaceAll(`$${index + 1}`, value),
    CLAIM_AT_GATEWAY,
  )
  const [row] = await ledger.sql(`explain (analyze, summary, format json) ${statement}`)
  const [plan]: PlanNode[] = Array.isArray(row?.["QUERY PLAN"]) ? row["QUERY PLAN"] : []
  const nodes = nodesOf(plan)
  const ofOperations = nodes.filter((node) => node["Relation Name"] === "mp_operation")
  const indexes = ofOperations.flatMap((node) => node["Index Name"] ?? []).map(String)
  return {
    explain_indexes: [...new Set(indexes)].sort().join(", "),
    explain_seq_scans: ofOperations.filter((node) => node["Node Type"] === "Seq Scan").length,
    explain_seq_scans_limit: 0,
    explain_rows_most: Math.max(
      ...nodes.map((node) => Number(node["Actual Rows"]) * Number(node["Actual Loops"])),
    ),
    explain_rows_most_limit: 2 * LIMITS.checksPerRun,
    explain_planning_ms: Number(plan?.["Planning Time"]),
    explain_execution_ms: Number(plan?.["Execution Time"]),
  }
}

function nodesOf(plan: unknown): PlanNode[] {
  if (Array.isArray(plan)) return plan.flatMap(nodesOf)
  if (typeof plan !== "object" || plan === null) return []
  const node: PlanNode = { ...plan }
  const own = "Node Type" in node ? [node] : []
  return [...own, ...nodesOf(node["Plan"]), ...nodesOf(node["Plans"])]
}
