/**
 * A hook of the shop changes the order while Medusa completes the cart: the order's total is
 * compared with the money before that counts as recorded, and an admin decides about a difference.
 */
import { checkNow } from "../../../src/worker/check-due-operations"
import { resolveOperation } from "../../../src/review/resolve"
import { SECOND } from "../../support/an-operation"
import { medusaOf } from "../../support/medusa-evidence"
import { actsIn, breachesIn, forgetPlans, useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness()
const { start, checkAfter, reread } = actsIn(harness)

afterEach(async () => {
  forgetPlans(harness)
  expect(await breachesIn(harness, { medusa: medusaOf(harness.carts) })).toEqual([])
})

/** Paid, and the order differs by so much, whether the job or the storefront placed it. */
async function paid(difference: string, isPlacedByStorefront = false) {
  const { sessionId, collectionId } = harness.cart()
  const cart = harness.of(collectionId)
  cart.orderMade = (order) => void (order.difference = difference)
  await start(sessionId)
  const operation = await harness.shown(collectionId)
  harness.simulator.handset.approve(operation.reference ?? "")
  const placing = async () => void (await harness.deps.medusa.completeCart(`cart_${collectionId}`))
  if (isPlacedByStorefront) harness.before("completeCart", placing)
  return { cart, collectionId, operation, now: await checkAfter(operation, 3 * SECOND) }
}

const accept = (operationId: string) =>
  resolveOperation(harness.deps, {
    operationId,
    action: "accept",
    note: "A gift of the shop's.",
    adminId: "ada",
  })

it.each([
  ["5 more", "5", false],
  ["5 less", "-5.00", false],
  ["a cent more", "0.01", false],
  ["a cent less", "-0.01", false],
  ["5 more, placed by the storefront,", "5", true],
])("[B02] an order of %s than was paid goes to review", async (_, difference, isPlaced) => {
  const { cart, now } = await paid(difference, isPlaced)
  expect(now).toMatchObject({
    state: "review",
    reason: "cart_changed",
    recordedAt: null,
    orderId: cart.order?.id,
  })
})

it.each(["0", "0.0000", "0.004", "-0.004"])(
  "an order whose difference of %s is too small to be paid is recorded",
  async (difference) => {
    expect((await paid(difference)).now.recordedAt).not.toBeNull()
  },
)

it("[B02] an order that an admin accepts with its difference is recorded, and captured once", async () => {
  const { operation, cart } = await paid("5")
  await accept(operation.id)
  expect(await checkAfter(operation, SECOND)).toMatchObject({
    state: "completed",
    recordedAt: expect.any(Date),
  })
  expect(cart.completions).toBe(1)
})

it("an order that is edited after it was recorded stays recorded", async () => {
  const { operation, cart, now } = await paid("0")
  if (cart.order) cart.order.difference = "7"
  await checkNow(harness.deps, operation.id)
  expect(await reread(operation)).toMatchObject({ state: "completed", recordedAt: now.recordedAt })
})
