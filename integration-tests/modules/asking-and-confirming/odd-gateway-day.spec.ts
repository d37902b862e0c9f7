/**
 * A day of a shop at a gateway that writes oddly: every habit at once, also those by which single
 * calls fail. What shop, ledger and book say in the evening is the same.
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
/** All of their numbers; a shopper chooses it where the gateway knows none. */
const OPERATOR = "OPERATOR1_MOMO_LBR"
/** One call in ten goes wrong, so that nobody presses so often in vain. */
const PRESSES = 20
const LOOKS = 60

/** Presses until the shop takes it, as a person does who is told to try again. */
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

async function look(collectionId: string): Promise<Operation> {
  const { id } = await harness.shown(collectionId)
  await harness.pass(id, 5 * SECOND)
  await checkNow(harness.deps, id)
  return harness.shown(collectionId)
}

/** Looks until the newest payment of the collection has come to an end. */
async function ended(collectionId: string): Promise<Operation> {
  for (let looks = 0; looks < LOOKS; looks++) {
    const operation = await look(collectionId)
    if (hasEnded(operation) || operation.recordedAt !== null) return operation
  }
  throw new Error("it came to no end")
}

/** Looks until a phone rings for this payment. */
async function prompted(collectionId: string): Promise<string> {
  for (let looks = 0; looks < LOOKS; looks++) {
    const { reference } = await harness.shown(collectionId)
    if (reference !== null && harness.simulator.book.execution(reference)) return reference
    await look(collectionId)
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

it("a shopper pays, and pays a second cart with the same number", async () => {
  for (let carts = 0; carts < 2; carts++) {
    const { collectionId, sessionId } = harness.cart()
    const paid = await answers(ADA, collectionId, sessionId, true)
    expect(paid).toMatchObject({ state: "completed", collected: paid.amount })
    expect(harness.of(collectionId).completions).toBe(1)
  }
})

it("a shopper declines, and pays with the next try", async () => {
  const { collectionId, sessionId } = harness.cart()
  expect(await answers(BEN, collectionId, sessionId, false)).toMatchObject({ state: "failed" })
  const again = harness.session(collectionId)
  const paid = await answers(BEN, collectionId, again, true)
  expect(paid).toMatchObject({ state: "completed", collected: paid.amount })
  expect(harness.of(collectionId).completions).toBe(1)
})

it("a cart above what the operator takes is charged to nobody, and the limit is said", async () => {
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

it("in the evening ledger, shop and book agree, and no answer was one that the contract forbids", async () => {
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
