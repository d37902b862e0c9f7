/**
 * Paid orders whose refunds Medusa asks for, over a real ledger and the simulator, with Medusa in
 * memory: what a suite of its own needs to click, to let a process die and to let time pass. After
 * each test the oracle reads the sides.
 */
import { LIMITS } from "../../src/core/limits"
import type { Operation } from "../../src/core/operation"
import { checkNow } from "../../src/worker/check-due-operations"
import type { FlowDeps } from "../../src/engine/deps"
import { sendRefundOfMedusa } from "../../src/refunds/send-refund-of-medusa"
import { startPayment } from "../../src/checkout/start-payment"
import { findById } from "../../src/ledger/find-operations"
import { findRefundsOf } from "../../src/refunds/sql/find-refunds"
import { HOUR, MINUTE, SECOND } from "./an-operation"
import { readLedger } from "./evidence"
import { PHONE, startFlowsHarness, type FlowsHarness } from "./flows-harness"
import { closeMedusaRefund, openMedusaRefund, writeMedusaRefund } from "./medusa-refunds-in-memory"
import { shownOf } from "./refund-records-in-memory"
import { violations } from "./violations"

export const TOTAL = "19.99"

export const NOTHING_SHOWN = {
  rows: [],
  transactions: [],
  creditLines: [],
  orderRefunded: 0,
  credited: 0,
  collectionRefunded: 0,
}

/** Where Medusa's own process dies over a refund; "never": it writes all of it. */
type Dies = "never" | "before the transaction"

/** Registers the suite's hooks; the scene is there inside tests only. */
export function useRefundScene() {
  let harness: FlowsHarness | undefined
  const its = (): FlowsHarness => {
    if (!harness) throw new Error("the scene is not open")
    return harness
  }
  beforeAll(async () => {
    harness = await startFlowsHarness({ partialRefunds: "UNCAPPED" })
  })
  afterAll(() => its().stop())
  afterEach(async () => {
    const { ledger, simulator, logged } = its()
    const output = { texts: logged, secrets: ["simulator-secret"], phones: [PHONE] }
    const evidence = { book: simulator.book, ledger: await readLedger(ledger.sql), output }
    expect(violations(evidence)).toEqual([])
    await ledger.sql(
      "update mp_account set checks_paused_until = null, checks_left = checks_per_second_max",
    )
    simulator.clearPlans()
    simulator.faults.clear()
    logged.length = 0
  })

  const cartOf = (parent: Operation) => its().of(parent.paymentCollectionId)

  /** Time that the provider waits passes at once for the refunds that are due. */
  const waiting = (): FlowDeps => ({
    ...its().deps,
    clock: {
      ...its().deps.clock,
      sleep: async (ms) => {
        const due =
          "select id from mp_operation where type = 'REFUND' and next_check_at is not null"
        for (const { id } of await its().ledger.sql(due)) await its().pass(String(id), ms)
      },
    },
  })

  const provider = (rowId: string) => sendRefundOfMedusa(waiting(), rowId)

  const last = async (parent: Operation): Promise<Operation> => {
    const refund = (await findRefundsOf(its().deps.database, parent.id)).at(-1)
    if (!refund) throw new Error("no refund was made")
    return refund
  }

  /** Medusa's refund, as far as it comes: refused, written, or left when the process died. */
  async function click(
    parent: Operation,
    { amount = TOTAL, dies = "never" }: { amount?: string; dies?: Dies } = {},
  ): Promise<string> {
    const cart = cartOf(parent)
    const row = openMedusaRefund(cart, amount, "user_ada")
    try {
      await provider(row)
    } catch (error) {
      closeMedusaRefund(cart, row, true)
      return error instanceof Error && "code" in error ? String(error.code) : String(error)
    }
    if (dies === "never") writeMedusaRefund(cart, row)
    return row
  }

  /** Time passes for a refund, also what Medusa was answered before, and the job looks at it. */
  async function pass({ id }: Operation, ms: number, deps = its().deps): Promise<Operation> {
    const before = await findById(its().deps.database, id)
    if (before?.state === "completed" && before.recordedAt) return before
    await its().ledger.sql(
      `update mp_operation set answered_at = answered_at - $2 * interval '1 ms',
              checked_at = checked_at - $2 * interval '1 ms' where id = $1`,
      [id, ms],
    )
    await its().pass(id, ms)
    await checkNow(deps, id)
    const found = await findById(its().deps.database, id)
    if (!found) throw new Error(`${id} is gone`)
    return found
  }

  return {
    its,
    cartOf,
    waiting,
    provider,
    last,
    click,
    pass,
    shown: (parent: Operation) => shownOf(cartOf(parent)),
    /** The gateway carries out what it has taken. */
    later: () => its().later(MINUTE),
    /** Longer than any row of Medusa's is anybody's. */
    rest: () => its().medusaLater(LIMITS.refundRowAbandonedMs + SECOND),
    async paid(): Promise<Operation> {
      const { cart, deps, pass: letPass, shown, simulator } = its()
      const { collectionId, sessionId } = cart()
      await startPayment(deps, { sessionId, phone: PHONE })
      const { id, reference } = await shown(collectionId)
      simulator.handset.approve(reference ?? "")
      await letPass(id, 3 * SECOND)
      await checkNow(deps, id)
      return shown(collectionId)
    },
    async eventsOf({ id }: Operation): Promise<string[]> {
      const events = await its().ledger.sql(
        "select name from mp_operation_event where operation_id = $1 order by seq",
        [id],
      )
      return events.map(({ name }) => String(name))
    },
    sentOf: (parent: Operation) =>
      its()
        .simulator.book.refunds()
        .filter(({ originalReference }) => originalReference === parent.reference),
    /** The gateway takes it, and it fails after Medusa has shown it. */
    async failedLate(parent: Operation): Promise<Operation> {
      const { simulator } = its()
      simulator.plan({ operationType: "REFUND", outcome: "approve", afterMs: HOUR, times: 1 })
      await click(parent)
      const { id, reference } = await last(parent)
      simulator.backOffice.settle(reference ?? "", "FAILED")
      await pass(await last(parent), 5 * SECOND)
      const failed = await pass(await last(parent), 6 * SECOND)
      expect(failed).toMatchObject({ id, state: "failed" })
      return failed
    },
  }
}
