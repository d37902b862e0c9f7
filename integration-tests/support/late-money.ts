/**
 * Money that comes late, twice, or for no order: the harness of its suites, over a real ledger and
 * the simulator. After each test the days of watching pass, and the oracle judges.
 */
import type { SimulatorOptions } from "../../packages/simulator/src"
import type { Operation } from "../../src/core/operation"
import { checkNow } from "../../src/worker/check-due-operations"
import type { FlowDeps } from "../../src/engine/deps"
import type { Gateway, SourceStatus } from "../../src/gateway"
import { SECOND } from "./an-operation"
import { PUSH, type FlowsHarness } from "./flows-harness"
import { passForAll, untilQuiet } from "./until-quiet"
import { actsIn, breachesIn, forgetPlans, useFlowsHarness } from "./use-flows-harness"

/** An admin accepts a payment in review whose lease a frozen worker still holds. */
export const acceptedByAdmin = ({ ledger }: FlowsHarness, { id }: Operation) =>
  ledger.sql(
    `with moved as (
       update mp_operation set state = 'completed', version = version + 1, reason = null,
              next_check_at = now(), lease_token = null, lease_until = null
        where id = $1 returning *)
     insert into mp_operation_event (operation_id, seq, name, state, code)
     select id, version, 'accept', state, 'note' from moved`,
    [id],
  )

/** Registers the suite's hooks; the harness is there inside tests only. */
export function useLateMoney(options: SimulatorOptions = {}) {
  const harness = useFlowsHarness({ tokenLifeMinutes: 10_000_000, ...options })
  const { start, reread } = actsIn(harness)
  /** The book goes on from test to test; the ledger begins anew, and each test at the present. */
  let firstSourceId = 0

  beforeEach(async () => {
    harness.presently()
    await harness.ledger.sql(
      "truncate mp_operation, mp_operation_search, mp_operation_session, mp_operation_event, " +
        "mp_receipt_link, mp_notification, " +
        "mp_receipt, mp_party",
    )
    await harness.ledger.sql("update mp_account set fee_bearer = null")
    firstSourceId = 1 + Math.max(0, ...harness.simulator.book.documents().map(({ id }) => id))
  })

  afterEach(async () => {
    forgetPlans(harness)
    await untilQuiet(harness)
    const { book } = harness.simulator
    const own = {
      ...book,
      documents: () => book.documents().filter(({ id }) => id >= firstSourceId),
      executions: () => book.executions().filter(({ sourceId }) => sourceId >= firstSourceId),
    }
    expect(await breachesIn(harness, { book: own }, { isQuiet: true })).toEqual([])
  })

  /** A check by the job, so much later. */
  async function checkAfter(
    operation: Operation,
    afterMs: number,
    deps = harness.deps,
  ): Promise<Operation> {
    await passForAll(harness, afterMs)
    await harness.ledger.sql("update mp_operation set next_check_at = now() where id = $1", [
      operation.id,
    ])
    await checkNow(deps, operation.id)
    return reread(operation)
  }

  const payByHand = ({ sourceId }: Operation) =>
    harness.simulator.hosted.pay(sourceId ?? 0, { method: "card" })

  async function started(providerId = PUSH) {
    const cart = harness.cart(providerId)
    await start(cart.sessionId)
    return { cart, operation: await harness.shown(cart.collectionId) }
  }

  /** Declined on the handset and seen FAILED twice; with the other outcome, approved a minute later. */
  async function failed(outcome: "decline" | "decline_then_approve" = "decline") {
    harness.simulator.plan({ outcome, times: 1 })
    const { cart, operation } = await started()
    await checkAfter(operation, SECOND)
    const ended = await checkAfter(operation, 6 * SECOND)
    expect(ended.state).toBe("failed")
    return { cart, operation: ended }
  }

  const operationsOf = (collectionId: string) =>
    harness.ledger.sql(
      "select id, state, is_duplicate, reason from mp_operation where payment_collection_id = $1",
      [collectionId],
    )

  /** The harness's flows, at a gateway that answers something else about sources. */
  function saying(change: (status: SourceStatus) => SourceStatus): FlowDeps {
    const gateway: Gateway = {
      ...harness.gateway,
      status: {
        ...harness.gateway.status,
        async source(request, options) {
          const outcome = await harness.gateway.status.source(request, options)
          return outcome.kind === "done" ? { ...outcome, value: change(outcome.value) } : outcome
        },
      },
    }
    return { ...harness.deps, gatewayOf: () => gateway }
  }

  return { harness, start, reread, checkAfter, payByHand, started, failed, operationsOf, saying }
}
