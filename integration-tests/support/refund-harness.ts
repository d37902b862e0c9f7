/**
 * Paid orders and their refunds, over a real ledger and the simulator, with Medusa in memory: a
 * suite clicks Refund, lets a process die and lets time pass. The oracle judges after each test.
 */
import type { SimulatorOptions } from "../../packages/simulator/src"
import { startPayment } from "../../src/checkout/start-payment"
import { LIMITS } from "../../src/core/limits"
import { ofMedusa, type MedusaOperation, type Operation } from "../../src/core/operation"
import type { FlowDeps } from "../../src/engine/deps"
import { listWaiting } from "../../src/ledger/requests"
import { approveRefund } from "../../src/review/approve-refund"
import { sendRefundOfMedusa } from "../../src/refunds/send-refund-of-medusa"
import { sendRefund, type RefundRequest } from "../../src/refunds/send-refund-to-gateway"
import { findRefundsOf } from "../../src/refunds/sql/find-refunds"
import { checkNow } from "../../src/worker/check-due-operations"
import { HOUR, MINUTE, SECOND } from "./an-operation"
import { PHONE } from "./flows-harness"
import {
  closeMedusaRefund,
  openMedusaRefund,
  refundRecordsInMemory,
  shownOf,
  writeMedusaRefund,
} from "./medusa-refunds-in-memory"
import type { LedgerDatabase } from "./ledger-database"
import { dieAt, type Moment } from "./moments"
import { actsIn, breachesIn, forgetPlans, LOST, useFlowsHarness } from "./use-flows-harness"

export const TOTAL = "19.99"

/** What Medusa shows after refunds of these amounts, each written by itself. */
export const shownAs = (...amounts: readonly string[]) => {
  const sum = Number(amounts.reduce((total, amount) => total + Number(amount), 0).toFixed(5))
  return {
    rows: amounts,
    transactions: amounts,
    creditLines: amounts,
    orderRefunded: sum,
    credited: sum,
    collectionRefunded: sum,
  }
}

type Click = {
  readonly by?: string | null
  readonly note?: string
  readonly deps?: FlowDeps
  /** Medusa's process dies after the provider's yes, before it has written the transaction. */
  readonly dies?: boolean
}

/**
 * Registers the suite's hooks; what it returns can be called inside tests only.
 *
 * @param isLedgerWhole false: the suite plays backups back, so that the ledger lacks what was sent
 */
