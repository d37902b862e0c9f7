/**
 * A gateway with other words for states, or one that never names an end: a word with a plain meaning
 * ends a payment in seconds; for any other, the document decides, or an admin who reads it.
 */
import { readStatus } from "../../../src/checkout/read-status"
import type { FlowDeps } from "../../../src/engine/deps"
import type { Gateway } from "../../../src/gateway"
import { executionReader } from "../../../packages/gateway/src/wire/execution"
import { checkForPerson } from "../../../src/review/check"
import { resolveOperation } from "../../../src/review/resolve"
import { checkNow } from "../../../src/worker/check-due-operations"
import { MINUTE, SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { actsIn, breachesIn, forgetPlans, useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness()
const { reread, start } = actsIn(harness)

afterEach(async () => {
  forgetPlans(harness)
  expect(await breachesIn(harness)).toEqual([])
})

const readAgain = executionReader<{ readonly referenceId: string }>("COLLECTION", () => [])

/** A gateway whose status of each payment is written so, and read as any answer. */
function saying(word: string): FlowDeps {
  const gateway = gatewaySaying(() => word)
  return { ...harness.deps, gatewayOf: () => gateway }
}

/** @param wordNow undefined: what the gateway itself says at this question */
function gatewaySaying(wordNow: () => string | undefined): Gateway {
  const { gateway } = harness
  const collection: Gateway["status"]["collection"] = async (referenceId, options) => {
    const outcome = await gateway.status.collection(referenceId, options)
    const word = wordNow()
    if (outcome.kind !== "done" || word === undefined) return outcome
    const written = { status: word, gateway_message: null, wallet_message: null }
    const read = readAgain({ ...outcome.value.wire, ...written }, { referenceId })
    if (!read.ok) throw new Error(JSON.stringify(read.problems))
    return { kind: "done", value: read.value }
  }
  return { ...gateway, status: { ...gateway.status, collection } }
}

async function underWay() {
  const cart = harness.cart()
  await start(cart.sessionId)
  return { ...cart, operation: await harness.shown(cart.collectionId) }
}

async function checkAfter(deps: FlowDeps, { id }: { readonly id: string }, afterMs: number) {
  await harness.pass(id, afterMs)
  harness.simulator.resetCalls()
  await checkNow(deps, id)
  return reread({ id })
}

it.each([
  ["Completed", "completed"],
  ["SUCCESSFUL", "completed"],
  ["COMPLETED ", "completed"],
  ["success", "completed"],
])(
  "a payment that reads %j is completed once its document is paid, and not before",
  async (word) => {
    const { operation } = await underWay()
    expect(await checkAfter(saying(word), operation, 3 * SECOND)).toMatchObject({ collected: null })
    harness.simulator.handset.approve(operation.reference ?? "")
    const now = await checkAfter(saying(word), operation, 3 * SECOND)
    expect(now).toMatchObject({ state: "completed", collected: operation.amount })
    expect(now.recordedAt).not.toBeNull()
  },
)

it.each([
  ["CANCELLED", "canceled"],
  ["CANCELED", "canceled"],
  ["EXPIRED", "window_closed"],
  ["TIMED_OUT", "window_closed"],
  ["Rejected", "declined"],
  ["DECLINED", "declined"],
])(
  "a payment that reads %s twice has ended, and the shopper can pay again at once",
  async (word, reason) => {
    const { operation, sessionId } = await underWay()
    const deps = saying(word)
    harness.simulator.handset.decline(operation.reference ?? "")
    expect(await checkAfter(deps, operation, 3 * SECOND)).toMatchObject({
      state: "in_flight",
      reason,
    })
    expect(await checkAfter(deps, operation, 6 * SECOND)).toMatchObject({ state: "failed", reason })
    const { status } = await readStatus(deps, { sessionId })
    expect(status).toMatchObject({ state: "failed", can_retry: true })
  },
)

it("an admin's check that finds only the document paid asks the execution again, and completes", async () => {
  const { operation } = await underWay()
  await harness.pass(operation.id, 3 * MINUTE)
  harness.simulator.handset.approve(operation.reference ?? "")
  const words = ["PROCESSING"]
  const gateway = gatewaySaying(() => words.shift())
  await checkForPerson({ ...harness.deps, gatewayOf: () => gateway }, operation.id, "user_ada")
  expect(await reread(operation)).toMatchObject({ state: "completed", reason: null })
})

describe.each(["PROCESSING", "HALF_WAY"])("a payment that reads %s without end", (word) => {
  it("has its document asked about at each check once two minutes have passed", async () => {
    const { operation } = await underWay()
    await checkAfter(saying(word), operation, 30 * SECOND)
    expect(harness.simulator.calls["getPaymentSourceStatus"]).toBeUndefined()
    for (let check = 0; check < 2; check++) {
      const now = await checkAfter(saying(word), operation, 2 * MINUTE)
      expect(now).toMatchObject({ state: "in_flight", reason: null })
      expect(harness.simulator.calls["getPaymentSourceStatus"]).toBe(1)
    }
  })

  it("can be decided by an admin's check as soon as its document is paid", async () => {
    const { operation } = await underWay()
    const { id } = operation
    const deps = saying(word)
    const accept = { operationId: id, action: "accept", note: "paid", adminId: "user_ada" } as const
    harness.simulator.handset.approve(operation.reference ?? "")
    expect(await checkAfter(deps, operation, 3 * MINUTE)).toMatchObject({ state: "in_flight" })
    expect(await codeOf(resolveOperation(deps, accept))).toBe("not_in_review")
    await checkForPerson(deps, id, "user_ada")
    const held = { state: "review", reason: "source_disagrees", collected: operation.amount }
    expect(await reread(operation)).toMatchObject(held)
    await resolveOperation(deps, accept)
    expect(await checkAfter(deps, operation, SECOND)).toMatchObject({ state: "completed" })
  })

  it("goes to review by itself when its document stays paid", async () => {
    const { operation } = await underWay()
    harness.simulator.handset.approve(operation.reference ?? "")
    await checkAfter(saying(word), operation, 3 * MINUTE)
    expect(await checkAfter(saying(word), operation, 16 * MINUTE)).toMatchObject({
      state: "review",
    })
  })
})
