/**
 * A day at a gateway with every odd habit at once, failing calls included. In the evening the shop,
 * the ledger and the gateway's book agree.
 */
import { checkNow } from "../../../src/worker/check-due-operations"
import { startPayment } from "../../../src/checkout/start-payment"
import { hasEnded, type Operation } from "../../../src/core/operation"
import { MINUTE, SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { PUSH } from "../../support/flows-harness"
import { medusaOf } from "../../support/medusa-evidence"
import { ofTemper } from "../../support/tempers"
import { breachesIn, useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness(ofTemper("odd"))

const ADA = "+231770000142"
const BEN = "+231770000242"
const CLEO = "+231770000342"
/** Serves all three numbers; a shopper chooses it when the gateway can't name one. */
const OPERATOR = "OPERATOR1_MOMO_LBR"
/** One call in ten fails, so far fewer presses are enough. */
const PRESSES = 20
const CHECKS = 60

/** Presses "pay" until the shop takes it, as a shopper does when asked to try again. */
async function press(sessionId: string, phone: string): Promise<void> {
  let paymentMethod: string | undefined
  for (let presses = 0; presses < PRESSES; presses++) {
    const code = await codeOf(startPayment(harness.deps, { sessionId, phone, paymentMethod }))
    if (code === "none") return
    expect(["gateway_unavailable", "operator_unknown"]).toContain(code)
    if (code === "operator_unknown") paymentMethod = OPERATOR
  }
  throw new Error("the shop took no press")
}

async function checked(collectionId: string): Promise<Operation> {
  const { id } = await harness.shown(collectionId)
  await harness.pass(id, 5 * SECOND)
  await checkNow(harness.deps, id)
  return harness.shown(collectionId)
}

/** Checks until the newest payment of the collection has ended. */
async function ended(collectionId: string): Promise<Operation> {
  for (let checks = 0; checks < CHECKS; checks++) {
    const operation = await checked(collectionId)
    if (hasEnded(operation) || operation.recordedAt !== null) return operation
  }
  throw new Error("it came to no end")
}

/** Checks until a phone rings for this payment. */
async function prompted(collectionId: string): Promise<string> {
  for (let checks = 0; checks < CHECKS; checks++) {
    const { reference } = await harness.shown(collectionId)
    if (reference !== null && harness.simulator.book.execution(reference)) return reference
    await checked(collectionId)
  }
  throw new Error("no phone rang")
}

async function answers(
  phone: string,
  collectionId: string,
  sessionId: string,
  isApproved: boolean,
): Promise<Operation> {
  await press(sessionId, phone)
  const reference = await prompted(collectionId)
  harness.simulator.handset[isApproved ? "approve" : "decline"](reference)
  return ended(collectionId)
}

it("a shopper pays two carts with the same number", async () => {
  for (let carts = 0; carts < 2; carts++) {
    const { collectionId, sessionId } = harness.cart()
    const paid = await answers(ADA, collectionId, sessionId, true)
    expect(paid).toMatchObject({ state: "completed", collected: paid.amount })
    expect(harness.of(collectionId).completions).toBe(1)
  }
})

it("a shopper who declines pays with the next attempt", async () => {
  const { collectionId, sessionId } = harness.cart()
  expect(await answers(BEN, collectionId, sessionId, false)).toMatchObject({ state: "failed" })
  const again = harness.session(collectionId)
  const paid = await answers(BEN, collectionId, again, true)
  expect(paid).toMatchObject({ state: "completed", collected: paid.amount })
  expect(harness.of(collectionId).completions).toBe(1)
})

it("a cart above the operator's limit isn't charged, and an event names the limit", async () => {
  const { collectionId } = harness.cart()
  harness.of(collectionId).total = "1500.00"
  const sessionId = harness.session(collectionId, PUSH)
  await press(sessionId, CLEO)
  const { id, reference } = await ended(collectionId)
  expect(harness.simulator.book.chargesOf(reference ?? "")).toBe(0)
  const events = await harness.ledger.sql(
    "select facts from mp_operation_event where operation_id = $1 and facts->>'detail' is not null",
    [id],
  )
  expect(JSON.stringify(events)).toContain("Maximum amount is 1000.00 USD")
})

it("the ledger, the shop and the gateway's book agree in the evening, and no answer broke the contract", async () => {
  harness.later(60 * MINUTE)
  const medusa = medusaOf(harness.carts)
  expect(await breachesIn(harness, { medusa }, { isQuiet: true })).toEqual([])
  const charged = harness.simulator.book.executions().filter(({ charges }) => charges > 0)
  expect(charged.map(({ payerAmount }) => payerAmount)).toEqual(["19.99", "19.99", "19.99"])
  const [row] = await harness.ledger.sql(
    "select sum(collected_minor)::text as sum, count(*)::int as count from mp_operation where state = 'completed'",
  )
  expect(row).toEqual({ sum: "5997", count: 3 })
  expect(harness.simulator.contractViolations).toEqual([])
})
