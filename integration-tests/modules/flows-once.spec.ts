/**
 * [I1] What begins or comes while a `start` is at work: late money of the try before, a payment of
 * the cart's other collection, a source that an earlier try left open. The flows over a real ledger
 * and the simulator; at the end of each the gateway's book says who was charged.
 */
import type { Operation } from "../../src/core/operation"
import { checkNow } from "../../src/worker/check-due-operations"
import type { FlowDeps } from "../../src/engine/deps"
import { startPayment } from "../../src/checkout/start-payment"
import { findAllOfCollection, findById } from "../../src/ledger/find-operations"
import { MINUTE, SECOND } from "../support/an-operation"
import { codeOf } from "../support/code-of"
import { HOSTED, PHONE, PUSH, startFlowsWorld, type FlowsWorld } from "../support/flows-world"

let world: FlowsWorld

beforeAll(async () => {
  world = await startFlowsWorld({ tokenLifeMinutes: 10_000_000 })
})

afterAll(() => world.stop())

afterEach(() => {
  world.presently()
  world.simulator.clearPlans()
  world.simulator.faults.clear()
})

const start = (sessionId: string, deps: FlowDeps = world.deps) =>
  startPayment(deps, { sessionId, phone: PHONE })

async function finding({ id }: Operation, afterMs: number): Promise<Operation> {
  await world.pass(id, afterMs)
  await checkNow(world.deps, id)
  const found = await findById(world.deps.database, id)
  if (!found) throw new Error(`${id} is gone`)
  return found
}

/** Declined and seen so twice; with `later`, approved a minute after all the same. */
async function declined(cart: Cart, outcome: "decline" | "decline_then_approve" = "decline") {
  world.simulator.plan({ outcome, times: 1 })
  await start(cart.sessionId)
  const operation = await world.shown(cart.collectionId)
  await finding(operation, SECOND)
  const ended = await finding(operation, 6 * SECOND)
  expect(ended.state).toBe("failed")
  return ended
}

type Cart = { readonly sessionId: string; readonly collectionId: string }

const sent = async (...carts: readonly Cart[]) => {
  const all = await Promise.all(
    carts.map(({ collectionId }) => findAllOfCollection(world.deps.database, collectionId)),
  )
  return all.flat().filter(({ reference, hostedUrl, submittedAt }) => {
    return submittedAt !== null && (reference !== null || hostedUrl !== null)
  })
}

/** As soon as the `start` under way has read its cart, before it has written anything. */
const whileReading = (act: () => Promise<void>) => world.before("basketOfCart", act)

/** Before the `start` under way reads session and amount again, its draft written. */
const beforeLastReading = (act: () => Promise<void>) =>
  whileReading(async () => world.before("payable", act))

describe("late money", () => {
  it("[I1] held beside a draft keeps the draft from being paid", async () => {
    const cart = world.cart()
    const first = await declined(cart, "decline_then_approve")
    const page = world.session(cart.collectionId, HOSTED)
    world.simulator.faults.script("createCheckoutSource", ["503"])
    expect(await codeOf(start(page))).toBe("gateway_unavailable")
    expect(await world.shown(cart.collectionId)).toMatchObject({ state: "drafted" })
    world.later(MINUTE)
    expect(await finding(first, 2 * MINUTE)).toMatchObject({ state: "review", surplus: true })
    expect(await codeOf(start(page))).toBe("under_review")
    expect(await sent(cart)).toHaveLength(1)
  })

  it("[I1] found while a start is at work ends its draft", async () => {
    const cart = world.cart()
    const first = await declined(cart, "decline_then_approve")
    const page = world.session(cart.collectionId, HOSTED)
    beforeLastReading(async () => {
      world.later(MINUTE)
      expect(await finding(first, 2 * MINUTE)).toMatchObject({ state: "review", surplus: true })
    })
    expect(await codeOf(start(page))).toBe("under_review")
    const [draft] = await findAllOfCollection(world.deps.database, cart.collectionId)
    expect(draft).toMatchObject({ state: "expired", sourceStatus: "CANCELED" })
    expect(await sent(cart)).toHaveLength(1)
  })
})

