/** A payment that is tried again on the same document keeps the document's number. */
import { checkNow } from "../../../src/worker/check-due-operations"
import { SECOND } from "../../support/an-operation"
import { actsIn, breachesIn, forgetPlans, useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness()
const { reread, start } = actsIn(harness)

afterEach(async () => {
  forgetPlans(harness)
  expect(await breachesIn(harness)).toEqual([])
})

it("a second try has the first one's document and number, and a search by it finds both", async () => {
  const cart = harness.cart()
  await start(cart.sessionId)
  const first = await harness.shown(cart.collectionId)
  harness.simulator.handset.decline(first.reference ?? "")
  for (const afterMs of [3 * SECOND, 6 * SECOND]) {
    await harness.pass(first.id, afterMs)
    await checkNow(harness.deps, first.id)
  }
  expect(await reread(first)).toMatchObject({ state: "failed" })
  await start(cart.sessionId)
  const second = await harness.shown(cart.collectionId)
  expect(second.id).not.toBe(first.id)
  expect(first.sourceNumber).not.toBeNull()
  expect(second).toMatchObject({ sourceId: first.sourceId, sourceNumber: first.sourceNumber })
  const found = await harness.ledger.sql(
    "select operation_id as id from mp_operation_search where words @@ lower($1)::tsquery",
    [`'${first.sourceNumber ?? ""}'`],
  )
  expect(found.map(({ id }) => id).sort()).toEqual([first.id, second.id].sort())
})
