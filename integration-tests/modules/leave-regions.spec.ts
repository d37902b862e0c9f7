/**
 * [M15] Taking the plugin out of the regions: only once no money needs it, and back again where a
 * payment began at that moment. Through Medusa's own workflow it goes in the http tests.
 */
import type { AccountDeps, SetupRegion } from "../../src/accounts/deps"
import { leaveRegions } from "../../src/accounts/leave-regions"
import { SECOND } from "../support/an-operation"
import { HOSTED, PUSH } from "../support/flows-harness"
import { actsIn, breachesIn, forgetPlans, useFlowsHarness } from "../support/use-flows-harness"

const harness = useFlowsHarness()
const { start, finding } = actsIn(harness)

const OTHER = "pp_system_default"
const REGIONS: readonly SetupRegion[] = [
  { id: "reg_1", name: "Liberia", currency: "LRD", countries: ["lr"], providerIds: [OTHER, PUSH] },
  { id: "reg_2", name: "Rwanda", currency: "RWF", countries: ["rw"], providerIds: [HOSTED] },
  { id: "reg_3", name: "Elsewhere", currency: "USD", countries: [], providerIds: [OTHER] },
]

let offered: Map<string, readonly string[]>

/** @param meanwhile happens once, when the first region has been changed */
function deps(meanwhile: () => Promise<unknown> = () => Promise.resolve()): AccountDeps {
  let isFirst = true
  return {
    ...harness.deps,
    tables: { missing: () => Promise.resolve([]) },
    environment: { id: "mpacc_env", account: undefined, clientId: null, sources: {} },
    setup: {
      read: () =>
        Promise.resolve({
          providerIds: [OTHER, PUSH, HOSTED],
          regions: REGIONS.map((one) => ({ ...one, providerIds: offered.get(one.id) ?? [] })),
          knownCurrencies: {},
        }),
      setRegionProviders: async (id, providerIds) => {
        offered.set(id, providerIds)
        if (isFirst) await meanwhile()
        isFirst = false
      },
      locking: null,
      workflowEngine: null,
    },
    openGateway: () => {
      throw new Error("the gateway is not asked")
    },
    openEnvironmentGateway: () => undefined,
  }
}

const BEFORE = new Map(REGIONS.map(({ id, providerIds }) => [id, providerIds]))
const OUT = new Map<string, readonly string[]>([
  ["reg_1", [OTHER]],
  ["reg_2", []],
  ["reg_3", [OTHER]],
])

beforeEach(() => {
  offered = new Map(BEFORE)
})

afterEach(async () => {
  forgetPlans(harness)
  expect(await breachesIn(harness)).toEqual([])
})

async function begun() {
  const { sessionId, collectionId } = harness.cart()
  await start(sessionId)
  return harness.shown(collectionId)
}

it("waits for what is under way, and leaves the other providers", async () => {
  const operation = await begun()
  expect(await leaveRegions(deps(), false)).toMatchObject({
    isOut: false,
    underWay: 1,
    needDecision: 0,
    operations: [operation.id],
    regions: [{ id: "reg_1" }, { id: "reg_2" }],
  })
  expect(offered).toEqual(BEFORE)
  harness.simulator.handset.approve(operation.reference ?? "")
  await finding(operation, 3 * SECOND)
  expect(await leaveRegions(deps(), true)).toMatchObject({ isOut: false, underWay: 0 })
  expect(offered).toEqual(BEFORE)
  expect(await leaveRegions(deps(), false)).toMatchObject({ isOut: true, underWay: 0 })
  expect(offered).toEqual(OUT)
  expect(await leaveRegions(deps(), true)).toMatchObject({ isOut: true, regions: [] })
})

it("is back where a payment began at that moment", async () => {
  const left = await leaveRegions(deps(begun), false)
  expect(left).toMatchObject({ isOut: false, underWay: 1 })
  expect(offered).toEqual(BEFORE)
})

it("does not wait for what has ended and is only watched, and says how much that is", async () => {
  const rows = await harness.ledger.sql(
    "select id, reference from mp_operation where state = 'in_flight'",
  )
  const [{ id, reference } = {}] = rows
  harness.simulator.handset.decline(String(reference))
  await finding({ id: String(id) }, 3 * SECOND)
  expect((await finding({ id: String(id) }, 10 * SECOND)).state).toBe("failed")
  expect(await leaveRegions(deps(), false)).toMatchObject({ isOut: true, underWay: 0, watched: 1 })
})

it("waits for what an admin has to decide", async () => {
  await harness.ledger.sql(
    "update mp_operation set contradicted_at = now() where state = 'completed'",
  )
  expect(await leaveRegions(deps(), false)).toMatchObject({ isOut: false, needDecision: 1 })
  expect(offered).toEqual(BEFORE)
  await harness.ledger.sql("update mp_operation set contradicted_at = null")
})
