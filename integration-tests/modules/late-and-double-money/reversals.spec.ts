/**
 * An operator takes money back after the gateway said COMPLETED. Whichever of the gateway's models
 * shows it first, the daily comparison lists the payment for an admin and changes nothing else.
 */
import type { Operation } from "../../../src/core/operation"
import { searchQuery } from "../../../src/core/search-words"
import type { FlowDeps } from "../../../src/engine/deps"
import type { Gateway } from "../../../src/gateway"
import { checkForPerson } from "../../../src/review/check"
import { resolveOperation } from "../../../src/review/resolve"
import { listOperations } from "../../../src/review/sql/list-operations"
import { HOSTED } from "../../support/flows-harness"
import { useReconcileHarness } from "../../support/reconcile-harness"

const { harness, differences, reread, paid } = useReconcileHarness()

/** The state that each of the gateway's models gives for any payment; left out: the true one. */
type Says = {
  readonly execution?: string
  readonly source?: string
  readonly receipt?: string
  readonly list?: string
}

function saying({ execution, source, receipt, list }: Says): FlowDeps {
  const own = harness.gateway
  const asking =
    <Given extends unknown[], Value>(
      ask: (...given: Given) => Promise<{ kind: string; value?: Value }>,
      change: (value: Value) => Value,
    ) =>
    async (...given: Given) => {
      const outcome = await ask(...given)
      return outcome.kind === "done" && outcome.value !== undefined
        ? { ...outcome, value: change(outcome.value) }
        : outcome
    }
  const reads =
    (status: string | undefined) =>
    <Value>(value: Value): Value =>
      status === undefined ? value : { ...value, status }
  const gateway = {
    ...own,
    status: {
      ...own.status,
      collection: asking(own.status.collection, reads(execution)),
      source: asking(own.status.source, reads(source)),
    },
    orders: {
      ...own.orders,
      receipt: asking(own.orders.receipt, reads(receipt)),
      stream: (...[filter, take, how]: Parameters<typeof own.orders.stream>) =>
        own.orders.stream(filter, (batch) => take(batch.map(reads(list))), how),
    },
  } as Gateway
  return { ...harness.deps, gatewayOf: () => gateway }
}

async function attentionOf({ id }: Operation) {
  const filter = { words: searchQuery(id, String, () => undefined), needsAttention: true }
  const page = { limit: 2, offset: 0 }
  const { operations } = await listOperations(harness.deps.database, filter, page)
  return operations.map(({ attention }) => attention)
}

it.each<[string, Says]>([
  ["the execution", { execution: "REVERSED" }],
  ["an execution that FAILED", { execution: "FAILED" }],
  ["the source", { source: "REVERSED", list: "REVERSED" }],
  ["the receipt", { receipt: "REVERSED" }],
  ["a receipt with an unknown word", { receipt: "CHARGEBACK_DONE" }],
  ["a list", { list: "REVERSED" }],
])(
  "[B07] a completed payment that %s contradicts needs attention once, until all of them agree",
  async (_who, says) => {
    const { operation } = await paid()
    await differences(saying(says))
    expect(await attentionOf(operation)).toEqual(["contradicted"])
    expect(await reread(operation)).toMatchObject({ state: "completed", nextCheckAt: null })
    await tomorrow(operation)
    await differences(saying(says))
    const noted = await harness.ledger.sql(
      "select name from mp_operation_event where operation_id = $1 and name = 'contradicted'",
      [operation.id],
    )
    expect(noted).toHaveLength(1)
    expect(harness.logged.join("\n")).toContain(`contradicts the payment ${operation.id}`)
    await tomorrow(operation)
    await differences()
    expect(await attentionOf(operation)).toEqual([])
  },
)

it("a payment on the gateway's page needs attention when its receipt reads REVERSED", async () => {
  const { operation } = await paid(HOSTED)
  await differences(saying({ receipt: "REVERSED" }))
  expect(await attentionOf(operation)).toEqual(["contradicted"])
})

it.each(["PROCESSING", "WHATEVER"])(
  "an execution that reads %s after COMPLETED neither raises nor settles a contradiction",
  async (word) => {
    const { operation } = await paid()
    await differences(saying({ execution: "REVERSED" }))
    await tomorrow(operation)
    await differences(saying({ execution: word }))
    expect(await attentionOf(operation)).toEqual(["contradicted"])
    const { operation: other } = await paid()
    await differences(saying({ execution: word }))
    expect(await attentionOf(other)).toEqual([])
  },
)

it("an admin's check raises a contradiction at once, and only the comparison settles it", async () => {
  const { operation } = await paid()
  await checkForPerson(saying({ execution: "REVERSED" }), operation.id, "user_ada")
  expect(await attentionOf(operation)).toEqual(["contradicted"])
  await checkForPerson(harness.deps, operation.id, "user_ada")
  expect(await attentionOf(operation)).toEqual(["contradicted"])
  await tomorrow(operation)
  await differences()
  expect(await attentionOf(operation)).toEqual([])
})

it("a contradiction that an admin has dismissed isn't listed again", async () => {
  const { operation } = await paid()
  const deps = saying({ execution: "REVERSED" })
  await differences(deps)
  const { id: operationId } = operation
  const dismissal = { operationId, note: "paid in cash", adminId: "user_ada" }
  await resolveOperation(deps, { ...dismissal, action: "dismiss" })
  expect(await attentionOf(operation)).toEqual([])
  expect(await reread(operation)).toMatchObject({ state: "completed" })
  await tomorrow(operation)
  await differences(deps)
  expect(await attentionOf(operation)).toEqual([])
})

it("a completed payment is asked about once a day, and again by the next run after a silent gateway", async () => {
  const { operation } = await paid()
  await differences()
  harness.simulator.resetCalls()
  await differences()
  expect(harness.simulator.calls["getCollectionStatus"]).toBeUndefined()
  await tomorrow(operation)
  harness.simulator.faults.script("getCollectionStatus", ["500", "500", "500"])
  await differences()
  harness.simulator.resetCalls()
  await differences()
  expect(harness.simulator.calls["getCollectionStatus"]).toBe(1)
})

/** As if the last question was a day ago. */
async function tomorrow({ id }: Operation): Promise<void> {
  await harness.ledger.sql(
    "update mp_operation set checked_at = checked_at - interval '1 day' where id = $1",
    [id],
  )
}
