/**
 * Medusa does not take paid money: a refusal is an answer and goes before a person within a minute,
 * a fault of the database, a lock or the line is none and is tried again.
 */
import { MedusaRefusal } from "../../../src/engine/medusa-port"
import type { Operation } from "../../../src/core/operation"
import { saveAccount } from "../../../src/ledger/accounts/find-accounts"
import { checkNow } from "../../../src/worker/check-due-operations"
import { MINUTE, SECOND } from "../../support/an-operation"
import { medusaOf } from "../../support/medusa-evidence"
import { actsIn, breachesIn, forgetPlans, useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness()
const { start, checkAfter, reread } = actsIn(harness)

afterEach(async () => {
  forgetPlans(harness)
  await optIn(false)
  expect(await breachesIn(harness, { medusa: medusaOf(harness.carts) })).toEqual([])
})

async function optIn(isOn: boolean): Promise<void> {
  const [account] = await harness.deps.accounts()
  if (!account) throw new Error("there is no account")
  const policies = { ...account.policies, refund_orphans: isOn }
  await saveAccount(harness.ledger.database, { ...account, policies })
}

/** Approved at the gateway, and not read yet. */
async function approved() {
  const { sessionId, collectionId } = harness.cart()
  await start(sessionId)
  const operation = await harness.shown(collectionId)
  harness.simulator.handset.approve(operation.reference ?? "")
  return { sessionId, collectionId, operation, cart: harness.of(collectionId) }
}

/** The job comes by for up to `ms`, whenever it is due; each completion meets the next error. */
async function settledWithin(operation: Operation, ms: number, errors: () => Error | undefined) {
  let leftMs = ms
  let tries = 0
  const medusa = {
    ...harness.deps.medusa,
    completeCart: async (cartId: string) => {
      tries += 1
      const error = errors()
      if (error === undefined) return harness.deps.medusa.completeCart(cartId)
      throw error
    },
  }
  for (;;) {
    const { state, recordedAt, nextCheckAt, readAt } = await reread(operation)
    if (state === "review" || recordedAt !== null || nextCheckAt === null) break
    const waitMs = Math.max(0, nextCheckAt.getTime() - readAt.getTime())
    if (waitMs > leftMs) break
    leftMs -= waitMs
    await harness.pass(operation.id, waitMs)
    await checkNow({ ...harness.deps, medusa }, operation.id)
  }
  return { now: await reread(operation), tries }
}

const coded = (code: string) => Object.assign(new Error("the line broke"), { code })

describe("goes before a person within a minute", () => {
  let count = 0
  it.each<[string, () => Error]>([
    [
      "what a rule of Medusa's refuses",
      () => new MedusaRefusal("Promotion usage exceeds the limit"),
    ],
    ["what rules refuse in other words", () => new MedusaRefusal(`no, for reason ${(count += 1)}`)],
    ["what is answered in the same words", () => new Error("x is not a function")],
    [
      "what is answered in the same words about other rows",
      () => new Error(`Session payses_01KB7T8YV3M3S0W2R5B1Q8Z${(count += 1) + 100} is no one's`),
    ],
  ])("[B16] %s", async (_, error) => {
    const { operation, cart } = await approved()
    const { now } = await settledWithin(operation, MINUTE, error)
    expect(now).toMatchObject({ state: "review", reason: "cart_not_completed" })
    expect(cart.order).toBeNull()
    expect(cart.payments).toEqual([])
  })

  it("[B16] what a rule refuses after a fault", async () => {
    const { operation } = await approved()
    let errors = 0
    const { now, tries } = await settledWithin(operation, MINUTE, () =>
      (errors += 1) === 1 ? coded("ECONNRESET") : new MedusaRefusal("no"),
    )
    expect(now).toMatchObject({ state: "review", reason: "cart_not_completed" })
    expect(tries).toBe(4)
  })

  it("[B16] [H34] a cart whose stock is gone", async () => {
    const { operation } = await approved()
    const basketOfCart = harness.deps.medusa.basketOfCart
    const medusa = {
      ...harness.deps.medusa,
      basketOfCart: async (id: string) => {
        const basket = await basketOfCart(id)
        return basket && { ...basket, missing: ["stock" as const] }
      },
    }
    await harness.pass(operation.id, 3 * SECOND)
    for (const ms of [0, 2 * SECOND, 6 * SECOND]) {
      await harness.pass(operation.id, ms)
      await checkNow({ ...harness.deps, medusa }, operation.id)
    }
    expect(await reread(operation)).toMatchObject({ reason: "cart_not_completed" })
  })
})

describe("is tried again, and becomes an order when it passes", () => {
  it.each<[string, () => Error]>([
    ["a database that is away", () => coded("ECONNREFUSED")],
    ["a row that the database can't write", () => coded("P0001")],
    ["a lock that is held", () => new Error("Timed-out acquiring lock.")],
    ["a pool without a connection", () => new Error("Knex: Timeout acquiring a connection.")],
  ])("[B16] %s", async (_, error) => {
    const { operation, cart } = await approved()
    const { now, tries } = await settledWithin(operation, 30 * MINUTE, error)
    expect(tries).toBeGreaterThan(4)
    expect(now).toMatchObject({ state: "completed", recordedAt: null })
    await settledWithin(operation, 90 * MINUTE, () => undefined)
    expect((await reread(operation)).recordedAt).not.toBeNull()
    expect(cart).toMatchObject({ completions: 1 })
  })

  it("[B16] a refusal that is heard twice and withdrawn", async () => {
    const { operation } = await approved()
    let left = 2
    const { now } = await settledWithin(operation, MINUTE, () =>
      left-- > 0 ? new MedusaRefusal("Not enough stock") : undefined,
    )
    expect(now.recordedAt).not.toBeNull()
  })

  it("[M09] [B16] what another completion has placed after the last refusal is recorded", async () => {
    const { operation, collectionId } = await approved()
    let left = 3
    const { medusa } = harness.deps
    const refusing = () => {
      left -= 1
      if (left > 0) return new MedusaRefusal("no")
      return undefined
    }
    await settledWithin(operation, 5 * SECOND, refusing)
    const completeCart = async (cartId: string): Promise<string> => {
      await medusa.completeCart(cartId)
      throw new MedusaRefusal("no")
    }
    await harness.pass(operation.id, 6 * SECOND)
    await checkNow({ ...harness.deps, medusa: { ...medusa, completeCart } }, operation.id)
    expect(await reread(operation)).toMatchObject({
      state: "completed",
      recordedAt: expect.any(Date),
      orderId: harness.of(collectionId).order?.id,
    })
  })
})

describe("where the account gives back what no order can take", () => {
  const stranded = async (error: () => Error, ms: number) => {
    const { operation, cart } = await approved()
    await optIn(true)
    return { operation, cart, ...(await settledWithin(operation, ms, error)) }
  }

  it("[B16] what Medusa refused goes back at once, without a person", async () => {
    const { operation, now } = await stranded(() => new MedusaRefusal("no"), MINUTE)
    expect(now).toMatchObject({ state: "review", reason: "cart_not_completed" })
    expect(now.nextCheckAt).not.toBeNull()
    const { reservedRefundMinor } = await checkAfter(operation, 0)
    expect(reservedRefundMinor).toBe(1_999n)
  })

  it("[B16] what a database that was away kept out waits for a person", async () => {
    const { operation, now } = await stranded(() => coded("ECONNREFUSED"), 120 * MINUTE)
    expect(now).toMatchObject({ state: "review", reason: "cart_not_completed" })
    expect(await checkAfter(operation, 0)).toMatchObject({ reservedRefundMinor: 0n })
  })

  it("[B16] what an order waits for is not given back", async () => {
    const { operation, cart } = await approved()
    await optIn(true)
    cart.order = { id: "order_that_waits", isCanceled: false }
    const captureOnOrder = () => Promise.reject(new MedusaRefusal("no"))
    const deps = { ...harness.deps, medusa: { ...harness.deps.medusa, captureOnOrder } }
    for (const ms of [3 * SECOND, 2 * SECOND, 6 * SECOND]) {
      await harness.pass(operation.id, ms)
      await checkNow(deps, operation.id)
    }
    expect(await checkAfter(operation, 0)).toMatchObject({
      state: "review",
      reason: "cart_not_completed",
      reservedRefundMinor: 0n,
    })
    cart.order = null
  })
})
