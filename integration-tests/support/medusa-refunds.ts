/**
 * Medusa's admin over the flows: a paid payment, the clicks on Refund with Medusa's own rows in
 * memory, and what the ledger and the simulator's book have of it then.
 */
import type { Operation } from "../../src/core/operation"
import { checkNow } from "../../src/worker/check-due-operations"
import type { FlowDeps } from "../../src/engine/deps"
import { sendRefundOfMedusa } from "../../src/refunds/send-refund-of-medusa"
import { startPayment } from "../../src/checkout/start-payment"
import { findRefundsOf } from "../../src/refunds/sql/find-refunds"
import { SECOND } from "./an-operation"
import { dieAt, type Moment } from "./moments"
import { PHONE, type FlowsHarness } from "./flows-harness"
import { closeMedusaRefund, openMedusaRefund } from "./medusa-refunds-in-memory"
import { actsIn, breachesIn, forgetPlans } from "./use-flows-harness"

/** Registers the suite's hooks: nothing promised is broken, and the account may ask anew. */
export function judgeEach(harness: FlowsHarness): void {
  afterEach(async () => {
    expect(await breachesIn(harness)).toEqual([])
    await harness.ledger.sql(
      "update mp_account set checks_paused_until = null, checks_left = checks_per_second_max",
    )
    forgetPlans(harness)
  })
}

export function medusaRefunds(harness: FlowsHarness) {
  async function paid(): Promise<Operation> {
    const { collectionId, sessionId } = harness.cart()
    await startPayment(harness.deps, { sessionId, phone: PHONE })
    const { id, reference } = await harness.shown(collectionId)
    harness.simulator.handset.approve(reference ?? "")
    await harness.pass(id, 3 * SECOND)
    await checkNow(harness.deps, id)
    return harness.shown(collectionId)
  }

  /** As the provider has it; time that it waits passes at once for the refunds that are due. */
  function deps(given: Partial<FlowDeps> = {}): FlowDeps {
    return {
      ...harness.deps,
      clock: {
        ...harness.deps.clock,
        sleep: async (ms) => {
          const due =
            "select id from mp_operation where type = 'REFUND' and next_check_at is not null"
          for (const { id } of await harness.ledger.sql(due)) await harness.pass(String(id), ms)
        },
      },
      ...given,
    }
  }

  const cartOf = (parent: Operation) => harness.of(parent.paymentCollectionId)

  /**
   * Medusa's own refund: its row, the provider, and what follows. The row's id, or the refusal's
   * code.
   */
  async function click(
    parent: Operation,
    amount = "19.99",
    createdBy: string | null = "user_ada",
    given = deps(),
  ): Promise<string> {
    const cart = cartOf(parent)
    const row = openMedusaRefund(cart, amount, createdBy)
    try {
      await sendRefundOfMedusa(given, row)
    } catch (error) {
      closeMedusaRefund(cart, row, true)
      return error instanceof Error && "code" in error ? String(error.code) : String(error)
    }
    closeMedusaRefund(cart, row, false)
    return row
  }

  /** The process dies in the middle: Medusa's row stays without its transaction. */
  async function clickAndDie(parent: Operation, at: Moment, amount = "19.99"): Promise<string> {
    const row = openMedusaRefund(cartOf(parent), amount, "user_ada")
    await dieAt(deps(), at, (dying) => sendRefundOfMedusa(dying, row))
    return row
  }

  const refundsIn = (parent: Operation) =>
    harness.simulator.book
      .refunds()
      .filter(({ originalReference }) => originalReference === parent.reference)

  async function only(parent: Operation): Promise<Operation> {
    const [refund, ...others] = await findRefundsOf(harness.deps.database, parent.id)
    if (!refund || others.length > 0) throw new Error(`${others.length + 1} refunds, not one`)
    return refund
  }

  /** Sent, and nobody knows: the answer is lost, and so are the questions. */
  async function unknown(parent: Operation, amount = "5"): Promise<Operation> {
    const lost = Array.from({ length: 9 }, () => "404" as const)
    harness.simulator.faults.script("executeRefund", ["reset:after"])
    harness.simulator.faults.script("getRefundStatus", lost)
    expect(await click(parent, amount)).toBe("refund_in_progress")
    harness.simulator.faults.clear()
    return only(parent)
  }

  async function checkAfter(refund: Operation, afterMs: number): Promise<Operation> {
    harness.later(4 * SECOND)
    await harness.pass(refund.id, afterMs)
    await checkNow(harness.deps, refund.id)
    return actsIn(harness).reread(refund)
  }

  const set = ({ id }: Operation, change: string) =>
    harness.ledger.sql(`update mp_operation set ${change} where id = $1`, [id])

  return { paid, deps, cartOf, click, clickAndDie, refundsIn, only, unknown, checkAfter, set }
}
