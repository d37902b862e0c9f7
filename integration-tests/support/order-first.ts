/**
 * Orders that are placed before their money, for their suites: over a real ledger and the
 * simulator, with the oracle after each test, Medusa's orders in memory. Time is the database's.
 */
import type { Operation } from "../../src/core/operation"
import { checkDueOperations } from "../../src/worker/check-due-operations"
import type { FlowDeps } from "../../src/engine/deps"
import { findAllOfCollection } from "../../src/ledger/find-operations"
import { SECOND } from "./an-operation"
import { PUSH } from "./flows-harness"
import { medusaOf } from "./medusa-evidence"
import { actsIn, breachesIn, forgetPlans, useFlowsHarness } from "./use-flows-harness"

export type Placed = { readonly sessionId: string; readonly collectionId: string }

/** Registers the suite's hooks; the harness is there inside tests only. */
export function useOrderFirst() {
  const harness = useFlowsHarness({}, ({ ledger }) =>
    ledger.sql("update mp_account set order_placement = 'order_first'"),
  )
  const { start, reread, checkAfter } = actsIn(harness)

  afterEach(async () => {
    forgetPlans(harness)
    expect(await breachesIn(harness, { medusa: medusaOf(harness.carts) })).toEqual([])
    expect(harness.simulator.contractViolations).toEqual([])
  })

  const complete = ({ collectionId }: Placed) =>
    harness.deps.medusa.completeCart(`cart_${collectionId}`)

  /** The cart is completed: an order, and no money yet. */
  async function place(providerId = PUSH): Promise<Placed> {
    const cart = harness.cart(providerId)
    await complete(cart)
    return cart
  }

  function orderOf({ collectionId }: Placed) {
    const { order } = harness.of(collectionId)
    if (!order) throw new Error("there is no order")
    return order
  }

  /** The order's time is over, and what waited for that is due. */
  async function overNow({ collectionId }: Placed): Promise<void> {
    await harness.ledger.sql(
      `update mp_operation
          set next_check_at = case when next_check_at = window_ends_at or state in ('failed', 'expired')
                              then now() else least(next_check_at, now()) end,
              window_ends_at = now()
        where payment_collection_id = $1 and window_ends_at is not null`,
      [collectionId],
    )
  }

  /** Started, declined, and seen so twice. */
  async function declined(placed: Placed): Promise<Operation> {
    await start(placed.sessionId)
    const operation = await harness.shown(placed.collectionId)
    harness.simulator.handset.decline(operation.reference ?? "")
    await checkAfter(operation, SECOND)
    const ended = await checkAfter(operation, 6 * SECOND)
    expect(ended.state).toBe("failed")
    return ended
  }

  return {
    harness,
    start,
    reread,
    checkAfter,
    complete,
    place,
    orderOf,
    overNow,
    declined,
    run: (deps: FlowDeps = harness.deps) => checkDueOperations(deps, { atMost: 50 }),
    all: ({ collectionId }: Placed) => findAllOfCollection(harness.deps.database, collectionId),
    sourceOf: ({ sourceId }: Operation) => harness.simulator.book.document(sourceId ?? 0)?.status,
  }
}
