/**
 * A payment that Medusa has recorded stays paid for its shopper, whatever goes back later: STATUS
 * says so, with what was returned, and `start` agrees with it.
 */
import fc from "fast-check"
import { readStatus } from "../../../src/checkout/read-status"
import type { Status } from "../../../src/checkout/schemas/status"
import type { Refusal } from "../../../src/core/refusal"
import { majorText } from "../../../src/core/money"
import { sendRefund } from "../../../src/refunds/send-refund-to-gateway"
import { checkNow } from "../../../src/worker/check-due-operations"
import { SECOND } from "../../support/an-operation"
import { actsIn, breachesIn, forgetPlans, useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness({ partialRefunds: "UNCAPPED" })
const { reread, start } = actsIn(harness)

afterEach(async () => {
  forgetPlans(harness)
  expect(await breachesIn(harness)).toEqual([])
})

async function checked(id: string): Promise<void> {
  harness.later(5 * SECOND)
  await harness.pass(id, 6 * SECOND)
  await checkNow(harness.deps, id)
}

async function paid() {
  const cart = harness.cart()
  await start(cart.sessionId)
  const operation = await harness.shown(cart.collectionId)
  harness.simulator.handset.approve(operation.reference ?? "")
  await checked(operation.id)
  return { ...cart, operation: await reread(operation) }
}

/** Gives back so many hundredths, and waits until they have arrived. */
async function giveBack(operationId: string, minor: number): Promise<void> {
  const { amount } = await reread({ id: operationId })
  const medusaAmount = majorText({ ...amount, minor: BigInt(minor) })
  await sendRefund(harness.deps, {
    operationId,
    medusaAmount,
    capturedAmount: "19.99",
    medusaRefundId: null,
    askedBy: "user_ada",
    code: "refund_by_policy",
    isWaitedFor: false,
  })
  const open = await harness.ledger.sql(
    `select id from mp_operation where parent_id = $1 and state in ('submitted', 'in_flight')`,
    [operationId],
  )
  for (const { id } of open) await checked(String(id))
}

/** What `start` answers: the payment that it names in its refusal. */
async function refusedStart(sessionId: string): Promise<{ code: string; payment: Status }> {
  try {
    await start(sessionId)
  } catch (error) {
    const { code, details } = error as Refusal
    return { code, payment: details["payment"] as Status }
  }
  throw new Error("a paid purchase was started again")
}

it("a payment stays paid through any refunds, and start and STATUS agree at each step", async () => {
  const parts = fc.array(fc.integer({ min: 1, max: 1_999 }), { minLength: 0, maxLength: 2 })
  await fc.assert(
    fc.asyncProperty(parts, async (drawn) => {
      const { operation, sessionId } = await paid()
      const cuts = [...new Set([...drawn, 1_999])].sort((one, other) => one - other)
      let returned = 0
      for (const cut of cuts) {
        await giveBack(operation.id, cut - returned)
        returned = cut
        const { status } = await readStatus(harness.deps, { sessionId })
        const shown = { state: "paid", can_retry: false, returned_amount: returned / 100 }
        expect(status).toMatchObject({ ...shown, reason: null })
        const { code, payment } = await refusedStart(sessionId)
        expect(code).toBe("already_paid")
        expect(payment).toMatchObject(shown)
      }
    }),
    { numRuns: 5 },
  )
})

it("a payment of which nothing went back names no returned amount", async () => {
  const { sessionId } = await paid()
  const { status } = await readStatus(harness.deps, { sessionId })
  expect(status).toMatchObject({ state: "paid", returned_amount: null })
})
