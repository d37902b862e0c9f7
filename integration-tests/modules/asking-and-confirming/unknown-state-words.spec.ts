/**
 * A gateway that names states in words of its own, or never names an end: what the words say plainly
 * ends a payment in seconds, and of the others the document decides, or an admin with it.
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
  const own = harness.gateway
  const collection: Gateway["status"]["collection"] = async (referenceId, options) => {
    const outcome = await own.status.collection(referenceId, options)
    const word = wordNow()
    if (outcome.kind !== "done" || word === undefined) return outcome
    const written = { status: word, gateway_message: null, wallet_message: null }
    const read = readAgain({ ...outcome.value.wire, ...written }, { referenceId })
    if (!read.ok) throw new Error(JSON.stringify(read.problems))
    return { kind: "done", value: read.value }
  }
  return { ...own, status: { ...own.status, collection } }
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
])("%j is completed where its document is paid, and not before", async (word) => {
  const { operation } = await underWay()
  expect(await checkAfter(saying(word), operation, 3 * SECOND)).toMatchObject({ collected: null })
  harness.simulator.handset.approve(operation.reference ?? "")
  const now = await checkAfter(saying(word), operation, 3 * SECOND)
  expect(now).toMatchObject({ state: "completed", collected: operation.amount })
  expect(now.recordedAt).not.toBeNull()
})

it.each([
  ["CANCELLED", "canceled"],
  ["CANCELED", "canceled"],
  ["EXPIRED", "window_closed"],
  ["TIMED_OUT", "window_closed"],
  ["Rejected", "declined"],
  ["DECLINED", "declined"],
])("%s ends it twice seen, and the shopper pays again at once", async (word, reason) => {
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
})

it("an admin's check between the two completions asks the execution again, and completes", async () => {
  const { operation } = await underWay()
  await harness.pass(operation.id, 3 * MINUTE)
  harness.simulator.handset.approve(operation.reference ?? "")
  const words = ["PROCESSING"]
  const gateway = gatewaySaying(() => words.shift())
  await checkForPerson({ ...harness.deps, gatewayOf: () => gateway }, operation.id, "user_ada")
  expect(await reread(operation)).toMatchObject({ state: "completed", reason: null })
})

describe.each(["PROCESSING", "HALF_WAY"])("%s without end", (word) => {
  it("asks the document at each check once two minutes have passed", async () => {
    const { operation } = await underWay()
    await checkAfter(saying(word), operation, 30 * SECOND)
    expect(harness.simulator.calls["getPaymentSourceStatus"]).toBeUndefined()
    for (let check = 0; check < 2; check++) {
      const now = await checkAfter(saying(word), operation, 2 * MINUTE)
      expect(now).toMatchObject({ state: "in_flight", reason: null })
      expect(harness.simulator.calls["getPaymentSourceStatus"]).toBe(1)
    }
  })

  it("beside a paid document is decided by an admin as soon as one asks", async () => {
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

  it("beside a document that stays paid needs attention by itself", async () => {
    const { operation } = await underWay()
    harness.simulator.handset.approve(operation.reference ?? "")
    await checkAfter(saying(word), operation, 3 * MINUTE)
    expect(await checkAfter(saying(word), operation, 16 * MINUTE)).toMatchObject({
      state: "review",
    })
  })
})
