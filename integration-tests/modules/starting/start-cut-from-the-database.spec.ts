/**
 * A start whose line to the database is cut at each of its statements, before the statement arrives
 * or after it has committed. The shopper gets a refusal that says when to try again, and the next
 * start charges once.
 */
import { Pool } from "pg"
import { refusalIn } from "../../../src/api/respond"
import { startPayment } from "../../../src/checkout/start-payment"
import type { FlowDeps } from "../../../src/engine/deps"
import type { Database } from "../../../src/ledger/database"
import { checkNow } from "../../../src/worker/check-due-operations"
import { openLine, type Cut, type DatabaseLine } from "../../histories/database-line"
import { MINUTE } from "../../support/an-operation"
import { PHONE } from "../../support/flows-harness"
import { databaseOfPool } from "../../support/ledger-database"
import { breachesIn, useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness()
/** More than `start` has; the first start without a cut ends the walk. */
const STATEMENTS_MAX = 60
const CHECKS_MAX = 10

let pool: Pool
let line: DatabaseLine

beforeAll(async () => {
  line = await openLine(harness.ledger.url)
  pool = new Pool({ connectionString: line.url, max: 1 })
  pool.on("error", () => undefined)
  // A client whose statement has failed already says so once more.
  pool.on("connect", (client) => client.on("error", () => undefined))
})

afterAll(() => pool.end())

/** The flows over the line, which is cut at the statement of this number. */
function cutAt(number: number, when: Cut): { deps: FlowDeps; wasCut: () => boolean } {
  let asked = 0
  const plain = databaseOfPool(pool)
  const database: Database = {
    query(...statement) {
      asked += 1
      if (asked === number) line.cutNext(when)
      return plain.query(...statement)
    },
  }
  return { deps: { ...harness.deps, database }, wasCut: () => asked >= number }
}

/** @returns the refusal's code; null where the start was answered */
async function started(deps: FlowDeps, sessionId: string): Promise<string | null> {
  try {
    await startPayment(deps, { sessionId, phone: PHONE })
    return null
  } catch (error) {
    const refused = refusalIn(error)
    if (!refused) throw error
    expect(refused.httpStatus).toBe(503)
    expect(refused.details["retry_after_seconds"]).toBeGreaterThan(0)
    return refused.code
  }
}

/**
 * The job's checks, a minute apart, and the shopper's next start once the payment has ended: what
 * was committed as submitted and never sent ends without a charge.
 */
async function untilPrompted(collectionId: string, sessionId: string): Promise<void> {
  for (let checks = 0; checks < CHECKS_MAX; checks++) {
    const { id, state, reference } = await harness.shown(collectionId)
    const sent = harness.simulator.book.executions()
    if (sent.some((one) => one.reference === reference)) return
    if (state === "expired") await startPayment(harness.deps, { sessionId, phone: PHONE })
    else {
      await harness.pass(id, MINUTE)
      await checkNow(harness.deps, id)
    }
  }
  throw new Error("no prompt was sent")
}

describe.each(["before", "after"] as const)(
  "[P34] a start whose database line is cut %s a statement",
  (when) => {
    it("is refused as documented, then goes on and charges once", async () => {
      let cuts = 0
      for (let number = 1; number <= STATEMENTS_MAX; number++) {
        const { collectionId, sessionId } = harness.cart()
        const { deps, wasCut } = cutAt(number, when)
        const code = await started(deps, sessionId)
        if (!wasCut()) break
        cuts += 1
        expect([null, "store_unavailable"]).toContain(code)
        const before = await harness.ledger.sql(
          "select id from mp_operation where payment_collection_id = $1",
          [collectionId],
        )
        for (const { id } of before) await harness.pass(String(id), MINUTE)
        const again = await startPayment(harness.deps, { sessionId, phone: PHONE })
        expect(again.state).toBe("waiting_for_payer")
        await untilPrompted(collectionId, sessionId)
        const operation = await harness.shown(collectionId)
        harness.simulator.handset.approve(operation.reference ?? "")
        await harness.pass(operation.id, 3 * MINUTE)
        await checkNow(harness.deps, operation.id)
        expect(await harness.shown(collectionId)).toMatchObject({ state: "completed" })
        const charged = harness.simulator.book
          .executions()
          .filter(({ sourceId }) => sourceId === operation.sourceId)
        expect(charged).toHaveLength(1)
      }
      expect(cuts).toBeGreaterThan(8)
      expect(await breachesIn(harness)).toEqual([])
    })
  },
)
