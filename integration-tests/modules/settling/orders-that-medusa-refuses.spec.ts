/**
 * Medusa doesn't take paid money: a refusal is an answer, and the money goes to review within a
 * minute. A fault of the database, a lock or the line is no answer, and is tried again.
 */
import { MedusaRefusal } from "../../../src/engine/medusa-port"
import type { Operation } from "../../../src/core/operation"
import { checkNow } from "../../../src/worker/check-due-operations"
import { MINUTE, SECOND } from "../../support/an-operation"
import { medusaOf } from "../../support/medusa-evidence"
import { setPolicies } from "../../support/policies"
import { actsIn, breachesIn, forgetPlans, useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness()
const { approved, checkAfter, reread } = actsIn(harness)

afterEach(async () => {
  forgetPlans(harness)
  await optIn(false)
  expect(await breachesIn(harness, { medusa: medusaOf(harness.carts) })).toEqual([])
})

const optIn = (isOn: boolean) => setPolicies(harness, { refund_orphans: isOn })

/** The job checks for up to `ms`, whenever it is due; each completion throws the next error. */
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

describe("paid money goes to review within a minute when its order is refused", () => {
  let count = 0
  it.each<[string, () => Error]>([
    ["by a rule of Medusa", () => new MedusaRefusal("Promotion usage exceeds the limit")],
    [
      "by rules in other words each time",
      () => new MedusaRefusal(`no, for reason ${(count += 1)}`),
    ],
    ["by the same error each time", () => new Error("x is not a function")],
    [
      "by the same error about other rows",
      () => new Error(`Session payses_01KB7T8YV3M3S0W2R5B1Q8Z${(count += 1) + 100} is no one's`),
    ],
  ])("[B16] %s", async (_, error) => {
    const { operation, cart } = await approved()
    const { now } = await settledWithin(operation, MINUTE, error)
    expect(now).toMatchObject({ state: "review", reason: "cart_not_completed" })
    expect(cart.order).toBeNull()
    expect(cart.payments).toEqual([])
  })

  it("[B16] by a rule, after a fault of the line", async () => {
    const { operation } = await approved()
    let errors = 0
    const { now, tries } = await settledWithin(operation, MINUTE, () =>
      (errors += 1) === 1 ? coded("ECONNRESET") : new MedusaRefusal("no"),
    )
    expect(now).toMatchObject({ state: "review", reason: "cart_not_completed" })
    expect(tries).toBe(4)
  })

  it("[B16] [H34] for want of stock", async () => {
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

describe("paid money becomes an order once the fault is over", () => {
  it.each<[string, () => Error]>([
    ["of a database that is unreachable", () => coded("ECONNREFUSED")],
    ["of a row that the database can't write", () => coded("P0001")],
    ["of a lock that is held", () => new Error("Timed-out acquiring lock.")],
    [
      "of a pool without a free connection",
      () => new Error("Knex: Timeout acquiring a connection."),
    ],
  ])("[B16] %s", async (_, error) => {
    const { operation, cart } = await approved()
    const { now, tries } = await settledWithin(operation, 30 * MINUTE, error)
    expect(tries).toBeGreaterThan(4)
    expect(now).toMatchObject({ state: "completed", recordedAt: null })
    await settledWithin(operation, 90 * MINUTE, () => undefined)
    expect((await reread(operation)).recordedAt).not.toBeNull()
    expect(cart).toMatchObject({ completions: 1 })
  })
})

describe("an order that Medusa refuses", () => {
  it("[B16] is placed when Medusa withdraws its refusal after two attempts", async () => {
    const { operation } = await approved()
    let left = 2
    const { now } = await settledWithin(operation, MINUTE, () =>
      left-- > 0 ? new MedusaRefusal("Not enough stock") : undefined,
    )
    expect(now.recordedAt).not.toBeNull()
  })

  it("[M09] [B16] is recorded when another completion has placed it after the last refusal", async () => {
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

describe("paid money without an order, of an account that refunds it,", () => {
  const stranded = async (error: () => Error, ms: number) => {
    const { operation, cart } = await approved()
    await optIn(true)
    return { operation, cart, ...(await settledWithin(operation, ms, error)) }
  }

  it("[B16] is refunded at once when Medusa refused the order", async () => {
    const { operation, now } = await stranded(() => new MedusaRefusal("no"), MINUTE)
    expect(now).toMatchObject({ state: "review", reason: "cart_not_completed" })
    expect(now.nextCheckAt).not.toBeNull()
    const { reservedRefundMinor } = await checkAfter(operation, 0)
    expect(reservedRefundMinor).toBe(1_999n)
  })

  it("[B16] waits for an admin when an unreachable database kept it out", async () => {
    const { operation, now } = await stranded(() => coded("ECONNREFUSED"), 120 * MINUTE)
    expect(now).toMatchObject({ state: "review", reason: "cart_not_completed" })
    expect(await checkAfter(operation, 0)).toMatchObject({ reservedRefundMinor: 0n })
  })

  it("[B16] isn't refunded while an order waits for it", async () => {
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
