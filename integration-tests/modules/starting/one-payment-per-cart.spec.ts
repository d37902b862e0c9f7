/**
 * [I1] What begins or arrives while a start is at work: late money of the attempt before, a payment
 * of the cart's other collection, a source that an earlier attempt left open.
 */
import type { Operation } from "../../../src/core/operation"
import type { FlowDeps } from "../../../src/engine/deps"
import { findAllOfCollection } from "../../../src/ledger/find-operations"
import { MINUTE, SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { HOSTED, PUSH } from "../../support/flows-harness"
import { actsIn, forgetPlans, useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness({ tokenLifeMinutes: 10_000_000 })
const { start, reread, checkAfter } = actsIn(harness)

afterEach(() => {
  harness.presently()
  forgetPlans(harness)
})

/** Declined and seen so twice; with the other outcome, approved a minute later. */
async function declined(cart: Cart, outcome: "decline" | "decline_then_approve" = "decline") {
  harness.simulator.plan({ outcome, times: 1 })
  await start(cart.sessionId)
  const operation = await harness.shown(cart.collectionId)
  await checkAfter(operation, SECOND)
  const ended = await checkAfter(operation, 6 * SECOND)
  expect(ended.state).toBe("failed")
  return ended
}

type Cart = { readonly sessionId: string; readonly collectionId: string }

const sent = async (...carts: readonly Cart[]) => {
  const all = await Promise.all(
    carts.map(({ collectionId }) => findAllOfCollection(harness.deps.database, collectionId)),
  )
  return all.flat().filter(({ reference, hostedUrl, submittedAt }) => {
    return submittedAt !== null && (reference !== null || hostedUrl !== null)
  })
}

/** As soon as the `start` under way has read its cart, before it has written anything. */
const whileReading = (act: () => Promise<void>) => harness.before("basketOfCart", act)

/** Before the `start` under way reads session and amount again, its draft written. */
const beforeLastReading = (act: () => Promise<void>) =>
  whileReading(async () => harness.before("payable", act))

describe("late money", () => {
  it("[I1] in review keeps the cart's draft from being paid", async () => {
    const cart = harness.cart()
    const first = await declined(cart, "decline_then_approve")
    const page = harness.session(cart.collectionId, HOSTED)
    harness.simulator.faults.script("createCheckoutSource", ["503"])
    expect(await codeOf(start(page))).toBe("gateway_unavailable")
    expect(await harness.shown(cart.collectionId)).toMatchObject({ state: "drafted" })
    harness.later(MINUTE)
    expect(await checkAfter(first, 2 * MINUTE)).toMatchObject({
      state: "review",
      isDuplicate: true,
    })
    expect(await codeOf(start(page))).toBe("under_review")
    expect(await sent(cart)).toHaveLength(1)
  })

  it("[I1] that is found while a start is at work ends the draft of that", async () => {
    const cart = harness.cart()
    const first = await declined(cart, "decline_then_approve")
    const page = harness.session(cart.collectionId, HOSTED)
    beforeLastReading(async () => {
      harness.later(MINUTE)
      expect(await checkAfter(first, 2 * MINUTE)).toMatchObject({
        state: "review",
        isDuplicate: true,
      })
    })
    expect(await codeOf(start(page))).toBe("under_review")
    const [draft] = await findAllOfCollection(harness.deps.database, cart.collectionId)
    expect(draft).toMatchObject({ state: "expired", sourceStatus: "CANCELED" })
    expect(await sent(cart)).toHaveLength(1)
  })
})

describe("a cart with two payment collections", () => {
  /** Both of one cart. */
  function twins(): readonly [Cart, Cart] {
    const [one, two] = [harness.cart(), harness.cart()]
    const twin = harness.of(two.collectionId)
    twin.sessions = twin.sessions.map((each) => ({ ...each, cartId: `cart_${one.collectionId}` }))
    return [one, two]
  }

  it("[I1] isn't paid in one of them when a payment in the other was sent meanwhile", async () => {
    const [one, two] = twins()
    whileReading(async () => {
      expect(await start(two.sessionId)).toMatchObject({ state: "waiting_for_payer" })
    })
    expect(await codeOf(start(one.sessionId))).toBe("payment_in_progress")
    expect(await sent(one, two)).toHaveLength(1)
    expect(await harness.shown(one.collectionId)).toMatchObject({ state: "expired" })
  })

  it("[I1] is paid in the one that began first when both start at once", async () => {
    const [one, two] = twins()
    const together = meeting(2)
    const deps: FlowDeps = {
      ...harness.deps,
      medusa: {
        ...harness.deps.medusa,
        basketOfCart: async (id) => {
          await together()
          return harness.deps.medusa.basketOfCart(id)
        },
      },
    }
    const codes = await Promise.all(
      [one, two].map(({ sessionId }) => codeOf(start(sessionId, deps))),
    )
    expect(codes.sort()).toEqual(["none", "payment_in_progress"])
    expect(await sent(one, two)).toHaveLength(1)
  })

  it("isn't blocked in one of them by an idle draft of the other", async () => {
    const [one, two] = twins()
    harness.simulator.faults.script("createCheckoutSource", ["503"])
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
  beforeAll(() => harness.ledger.sql("update mp_account set order_placement = 'order_first'"))
  afterAll(() => harness.ledger.sql("update mp_account set order_placement = 'pay_first'"))

  const place = ({ collectionId }: Cart) => harness.deps.medusa.completeCart(`cart_${collectionId}`)
  const statusOf = ({ sourceId }: Operation) =>
    harness.simulator.book.document(sourceId ?? 0)?.status

  it("takes over the source of the declined attempt", async () => {
    const cart = harness.cart(PUSH)
    const first = await declined(cart)
    await place(cart)
    expect(await harness.shown(cart.collectionId)).toMatchObject({
      state: "drafted",
      sourceId: null,
    })
    await start(cart.sessionId)
    expect(await harness.shown(cart.collectionId)).toMatchObject({
      state: "in_flight",
      sourceId: first.sourceId,
    })
  })

  it("[I1] begins only when the source of the attempt before can't be paid any more", async () => {
    const cart = harness.cart(PUSH)
    const first = await declined(cart)
    const page = harness.session(cart.collectionId, HOSTED)
    await place(cart)
    expect(statusOf(first)).toBe("ACTIVE")
    await start(page)
    expect(await harness.shown(cart.collectionId)).toMatchObject({ state: "submitted" })
    expect(statusOf(first)).toBe("CANCELED")
  })

  it("[B15] isn't sent when the attempt before was paid by hand meanwhile", async () => {
    const cart = harness.cart(PUSH)
    const first = await declined(cart)
    await place(cart)
    harness.simulator.hosted.pay(first.sourceId ?? 0, { method: "card" })
    expect(await codeOf(start(cart.sessionId))).toBe("under_review")
    expect(await codeOf(start(cart.sessionId))).toBe("under_review")
    expect(await sent(cart)).toHaveLength(1)
  })
})

it("[B26] a page that is paid is completed even if the shop's cart can't be read", async () => {
  const cart = harness.cart(HOSTED)
  await start(cart.sessionId)
  const operation = await harness.shown(cart.collectionId)
  harness.simulator.hosted.pay(operation.sourceId ?? 0, { method: "card" })
  harness.before("due", () => Promise.reject(new Error("no such column")))
  expect(await checkAfter(operation, 3 * SECOND)).toMatchObject({ state: "completed" })
  await harness.deps.medusa.due(cart.collectionId).catch(() => undefined)
})

it("[N19] a source that reads 404 for a moment isn't taken for closed", async () => {
  const cart = harness.cart()
  const first = await declined(cart)
  const page = harness.session(cart.collectionId, HOSTED)
  harness.simulator.faults.script("cancelOrder", ["503:before"])
  harness.simulator.faults.script("getPaymentSourceStatus", ["404"])
  expect(await codeOf(start(page))).toBe("gateway_unavailable")
  expect((await reread(first)).sourceStatus).not.toBe("CANCELED")
  expect(await start(page)).toMatchObject({ state: "waiting_for_payer" })
  const source = harness.simulator.book.documents().find(({ id }) => id === first.sourceId)
  expect(source?.status).toBe("CANCELED")
})
