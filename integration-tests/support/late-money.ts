/**
 * Money that comes late, twice, or to nobody, for its suites: over a real ledger and the simulator.
 * After each test the days of watching pass, and then the oracle is asked.
 */
import type { Operation } from "../../src/core/operation"
import { checkNow } from "../../src/worker/check-due-operations"
import type { FlowDeps } from "../../src/engine/deps"
import type { Gateway, SourceStatus } from "../../src/gateway"
import { SECOND } from "./an-operation"
import { PUSH } from "./flows-world"
import { passForAll, untilQuiet } from "./until-quiet"
import { actsIn, breachesIn, forgetPlans, useFlowsWorld } from "./use-flows-world"

/** Registers the suite's hooks; the world is there inside tests only. */
export function useLateMoney() {
  const world = useFlowsWorld({ tokenLifeMinutes: 10_000_000 })
  const { start, reread } = actsIn(world)
  /** The book goes on from test to test; the ledger begins anew, and each test at the present. */
  let firstSourceId = 0

  beforeEach(async () => {
    world.presently()
    await world.ledger.sql(
      "truncate mp_operation, mp_operation_session, mp_operation_event, mp_receipt, mp_party",
    )
    await world.ledger.sql("update mp_account set fee_bearer = null")
    firstSourceId = 1 + Math.max(0, ...world.simulator.book.documents().map(({ id }) => id))
  })

  afterEach(async () => {
    forgetPlans(world)
    await untilQuiet(world)
    const { book } = world.simulator
    const own = {
      ...book,
      documents: () => book.documents().filter(({ id }) => id >= firstSourceId),
      executions: () => book.executions().filter(({ sourceId }) => sourceId >= firstSourceId),
    }
    expect(await breachesIn(world, { book: own }, { isQuiet: true })).toEqual([])
  })

  /** So much later, a look by the job. */
  async function finding(
    operation: Operation,
    afterMs: number,
    deps = world.deps,
  ): Promise<Operation> {
    await passForAll(world, afterMs)
    await world.ledger.sql("update mp_operation set next_check_at = now() where id = $1", [
      operation.id,
    ])
    await checkNow(deps, operation.id)
    return reread(operation)
  }

  const payByHand = ({ sourceId }: Operation) =>
    world.simulator.hosted.pay(sourceId ?? 0, { method: "card" })

  async function started(providerId = PUSH) {
    const cart = world.cart(providerId)
    await start(cart.sessionId)
    return { cart, operation: await world.shown(cart.collectionId) }
  }

  /**
   * Declined on the handset and seen FAILED twice; with `later`, approved a minute after all the
   * same.
   */
  async function failed(outcome: "decline" | "decline_then_approve" = "decline") {
    world.simulator.plan({ outcome, times: 1 })
    const { cart, operation } = await started()
    await finding(operation, SECOND)
    const ended = await finding(operation, 6 * SECOND)
    expect(ended.state).toBe("failed")
    return { cart, operation: ended }
  }

  const operationsOf = (collectionId: string) =>
    world.ledger.sql(
      "select id, state, surplus, reason from mp_operation where payment_collection_id = $1",
      [collectionId],
    )

  /** The world's flows, with another word of the gateway about the state of sources. */
  function saying(change: (status: SourceStatus) => SourceStatus): FlowDeps {
    const gateway: Gateway = {
      ...world.gateway,
      status: {
        ...world.gateway.status,
        async source(request, options) {
          const outcome = await world.gateway.status.source(request, options)
          return outcome.kind === "done" ? { ...outcome, value: change(outcome.value) } : outcome
        },
      },
    }
    return { ...world.deps, gatewayOf: () => gateway }
  }

  return { world, start, reread, finding, payByHand, started, failed, operationsOf, saying }
}
