/**
 * A shopper cancels a prompt that no payer has answered. Its document is closed at the gateway first;
 * money of a payer who approves anyway is never lost, and never charged twice.
 */
import { cancelPayment } from "../../../src/checkout/cancel-payment"
import { guardCart } from "../../../src/checkout/guard-cart"
import { statusOf } from "../../../src/checkout/rules/status"
import { LIMITS } from "../../../src/core/limits"
import type { Operation } from "../../../src/core/operation"
import type { FlowDeps } from "../../../src/engine/deps"
import type { Gateway } from "../../../src/gateway"
import { MINUTE, SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { useLateMoney } from "../../support/late-money"

const { harness, start, started, checkAfter, reread, saying } = useLateMoney({
  promptedSource: "ACTIVE",
})

type Cart = Awaited<ReturnType<typeof started>>["cart"]

const cancel = ({ sessionId }: Cart, deps: FlowDeps = harness.deps) =>
  cancelPayment(deps, { sessionId })
const approve = ({ reference }: Operation) => harness.simulator.handset.approve(reference ?? "")
const sourceOf = ({ sourceId }: Operation) => harness.simulator.book.document(sourceId ?? 0)?.status
const guarded = ({ collectionId }: Cart) =>
  codeOf(guardCart(harness.deps, { paymentCollectionId: collectionId }, undefined))
const calls = (name: string) => harness.simulator.calls[name] ?? 0

/** The gateway, with something that happens just before or after it is asked to cancel. */
function atCancel(moment: "before" | "after", act: () => unknown): FlowDeps {
  const orders: Gateway["orders"] = {
    ...harness.gateway.orders,
    async cancel(id, options) {
      if (moment === "before") act()
      const outcome = await harness.gateway.orders.cancel(id, options)
      if (moment === "after") act()
      return outcome
    },
  }
  return { ...harness.deps, gatewayOf: () => ({ ...harness.gateway, orders }) }
}

test("[B41] a canceled prompt has its document closed at once, and the next attempt gets another one", async () => {
  const { cart, operation } = await started()
  expect(statusOf(operation)).toMatchObject({ prompt: "sent", can_cancel: true })
  expect(await guarded(cart)).toBe("payment_in_progress")
  expect(await cancel(cart)).toMatchObject({
    state: "expired",
    reason: "canceled",
    can_retry: true,
    can_cancel: false,
  })
  expect(sourceOf(operation)).toBe("CANCELED")
  expect(await guarded(cart)).toBe("none")
  expect(await start(cart.sessionId)).toMatchObject({ state: "waiting_for_payer" })
  const second = await harness.shown(cart.collectionId)
  expect(second.sourceId).not.toBe(operation.sourceId)
  expect(second.reference).not.toBe(operation.reference)
  approve(second)
  expect(await checkAfter(second, 3 * SECOND)).toMatchObject({ state: "completed" })
})

test("[B41] a canceled prompt that is approved anyway goes to review, and no second payment begins", async () => {
  const { cart, operation } = await started()
  await cancel(cart)
  approve(operation)
  const late = await checkAfter(operation, LIMITS.failedOnScreenMs[1])
  expect(late).toMatchObject({ state: "review", isDuplicate: false })
  expect(late.collected).toEqual(operation.amount)
  expect(await codeOf(start(cart.sessionId))).toBe("under_review")
})

test("[B41] a canceled prompt is checked after 20 seconds and after 5 minutes for a late approval", async () => {
  const { cart, operation } = await started()
  await cancel(cart)
  const inMs = ({ nextCheckAt, readAt }: Operation) =>
    (nextCheckAt?.getTime() ?? 0) - readAt.getTime()
  const [, soonMs] = LIMITS.failedOnScreenMs
  expect(inMs(await reread(operation))).toBeLessThanOrEqual(soonMs)
  const still = await checkAfter(operation, soonMs)
  expect(still.state).toBe("expired")
  expect(inMs(still)).toBeGreaterThan(4 * MINUTE)
  expect(inMs(still)).toBeLessThanOrEqual(5.5 * MINUTE)
})

test("[B41] a canceled prompt that is approved as well as the next attempt is a duplicate payment", async () => {
  const { cart, operation } = await started()
  await cancel(cart)
  await start(cart.sessionId)
  const second = await harness.shown(cart.collectionId)
  approve(operation)
  approve(second)
  expect(await checkAfter(second, 3 * SECOND)).toMatchObject({ state: "completed" })
  expect(await checkAfter(operation, MINUTE)).toMatchObject({ state: "review", isDuplicate: true })
  expect(harness.of(cart.collectionId).completions).toBe(1)
})

test("[B41] a prompt that is approved just before the cancel is paid, and nothing is closed", async () => {
  const { cart, operation } = await started()
  const deps = atCancel("before", () => approve(operation))
  expect(await codeOf(cancel(cart, deps))).toBe("payment_in_progress")
  expect(sourceOf(operation)).toBe("PAID")
  expect(await checkAfter(operation, 3 * SECOND)).toMatchObject({ state: "completed" })
})

test("[B41] a prompt that is approved just after the cancel goes to review with its money", async () => {
  const { cart, operation } = await started()
  const deps = atCancel("after", () => approve(operation))
  expect(await cancel(cart, deps)).toMatchObject({ state: "expired", reason: "canceled" })
  expect(await checkAfter(operation, 20 * SECOND)).toMatchObject({ state: "review" })
  expect(await guarded(cart)).toBe("under_review")
})

test("[B41] a prompt that two tabs cancel at once is canceled for both, and at the gateway once", async () => {
  const { cart } = await started()
  const before = calls("cancelOrder")
  const answers = await Promise.all([cancel(cart), cancel(cart)])
  expect(answers.map(({ state, reason }) => `${state} ${reason}`)).toEqual([
    "expired canceled",
    "expired canceled",
  ])
  expect(calls("cancelOrder") - before).toBe(1)
})

test("[B41] a prompt that is canceled while the gateway is silent is closed by the job", async () => {
  const { cart, operation } = await started()
  harness.simulator.faults.script("getCollectionStatus", Array<"503">(3).fill("503"))
  expect(await codeOf(cancel(cart))).toBe("payment_in_progress")
  expect(await reread(operation)).toMatchObject({ state: "in_flight", closing: "canceled" })
  expect(statusOf(await reread(operation)).can_cancel).toBe(false)
  expect(await guarded(cart)).toBe("payment_in_progress")
  harness.simulator.faults.clear()
  expect(await checkAfter(operation, 5 * SECOND)).toMatchObject({
    state: "expired",
    reason: "canceled",
  })
  expect(sourceOf(operation)).toBe("CANCELED")
})

test("[B41] a prompt whose cancel is never answered ends as canceled by the shopper", async () => {
  const { cart, operation } = await started()
  harness.simulator.faults.script("cancelOrder", ["reset:after"])
  harness.simulator.faults.script("getPaymentSourceStatus", ["ok", "500", "500", "500"])
  await codeOf(cancel(cart))
  harness.simulator.faults.clear()
  expect(sourceOf(operation)).toBe("CANCELED")
  expect(await checkAfter(operation, 5 * SECOND)).toMatchObject({
    state: "expired",
    reason: "canceled",
  })
})

test("[B41] a prompt whose document is being paid can't be canceled, and the payment goes on", async () => {
  const { cart, operation } = await started()
  const before = calls("cancelOrder")
  const moving = saying((status) => ({ ...status, status: "PROCESSING" }))
  expect(await codeOf(cancel(cart, moving))).toBe("payment_in_progress")
  expect(calls("cancelOrder")).toBe(before)
  const after = await reread(operation)
  expect(after).toMatchObject({ state: "in_flight", closing: null })
  expect(statusOf(after).can_cancel).toBe(false)
  approve(operation)
  expect(await checkAfter(operation, 3 * SECOND)).toMatchObject({ state: "completed" })
})

test("[B41] a prompt that is canceled before it reached the gateway is never sent again", async () => {
  harness.simulator.faults.script("executeCollection", ["reset:before"])
  const { cart, operation } = await started()
  expect(statusOf(operation)).toMatchObject({ prompt: "sending", can_cancel: true })
  expect(await cancel(cart)).toMatchObject({ state: "expired", reason: "canceled" })
  const sent = calls("executeCollection")
  await checkAfter(operation, MINUTE)
  expect(calls("executeCollection")).toBe(sent)
  expect(sourceOf(operation)).toBe("CANCELED")
})

test("[B41] a prompt that is canceled before it reached the gateway, while its page is paid, is never sent", async () => {
  harness.simulator.faults.script("executeCollection", ["reset:before"])
  const { cart, operation } = await started()
  const moving = saying((status) => ({ ...status, status: "PROCESSING" }))
  expect(await codeOf(cancel(cart, moving))).toBe("payment_in_progress")
  const sent = calls("executeCollection")
  await checkAfter(operation, 8 * SECOND, moving)
  const ended = await checkAfter(operation, 8 * SECOND)
  expect(calls("executeCollection")).toBe(sent)
  expect(ended).toMatchObject({ state: "expired", reason: "canceled" })
})

test("[B41] a paid prompt can't be canceled: the shopper gets already_paid", async () => {
  const { cart, operation } = await started()
  approve(operation)
  await checkAfter(operation, 3 * SECOND)
  expect(await codeOf(cancel(cart))).toBe("already_paid")
})
