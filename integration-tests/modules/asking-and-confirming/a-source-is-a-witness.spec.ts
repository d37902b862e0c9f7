/**
 * Money that the payer has paid does not wait for an execution that can't be read: its source is a
 * second witness, and an admin decides by it within minutes.
 */
import { readStatus } from "../../../src/checkout/read-status"
import { executionReader } from "../../../packages/gateway/src/wire/execution"
import type { FaultEntry } from "../../../packages/simulator/src/faults"
import { checkForPerson } from "../../../src/review/check"
import { resolveOperation } from "../../../src/review/resolve"
import { checkNow } from "../../../src/worker/check-due-operations"
import { MINUTE, SECOND } from "../../support/an-operation"
import { actsIn, breachesIn, forgetPlans, useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness()
const { reread, start } = actsIn(harness)

afterEach(async () => {
  harness.simulator.faults.clear()
  forgetPlans(harness)
  expect(await breachesIn(harness)).toEqual([])
})

async function charged() {
  const cart = harness.cart()
  await start(cart.sessionId)
  const operation = await harness.shown(cart.collectionId)
  harness.simulator.handset.approve(operation.reference ?? "")
  return { ...cart, operation }
}

async function checked({ id }: { readonly id: string }, afterMs: number, deps = harness.deps) {
  await harness.pass(id, afterMs)
  await checkNow(deps, id)
  return reread({ id })
}

const always = (fault: FaultEntry) => Array<FaultEntry>(200).fill(fault)
const unreadable = ["500", "403", "404", "cut", "shape"] as const satisfies readonly FaultEntry[]

describe.each(unreadable)("[N13] a status that answers %s for good", (fault) => {
  const silence = () => harness.simulator.faults.script("getCollectionStatus", always(fault))

  it("beside a paid source leads to an admin at the first check after two minutes", async () => {
    const { operation, sessionId } = await charged()
    silence()
    expect(await checked(operation, MINUTE)).toMatchObject({ collected: null })
    const held = await checked(operation, 2 * MINUTE)
    expect(held).toMatchObject({ state: "review", reason: "source_disagrees" })
    expect(held.collected).toEqual(operation.amount)
    const { status } = await readStatus(harness.deps, { sessionId })
    expect(status.state).not.toBe("waiting_for_payer")
  })

  it("leads to an admin who checks, and the admin can accept without its word", async () => {
    const { operation, collectionId } = await charged()
    silence()
    await checkForPerson(harness.deps, operation.id, "user_ada")
    expect(await reread(operation)).toMatchObject({ state: "review", collected: operation.amount })
    await resolveOperation(harness.deps, {
      operationId: operation.id,
      action: "accept",
      note: "the portal shows it",
      adminId: "user_ada",
    })
    expect(await checked(operation, SECOND)).toMatchObject({ state: "completed" })
    expect(harness.of(collectionId).completions).toBe(1)
  })
})

const ODD = [
  { payee_amount: -5, payee_currency: "USD" },
  { payer_currency: "US$", payer_amount: 19.99 },
  { payer_amount: "1,250", payer_currency: "LRD" },
  { payer_amount: {}, payee_amount: "a lot", payee_currency: "USD" },
]

it.each(ODD)("[N13] a payment whose execution also says %j completes as any other", async (odd) => {
  const { operation, collectionId } = await charged()
  const own = harness.gateway
  const read = executionReader<{ readonly referenceId: string }>("COLLECTION", () => [])
  const gateway: typeof own = {
    ...own,
    status: {
      ...own.status,
      async collection(referenceId, options) {
        const outcome = await own.status.collection(referenceId, options)
        if (outcome.kind !== "done") return outcome
        const parsed = read({ ...outcome.value.wire, ...odd }, { referenceId })
        if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
        return { kind: "done", value: parsed.value }
      },
    },
  }
  const deps = { ...harness.deps, gatewayOf: () => gateway }
  const paid = await checked(operation, 3 * SECOND, deps)
  expect(paid).toMatchObject({ state: "completed", collected: operation.amount })
  expect(harness.of(collectionId).completions).toBe(1)
})

it("a payment that reads PROCESSING beside a paid source is for an admin two minutes later", async () => {
  const { operation } = await charged()
  const own = harness.gateway
  const gateway: typeof own = {
    ...own,
    status: {
      ...own.status,
      async collection(referenceId, options) {
        const outcome = await own.status.collection(referenceId, options)
        if (outcome.kind !== "done") return outcome
        return { kind: "done", value: { ...outcome.value, status: "PROCESSING" } }
      },
    },
  }
  const deps = { ...harness.deps, gatewayOf: () => gateway }
  expect(await checked(operation, 3 * MINUTE, deps)).toMatchObject({ state: "in_flight" })
  const held = await checked(operation, 2 * MINUTE, deps)
  expect(held).toMatchObject({ state: "review", reason: "source_disagrees" })
})
