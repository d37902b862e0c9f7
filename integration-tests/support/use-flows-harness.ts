/**
 * A harness of flows for a suite of tests: opened before the first, closed after the last, with the
 * oracle's verdict and what nearly every suite does in it.
 */
import type { SimulatorOptions } from "../../packages/simulator/src"
import type { Operation } from "../../src/core/operation"
import { checkNow } from "../../src/worker/check-due-operations"
import type { FlowDeps } from "../../src/engine/deps"
import { startPayment } from "../../src/checkout/start-payment"
import { findById } from "../../src/ledger/find-operations"
import { readLedger, type Evidence } from "./evidence"
import { PHONE, startFlowsHarness, type FlowsHarness } from "./flows-harness"
import type { LedgerDatabase } from "./ledger-database"
import { violations } from "./violations"

/** Registers the suite's hooks; the harness is there inside tests and hooks only. */
export function useFlowsHarness(
  options: SimulatorOptions = {},
  prepare: (harness: FlowsHarness) => Promise<unknown> = () => Promise.resolve(),
  openLedger?: () => Promise<LedgerDatabase>,
): FlowsHarness {
  let opened: FlowsHarness | undefined

  beforeAll(async () => {
    opened = await startFlowsHarness(options, openLedger)
    await prepare(opened)
  })

  afterAll(() => opened?.stop())

  return new Proxy<FlowsHarness>(Object.create(null), {
    get(_target, name): unknown {
      if (!opened) throw new Error("the harness is not open")
      return Reflect.get(opened, name)
    },
  })
}

/** What the oracle finds where a ledger was restored and nobody has asked for it again. */
export const LOST = /nobody knows of|was sent \d+ times/

/** What the harness has broken of all that is promised, with what a suite knows beside it. */
export async function breachesIn(
  harness: FlowsHarness,
  given: Partial<Evidence> = {},
  options: { readonly isQuiet?: boolean } = {},
): Promise<string[]> {
  const evidence = {
    book: harness.simulator.book,
    ledger: await readLedger(harness.ledger.sql),
    output: { texts: harness.logged, secrets: ["simulator-secret"], phones: [PHONE.slice(1)] },
    ...given,
  }
  return [...violations(evidence, options), ...(await withoutMoment(harness))]
}

/** Money that moved and has no moment is in no day's sums. */
async function withoutMoment({ ledger }: FlowsHarness): Promise<string[]> {
  const rows = await ledger.sql(
    `select id from mp_operation where money_at is null
        and (state = 'completed' or type = 'COLLECTION' and collected_minor is not null)`,
  )
  return rows.map(({ id }) => `${String(id)} moved money and does not say when`)
}

/** Plans and faults are the test's own, and end with it. */
export function forgetPlans({ simulator }: FlowsHarness): void {
  simulator.clearPlans()
  simulator.faults.clear()
}

/** What a shopper, a reader and the job do, for the suite whose harness it is. */
export function actsIn(harness: FlowsHarness) {
  async function reread({ id }: Pick<Operation, "id">): Promise<Operation> {
    const found = await findById(harness.deps.database, id)
    if (!found) throw new Error(`${id} is gone`)
    return found
  }

  const start = (sessionId: string, deps: FlowDeps = harness.deps) =>
    startPayment(deps, { sessionId, phone: PHONE })

  return {
    start,
    reread,
    /** Started and approved on the handset; no worker has checked it yet. */
    async approved() {
      const { sessionId, collectionId } = harness.cart()
      await start(sessionId)
      const operation = await harness.shown(collectionId)
      harness.simulator.handset.approve(operation.reference ?? "")
      return { sessionId, collectionId, operation, cart: harness.of(collectionId) }
    },
    /** A check by the job, as if so much time had passed for the operation. */
    async checkAfter(operation: Pick<Operation, "id">, afterMs: number): Promise<Operation> {
      await harness.pass(operation.id, afterMs)
      await checkNow(harness.deps, operation.id)
      return reread(operation)
    },
  }
}
