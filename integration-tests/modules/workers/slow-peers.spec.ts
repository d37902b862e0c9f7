/**
 * Peers that are slow or never answer: Medusa's workflows and an account's gateway. A payment that
 * waits for one keeps its lease and its place, and nothing else waits.
 */
import { types } from "node:util"
import type { MedusaContainer } from "@medusajs/framework/types"
import { LIMITS } from "../../../src/core/limits"
import { bounded, MedusaLate } from "../../../src/worker/bounded"
import { beat } from "../../../src/worker/beat"
import { checkDueOperations } from "../../../src/worker/check-due-operations"
import type { FlowDeps } from "../../../src/engine/deps"
import type { MedusaPort } from "../../../src/engine/medusa-port"
import { readCheckHealth } from "../../../src/ledger/read-check-health"
import { underWay } from "../../../src/worker/under-way"
import { saveAccount } from "../../../src/ledger/accounts/find-accounts"
import { medusaAdapter } from "../../../src/medusa/adapters/medusa-adapter"
import { flowsFrom } from "../../../src/medusa/wiring/flows-from"
import { workInProgress } from "../../../src/worker/work-in-progress"
import { claimAll } from "../../support/claim-all"
import { until } from "../../support/until"
import { drivenClock } from "../../support/driven-clock"
import { gated } from "../../support/gated"
import { submitted } from "../../support/ledger-database"
import { actsIn, useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness()
const { approved: paid, reread } = actsIn(harness)

beforeEach(async () => {
  await harness.ledger.sql("update mp_operation set next_check_at = null, lease_until = null")
  harness.logged.length = 0
  harness.simulator.resetCalls()
})

/** A cart that the shopper has just paid; it is due, and no worker has checked it. */
async function approved() {
  const { collectionId, operation } = await paid()
  await makeDue([operation.id])
  return { ...operation, collectionId, cartId: `cart_${collectionId}` }
}

const makeDue = (ids: readonly string[]) =>
  harness.ledger.sql("update mp_operation set next_check_at = now() where id = any($1)", [ids])

/** One process with its job, and a Medusa that the test replaces in part. */
function processBefore(
  medusa: (own: MedusaPort) => Partial<MedusaPort>,
  given: Partial<FlowDeps> = {},
) {
  const clock = drivenClock()
  const own = harness.deps.medusa
  const deps: FlowDeps = {
    ...harness.deps,
    clock,
    worker: "slow",
    underWay: underWay(clock),
    medusa: bounded({ ...allOf(own), ...medusa(own) }, clock),
    ...given,
  }
  const work = workInProgress(clock)
  /** A run of the job, until it leaves behind what is slow. */
  const pass = () =>
    work.run(async (signal) => {
      await beat(deps)
      await checkDueOperations(deps, { atMost: LIMITS.checksPerRun, signal, leave: work.follow })
    })
  /** The job runs again and again, as Medusa's scheduler has it, until something is so. */
  const passUntil = (isSo: () => Promise<boolean>, what: string) =>
    until(async () => {
      await pass()
      return isSo()
    }, what)
  return { clock, deps, work, pass, passUntil }
}

/** Medusa in the harness is a proxy: a spread of it has what it answers. */
const allOf = (medusa: MedusaPort): MedusaPort =>
  Object.fromEntries(METHODS.map((name) => [name, medusa[name]])) as unknown as MedusaPort

const METHODS = Object.keys(
  medusaAdapter({} as MedusaContainer, { query: () => Promise.resolve([]) }),
) as (keyof MedusaPort)[]

const isRecorded = async ({ id }: { readonly id: string }) =>
  (await reread({ id })).recordedAt !== null

const isCompleted = async ({ id }: { readonly id: string }) =>
  (await reread({ id })).state === "completed"

const leaseLeftMs = async (id: string) => {
  const [row] = await harness.ledger.sql(
    "select extract(epoch from lease_until - now())::float8 * 1000 as ms from mp_operation where id = $1",
    [id],
  )
  return Number(row?.["ms"] ?? -1)
}

describe("[M05] a call into Medusa that never ends", () => {
  it.each(METHODS)("is given up after the bound (%s)", async (name) => {
    const { open, isOpen } = gated()
    const clock = drivenClock()
    const hanging = { [name]: () => isOpen } as unknown as MedusaPort
    const ask = bounded(hanging, clock)[name] as () => Promise<unknown>
    const answer = ask().catch((error: unknown) => error)
    await Promise.resolve()
    clock.pass(LIMITS.medusaCallMs)
    const late = await answer
    expect(late).toBeInstanceOf(MedusaLate)
    expect(late).toMatchObject({ method: name, message: expect.stringContaining(name) })
    open()
    await (late as MedusaLate).ended
  })

  it("is bounded in jobs, routes and subscribers alike", () => {
    const services: Readonly<Record<string, unknown>> = {
      __pg_connection__: { client: {} },
      logger: harness.deps.logger,
      merchantPayments: { environment: { settings: harness.deps.settings } },
    }
    const container = { resolve: (key: string) => services[key] } as unknown as MedusaContainer
    expect(types.isProxy(flowsFrom(container).medusa)).toBe(true)
  })

  it("holds its own payment, and keeps no other shopper waiting", async () => {
    const [hanging, other] = [await approved(), await approved()]
    const { open, isOpen } = gated()
    let begun = 0
    const store = processBefore((own) => ({
      completeCart: async (cartId) => {
        if (cartId !== hanging.cartId) return own.completeCart(cartId)
        begun += 1
        await isOpen
        return own.completeCart(cartId)
      },
    }))
    const isOther = async () => begun === 1 && (await isRecorded(other))
    await store.passUntil(isOther, "the other is an order")

    // Long before the bound: the next run of the job does not wait for it either.
    const later = await approved()
    await store.passUntil(() => isRecorded(later), "who pays meanwhile has an order")

    store.clock.pass(LIMITS.medusaCallMs)
    await until(async () => store.deps.underWay.unanswered().length === 1, "the bound is over")
    const lines = harness.logged.filter((line) => line.includes("has not answered completeCart"))
    expect(lines).toEqual([expect.stringContaining(hanging.id)])

    // Its lease is kept: neither this worker nor another runs the same workflow again.
    await harness.ledger.sql(
      "update mp_operation set lease_until = now() + interval '1 s', next_check_at = now() where id = $1",
      [hanging.id],
    )
    await harness.ledger.sql("update mp_worker set seen_at = now() - interval '11 s'")
    store.clock.pass(LIMITS.leaseKeptEveryMs)
    await store.pass()
    expect(await leaseLeftMs(hanging.id)).toBeGreaterThan(LIMITS.leaseMs / 2)
    expect((await readCheckHealth(harness.ledger.database)).unanswered).toEqual([hanging.id])
    expect(await claimAll(harness.ledger.database, 50)).toEqual([])
    expect(begun).toBe(1)

    // A deploy does not wait for it.
    await store.work.end()

    open()
    await until(async () => (await reread(hanging)).leaseToken === null, "the lease is given back")
    const again = processBefore(() => ({}))
    await again.passUntil(() => isRecorded(hanging), "the outcome is read")
    expect(harness.of(hanging.collectionId).completions).toBe(1)
    expect(store.deps.underWay.unanswered()).toEqual([])
    await harness.ledger.sql("delete from mp_worker where id = 'slow'")
  })

  it("doesn't stop settling after the bound, even if eight of them hang", async () => {
    const bad: Awaited<ReturnType<typeof approved>>[] = []
    for (let made = 0; made < LIMITS.settlesInFlight; made++) bad.push(await approved())
    const { open, isOpen } = gated()
    let begun = 0
    const store = processBefore((own) => ({
      completeCart: async (cartId) => {
        if (bad.every((one) => one.cartId !== cartId)) return own.completeCart(cartId)
        begun += 1
        await isOpen
        return own.completeCart(cartId)
      },
    }))
    await store.passUntil(async () => begun === bad.length, "all places are taken")
    const good = await approved()
    // What asks the gateway waits for no place before Medusa.
    await store.passUntil(() => isCompleted(good), "it is known to be paid")
    expect(await isRecorded(good)).toBe(false)
    store.clock.pass(LIMITS.medusaCallMs)
    await until(
      async () => store.deps.underWay.unanswered().length === bad.length,
      "all are let go",
    )
    await store.passUntil(() => isRecorded(good), "it is an order")
    open()
    await until(async () => store.deps.underWay.unanswered().length === 0, "Medusa has answered")
    const all = () => Promise.all(bad.map(isRecorded))
    await store.passUntil(async () => (await all()).every(Boolean), "all are orders")
    expect(bad.map(({ collectionId }) => harness.of(collectionId).completions)).toEqual(
      bad.map(() => 1),
    )
  })
})

it("[M06] a Medusa that takes 30 seconds for each call loses nothing and delays no check", async () => {
  const paid = await approved()
  let calls = 0
  let answer = gated()
  const store = processBefore((own) =>
    Object.fromEntries(
      METHODS.map((name) => [
        name,
        async (...given: unknown[]) => {
          calls += 1
          await answer.isOpen
          return Reflect.apply(own[name], own, given) as unknown
        },
      ]),
    ),
  )
  const halfAMinuteLater = () => {
    store.clock.pass(30_000)
    const answered = answer
    answer = gated()
    answered.open()
  }
  await store.passUntil(async () => calls === 1, "Medusa is asked")
  // Its settling takes longer than a lease.
  for (let call = 0; call < 3; call++) {
    await harness.ledger.sql(
      "update mp_operation set lease_until = now() + interval '10 s' where id = $1",
      [paid.id],
    )
    const before = calls
    halfAMinuteLater()
    await until(async () => calls > before, "Medusa is asked for more")
    const waiting = await approved()
    await store.passUntil(() => isCompleted(waiting), "another payment is asked about")
    expect(await leaseLeftMs(paid.id)).toBeGreaterThan(LIMITS.leaseMs / 2)
    await harness.ledger.sql(
      "update mp_operation set next_check_at = null, lease_until = null where id = $1",
      [waiting.id],
    )
  }
  await until(async () => {
    halfAMinuteLater()
    return isRecorded(paid)
  }, "it is an order")
  expect(harness.of(paid.collectionId).completions).toBe(1)
  expect(harness.logged.filter((line) => line.includes("has not answered"))).toEqual([])
})

describe("[P24] an account whose gateway answers slowly", () => {
  const SLOW = "mpacc_slow"
  const MANY = 3 * LIMITS.checksPerRun

  beforeAll(async () => {
    const [account] = await harness.deps.accounts()
    if (!account) throw new Error("there is no account")
    const currencies: (typeof account.currencies)[number][] = []
    const slow = { ...account, id: SLOW, label: "Slow", currencies, isDefault: false }
    await saveAccount(harness.ledger.database, slow)
    await harness.ledger.sql(
      "update mp_account set checks_per_second_max = 1000000, checks_left = 1000000 where id = $1",
      [SLOW],
    )
  })

  it("delays no shopper of another account, however many of its checks are due", async () => {
    const ids: string[] = []
    for (let made = 0; made < MANY; made++) ids.push((await submitted(harness.ledger.database)).id)
    await harness.ledger.sql(
      `update mp_operation set account_id = $2, credential_id = null, waiting = true,
              waiting_at = now(), next_check_at = now() - interval '1 minute' where id = any($1)`,
      [ids, SLOW],
    )
    const { open, isOpen } = gated()
    let asked = 0
    const gateway = {
      ...harness.gateway,
      status: {
        ...harness.gateway.status,
        collection: async (...given: Parameters<typeof harness.gateway.status.collection>) => {
          asked += 1
          await isOpen
          return harness.gateway.status.collection(...given)
        },
      },
    }
    const store = processBefore(() => ({}), {
      gatewayOf: ({ id }) => (id === SLOW ? gateway : harness.gateway),
    })
    const isFull = async () => asked === LIMITS.checksInFlight
    await store.passUntil(isFull, "all of its places are taken")
    for (let shopper = 0; shopper < 3; shopper++) {
      const payment = await approved()
      await store.passUntil(() => isRecorded(payment), "who pays by another account has an order")
    }
    expect(asked).toBe(LIMITS.checksInFlight)
    const [held] = await harness.ledger.sql(
      "select count(*)::int as n from mp_operation where account_id = $1 and lease_until > now()",
      [SLOW],
    )
    expect(held).toEqual({ n: LIMITS.checksInFlight })
    open()
    await until(async () => store.deps.underWay.taken(SLOW) === 0, "it has answered")
    await store.pass()
    expect(asked).toBeGreaterThan(LIMITS.checksInFlight)
  })
})
