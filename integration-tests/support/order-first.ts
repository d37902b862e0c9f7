/**
 * Orders that are placed before their money, for their suites: over a real ledger and the
 * simulator, with the oracle after each test, Medusa's orders in memory. Time is the database's.
 */
import type { Operation } from "../../src/core/operation"
import { checkDueOperations } from "../../src/worker/check-due-operations"
import type { FlowDeps } from "../../src/engine/deps"
import { findAllOfCollection } from "../../src/ledger/find-operations"
import { SECOND } from "./an-operation"
import { PUSH } from "./flows-world"
import { medusaOf } from "./medusa-in-memory"
import { actsIn, breachesIn, forgetPlans, useFlowsWorld } from "./use-flows-world"

export type Placed = { readonly sessionId: string; readonly collectionId: string }

/** Registers the suite's hooks; the world is there inside tests only. */
export function useOrderFirst() {
  const world = useFlowsWorld({}, ({ ledger }) =>
    ledger.sql("update mp_account set order_placement = 'order_first'"),
  )
  const { start, reread, finding } = actsIn(world)

  afterEach(async () => {
    forgetPlans(world)
    expect(await breachesIn(world, { medusa: medusaOf(world.carts) })).toEqual([])
    expect(world.simulator.contractViolations).toEqual([])
  })

  const complete = ({ collectionId }: Placed) =>
    world.deps.host.completeCart(`cart_${collectionId}`)

  /** The cart is completed: an order, and no money yet. */
  async function place(providerId = PUSH): Promise<Placed> {
    const cart = world.cart(providerId)
    await complete(cart)
    return cart
  }

  function orderOf({ collectionId }: Placed) {
    const { order } = world.of(collectionId)
    if (!order) throw new Error("there is no order")
    return order
  }

  /** The order's time is over, and what waited for that is due. */
  async function overNow({ collectionId }: Placed): Promise<void> {
    await world.ledger.sql(
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
    const operation = await world.shown(placed.collectionId)
    world.simulator.handset.decline(operation.reference ?? "")
    await finding(operation, SECOND)
    const ended = await finding(operation, 6 * SECOND)
    expect(ended.state).toBe("failed")
    return ended
  }

  return {
    world,
    start,
    reread,
    finding,
    complete,
    place,
    orderOf,
    overNow,
    declined,
    run: (deps: FlowDeps = world.deps) => checkDueOperations(deps, { atMost: 50 }),
    all: ({ collectionId }: Placed) => findAllOfCollection(world.deps.database, collectionId),
    sourceOf: ({ sourceId }: Operation) => world.simulator.book.document(sourceId ?? 0)?.status,
  }
}