describe("a cart with two payment collections", () => {
  /** Both of one cart. */
  function twins(): readonly [Cart, Cart] {
    const [one, two] = [world.cart(), world.cart()]
    const twin = world.of(two.collectionId)
    twin.sessions = twin.sessions.map((each) => ({ ...each, cartId: `cart_${one.collectionId}` }))
    return [one, two]
  }

  it("[I1] is not paid in one while the other was begun and sent meanwhile", async () => {
    const [one, two] = twins()
    whileReading(async () => {
      expect(await start(two.sessionId)).toMatchObject({ state: "waiting_for_payer" })
    })
    expect(await codeOf(start(one.sessionId))).toBe("payment_in_progress")
    expect(await sent(one, two)).toHaveLength(1)
    expect(await world.shown(one.collectionId)).toMatchObject({ state: "expired" })
  })

  it("[I1] is paid in the one that began first when both begin at once", async () => {
    const [one, two] = twins()
    const together = meeting(2)
    const deps: FlowDeps = {
      ...world.deps,
      host: {
        ...world.deps.host,
        basketOfCart: async (id) => {
          await together()
          return world.deps.host.basketOfCart(id)
        },
      },
    }
    const codes = await Promise.all(
      [one, two].map(({ sessionId }) => codeOf(start(sessionId, deps))),
    )
    expect(codes.sort()).toEqual(["none", "payment_in_progress"])
    expect(await sent(one, two)).toHaveLength(1)
  })

  it("is not held by a draft of the other that nobody works at", async () => {
    const [one, two] = twins()
    world.simulator.faults.script("createCheckoutSource", ["503"])
    expect(await codeOf(start(one.sessionId))).toBe("gateway_unavailable")
    expect(await start(two.sessionId)).toMatchObject({ state: "waiting_for_payer" })
    expect(await codeOf(start(one.sessionId))).toBe("payment_in_progress")
    expect(await sent(one, two)).toHaveLength(1)
  })
})

/** Lets its callers go on once so many have come. */
function meeting(count: number): () => Promise<void> {
  let open = () => {}
  const all = new Promise<void>((resolve) => (open = resolve))
  return async () => {
    count -= 1
    if (count <= 0) open()
    await all
  }
}

describe("the draft of an order that is placed before its money", () => {
  beforeAll(() => world.ledger.sql("update mp_account set order_placement = 'order_first'"))
  afterAll(() => world.ledger.sql("update mp_account set order_placement = 'pay_first'"))

  const place = ({ collectionId }: Cart) => world.deps.host.completeCart(`cart_${collectionId}`)
  const statusOf = ({ sourceId }: Operation) => world.simulator.book.document(sourceId ?? 0)?.status

  it("takes the source of the declined try over", async () => {
    const cart = world.cart(PUSH)
    const first = await declined(cart)
    await place(cart)
    expect(await world.shown(cart.collectionId)).toMatchObject({ state: "drafted", sourceId: null })
    await start(cart.sessionId)
    expect(await world.shown(cart.collectionId)).toMatchObject({
      state: "in_flight",
      sourceId: first.sourceId,
    })
  })

  it("[I1] begins only when the source of the try before can't be paid any more", async () => {
    const cart = world.cart(PUSH)
    const first = await declined(cart)
    const page = world.session(cart.collectionId, HOSTED)
    await place(cart)
    expect(statusOf(first)).toBe("ACTIVE")
    await start(page)
    expect(await world.shown(cart.collectionId)).toMatchObject({ state: "submitted" })
    expect(statusOf(first)).toBe("CANCELED")
  })

  it("[B15] is not sent when the try before was paid by hand meanwhile", async () => {
    const cart = world.cart(PUSH)
    const first = await declined(cart)
    await place(cart)
    world.simulator.hosted.pay(first.sourceId ?? 0, { method: "card" })
    expect(await codeOf(start(cart.sessionId))).toBe("under_review")
    expect(await codeOf(start(cart.sessionId))).toBe("under_review")
    expect(await sent(cart)).toHaveLength(1)
  })
})

it("[B26] a page that is paid is seen so, also when the shop's cart can't be read", async () => {
  const cart = world.cart(HOSTED)
  await start(cart.sessionId)
  const operation = await world.shown(cart.collectionId)
  world.simulator.hosted.pay(operation.sourceId ?? 0, { method: "card" })
  world.before("due", () => Promise.reject(new Error("no such column")))
  expect(await finding(operation, 3 * SECOND)).toMatchObject({ state: "completed" })
  await world.deps.host.due(cart.collectionId).catch(() => undefined)
})

it("[N19] a source that reads 404 for a moment is not called closed", async () => {
  const cart = world.cart()
  const first = await declined(cart)
  const page = world.session(cart.collectionId, HOSTED)
  world.simulator.faults.script("cancelOrder", ["503:before"])
  world.simulator.faults.script("getPaymentSourceStatus", ["404"])
  expect(await codeOf(start(page))).toBe("gateway_unavailable")
  expect((await findById(world.deps.database, first.id))?.sourceStatus).not.toBe("CANCELED")
  expect(await start(page)).toMatchObject({ state: "waiting_for_payer" })
  const source = world.simulator.book.documents().find(({ id }) => id === first.sourceId)
  expect(source?.status).toBe("CANCELED")
})
