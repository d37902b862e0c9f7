/**
 * Payments that wait for a person, for the suites of the review: over a real ledger and the
 * simulator, with the oracle after each test.
 */
import type { Operation } from "../../src/core/operation"
import { checkDueOperations, checkNow } from "../../src/worker/check-due-operations"
import type { FlowDeps } from "../../src/engine/deps"
import { readOperation } from "../../src/review/read-operations"
import { resolveOperation } from "../../src/review/resolve"
import type { Resolution } from "../../src/review/resolve-collection"
import { startPayment } from "../../src/checkout/start-payment"
import type { AccountPolicies } from "../../src/core/account-settings"
import { findById } from "../../src/ledger/find-operations"
import { MINUTE, SECOND } from "./an-operation"
import { readLedger } from "./evidence"
import { PHONE, startFlowsHarness, type FlowsHarness } from "./flows-harness"
import { setPolicies } from "./policies"
import { violations } from "./violations"

export type Late = {
  readonly operation: Operation
  readonly sessionId: string
  readonly collectionId: string
}

/** Registers the suite's hooks; the harness is there inside tests only. */
export function useReviewHarness() {
  let opened: FlowsHarness | undefined
  /** The book goes on from test to test; the ledger begins anew, and each test at the present. */
  let firstSourceId = 0
  const its = () => {
    if (!opened) throw new Error("the harness is not open")
    return opened
  }

  beforeAll(async () => {
    opened = await startFlowsHarness({ partialRefunds: "UNCAPPED", tokenLifeMinutes: 10_000_000 })
  })

  afterAll(() => opened?.stop())

  beforeEach(async () => {
    const { presently, ledger, simulator } = its()
    presently()
    await ledger.sql("truncate mp_operation, mp_party, mp_approval cascade")
    firstSourceId = 1 + Math.max(0, ...simulator.book.documents().map(({ id }) => id))
  })

  afterEach(async () => {
    const { simulator, ledger, logged } = its()
    simulator.clearPlans()
    simulator.faults.clear()
    await settled()
    const { book } = simulator
    const executions = book.executions().filter(({ sourceId }) => sourceId >= firstSourceId)
    const own = new Set(executions.map(({ reference }) => reference))
    const evidence = {
      book: {
        ...book,
        documents: () => book.documents().filter(({ id }) => id >= firstSourceId),
        executions: () => executions,
        refunds: () => book.refunds().filter((refund) => own.has(refund.originalReference ?? "")),
      },
      ledger: await readLedger(ledger.sql),
      output: { texts: logged, secrets: ["simulator-secret"], phones: [PHONE] },
    }
    expect(violations(evidence)).toEqual([])
  })

  /** Whoever waits for the gateway's word on a refund lets it pass at once. */
  const quick = (): FlowDeps => ({
    ...its().deps,
    clock: {
      ...its().deps.clock,
      sleep: async (ms) => {
        const refunds = await its().ledger.sql(
          "select id from mp_operation where type = 'REFUND' and next_check_at is not null",
        )
        for (const { id } of refunds) await its().pass(String(id), ms)
      },
    },
  })

  async function reread({ id }: Pick<Operation, "id">): Promise<Operation> {
    const found = await findById(its().deps.database, id)
    if (!found) throw new Error(`${id} is gone`)
    return found
  }

  async function checkAfter(
    operation: Operation,
    afterMs: number,
    deps = its().deps,
  ): Promise<Operation> {
    await its().pass(operation.id, afterMs)
    await checkNow(deps, operation.id)
    return reread(operation)
  }

  /** What is due is done, and every refund is seen to its end. */
  async function settled(): Promise<void> {
    for (let pass = 0; pass < 4; pass++) {
      its().later(5 * SECOND)
      const refunds = await its().ledger.sql(
        "select id from mp_operation where type = 'REFUND' and state in ('submitted', 'in_flight')",
      )
      for (const { id } of refunds) await its().pass(String(id), 6 * SECOND)
      await checkDueOperations(its().deps, { atMost: 50 })
    }
  }

  /** Declined, seen twice, and approved a minute later: in review. */
  async function late(): Promise<Late> {
    const cart = its().cart()
    const first = await declined(cart)
    its().later(MINUTE)
    const operation = await checkAfter(first, 2 * MINUTE)
    expect(operation).toMatchObject({ state: "review", reason: "late_payment" })
    return { operation, ...cart }
  }

  /** Declined and seen twice; it will be approved all the same. */
  async function declined(cart: Pick<Late, "sessionId" | "collectionId">): Promise<Operation> {
    its().simulator.plan({ outcome: "decline_then_approve", times: 1 })
    await startPayment(its().deps, { sessionId: cart.sessionId, phone: PHONE })
    const operation = await its().shown(cart.collectionId)
    await checkAfter(operation, SECOND)
    return checkAfter(operation, 6 * SECOND)
  }

  /** As `late`, beside a second try. */
  async function duplicate(
    secondIs: "paid" | "waiting" | "declined",
  ): Promise<Late & { readonly second: Operation }> {
    const { handset } = its().simulator
    const cart = its().cart()
    const first = await declined(cart)
    await startPayment(its().deps, { sessionId: cart.sessionId, phone: PHONE })
    const second = await its().shown(cart.collectionId)
    expect(second.id).not.toBe(first.id)
    if (secondIs === "paid") handset.approve(second.reference ?? "")
    its().later(MINUTE)
    if (secondIs === "paid") expect((await checkAfter(second, MINUTE)).recordedAt).not.toBeNull()
    const operation = await checkAfter(first, 2 * MINUTE)
    expect(operation).toMatchObject({ state: "review", isDuplicate: true })
    if (secondIs === "declined") {
      handset.decline(second.reference ?? "")
      await checkAfter(second, SECOND)
      expect(await checkAfter(second, 6 * SECOND)).toMatchObject({ state: "failed" })
    }
    return { operation, second: await reread(second), ...cart }
  }

  const eventsOf = async ({ id }: Pick<Operation, "id">) =>
    (await readOperation(its().deps, id)).events

  return {
    its,
    quick,
    reread,
    checkAfter,
    settled,
    late,
    duplicate,
    eventsOf,
    /** As an admin does, who looked it up. */
    resolve: (
      { id }: Pick<Operation, "id">,
      action: Resolution["action"],
      given: Partial<Resolution> = {},
    ) =>
      resolveOperation(quick(), {
        operationId: id,
        action,
        note: "looked it up in the portal",
        adminId: "user_ada",
        ...given,
      }),
    /** Refunds in the book, of one payment. */
    refundsAt: ({ reference }: Operation) =>
      its()
        .simulator.book.refunds()
        .filter((refund) => refund.originalReference === reference),
    /** What people have decided about it. */
    decided: async (operation: Operation) =>
      (await eventsOf(operation)).filter(({ name }) =>
        ["accept", "dismiss", "give_back"].includes(name),
      ),
    policies: (change: Partial<AccountPolicies>) => setPolicies(its(), change),
  }
}
