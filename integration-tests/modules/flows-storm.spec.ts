/**
 * Many at one cart at once: shoppers who start by phone and on the page, who cancel, workers that
 * check, a gateway that loses answers. Whatever the order was, the book and the ledger agree in the
 * end: no money is unknown to us, and no cart is paid twice without a person knowing.
 */
import { documentReference } from "../../src/core/document-reference"
import { cancelPayment } from "../../src/checkout/cancel-payment"
import { checkDueOperations } from "../../src/worker/check-due-operations"
import { startPayment } from "../../src/checkout/start-payment"
import { MINUTE, SECOND } from "../support/an-operation"
import { HOSTED, PHONE, PUSH, startFlowsHarness, type FlowsHarness } from "../support/flows-harness"

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8]
const ROUNDS = 6
const AT_ONCE = 5
const SOURCE_CALLS = ["createOrder", "addOrderItem", "publishOrder", "getPaymentLink"]

let harness: FlowsHarness

beforeAll(async () => {
  harness = await startFlowsHarness()
})

afterAll(() => harness.stop())

/** The same numbers for the same seed. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const quietly = (promise: Promise<unknown>) => promise.then(() => undefined, refusedOnly)

/** A refusal is an answer; everything else is a mistake of ours. */
function refusedOnly(error: unknown): void {
  if (!(error instanceof Error) || error.name !== "Refusal") throw error
}

/** A person who has the address of an open payment page pays there. */
async function payOnPage(collectionId: string): Promise<void> {
  const pages = await harness.ledger.sql(
    `select source_id from mp_operation
      where payment_collection_id = $1 and hosted_url is not null and submitted_at is not null`,
    [collectionId],
  )
  for (const { source_id } of pages) {
    const sourceId = Number(source_id)
    if (harness.simulator.book.document(sourceId)?.status !== "ACTIVE") continue
    harness.simulator.hosted.pay(sourceId, { method: "card" })
  }
}

async function passForAll(collectionId: string, ms: number): Promise<void> {
  const rows = await harness.ledger.sql(
    "select id from mp_operation where payment_collection_id = $1 and next_check_at is not null",
    [collectionId],
  )
  for (const { id } of rows) await harness.pass(String(id), ms)
}

it.each(SEEDS)(
  "[I1][I2] a storm at one cart loses no money and hides none (%i)",
  async (seed) => {
    harness.presently()
    const pick = numbersFrom(seed)
    // Every second storm is over sources that are made document first.
    const feeBearer = seed % 2 === 0 ? "PAYER" : null
    await harness.ledger.sql("update mp_account set fee_bearer = $1", [feeBearer])
    const { collectionId } = harness.cart()
    const cart = harness.of(collectionId)
    let mobile = harness.session(collectionId, PUSH)
    let page = harness.session(collectionId, HOSTED)
    /** Medusa makes new sessions in place of the old ones, whenever a page is loaded. */
    const reload = () => {
      mobile = harness.session(collectionId, PUSH)
      const both = [...cart.sessions]
      page = harness.session(collectionId, HOSTED)
      cart.sessions.unshift(...both)
    }
    reload()
    const faults = ["reset:after", "reset:before", "503:after", "429", "ok"] as const
    const acts = [
      () => startPayment(harness.deps, { sessionId: mobile, phone: PHONE }),
      () => startPayment(harness.deps, { sessionId: page, phone: PHONE }),
      () => cancelPayment(harness.deps, { sessionId: page }),
      () => checkDueOperations(harness.deps, { atMost: 50 }),
      () => checkDueOperations(harness.deps, { atMost: 50 }),
      () => payOnPage(collectionId),
    ]
    for (let round = 0; round < ROUNDS; round++) {
      const outcome = (["approve", "decline", "decline_then_approve", "never"] as const)[pick(4)]
      if (outcome) harness.simulator.plan({ outcome, times: 1 })
      const fault = faults[pick(faults.length)]
      if (pick(3) === 0) reload()
      if (fault) {
        harness.simulator.faults.script("executeCollection", [fault])
        const call = SOURCE_CALLS[pick(SOURCE_CALLS.length)]
        if (call) harness.simulator.faults.script(call, [fault])
      }
      await Promise.all(
        Array.from({ length: AT_ONCE }, () => acts[pick(acts.length)]).map(async (act) => {
          if (act) await quietly(act())
        }),
      )
      const ms = [SECOND, 6 * SECOND, MINUTE, 5 * MINUTE][pick(4)] ?? SECOND
      harness.later(ms)
      await passForAll(collectionId, ms + SECOND)
    }
    harness.simulator.clearPlans()
    harness.simulator.faults.clear()
    for (let findings = 0; findings < 14; findings++) {
      harness.later(10 * MINUTE)
      await passForAll(collectionId, 10 * MINUTE)
      await checkDueOperations(harness.deps, { atMost: 50 })
    }

    const operations = await harness.ledger.sql(
      "select *, reference::text as ref from mp_operation where payment_collection_id = $1",
      [collectionId],
    )
    const ours = new Set(operations.map(({ id }) => documentReference(String(id))))
    const charged = harness.simulator.book
      .executions()
      .filter(({ charges, sourceReferenceId }) => charges > 0 && ours.has(sourceReferenceId ?? ""))
    const holdsMoney = operations.filter(({ state }) => state === "completed" || state === "review")
    for (const { sourceReferenceId, reference, channel } of charged) {
      const holders = holdsMoney.filter(({ id, ref }) =>
        channel === "api" ? ref === reference : documentReference(String(id)) === sourceReferenceId,
      )
      expect(holders).toHaveLength(1)
    }
    expect(cart.completions).toBeLessThanOrEqual(1)
    const recorded = operations.filter(({ recorded_at }) => recorded_at !== null)
    expect(recorded.length).toBe(cart.completions)
    expect(charged.length).toBeGreaterThanOrEqual(recorded.length)
    expect(operations.filter(({ lease_token }) => lease_token !== null)).toEqual([])
    const stuck = operations.filter(
      ({ state, next_check_at }) =>
        ["drafted", "submitted", "in_flight"].includes(String(state)) && next_check_at === null,
    )
    expect(stuck).toEqual([])
  },
  300_000,
)
