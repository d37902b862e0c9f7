/**
 * The gateway has said FAILED once, and the shopper presses "try again" before the job has asked a
 * second time. A new execution is sent only after the old one has read FAILED twice, five seconds
 * apart, and its source isn't being paid, so the cart is charged once.
 */
import { guardCart } from "../../../src/checkout/guard-cart"
import { readStatus } from "../../../src/checkout/read-status"
import { LIMITS } from "../../../src/core/limits"
import type { Operation } from "../../../src/core/operation"
import type { FlowDeps } from "../../../src/engine/deps"
import type { SourceStatus } from "../../../src/gateway"
import { SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { useLateMoney } from "../../support/late-money"

const { harness, start, started, checkAfter, reread, saying } = useLateMoney({
  promptedSource: "ACTIVE",
})

type Cart = Awaited<ReturnType<typeof started>>["cart"]

/** Waiting lets that time pass for the operation, in the ledger. */
function waiting(operation: Operation, deps: FlowDeps = harness.deps) {
  const waitedMs: number[] = []
  const sleep = async (ms: number) => {
    waitedMs.push(ms)
    await harness.pass(operation.id, ms)
  }
  return { deps: { ...deps, clock: { ...deps.clock, sleep } }, waitedMs }
}

const sent = (cart: Cart) =>
  harness.ledger.sql(
    "select id from mp_operation where payment_collection_id = $1 and reference is not null",
    [cart.collectionId],
  )
const asked = () => harness.simulator.calls["getCollectionStatus"] ?? 0
const approve = ({ reference }: Operation) => harness.simulator.handset.approve(reference ?? "")

/** Declined on the phone, and seen FAILED once. */
async function failedOnce() {
  harness.simulator.plan({ outcome: "decline", times: 1 })
  const { cart, operation } = await started()
  const once = await checkAfter(operation, SECOND)
  expect(once).toMatchObject({ reason: "declined", failedAt: expect.any(Date) as Date })
  return { cart, operation: once }
}

const statusOf = async ({ sessionId }: Cart) =>
  (await readStatus(harness.deps, { sessionId })).status

it("a payment that failed once can be tried again, shows its reason, and can't be canceled", async () => {
  const { cart } = await failedOnce()
  expect(await statusOf(cart)).toMatchObject({
    state: "waiting_for_payer",
    reason: "declined",
    can_retry: true,
    can_cancel: false,
  })
})

it("a new attempt asks a second time after 5 seconds, and is sent on the same source", async () => {
  const { cart, operation } = await failedOnce()
  const { deps, waitedMs } = waiting(operation)
  const before = asked()
  expect(await start(cart.sessionId, deps)).toMatchObject({ state: "waiting_for_payer" })
  expect(asked() - before).toBe(1)
  expect(waitedMs[0]).toBeGreaterThan(LIMITS.failedSecondCheckMs - 2 * SECOND)
  expect(waitedMs[0]).toBeLessThanOrEqual(LIMITS.failedSecondCheckMs + LIMITS.tickSlackMs)
  expect((await reread(operation)).state).toBe("failed")
  const second = await harness.shown(cart.collectionId)
  expect(second.reference).not.toBe(operation.reference)
  expect(second.sourceId).toBe(operation.sourceId)
  approve(second)
  expect(await checkAfter(second, 3 * SECOND)).toMatchObject({ state: "completed" })
})

it("two tabs that try again at once send one new attempt", async () => {
  const { cart, operation } = await failedOnce()
  const { deps } = waiting(operation)
  const answers = await Promise.all([start(cart.sessionId, deps), start(cart.sessionId, deps)])
  expect(answers.map(({ state }) => state)).toEqual(["waiting_for_payer", "waiting_for_payer"])
  expect(await sent(cart)).toHaveLength(2)
})

it("a change of the cart passes once the second answer has come, and is refused without one", async () => {
  const { cart, operation } = await failedOnce()
  const { deps } = waiting(operation)
  const guarded = () =>
    codeOf(guardCart(deps, { paymentCollectionId: cart.collectionId }, undefined))
  harness.simulator.faults.script("getCollectionStatus", ["500", "500", "500"])
  expect(await guarded()).toBe("payment_in_progress")
  harness.simulator.faults.clear()
  expect(await guarded()).toBe("none")
  expect((await reread(operation)).state).toBe("failed")
})

it("[S03] a silent gateway is asked by the schedule, however often the cart is changed", async () => {
  const { cart, operation } = await failedOnce()
  await harness.pass(operation.id, LIMITS.failedSecondCheckMs)
  // Time stands still for the operation, so that only the first of the changes is due.
  const deps = { ...harness.deps, clock: { ...harness.deps.clock, sleep: async () => {} } }
  harness.simulator.faults.script("getCollectionStatus", Array<"500">(200).fill("500"))
  const change = () =>
    codeOf(guardCart(deps, { paymentCollectionId: cart.collectionId }, undefined))
  const before = asked()
  expect(await change()).toBe("payment_in_progress")
  const once = asked() - before
  expect(once).toBeGreaterThan(0)
  for (let times = 0; times < 20; times++) expect(await change()).toBe("payment_in_progress")
  expect(asked() - before).toBe(once)
  harness.simulator.faults.clear()
})

/** What the second question can bring instead, and what the payment then is. */
const OTHERWISE: readonly {
  readonly name: string
  disturb?(): void
  source?(status: SourceStatus): SourceStatus
}[] = [
  {
    name: "no answer",
    disturb: () =>
      harness.simulator.faults.script("getCollectionStatus", ["500", "500", "500", "500"]),
  },
  {
    name: "404",
    disturb: () => harness.simulator.faults.script("getCollectionStatus", ["404"]),
  },
  {
    name: "a source that is being paid",
    source: (status) => ({ ...status, status: "PROCESSING" }),
  },
  {
    name: "a source that is paid",
    source: (status) => ({ ...status, status: "PAID" }),
  },
]

it.each(OTHERWISE)("a new attempt sends nothing when the second answer is $name", async (given) => {
  const { cart, operation } = await failedOnce()
  given.disturb?.()
  const { deps } = waiting(operation, given.source && saying(given.source))
  expect(await start(cart.sessionId, deps)).toMatchObject({ state: "waiting_for_payer" })
  expect((await reread(operation)).state).toBe(operation.state)
  expect(await sent(cart)).toHaveLength(1)
})

it("a new attempt sends nothing when the first was completed after all, which counts", async () => {
  harness.simulator.plan({ outcome: "decline_then_approve", times: 1 })
  const { cart, operation } = await started()
  await checkAfter(operation, SECOND)
  harness.later(90 * SECOND)
  const { deps } = waiting(operation)
  expect(await start(cart.sessionId, deps)).toMatchObject({ state: "processing" })
  expect(await reread(operation)).toMatchObject({ state: "completed", isDuplicate: false })
  expect(await sent(cart)).toHaveLength(1)
})
