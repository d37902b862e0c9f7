/** The guard before changes of a cart: what it lets through, and what becomes of the payment then. */
import type { Operation } from "../../../src/core/operation"
import { LIMITS } from "../../../src/core/limits"
import { cancelPayment } from "../../../src/checkout/cancel-payment"
import { checkNow } from "../../../src/worker/check-due-operations"
import { afterChange, guardCart } from "../../../src/checkout/guard-cart"
import { readStatus } from "../../../src/checkout/read-status"
import { visitReturn } from "../../../src/checkout/return-visit"
import { startPayment } from "../../../src/checkout/start-payment"
import { claimOperation } from "../../../src/ledger/claim-due-operations"
import { SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { HOSTED, PHONE, PUSH } from "../../support/flows-harness"
import { actsIn, useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness()
const { start } = actsIn(harness)

const statusOf = async (sessionId: string, customerId?: string) =>
  (await readStatus(harness.deps, { sessionId, customerId })).status

const guard = (collectionId: string, customerId?: string) =>
  guardCart(harness.deps, { cartId: `cart_${collectionId}` }, customerId)

/** A storefront posts a session again: the guard, Medusa, and what is noted afterwards. */
async function postAgain(collectionId: string, providerId = HOSTED): Promise<string> {
  const live = await guardCart(harness.deps, { paymentCollectionId: collectionId }, undefined)
  const sessionId = harness.session(collectionId, providerId)
  const { sessions } = harness.of(collectionId)
  if (live) await afterChange(harness.deps, live, sessions)
  return sessionId
}

async function hosted() {
  const cart = harness.cart(HOSTED)
  const status = await start(cart.sessionId)
  return { ...cart, url: status.url, operation: await harness.shown(cart.collectionId) }
}

const set = (operation: Operation, change: string) =>
  harness.ledger.sql(`update mp_operation set ${change} where id = $1`, [operation.id])

describe("a change of the cart", () => {
  it.each([
    ["a draft with a running start", "state = 'drafted', lease_until = now() + interval '9 s'"],
    ["a prompt that went out", "flow = 'push', reference = gen_random_uuid()"],
    ["a payment in flight", "state = 'in_flight', flow = 'card', reference = gen_random_uuid()"],
    ["a page that is being paid on", "state = 'in_flight', source_status = 'PROCESSING'"],
    ["money on its way into Medusa", "state = 'completed'"],
    ["late money on its way", "state = 'expired', source_status = 'PROCESSING'"],
  ])("[B02] is refused while there is %s", async (_, change) => {
    const { collectionId, operation } = await hosted()
    await set(operation, `${change}, next_check_at = now() + interval '1 hour'`)
    const refusal: unknown = await guard(collectionId).catch((error: unknown) => error)
    expect(refusal).toMatchObject({
      code: "payment_in_progress",
      details: { payment: { id: operation.paymentSessionId, amount: 19.99 } },
    })
    expect(
      await codeOf(guardCart(harness.deps, { paymentCollectionId: collectionId }, "cus")),
    ).toBe("payment_in_progress")
  })

  it("[B02] is refused as under_review while a payment is in review, unless that is a duplicate", async () => {
    const { collectionId, operation } = await hosted()
    await set(operation, "state = 'review', next_check_at = null")
    expect(await codeOf(guard(collectionId))).toBe("under_review")
    await set(operation, "is_duplicate = true")
    expect(await codeOf(guard(collectionId))).toBe("none")
  })

  it.each([
    ["an idle draft", "state = 'drafted', lease_until = null"],
    ["a page that no payer is paying on", "source_status = 'ACTIVE'"],
    ["a payment that has ended", "state = 'failed', source_status = 'ACTIVE'"],
    ["recorded money", "state = 'completed', recorded_at = now()"],
    [
      "an ended payment that isn't checked any more",
      "state = 'expired', source_status = 'PROCESSING'",
    ],
  ])("[B01] passes when there is only %s", async (_, change) => {
    const { collectionId, operation } = await hosted()
    await set(operation, `${change}, next_check_at = null`)
    expect(await codeOf(guard(collectionId))).toBe("none")
  })

  it("[S06] shows a stranger only that a registered customer has a payment", async () => {
    const cart = harness.cart(PUSH)
    const own = harness.of(cart.collectionId)
    own.sessions = own.sessions.map((one) => ({ ...one, registeredCustomerId: "cus_ada" }))
    await startPayment(harness.deps, { ...cart, phone: PHONE, customerId: "cus_ada" })
    const asked = (customerId?: string): Promise<unknown> =>
      guard(cart.collectionId, customerId).catch((error: unknown) => error)
    expect(await asked()).toMatchObject({ details: { payment: null } })
    expect(await asked("cus_bob")).toMatchObject({ details: { payment: null } })
    expect(await asked("cus_ada")).toMatchObject({ details: { payment: { phone_hint: "042" } } })
  })

  it("[B01] has an open page of the old total closed at the next check, at most every 3 seconds", async () => {
    const { collectionId, operation } = await hosted()
    await set(operation, "checked_at = now(), next_check_at = now() + interval '1 hour'")
    const live = await guard(collectionId)
    if (!live) throw new Error("nothing is live")
    harness.of(collectionId).total = "24.99"
    harness.of(collectionId).sessions = []
    for (let edit = 0; edit < 3; edit++) await afterChange(harness.deps, live, [])
    const [row] = await harness.ledger.sql(
      "select extract(epoch from next_check_at - checked_at) * 1000 as ms from mp_operation where id = $1",
      [live.id],
    )
    expect(Math.round(Number(row?.["ms"]))).toBe(LIMITS.changeCheckEveryMs)
    await harness.pass(live.id, 4 * SECOND)
    await checkNow(harness.deps, live.id)
    expect(harness.simulator.book.document(operation.sourceId ?? 0)?.status).toBe("CANCELED")
    expect(await harness.shown(collectionId)).toMatchObject({
      state: "expired",
      reason: "canceled",
    })
  })

  it("[B03] ends the draft of a start that is at work, and nothing is sent", async () => {
    const cart = harness.cart(PUSH)
    harness.simulator.resetCalls()
    let asked = 0
    const edit = async (): Promise<void> => {
      asked += 1
      // The first question is start's own beginning; the second is its last before money can move.
      if (asked === 1) return harness.before("payable", edit)
      harness.of(cart.collectionId).total = "24.99"
      harness.session(cart.collectionId, PUSH)
    }
    harness.before("payable", edit)
    expect(await codeOf(start(cart.sessionId))).toBe("cart_changed")
    expect(harness.simulator.calls["executePaymentSession"]).toBeUndefined()
    expect(await harness.shown(cart.collectionId)).toMatchObject({ state: "expired" })
  })
})

describe("a session that is posted again", () => {
  it("[B28] belongs to the same payment, and each older id keeps answering", async () => {
    const { collectionId, sessionId, url, operation } = await hosted()
    const generations = [sessionId]
    for (let post = 0; post < 3; post++) generations.push(await postAgain(collectionId))
    for (const id of generations) {
      expect(await statusOf(id)).toMatchObject({ id, state: "waiting_for_payer", url })
      expect(await start(id)).toMatchObject({ state: "waiting_for_payer", url })
    }
    const live = await harness.shown(collectionId)
    expect(live).toMatchObject({ id: operation.id, paymentSessionId: generations.at(-1) })
    expect(await cancelPayment(harness.deps, { sessionId: generations[1] ?? "" })).toMatchObject({
      state: "expired",
      reason: "canceled",
    })
    const rows = await harness.ledger.sql(
      "select 1 from mp_operation where payment_collection_id = $1",
      [collectionId],
    )
    expect(rows).toHaveLength(1)
  })

  it("[B28] [H3] keeps both ids that two posts at once were answered with, the deleted one included", async () => {
    const { collectionId, operation } = await hosted()
    const live = await guardCart(harness.deps, { paymentCollectionId: collectionId }, undefined)
    if (!live) throw new Error("nothing is live")
    const first = harness.session(collectionId, HOSTED)
    const shown = harness.of(collectionId).sessions
    const second = harness.session(collectionId, HOSTED)
    await Promise.all([
      afterChange(harness.deps, live, shown),
      afterChange(harness.deps, live, harness.of(collectionId).sessions),
    ])
    for (const id of [first, second]) {
      expect(await statusOf(id)).toMatchObject({ id, state: "waiting_for_payer" })
    }
    expect(await harness.shown(collectionId)).toMatchObject({
      id: operation.id,
      paymentSessionId: second,
    })
  })

  it("[B28] is followed even while a check holds the payment", async () => {
    const { collectionId, operation } = await hosted()
    const held = await claimOperation(harness.deps.database, operation.id, LIMITS.leaseMs)
    const sessionId = await postAgain(collectionId)
    expect(await harness.shown(collectionId)).toMatchObject({
      paymentSessionId: sessionId,
      leaseToken: held?.leaseToken,
    })
  })

  it("[B01] shows nothing of the old page when its total differs, and a start closes that first", async () => {
    const { collectionId, operation } = await hosted()
    harness.of(collectionId).total = "24.99"
    const sessionId = await postAgain(collectionId)
    expect(await statusOf(sessionId)).toMatchObject({ state: "ready", amount: 24.99, url: null })
    const again = await start(sessionId)
    expect(again).toMatchObject({ id: sessionId, state: "waiting_for_payer", amount: 24.99 })
    const { book } = harness.simulator
    expect(book.document(operation.sourceId ?? 0)?.status).toBe("CANCELED")
    const second = await harness.shown(collectionId)
    expect(second.id).not.toBe(operation.id)
    expect(book.document(second.sourceId ?? 0)?.status).toBe("ACTIVE")
  })

  it("[B01] gets no address of a page that is being closed, even if the total is the old one again", async () => {
    const { collectionId, operation, url } = await hosted()
    await set(operation, "closing = 'canceled'")
    const sessionId = await postAgain(collectionId)
    expect(await start(sessionId)).toMatchObject({ state: "waiting_for_payer" })
    const second = await harness.shown(collectionId)
    expect(second.id).not.toBe(operation.id)
    expect(second.hostedUrl).not.toBe(url)
    expect(harness.simulator.book.document(operation.sourceId ?? 0)?.status).toBe("CANCELED")
  })

  it("[S06] belongs to its registered customer by an old id as well, with no session left", async () => {
    const cart = harness.cart(HOSTED)
    const own = harness.of(cart.collectionId)
    own.sessions = own.sessions.map((one) => ({ ...one, registeredCustomerId: "cus_ada" }))
    await startPayment(harness.deps, { ...cart, phone: PHONE, customerId: "cus_ada" })
    const next = harness.session(cart.collectionId, HOSTED)
    own.sessions = own.sessions.map((one) => ({ ...one, registeredCustomerId: "cus_ada" }))
    expect(next).not.toBe(cart.sessionId)
    expect(await codeOf(statusOf(cart.sessionId))).toBe("session_not_found")
    expect(await codeOf(statusOf(cart.sessionId, "cus_bob"))).toBe("session_not_found")
    expect(await codeOf(start(cart.sessionId))).toBe("session_not_found")
    expect(await codeOf(cancelPayment(harness.deps, cart))).toBe("session_not_found")
    expect(await statusOf(cart.sessionId, "cus_ada")).toMatchObject({ state: "waiting_for_payer" })
  })
})

it("[I1] a cart with two payment collections is paid in one of them", async () => {
  const { collectionId, operation } = await hosted()
  const other = harness.cart(PUSH)
  const twin = harness.of(other.collectionId)
  twin.sessions = twin.sessions.map((one) => ({ ...one, cartId: `cart_${collectionId}` }))
  expect(await codeOf(start(other.sessionId))).toBe("payment_in_progress")
  await set(operation, "state = 'review', next_check_at = null")
  expect(await codeOf(start(other.sessionId))).toBe("under_review")
  await set(operation, "state = 'completed', recorded_at = now()")
  expect(await codeOf(start(other.sessionId))).toBe("already_paid")
})

it("[S03] a return visit brings the check forward once in 3 seconds and changes nothing else", async () => {
  const { collectionId, operation } = await hosted()
  const visit = () =>
    visitReturn(harness.deps, { token: operation.returnToken ?? "", result: "success" })
  const dueIn = async () => {
    const { nextCheckAt, readAt } = await harness.shown(collectionId)
    return (nextCheckAt?.getTime() ?? 0) - readAt.getTime()
  }
  await set(operation, "next_check_at = now() + interval '1 hour', checked_at = null")
  expect(await codeOf(visitReturn(harness.deps, { token: "forged", result: "success" }))).toBe(
    "session_not_found",
  )
  expect(await dueIn()).toBeGreaterThan(SECOND)
  await visit()
  expect(await dueIn()).toBeLessThanOrEqual(0)
  await set(operation, "next_check_at = now() + interval '1 hour', checked_at = now()")
  await Promise.all([visit(), visit(), visit()])
  expect(await dueIn()).toBeGreaterThan(SECOND)
  expect(await harness.shown(collectionId)).toMatchObject({
    state: "submitted",
    version: operation.version,
  })
})

it("[S24] a return address leads to the shop while its payment is watched, and nowhere afterwards", async () => {
  const { operation } = await hosted()
  const visit = () =>
    codeOf(visitReturn(harness.deps, { token: operation.returnToken ?? "", result: "success" }))
  const aged = (ms: number) => `created_at = now() - ${ms} * interval '1 ms'`
  // Paid and recorded in Medusa a moment ago: its shopper is only coming back now.
  await set(operation, "state = 'completed', recorded_at = now(), next_check_at = null")
  expect(await visit()).toBe("none")
  await set(operation, aged(LIMITS.watchForMs - SECOND * 60))
  expect(await visit()).toBe("none")
  await set(operation, aged(LIMITS.watchForMs))
  expect(await visit()).toBe("session_not_found")
  await set(operation, "state = 'review', recorded_at = null, next_check_at = now()")
  expect(await visit()).toBe("none")
})
