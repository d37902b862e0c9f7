/** The sweep: it finds and closes what no check of a payment would notice. */
import { randomUUID } from "node:crypto"
import type { DocumentView } from "../../../packages/simulator/src/book/view"
import { sourceReference } from "../../../src/core/source-reference"
import { currency, MINUTE, money, SECOND } from "../../support/an-operation"
import type { Operation } from "../../../src/core/operation"
import { checkNow } from "../../../src/worker/check-due-operations"
import { sweepWhenDue } from "../../../src/reconciliation/sweep"
import { codeOf } from "../../support/code-of"
import { HOSTED, PHONE, PUSH } from "../../support/flows-harness"
import { actsIn, breachesIn, forgetPlans, useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness()
const { start, reread, checkAfter } = actsIn(harness)

afterEach(async () => {
  forgetPlans(harness)
  await harness.ledger.sql("update mp_account set fee_bearer = null")
  expect(await breachesIn(harness)).toEqual([])
  expect(harness.simulator.contractViolations).toEqual([])
})

async function sweep(): Promise<void> {
  await harness.ledger.sql("update mp_task set due_at = now()")
  expect(await sweepWhenDue(harness.deps)).toBe(true)
}

const documentsOf = ({ id }: Operation): DocumentView[] =>
  harness.simulator.book.documentsByReference(sourceReference(id))
const statusesOf = (operation: Operation) => documentsOf(operation).map(({ status }) => status)
const eventsOf = async ({ id }: Operation) =>
  (
    await harness.ledger.sql(
      "select name from mp_operation_event where operation_id = $1 order by seq",
      [id],
    )
  ).map(({ name }) => name)

describe("a document whose creation was never answered", () => {
  /** Its answer is lost; the ledger knows no source. */
  async function lost(call: string, provider = PUSH) {
    const cart = harness.cart(provider)
    harness.simulator.faults.script(call, ["reset:after"])
    expect(await codeOf(start(cart.sessionId))).toBe("gateway_unavailable")
    const draft = await harness.shown(cart.collectionId)
    expect(draft).toMatchObject({ state: "drafted", sourceId: null })
    return { ...cart, draft }
  }

  it("is left alone while its draft may still be continued, and closed once it has ended", async () => {
    const { draft } = await lost("createCheckoutSource")
    await sweep()
    expect(statusesOf(draft)).toEqual(["ACTIVE"])
    expect(await checkAfter(draft, 31 * MINUTE)).toMatchObject({ state: "expired" })
    await sweep()
    expect(statusesOf(draft)).toEqual(["CANCELED"])
  })

  it("is closed, while the one that the payment went on with is paid and settled", async () => {
    const { draft, sessionId, collectionId } = await lost("createCheckoutSource")
    expect(await start(sessionId)).toMatchObject({ state: "waiting_for_payer" })
    expect(statusesOf(draft)).toEqual(["ACTIVE", "PROCESSING"])
    await sweep()
    expect(statusesOf(draft)).toEqual(["CANCELED", "PROCESSING"])
    const { reference } = await reread(draft)
    harness.simulator.handset.approve(reference ?? "")
    expect(await checkAfter(draft, 3 * SECOND)).toMatchObject({ state: "completed" })
    expect(harness.of(collectionId).completions).toBe(1)
  })

  it("is closed even if it was made document first and has no line", async () => {
    await harness.ledger.sql("update mp_account set fee_bearer = 'PAYER'")
    const { draft } = await lost("createOrder")
    await checkAfter(draft, 31 * MINUTE)
    expect(statusesOf(draft)).toEqual(["IDLE"])
    await sweep()
    expect(statusesOf(draft)).toEqual(["CANCELED"])
  })

  it("[B15] sends its money to review when it is paid before the sweep closes it", async () => {
    const { draft, sessionId } = await lost("createCheckoutSource", HOSTED)
    expect(await start(sessionId)).toMatchObject({ state: "waiting_for_payer" })
    const [first] = documentsOf(draft)
    // Paid between the list and the cancel.
    const { orders, ...rest } = harness.gateway
    const paying = {
      ...rest,
      orders: {
        ...orders,
        cancel: (id: number) => {
          if (id === first?.id) harness.simulator.hosted.pay(id, { method: "card" })
          return orders.cancel(id)
        },
      },
    }
    await harness.ledger.sql("update mp_task set due_at = now()")
    await sweepWhenDue({ ...harness.deps, gatewayOf: () => paying })
    const [duplicate] = await harness.ledger.sql(
      "select state, is_duplicate, reason, collected_minor from mp_operation where source_id = $1",
      [first?.id],
    )
    expect(duplicate).toEqual({
      state: "review",
      is_duplicate: true,
      reason: "another_payment",
      collected_minor: "1999",
    })
    expect(await reread(draft)).toMatchObject({ state: "submitted" })
  })

  it("is left alone when another program of the merchant made it, however similar it looks", async () => {
    const referenceId = randomUUID()
    const made = await harness.gateway.checkouts.create({
      mode: "HOSTED",
      sourceType: "ORDER",
      partyPhone: PHONE.slice(1),
      currency: currency("USD"),
      items: [{ name: "Service", amount: money(500) }],
      referenceId,
    })
    expect(made.kind).toBe("done")
    await sweep()
    const [document] = harness.simulator.book.documentsByReference(referenceId)
    expect(document?.status).toBe("ACTIVE")
  })
})

describe("the document of a push that failed", () => {
  it("stays open while the shopper can try again, and is closed when the time to pay ends", async () => {
    const { sessionId, collectionId } = harness.cart()
    harness.simulator.plan({ outcome: "decline", times: 1 })
    await start(sessionId)
    const operation = await harness.shown(collectionId)
    await checkAfter(operation, SECOND)
    expect(await checkAfter(operation, 6 * SECOND)).toMatchObject({ state: "failed" })
    await sweep()
    expect(statusesOf(operation)).toEqual(["ACTIVE"])
    await harness.pass(operation.id, 31 * MINUTE)
    await sweep()
    expect(statusesOf(operation)).toEqual(["CANCELED"])
    expect(await reread(operation)).toMatchObject({ state: "failed", sourceStatus: "CANCELED" })
    expect((await eventsOf(operation)).at(-1)).toBe("source_closed")
  })
})

describe("a payment whose session Medusa has deleted", () => {
  it("is closed at the next check when it is on the payment page", async () => {
    const { sessionId, collectionId } = harness.cart(HOSTED)
    await start(sessionId)
    const operation = await harness.shown(collectionId)
    harness.of(collectionId).sessions = []
    await sweep()
    expect(await reread(operation)).toMatchObject({ state: "submitted", closing: "canceled" })
    await checkNow(harness.deps, operation.id)
    expect(await reread(operation)).toMatchObject({ state: "expired", reason: "canceled" })
    expect(statusesOf(operation)).toEqual(["CANCELED"])
  })

  it("[B05] sends its money to review when it was paid in that moment", async () => {
    const { sessionId, collectionId } = harness.cart(HOSTED)
    await start(sessionId)
    const operation = await harness.shown(collectionId)
    harness.of(collectionId).sessions = []
    await sweep()
    harness.simulator.hosted.pay(operation.sourceId ?? 0, { method: "card" })
    await checkNow(harness.deps, operation.id)
    expect(await checkAfter(operation, MINUTE)).toMatchObject({
      state: "review",
      reason: "session_gone",
    })
    expect(harness.of(collectionId).completions).toBe(0)
  })

  it("ends with its document when it is a draft", async () => {
    const { sessionId, collectionId } = harness.cart()
    harness.simulator.faults.script("createCheckoutSession", ["503"])
    await codeOf(start(sessionId))
    const draft = await harness.shown(collectionId)
    expect(draft).toMatchObject({ state: "drafted", sourceStatus: "ACTIVE" })
    harness.of(collectionId).sessions = []
    await sweep()
    await checkNow(harness.deps, draft.id)
    expect(await reread(draft)).toMatchObject({ state: "expired" })
    expect(statusesOf(draft)).toEqual(["CANCELED"])
  })

  it("[B28] follows Medusa to an equal session", async () => {
    const { sessionId, collectionId } = harness.cart(HOSTED)
    await start(sessionId)
    const operation = await harness.shown(collectionId)
    const heir = harness.session(collectionId, HOSTED)
    await sweep()
    expect(await reread(operation)).toMatchObject({ paymentSessionId: heir, closing: null })
    expect(statusesOf(operation)).toEqual(["ACTIVE"])
  })

  it("is watched on when its prompt is on a phone", async () => {
    const { sessionId, collectionId } = harness.cart()
    await start(sessionId)
    const operation = await harness.shown(collectionId)
    harness.of(collectionId).sessions = []
    await sweep()
    expect(await reread(operation)).toMatchObject({ state: "in_flight", closing: null })
    harness.simulator.handset.approve(operation.reference ?? "")
    await checkAfter(operation, 3 * SECOND)
    expect(await checkAfter(operation, MINUTE)).toMatchObject({
      state: "review",
      reason: "session_gone",
    })
  })
})

it("[I7] an operation that no worker would check again becomes due, and the log says so", async () => {
  const { sessionId, collectionId } = harness.cart()
  await start(sessionId)
  const { id } = await harness.shown(collectionId)
  await harness.ledger.sql("update mp_operation set next_check_at = null where id = $1", [id])
  await sweep()
  expect((await harness.shown(collectionId)).nextCheckAt).not.toBeNull()
  expect(harness.logged).toContain(
    `merchant payments: ${id} is in_flight, and nothing would have checked it again; due now`,
  )
})

describe("workers that sweep", () => {
  it("[P11] share one sweep when they come at the same moment", async () => {
    await harness.ledger.sql("update mp_task set due_at = now()")
    harness.simulator.resetCalls()
    const swept = await Promise.all(
      ["one", "two", "three"].map((worker) => sweepWhenDue({ ...harness.deps, worker })),
    )
    expect(swept.filter(Boolean)).toHaveLength(1)
    expect(harness.simulator.calls["listOrders"]).toBe(2)
  })

  it("end the sweep in order when the gateway is away, and it comes again", async () => {
    harness.simulator.faults.script("listOrders", ["503", "503", "503"])
    await sweep()
    const [task] = await harness.ledger.sql(
      "select lease_token, due_at > now() as is_later from mp_task",
    )
    expect(task).toEqual({ lease_token: null, is_later: true })
  })
})
