/**
 * Flows for an account that says who bears the fees (document first), over a cart of three lines,
 * with the oracle after each test and a sentence for how such a cart has to end.
 */
import type { DocumentView } from "../../packages/simulator/src/book/view"
import { sourceReference } from "../../src/core/source-reference"
import { checkNow } from "../../src/worker/check-due-operations"
import type { SimulatorOptions } from "../../packages/simulator/src"
import type { FlowDeps } from "../../src/engine/deps"
import type { MedusaBasket } from "../../src/engine/medusa-port"
import { startPayment } from "../../src/checkout/start-payment"
import type { Status } from "../../src/checkout/schemas/status"
import type { FeeBearer, Operation } from "../../src/core/operation"
import { findById } from "../../src/ledger/find-operations"
import { SECOND } from "./an-operation"
import { readLedger } from "./evidence"
import { PHONE, startFlowsHarness, type FlowsHarness } from "./flows-harness"
import { violations } from "./violations"

/** 19.99 in three lines: one that divides, one that does not, one piece. */
const POSITIONS = [
  { title: "Market tote", quantity: 3, total: "8.97" },
  { title: "Mug", quantity: 2, total: "9.01" },
  { title: "Courier", quantity: 1, total: "2.01" },
]

/** The same as a document shows it, by name. */
export const ITEMS = [
  { name: "Courier", qty: 1, unitAmount: "2.01" },
  { name: "Market tote", qty: 3, unitAmount: "2.99" },
  { name: "Mug x 2", qty: 1, unitAmount: "9.01" },
]

export type DocumentFirst = {
  readonly harness: FlowsHarness
  /** From now on; `PAYER` again after each test. */
  bearer(feeBearer: FeeBearer | null): Promise<unknown>
  /** The harness's flows over a basket of three lines. */
  flows(given?: Partial<FlowDeps>): FlowDeps
  start(sessionId: string, deps?: FlowDeps, customerId?: string): Promise<Status>
  operationsOf(collectionId: string): Promise<Operation[]>
  /** Every document that the gateway made for a cart, known to the ledger or not. */
  documentsOf(collectionId: string): Promise<DocumentView[]>
  /** Approved on the handset, looked at, recorded; the one source that was paid. */
  paid(collectionId: string): Promise<DocumentView>
  /** One source was paid once, for the cart's amount, and nothing else can be paid. */
  expectPaidOnce(collectionId: string): Promise<DocumentView>
}

/**
 * Registers the suite's hooks; the harness is there inside tests only.
 *
 * @param given options of the simulator, and what is different in each cart
 */
export function useDocumentFirst(
  given: { readonly simulator?: SimulatorOptions; readonly basket?: Partial<MedusaBasket> } = {},
): DocumentFirst {
  let opened: FlowsHarness | undefined
  const harness = () => {
    if (!opened) throw new Error("the harness is not open")
    return opened
  }
  beforeAll(async () => {
    opened = await startFlowsHarness(given.simulator)
    await bearer("PAYER")
  })
  afterAll(() => opened?.stop())
  afterEach(async () => {
    const { simulator, ledger, logged } = harness()
    simulator.clearPlans()
    simulator.faults.clear()
    await bearer("PAYER")
    const evidence = {
      book: simulator.book,
      ledger: await readLedger((sql, parameters) => ledger.sql(sql, parameters)),
      output: { texts: logged, secrets: ["simulator-secret"], phones: [PHONE.slice(1)] },
    }
    expect(violations(evidence)).toEqual([])
    expect(simulator.contractViolations).toEqual([])
  })

  const bearer = (feeBearer: FeeBearer | null) =>
    harness().ledger.sql("update mp_account set fee_bearer = $1", [feeBearer])

  function flows(changed: Partial<FlowDeps> = {}): FlowDeps {
    const { deps } = harness()
    return {
      ...deps,
      medusa: {
        ...deps.medusa,
        async basketOfCart(cartId) {
          const basket = await deps.medusa.basketOfCart(cartId)
          return basket && { ...basket, positions: POSITIONS, ...given.basket }
        },
      },
      ...changed,
    }
  }

  async function operationsOf(collectionId: string): Promise<Operation[]> {
    const { ledger, deps } = harness()
    const rows = await ledger.sql(
      "select id from mp_operation where payment_collection_id = $1 order by created_at",
      [collectionId],
    )
    const found = await Promise.all(rows.map(({ id }) => findById(deps.database, String(id))))
    return found.flatMap((operation) => operation ?? [])
  }

  async function documentsOf(collectionId: string): Promise<DocumentView[]> {
    const operations = await operationsOf(collectionId)
    return operations.flatMap(({ id }) =>
      harness().simulator.book.documentsByReference(sourceReference(id)),
    )
  }

  async function expectPaidOnce(collectionId: string): Promise<DocumentView> {
    const operation = await harness().shown(collectionId)
    expect(operation).toMatchObject({ state: "completed", collected: operation.amount })
    expect(operation.recordedAt).not.toBeNull()
    expect(harness().of(collectionId).completions).toBe(1)
    const documents = await documentsOf(collectionId)
    expect(documents.reduce((sum, { charges }) => sum + charges, 0)).toBe(1)
    const [source, ...others] = documents.filter(({ status }) => status === "PAID")
    expect(others).toEqual([])
    if (!source) throw new Error("nothing is paid")
    expect(source).toMatchObject({ id: operation.sourceId, totalAmount: "19.99" })
    // What is left over can't be paid: it was closed, or never had a line.
    for (const { status, lines, id } of documents) {
      if (id !== source.id) expect(status === "CANCELED" || lines.length === 0).toBe(true)
    }
    return source
  }

  return {
    get harness() {
      return harness()
    },
    bearer,
    flows,
    start: (sessionId, deps = flows(), customerId = undefined) =>
      startPayment(deps, { sessionId, phone: PHONE, customerId }),
    operationsOf,
    documentsOf,
    async paid(collectionId) {
      const { id, reference } = await harness().shown(collectionId)
      harness().simulator.handset.approve(reference ?? "")
      await harness().pass(id, 3 * SECOND)
      await checkNow(harness().deps, id)
      return expectPaidOnce(collectionId)
    },
    expectPaidOnce,
  }
}

/** A document's lines by name: they were added side by side. */
export function sorted(lines: DocumentView["lines"]): DocumentView["lines"] {
  return [...lines].sort((one, other) => one.name.localeCompare(other.name))
}
