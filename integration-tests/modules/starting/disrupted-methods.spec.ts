/**
 * An operator that fails most payments is offered as disrupted, or hidden from all but a few
 * shoppers, and offered as before once payments succeed or no failure counts any more.
 */
import { hideDisrupted } from "../../../src/checkout/offer/hide-disrupted"
import { listPaymentMethods } from "../../../src/checkout/offer/payment-methods"
import { startPayment } from "../../../src/checkout/start-payment"
import { idFrom } from "../../../src/core/ids"
import { LIMITS } from "../../../src/core/limits"
import { noteStart } from "../../../src/ledger/limits/network-starts"
import { watchOperators } from "../../../src/notifications/trouble"
import { readOverview } from "../../../src/reconciliation/read-overview"
import { prune } from "../../../src/reconciliation/sql/prune"
import { announce } from "../../../src/worker/announce"
import type { Announcement } from "../../../src/worker/rules/announcements"
import { drivenClock } from "../../support/driven-clock"
import { HOSTED, PHONE, PUSH } from "../../support/flows-harness"
import { setPolicies } from "../../support/policies"
import { useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness()
const clock = drivenClock()

const OPERATOR = "OPERATOR1_MOMO_LBR"

/** What a storefront reads once the last answer is no longer cached. */
async function methodsOf(cartId: string, providerIds: readonly string[] = [PUSH]) {
  clock.pass(LIMITS.disruptedKeptMs)
  const cart = { currency: "usd", country: "lr", phone: null, providerIds }
  const medusa = { ...harness.deps.medusa, payableCart: () => Promise.resolve(cart) }
  return listPaymentMethods({ ...harness.deps, clock, medusa }, cartId)
}

async function offered(cartId = "cart_1", providerIds?: readonly string[]) {
  const methods = await methodsOf(cartId, providerIds)
  const [push] = methods.filter(({ flow }) => flow === "push")
  return (push?.operators ?? []).map(({ payment_method, status }) => [payment_method, status])
}

const phoneOf = (index: number) => `+2317700001${String(index).padStart(2, "0")}`

/** Of two workers at once, as in a store. */
const watch = () => Promise.all([watchOperators(harness.deps), watchOperators(harness.deps)])

async function started(phone: string = PHONE) {
  const { collectionId, sessionId } = harness.cart()
  await startPayment(harness.deps, { sessionId, phone })
  const { id, paymentMethod: method } = await harness.shown(collectionId)
  return { id, method, collectionId }
}

const allAre = (state: string, reason: string | null) =>
  harness.ledger.sql(
    `update mp_operation set state = $1, reason = $2 where created_at > now() - interval '30 min'`,
    [state, reason],
  )

const later = (ms: number) =>
  harness.ledger.sql(
    `with old as (update mp_operation set created_at = created_at - $1 * interval '1 ms')
     update mp_bucket set full_at = full_at - $1 * interval '1 ms'`,
    [ms],
  )

async function disrupt(): Promise<void> {
  for (let one = 0; one < LIMITS.operatorTroubleLeast; one++) await started(phoneOf(one))
  await allAre("failed", "operator_unavailable")
  await watch()
}

const rule = (disrupted_methods: "warn" | "hide") => setPolicies(harness, { disrupted_methods })

/** What two workers emit on the store's bus. */
async function heard(): Promise<Announcement[]> {
  const emitted: Announcement[] = []
  const bus = {
    emit: (news: readonly Announcement[]) => Promise.resolve(void emitted.push(...news)),
  }
  const deps = { ...harness.deps, bus }
  await Promise.all([announce(deps), announce(deps)])
  return emitted.filter(({ data }) => data.type === "METHOD")
}

beforeEach(async () => {
  await rule("warn")
  await later(LIMITS.operatorTroubleWithinMs)
  await allAre("expired", null)
  await watch()
  await heard()
  await harness.ledger.sql("delete from mp_bucket")
})

it("an operator is disrupted while most payments fail, can still be tried, and recovers by itself", async () => {
  const before = await offered()
  expect(before).toContainEqual([OPERATOR, "ok"])
  await disrupt()
  const during = await offered()
  expect(during.filter(([, status]) => status === "disrupted")).toEqual([[OPERATOR, "disrupted"]])
  expect(await started()).toMatchObject({ method: OPERATOR })
  await allAre("completed", null)
  await watch()
  expect(await offered()).toEqual(before)
})

it("an operator recovers once nobody has tried it for so long that no failure counts", async () => {
  await disrupt()
  await later(LIMITS.operatorTroubleWithinMs - 60_000)
  await watch()
  expect(await offered()).toContainEqual([OPERATOR, "disrupted"])
  const { id } = await started()
  await later(60_000)
  await watch()
  // One that is under way may still fail.
  expect(await offered()).toContainEqual([OPERATOR, "disrupted"])
  await harness.ledger.sql("update mp_operation set state = 'expired' where id = $1", [id])
  await watch()
  expect(await offered()).toContainEqual([OPERATOR, "ok"])
})

it("a change of an operator is announced once, however many workers there are", async () => {
  await disrupt()
  await watch()
  const [begun, ...more] = await heard()
  expect(more).toEqual([])
  expect(begun).toMatchObject({
    name: "merchant_payments.method_disrupted",
    data: { id: OPERATOR, reason: "failures", ended: 5, failed: 5 },
  })
  await later(LIMITS.operatorTroubleWithinMs)
  await watch()
  await watch()
  const [over, ...rest] = await heard()
  expect(rest).toEqual([])
  expect(over).toMatchObject({
    name: "merchant_payments.method_recovered",
    data: { id: OPERATOR, reason: "quiet", since: (begun?.data as { since: string }).since },
  })
  expect(await heard()).toEqual([])
})

it("a change that a worker claimed and never emitted is announced again", async () => {
  await disrupt()
  const bus = { emit: () => Promise.reject(new Error("the bus is away")) }
  await expect(announce({ ...harness.deps, bus })).rejects.toThrow("away")
  expect(await heard()).toEqual([])
  await harness.ledger.sql("update mp_method_event set announce_after = now()")
  expect((await heard()).map(({ name }) => name)).toEqual(["merchant_payments.method_disrupted"])
})

it("a change is kept until it is announced, and then for its retention period", async () => {
  await disrupt()
  const keptForMs = LIMITS.notificationsKeptForMs
  const pruned = () => prune(harness.ledger.database, "methodEvents", { keptForMs, limit: 100 })
  await harness.ledger.sql(
    `update mp_method_event set created_at = created_at - interval '1 year',
            announced_at = announced_at - interval '1 year'`,
  )
  await pruned()
  expect(await heard()).toHaveLength(1)
  expect(await pruned()).toBe(0)
  await harness.ledger.sql("update mp_method_event set announced_at = now() - interval '91 days'")
  expect(await pruned()).toBe(1)
})

describe("a disrupted operator of an account that hides it", () => {
  beforeEach(async () => {
    await rule("hide")
    await disrupt()
  })

  const who = async (carts: readonly string[]) => {
    const lists = await Promise.all(carts.map((cart) => offered(cart)))
    return carts.filter((_, at) => lists[at]?.some(([method]) => method === OPERATOR))
  }
  const CARTS = Array.from({ length: 8 }, (_, index) => `cart_${index}`)

  it("is offered to one more shopper at a time, who keeps the offer and can pay with it", async () => {
    const first = await who(CARTS)
    expect(first).toHaveLength(1)
    expect(await who(CARTS)).toEqual(first)
    expect(await offered(first[0])).toContainEqual([OPERATOR, "disrupted"])
    expect(await started()).toMatchObject({ method: OPERATOR })
    await later(LIMITS.disruptedTriedEveryMs)
    const then = await who(CARTS)
    expect(then).toHaveLength(2)
    expect(then).toEqual(expect.arrayContaining(first))
    await later(LIMITS.disruptedOfferKeptMs)
    expect(await who(CARTS)).toHaveLength(1)
  })

  it("is offered to everyone again once the disruption is over", async () => {
    await later(LIMITS.operatorTroubleWithinMs)
    await watch()
    expect(await who(CARTS)).toEqual(CARTS)
  })

  it("is hidden without any other operator or payment method", async () => {
    const [, last] = [await who(CARTS), "cart_of_another"]
    expect((await offered(last)).map(([, status]) => status)).not.toContain("disrupted")
    expect(await offered(last)).not.toEqual([])
    const flows = (await methodsOf(last, [PUSH, HOSTED])).map(({ flow }) => flow)
    expect(flows).toEqual(["push", "hosted"])
  })

  it("is offered with a warning to a shopper who would have nothing else", async () => {
    const push = {
      flow: "push",
      operators: [{ payment_method: OPERATOR, status: "disrupted" as const }],
    }
    for (const cart of CARTS)
      expect(await hideDisrupted(harness.deps, [push], cart)).toEqual([push])
    // No shopper was counted as trying it.
    expect(await who(CARTS)).toHaveLength(1)
  })

  it("is offered with a warning when the database can't say whose turn it is", async () => {
    const query = () => Promise.reject(new Error("the database is away"))
    const database = { ...harness.deps.database, query }
    const methods = [
      { operators: [{ payment_method: OPERATOR, status: "disrupted" as const }] },
      { operators: [] },
    ]
    expect(await hideDisrupted({ ...harness.deps, database }, methods, "cart_1")).toEqual(methods)
  })
})

describe("[D9] failures count by those who meet them", () => {
  type Who = { network: string; client: string | null; cart: string }

  let payers: readonly number[] = [20]

  /** Numbers that have never paid. */
  beforeEach(() => {
    const first = Math.max(...payers) + 1
    payers = Array.from({ length: LIMITS.operatorTroubleLeast + 1 }, (_, index) => first + index)
  })

  /** As many failures of an operator as prove an outage and one more, each of another number. */
  async function failedBy(who: Partial<Who>): Promise<void> {
    for (const index of payers) {
      const { id, collectionId } = await started(phoneOf(index))
      await noteStart(harness.ledger.database, {
        paymentCollectionId: idFrom(collectionId),
        network: who.network ?? `network_${index}`,
        client: who.client === undefined ? `browser_${index}` : who.client,
        customer: null,
        phone: `number_${index}`,
      })
      await harness.ledger.sql(
        "update mp_operation set state = 'failed', reason = 'unknown', cart_id = $2 where id = $1",
        [id, who.cart ?? `cart of ${id}`],
      )
    }
    await watch()
  }

  const paid = async () => {
    for (const index of payers) {
      const { id } = await started(phoneOf(index))
      await harness.ledger.sql("update mp_operation set state = 'completed' where id = $1", [id])
    }
  }

  const isDisrupted = async () =>
    (await offered()).some(([method, status]) => method === OPERATOR && status === "disrupted")

  it.each<[string, Partial<Who>]>([
    ["one network", { network: "network" }],
    ["one network whose pages name no browser", { network: "network", client: null }],
    ["one browser that changes its network", { client: "browser" }],
    ["one cart", { cart: "cart" }],
  ])("failures of %s leave an operator as it is", async (_who, who) => {
    await failedBy(who)
    expect(await isDisrupted()).toBe(false)
  })

  it("failures of distinct shoppers disrupt an operator", async () => {
    await failedBy({})
    expect(await isDisrupted()).toBe(true)
  })

  it("failures of payers who have paid before disrupt an operator, also from one network", async () => {
    await paid()
    await later(2 * LIMITS.operatorTroubleWithinMs)
    await failedBy({ network: "network", client: "browser" })
    expect(await isDisrupted()).toBe(true)
  })

  it("a payer who pays with the next try counts as served", async () => {
    await failedBy({})
    await paid()
    await watch()
    expect(await isDisrupted()).toBe(false)
  })
})

it("Home shows a disrupted operator with the figures of the last half hour", async () => {
  await disrupt()
  const { minutes, operators } = (await readOverview(harness.deps, "UTC")).lately
  expect(minutes * 60_000).toBe(LIMITS.operatorTroubleWithinMs)
  expect(operators).toEqual([
    {
      payment_method: OPERATOR,
      label: "Operator 1 Mobile Money",
      country: "LR",
      status: "disrupted",
      disrupted_since: expect.stringMatching(/^\d{4}-.*Z$/),
      ...{ ended: 5, completed: 0, failed: 5, under_way: 0, p50_seconds: null },
    },
  ])
  const { id } = await started(phoneOf(9))
  await harness.ledger.sql(
    "update mp_operation set state = 'completed', confirmed_after_ms = 7034 where id = $1",
    [id],
  )
  expect((await readOverview(harness.deps, "UTC")).lately.operators).toMatchObject([
    { ended: 6, completed: 1, failed: 5, p50_seconds: 7 },
  ])
  // Without attempts, the mark stays until the next pass removes it.
  await later(LIMITS.operatorTroubleWithinMs)
  expect((await readOverview(harness.deps, "UTC")).lately.operators).toMatchObject([
    { status: "disrupted", ended: 0 },
  ])
  await watch()
  expect((await readOverview(harness.deps, "UTC")).lately.operators).toEqual([])
})
