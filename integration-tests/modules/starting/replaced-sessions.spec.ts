/**
 * What is asked for has changed since a payment began: no route hands out the means to pay the old
 * total. And an amount that no payer can pay isn't owed.
 */
import { randomUUID } from "node:crypto"
import { cancelPayment } from "../../../src/checkout/cancel-payment"
import { guardCart } from "../../../src/checkout/guard-cart"
import { boardOf } from "../../../src/checkout/live/payment-board"
import { authorize } from "../../../src/checkout/answer-medusa"
import { readStatus } from "../../../src/checkout/read-status"
import type { Status } from "../../../src/checkout/schemas/status"
import { startPayment } from "../../../src/checkout/start-payment"
import { LIMITS } from "../../../src/core/limits"
import { Refusal } from "../../../src/core/refusal"
import { refuseOrderCancel } from "../../../src/orders/guard-order"
import { sendRefundOfMedusa } from "../../../src/refunds/send-refund-of-medusa"
import { checkNow } from "../../../src/worker/check-due-operations"
import { codeOf } from "../../support/code-of"
import { CARD, HOSTED, PHONE, PUSH } from "../../support/flows-harness"
import type { Cart } from "../../support/medusa-in-memory"
import { newSession } from "../../support/medusa-in-memory"
import { actsIn, useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness()
const { start } = actsIn(harness)

const NOTHING_TO_PAY_WITH = { amount: null, payer_amount: null, url: null, client_secret: null }

/** What a cart may become while a page for its old total is open. */
const CHANGES: Readonly<Record<string, (cart: Cart) => void>> = {
  "another total": (cart) => void (cart.total = "24.99"),
  "a total that is less by the smallest unit": (cart) => void (cart.total = "19.98"),
  "another way to pay": (cart) => {
    cart.sessions = cart.sessions.map((one) => ({ ...one, providerId: PUSH }))
  },
  "no session at all": (cart) => void (cart.isGone = true),
  "a canceled order": (cart) => void (cart.order = { id: "order_1", isCanceled: true }),
}

async function hosted() {
  const cart = harness.cart(HOSTED)
  const status = await start(cart.sessionId)
  return { ...cart, url: status.url, operation: await harness.shown(cart.collectionId) }
}

const read = async (sessionId: string) => (await readStatus(harness.deps, { sessionId })).status

/** The STATUS that a refusal carries, or the answer. */
async function shownBy(asked: Promise<Status>): Promise<unknown> {
  try {
    return await asked
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.details["payment"]
  }
}

/** The first STATUS that an open page is sent, which has read its own before. */
async function streamed(
  sessionId: string,
  before = readStatus(harness.deps, { sessionId }),
): Promise<Status> {
  const shown = await before
  return new Promise((resolve) => {
    const leave = boardOf(harness.deps).watch({ sessionId, ...shown }, (status) => {
      leave()
      resolve(status)
    })
  })
}

describe.each(Object.entries(CHANGES))("a page for a cart that now has %s", (_name, change) => {
  it("is handed out by no route, and closes at the next check", async () => {
    const { collectionId, sessionId, url, operation } = await hosted()
    expect(await read(sessionId)).toMatchObject({ amount: 19.99, url })
    const cart = harness.of(collectionId)
    // Its session is gone, and the old id goes on answering.
    cart.sessions = [newSession(collectionId, HOSTED, cart.total)]
    change(cart)
    const later = "next_check_at = now() + interval '1 hour', checked_at = now() - interval '1 h'"
    await harness.ledger.sql(`update mp_operation set ${later} where id = $1`, [operation.id])
    expect(await read(sessionId)).toMatchObject({
      state: "waiting_for_payer",
      ...NOTHING_TO_PAY_WITH,
    })
    expect(await streamed(sessionId)).toMatchObject(NOTHING_TO_PAY_WITH)
    expect(await codeOf(start(sessionId))).toBe("cart_changed")
    const { nextCheckAt, readAt } = await harness.shown(collectionId)
    expect(nextCheckAt?.getTime()).toBeLessThanOrEqual(readAt.getTime() + LIMITS.changeCheckEveryMs)
    await harness.pass(operation.id, LIMITS.changeCheckEveryMs)
    await checkNow(harness.deps, operation.id)
    expect(await harness.shown(collectionId)).toMatchObject({ state: "expired" })
  })

  it("is named without its address by what it blocks", async () => {
    const { collectionId, sessionId, url, operation } = await hosted()
    const cart = harness.of(collectionId)
    change(cart)
    const paying = "state = 'in_flight', source_status = 'PROCESSING'"
    await harness.ledger.sql(`update mp_operation set ${paying} where id = $1`, [operation.id])
    const guarded = guardCart(harness.deps, { paymentCollectionId: collectionId }, undefined)
    expect(await shownBy(guarded as never)).toMatchObject(NOTHING_TO_PAY_WITH)
    // The shopper who starts on the newest session is refused because of the old page.
    cart.sessions = [newSession(collectionId, HOSTED, "31.50")]
    const [newest] = cart.sessions
    const shown = JSON.stringify(await shownBy(start(newest?.id ?? "")))
    expect(shown).not.toContain("19.99")
    expect(shown).not.toContain(url)
    const canceled = await shownBy(cancelPayment(harness.deps, { sessionId }))
    expect(JSON.stringify(canceled)).not.toContain(url)
  })
})

it("[B25] a new session of an order that was cancelled shows no amount, on an open page too", async () => {
  const { collectionId, operation } = await hosted()
  const cart = harness.of(collectionId)
  cart.order = { id: `order_${collectionId}`, isCanceled: false }
  cart.total = "24.99"
  cart.sessions = [newSession(collectionId, HOSTED, "24.99")]
  const newest = cart.sessions[0]?.id ?? ""
  const before = await readStatus(harness.deps, { sessionId: newest })
  expect(before.status).toMatchObject({ state: "ready", amount: 24.99 })
  cart.order.isCanceled = true
  await harness.pass(operation.id, LIMITS.changeCheckEveryMs)
  await checkNow(harness.deps, operation.id)
  expect(await harness.shown(collectionId)).toMatchObject({ state: "expired" })
  const nothing = { id: newest, state: "ready", ...NOTHING_TO_PAY_WITH }
  expect(await read(newest)).toMatchObject(nothing)
  expect(await streamed(newest, Promise.resolve(before))).toMatchObject(nothing)
  expect(await codeOf(start(newest))).toBe("order_closed")
})

it("a session that nothing was started on shows no amount once its order asks for nothing", async () => {
  const { collectionId, sessionId } = harness.cart(HOSTED)
  const cart = harness.of(collectionId)
  cart.order = { id: `order_${collectionId}`, isCanceled: false }
  expect(await read(sessionId)).toMatchObject({ state: "ready", amount: 19.99 })
  cart.order.open = "0"
  expect(await read(sessionId)).toMatchObject({ state: "ready", amount: null })
  expect(await codeOf(start(sessionId))).toBe("nothing_to_pay")
})

it("[S06] a page is shown with its address by an old session id while nothing has changed", async () => {
  const { collectionId, sessionId, url } = await hosted()
  harness.session(collectionId, HOSTED)
  expect(await start(sessionId)).toMatchObject({ amount: 19.99, url })
  expect(await read(sessionId)).toMatchObject({ amount: 19.99, url })
  expect(await streamed(sessionId)).toMatchObject({ amount: 19.99, url })
})

it("a prompt for another total is shown with its state, and without the old amount", async () => {
  const { collectionId, sessionId } = harness.cart(PUSH)
  await start(sessionId)
  harness.of(collectionId).total = "24.99"
  const waits = { state: "waiting_for_payer", prompt: "sent", phone_hint: "042" }
  expect(await read(sessionId)).toMatchObject({ ...waits, ...NOTHING_TO_PAY_WITH })
  harness.session(collectionId, PUSH)
  expect(await start(sessionId)).toMatchObject({ ...waits, ...NOTHING_TO_PAY_WITH })
})

it("a card payment for another total is shown without its client secret", async () => {
  const { collectionId, sessionId } = harness.cart(CARD)
  const request = { sessionId, phone: PHONE, cardToken: "card_3ds" }
  const asked = await startPayment(harness.deps, request)
  expect(asked).toMatchObject({ state: "action_required", amount: 19.99 })
  expect(asked.client_secret).not.toBeNull()
  harness.of(collectionId).total = "24.99"
  expect(await read(sessionId)).toMatchObject({
    state: "waiting_for_payer",
    ...NOTHING_TO_PAY_WITH,
  })
})

describe("what is left to pay", () => {
  const completed = (amount: string, currency = "usd", dueAmount = amount) => {
    const collectionId = `pay_col_${randomUUID()}`
    const session = { ...newSession(collectionId, HOSTED, amount), currency, dueAmount }
    const order = { cartId: session.cartId, orderId: null, hasPayment: false }
    return authorize(harness.deps, session, order)
  }

  it.each([
    ["0.001", "usd"],
    ["0.0049999", "lrd"],
    ["0", "usd"],
    ["0.49", "rwf"],
  ])("counts as nothing at %s %s, and the cart is completed", async (amount, currency) => {
    expect(await completed(amount, currency)).toMatchObject({ kind: "captured" })
  })

  it.each([
    ["0.005", "usd", "0.005"],
    ["0.5", "rwf", "0.5"],
    ["19.99", "usd", "19.99"],
    // A session that is older than what its collection asks for.
    ["0.001", "usd", "19.99"],
    ["0.001", "no", "0.001"],
    ["-1", "usd", "-1"],
  ])("doesn't count as paid at %s %s when %s is asked for", async (amount, currency, dueAmount) => {
    expect(await completed(amount, currency, dueAmount)).toMatchObject({ kind: "requires_more" })
  })

  it("doesn't count as nothing while a payment of the cart is under way", async () => {
    const { collectionId, sessionId } = harness.cart(PUSH)
    await start(sessionId)
    const session = newSession(collectionId, PUSH, "0.001")
    const order = { cartId: session.cartId, orderId: null, hasPayment: false }
    expect(await authorize(harness.deps, session, order)).toMatchObject({ kind: "requires_more" })
  })

  it("can be too little to start a payment for", async () => {
    const { collectionId } = harness.cart(HOSTED)
    harness.of(collectionId).total = "0.001"
    expect(await codeOf(start(harness.session(collectionId, HOSTED)))).toBe("amount_not_payable")
  })

  it("needs no refund when it was nothing, and doesn't keep an order from being canceled", async () => {
    const row = {
      id: "ref_1",
      sessionId: `payses_${randomUUID()}`,
      providerId: HOSTED,
      amount: "0.001",
      capturedAmount: "0.001",
      currency: "usd",
      createdBy: null,
      hasOrder: true,
      ageMs: 0,
      isBehind: false,
    }
    const { medusa } = harness.deps
    const session = { ...newSession("pay_col_rest", HOSTED, "0.001"), id: row.sessionId }
    const deps = {
      ...harness.deps,
      medusa: {
        ...medusa,
        refund: async () => row,
        session: async () => session,
        paidOfOrder: async () => [{ ...row, leftAmount: "0.001" }],
        collectionsOfOrder: async () => [],
        paidSessionsOfOrder: async () => [row.sessionId],
      },
    }
    expect(await codeOf(sendRefundOfMedusa(deps, row.id))).toBe("none")
    expect(await codeOf(refuseOrderCancel(deps, "order_rest"))).toBe("none")
    const more = { ...deps.medusa, refund: async () => ({ ...row, capturedAmount: "0.01" }) }
    expect(await codeOf(sendRefundOfMedusa({ ...deps, medusa: more }, row.id))).toBe(
      "refund_unavailable",
    )
  })
})
