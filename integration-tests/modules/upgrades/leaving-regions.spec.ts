/**
 * [M15] Taking the plugin out of the regions: only once no money needs it, and back again where a
 * payment began at that moment. The http tests do it through Medusa's workflow.
 */
import type { AccountDeps, SetupRegion } from "../../../src/accounts/deps"
import { leaveRegions } from "../../../src/accounts/leave-regions"
import { disableRegion } from "../../../src/accounts/regions"
import { SECOND } from "../../support/an-operation"
import { HOSTED, PUSH } from "../../support/flows-harness"
import { actsIn, breachesIn, forgetPlans, useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness()
const { start, checkAfter } = actsIn(harness)

const OTHER = "pp_system_default"
const REGIONS: readonly SetupRegion[] = [
  { id: "reg_1", name: "Liberia", currency: "LRD", countries: ["lr"], providerIds: [OTHER, PUSH] },
  { id: "reg_2", name: "Rwanda", currency: "RWF", countries: ["rw"], providerIds: [HOSTED] },
  { id: "reg_3", name: "Elsewhere", currency: "USD", countries: [], providerIds: [OTHER] },
]

let offered: Map<string, readonly string[]>
/** Whether Medusa lists our providers, in the form of a region. */
let isListed: boolean

type Disturbance = {
  /** Happens once, when the first region has been changed. */
  readonly meanwhile?: () => Promise<unknown>
  /** How many changes of a region are made before the process dies. */
  readonly diesAfter?: number
}

function deps({ meanwhile, diesAfter = Infinity }: Disturbance = {}): AccountDeps {
  let changes = 0
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
        if (changes === diesAfter) throw new Error("the process dies")
        offered.set(id, providerIds)
        isListed ||= providerIds.includes(PUSH)
        if (changes++ === 0) await meanwhile?.()
      },
      unlistProviders: async () => {
        isListed = false
      },
      // All carts of the harness are the first region's.
      regionsOfCarts: (ids) => Promise.resolve(new Map(ids.map((id) => [id, "reg_1"]))),
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
  isListed = true
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

it("leaving the regions waits for payments under way, and keeps the other providers", async () => {
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
  await checkAfter(operation, 3 * SECOND)
  expect(await leaveRegions(deps(), true)).toMatchObject({ isOut: false, underWay: 0 })
  expect(offered).toEqual(BEFORE)
  expect(isListed).toBe(true)
  expect(await leaveRegions(deps(), false)).toMatchObject({ isOut: true, underWay: 0 })
  expect(offered).toEqual(OUT)
  expect(isListed).toBe(false)
  expect(await leaveRegions(deps(), true)).toMatchObject({ isOut: true, regions: [] })
})

it("leaving the regions is undone where a payment began at that moment", async () => {
  const left = await leaveRegions(deps({ meanwhile: begun }), false)
  expect(left).toMatchObject({ isOut: false, underWay: 1 })
  expect(offered).toEqual(BEFORE)
  expect(isListed).toBe(true)
})

it("leaving the regions does not wait for watched payments, and counts them", async () => {
  const rows = await harness.ledger.sql(
    "select id, reference from mp_operation where state = 'in_flight'",
  )
  const [{ id, reference } = {}] = rows
  harness.simulator.handset.decline(String(reference))
  await checkAfter({ id: String(id) }, 3 * SECOND)
  expect((await checkAfter({ id: String(id) }, 10 * SECOND)).state).toBe("failed")
  expect(await leaveRegions(deps(), false)).toMatchObject({ isOut: true, underWay: 0, watched: 1 })
})

it("leaving the regions waits for payments under review", async () => {
  await harness.ledger.sql(
    "update mp_operation set contradicted_at = now() where state = 'completed'",
  )
  expect(await leaveRegions(deps(), false)).toMatchObject({ isOut: false, needDecision: 1 })
  expect(offered).toEqual(BEFORE)
  await harness.ledger.sql("update mp_operation set contradicted_at = null")
})

async function paid(operation: Awaited<ReturnType<typeof begun>>): Promise<void> {
  harness.simulator.handset.approve(operation.reference ?? "")
  await checkAfter(operation, 3 * SECOND)
}

describe("a run of leaving that died", () => {
  it.each([0, 1])("after %i changes is finished by the next one", async (diesAfter) => {
    await expect(leaveRegions(deps({ diesAfter }), false)).rejects.toThrow("dies")
    expect(await leaveRegions(deps(), false)).toMatchObject({ isOut: true, underWay: 0 })
    expect(offered).toEqual(OUT)
    expect(isListed).toBe(false)
  })

  it.each([1, 2, 3])(
    "after %i changes, with a payment begun, is made good and then finished",
    async (diesAfter) => {
      const payments: Awaited<ReturnType<typeof begun>>[] = []
      const meanwhile = async () => void payments.push(await begun())
      await expect(leaveRegions(deps({ meanwhile, diesAfter }), false)).rejects.toThrow("dies")
      expect(await leaveRegions(deps(), false)).toMatchObject({ isOut: false, underWay: 1 })
      expect(offered.get("reg_1")).toContain(PUSH)
      for (const payment of payments) await paid(payment)
      expect(await leaveRegions(deps(), false)).toMatchObject({ isOut: true, underWay: 0 })
      expect(offered).toEqual(OUT)
    },
  )
})

describe("disabling one region", () => {
  const REFUSED = { code: "payment_in_progress" }

  it("removes only the plugin's providers", async () => {
    const { providers } = await disableRegion(deps(), "reg_1")
    expect(providers.map(({ is_enabled }) => is_enabled)).toEqual([false, false])
    expect(offered).toEqual(new Map(BEFORE).set("reg_1", [OTHER]))
  })

  it("is refused while a payment of that region needs them", async () => {
    const payment = await begun()
    await expect(disableRegion(deps(), "reg_1")).rejects.toMatchObject(REFUSED)
    expect(offered).toEqual(BEFORE)
    await disableRegion(deps(), "reg_2")
    expect(offered.get("reg_2")).toEqual([])
    // Taken out in Medusa, or by a process that died: what the payment needs comes back.
    offered.set("reg_1", [OTHER])
    await expect(disableRegion(deps(), "reg_1")).rejects.toMatchObject(REFUSED)
    expect(offered.get("reg_1")).toEqual([OTHER, PUSH])
    await paid(payment)
    await disableRegion(deps(), "reg_1")
  })

  it("is undone where a payment began at that moment", async () => {
    const payments: Awaited<ReturnType<typeof begun>>[] = []
    const meanwhile = async () => void payments.push(await begun())
    await expect(disableRegion(deps({ meanwhile }), "reg_1")).rejects.toMatchObject(REFUSED)
    expect(offered).toEqual(BEFORE)
    for (const payment of payments) await paid(payment)
  })
})