export function useRefundHarness(
  options: SimulatorOptions = { partialRefunds: "UNCAPPED" },
  isLedgerWhole = true,
  openLedger?: () => Promise<LedgerDatabase>,
) {
  const harness = useFlowsHarness(options, undefined, openLedger)
  const { reread } = actsIn(harness)

  afterEach(async () => {
    const breaches = await breachesIn(harness)
    expect(breaches.filter((one) => isLedgerWhole || !LOST.test(one))).toEqual([])
    await harness.ledger.sql(
      "update mp_account set checks_paused_until = null, checks_left = checks_per_second_max",
    )
    forgetPlans(harness)
    harness.logged.length = 0
  })

  /** A cart of 19.99 USD that was paid by phone and is an order. */
  async function paid(payerCurrency?: string): Promise<MedusaOperation> {
    const { collectionId, sessionId } = harness.cart()
    await startPayment(harness.deps, { sessionId, phone: PHONE, payerCurrency })
    const { id, reference } = await harness.shown(collectionId)
    harness.simulator.handset.approve(reference ?? "")
    await harness.pass(id, 3 * SECOND)
    await checkNow(harness.deps, id)
    const operation = await harness.shown(collectionId)
    expect(operation.recordedAt).not.toBeNull()
    return operation
  }

  /** Time that a caller waits passes at once for the refunds that are due; at the gateway none does. */
  const quick = (): FlowDeps => ({
    ...harness.deps,
    clock: {
      ...harness.deps.clock,
      sleep: async (ms) => {
        const due =
          "select id from mp_operation where type = 'REFUND' and next_check_at is not null"
        for (const { id } of await harness.ledger.sql(due)) await harness.pass(String(id), ms)
      },
    },
  })

  const cartOf = (parent: Operation) => harness.of(ofMedusa(parent).paymentCollectionId)

  const provider = (rowId: string, deps = quick()) => sendRefundOfMedusa(deps, rowId)

  /** Medusa's refund: its row, the provider, and what follows. The row's id, or a refusal's code. */
  async function click(
    parent: Operation,
    amount = TOTAL,
    { by = "user_ada", note, deps = quick(), dies = false }: Click = {},
  ): Promise<string> {
    const cart = cartOf(parent)
    const row = openMedusaRefund(cart, amount, by, note)
    try {
      await provider(row, deps)
    } catch (error) {
      closeMedusaRefund(cart, row, true)
      return error instanceof Error && "code" in error ? String(error.code) : String(error)
    }
    if (!dies) writeMedusaRefund(cart, row)
    return row
  }

  /** Medusa makes refunds, too, and asks the provider for them. */
  const throughMedusa = (deps = quick()): FlowDeps => {
    const ask = (row: string) => provider(row, deps)
    const records = refundRecordsInMemory(harness.carts, deps.database, ask)
    return { ...deps, medusa: { ...deps.medusa, ...records } }
  }

  /** The refunds of a payment that wait for a second admin. */
  const waiting = async (parent: Operation, { database, people }: FlowDeps = harness.deps) =>
    (await listWaiting(database, people, ["REFUND"])).filter(
      ({ details }) => details.refund?.payment_id === parent.id,
    )

  /** Another admin approves what waits. The refund's id, or a refusal's code. */
  async function approve(
    parent: Operation,
    by: string,
    requestId?: string,
    deps = quick(),
  ): Promise<string> {
    const id = requestId ?? (await waiting(parent, deps))[0]?.id
    if (id === undefined) return "nothing waits"
    const answer = { id, adminId: by, note: "seen the parcel" }
    try {
      return (await approveRefund(throughMedusa(deps), answer)).operationId ?? "no refund"
    } catch (error) {
      return error instanceof Error && "code" in error ? String(error.code) : String(error)
    }
  }

  /** The process dies inside the provider: Medusa's row stays without its transaction. */
  async function clickAndDie(parent: Operation, at: Moment, amount = TOTAL): Promise<string> {
    const row = openMedusaRefund(cartOf(parent), amount, "user_ada")
    await dieAt(quick(), at, (dying) => provider(row, dying))
    return row
  }

  /** A refund of all of it that no row of Medusa's asks for. */
  const ask = (parent: Operation, given: Partial<RefundRequest> = {}, deps = quick()) =>
    sendRefund(deps, {
      operationId: parent.id,
      medusaAmount: TOTAL,
      capturedAmount: TOTAL,
      medusaRefundId: null,
      askedBy: "user_ada",
      code: "refund_by_medusa",
      isWaitedFor: true,
      ...given,
    })

  const refundsOf = (parent: Operation) => findRefundsOf(harness.deps.database, parent.id)

  async function last(parent: Operation): Promise<Operation> {
    const refund = (await refundsOf(parent)).at(-1)
    if (!refund) throw new Error("no refund was made")
    return refund
  }

  async function only(parent: Operation): Promise<Operation> {
    const [refund, ...others] = await refundsOf(parent)
    if (!refund || others.length > 0) throw new Error(`${others.length + 1} refunds, not one`)
    return refund
  }

  /** Time passes for a refund, and since Medusa was answered, and the job checks it. */
  async function checkAfter(
    { id }: Pick<Operation, "id">,
    ms: number,
    deps: FlowDeps = harness.deps,
  ): Promise<Operation> {
    const before = await reread({ id })
    if (before.state === "completed" && before.recordedAt) return before
    harness.later(4 * SECOND)
    await harness.ledger.sql(
      `update mp_operation set answered_at = answered_at - $2 * interval '1 ms',
              checked_at = checked_at - $2 * interval '1 ms' where id = $1`,
      [id, ms],
    )
    await harness.pass(id, ms)
    await checkNow(deps, id)
    return reread({ id })
  }

  /** The refund is sent; its answer is lost, and so are the answers about it. */
  async function unknown(parent: Operation, amount = "5"): Promise<Operation> {
    const { faults } = harness.simulator
    faults.script("executeRefund", ["reset:after"])
    faults.script(
      "getRefundStatus",
      Array.from({ length: 9 }, () => "404" as const),
    )
    expect(await click(parent, amount)).toBe("refund_in_progress")
    faults.clear()
    return last(parent)
  }

  /** The gateway takes the refund, and it fails after Medusa has shown it. */
  async function failedLate(parent: Operation): Promise<Operation> {
    const { simulator } = harness
    simulator.plan({ operationType: "REFUND", outcome: "approve", afterMs: HOUR, times: 1 })
    await click(parent)
    const refund = await last(parent)
    simulator.backOffice.settle(refund.reference ?? "", "FAILED")
    await checkAfter(refund, 5 * SECOND)
    const failed = await checkAfter(refund, 6 * SECOND)
    expect(failed.state).toBe("failed")
    return failed
  }

  async function eventsOf({ id }: Operation): Promise<string[]> {
    const events = await harness.ledger.sql(
      "select name from mp_operation_event where operation_id = $1 order by seq",
      [id],
    )
    return events.map(({ name }) => String(name))
  }

  return {
    harness,
    paid,
    quick,
    cartOf,
    provider,
    click,
    clickAndDie,
    throughMedusa,
    waiting,
    approve,
    ask,
    refundsOf,
    last,
    only,
    checkAfter,
    reread,
    unknown,
    failedLate,
    eventsOf,
    shown: (parent: Operation) => shownOf(cartOf(parent)),
    sentOf: (parent: Operation) =>
      harness.simulator.book
        .refunds()
        .filter(({ originalReference }) => originalReference === parent.reference),
    /** The gateway carries out what it has taken. */
    later: () => harness.later(MINUTE),
    /** So long that no process can still be at a row of Medusa's. */
    rest: () => harness.medusaLater(LIMITS.refundRowAbandonedMs + SECOND),
    set: ({ id }: Operation, change: string) =>
      harness.ledger.sql(`update mp_operation set ${change} where id = $1`, [id]),
  }
}
