/**
 * An admin cancels a payment link: it has ended only once the gateway's document reads `CANCELED`,
 * wherever the process dies and whatever the gateway answers. Money that came first is settled.
 */
import type { Operation } from "../../../src/core/operation"
import type { FlowDeps } from "../../../src/engine/deps"
import { findAllOfCollection } from "../../../src/ledger/find-operations"
import { findEvents } from "../../../src/ledger/find-events"
import { cancelPaymentLink } from "../../../src/payment-links/cancel-link"
import { askOnPhone, makePaymentLink } from "../../../src/payment-links/make-link"
import { readPaymentLink } from "../../../src/payment-links/read-link"
import { MINUTE, SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { PHONE, PUSH } from "../../support/flows-harness"
import { medusaOf } from "../../support/medusa-evidence"
import { dieAt, momentsOf, type Moment } from "../../support/moments"
import { actsIn, breachesIn, forgetPlans, useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness()
const { checkAfter, reread } = actsIn(harness)

afterEach(async () => {
  forgetPlans(harness)
  expect(await breachesIn(harness, { medusa: medusaOf(harness.carts) })).toEqual([])
  expect(harness.simulator.contractViolations).toEqual([])
})

type Linked = { readonly orderId: string; readonly collectionId: string }

async function linked(): Promise<Linked> {
  const order = unlinked()
  await makePaymentLink(harness.deps, { orderId: order.orderId, adminId: "user_1", phone: PHONE })
  return order
}

function unlinked(): Linked {
  const { collectionId } = harness.cart(PUSH)
  const orderId = `order_${collectionId}`
  harness.of(collectionId).order = { id: orderId, isCanceled: false }
  return { orderId, collectionId }
}

const cancel = ({ orderId }: Linked, deps: FlowDeps = harness.deps) =>
  cancelPaymentLink(deps, { orderId, adminId: "user_2" })

const linkOf = async ({ orderId }: Linked) =>
  (await readPaymentLink(harness.deps, orderId)).payment_link

const documentOf = ({ sourceId }: Operation) => harness.simulator.book.document(sourceId ?? 0)

const pay = ({ sourceId }: Operation) =>
  harness.simulator.hosted.pay(sourceId ?? 0, { method: "card" })

describe("a link that an admin cancels", () => {
  it("ends with its document CANCELED, names the admin in its history, and can be followed by another", async () => {
    const order = await linked()
    const link = await harness.shown(order.collectionId)
    await cancel(order)
    expect(documentOf(link)?.status).toBe("CANCELED")
    expect(await linkOf(order)).toMatchObject({ state: "closed", url: null, reason: "canceled" })
    const events = await findEvents(harness.deps.database, link.id)
    expect(events).toContainEqual(
      expect.objectContaining({ code: "admin_canceled", facts: { by: "user_2" } }),
    )
    // A second admin's click finds it ended.
    await cancel(order)
    await makePaymentLink(harness.deps, { orderId: order.orderId, adminId: "user_1", phone: PHONE })
    expect(await linkOf(order)).toMatchObject({ state: "open" })
    const next = await harness.shown(order.collectionId)
    expect(next.id).not.toBe(link.id)
    pay(next)
    expect((await checkAfter(next, MINUTE)).recordedAt).not.toBeNull()
  })

  it("stays closing while the gateway doesn't cancel it, until the job has closed it", async () => {
    const order = await linked()
    const link = await harness.shown(order.collectionId)
    harness.simulator.faults.script("cancelOrder", ["503:before", "503:before", "503:before"])
    await cancel(order)
    expect(documentOf(link)?.status).toBe("ACTIVE")
    expect(await linkOf(order)).toMatchObject({ state: "closing", url: null })
    expect((await reread(link)).state).toBe("submitted")
    harness.simulator.faults.clear()
    expect(await checkAfter(link, MINUTE)).toMatchObject({ state: "expired", reason: "canceled" })
    expect(documentOf(link)?.status).toBe("CANCELED")
  })

  it("is settled when the payer was faster", async () => {
    const order = await linked()
    const link = await harness.shown(order.collectionId)
    pay(link)
    await cancel(order)
    expect((await checkAfter(link, SECOND)).recordedAt).not.toBeNull()
    expect(harness.of(order.collectionId).completions).toBe(1)
    expect(await linkOf(order)).toMatchObject({ state: "paid" })
    expect(await codeOf(cancel(order))).toBe("already_paid")
  })

  it("is settled when it is paid between the admin's click and the gateway's cancel", async () => {
    const order = await linked()
    const link = await harness.shown(order.collectionId)
    harness.simulator.faults.script("cancelOrder", ["503:before", "503:before", "503:before"])
    await cancel(order)
    harness.simulator.faults.clear()
    pay(link)
    expect((await checkAfter(link, MINUTE)).recordedAt).not.toBeNull()
    expect(await linkOf(order)).toMatchObject({ state: "paid" })
  })

  it("must exist, and so must its order", async () => {
    expect(await codeOf(cancel(unlinked()))).toBe("link_closed")
    expect(await codeOf(cancel({ orderId: "order_none", collectionId: "" }))).toBe(
      "order_not_found",
    )
  })

  it("can be followed by a prompt on the phone", async () => {
    const order = await linked()
    await cancel(order)
    await askOnPhone(harness.deps, { orderId: order.orderId, adminId: "user_1", phone: PHONE })
    const push = await harness.shown(order.collectionId)
    expect(push.flow).toBe("push")
    expect(await codeOf(cancel(order))).toBe("none")
    harness.simulator.handset.approve(push.reference ?? "")
    expect((await checkAfter(push, 3 * SECOND)).recordedAt).not.toBeNull()
  })
})

describe("wherever the process dies while an admin cancels a link,", () => {
  it("it ends only once its document reads CANCELED, and the next click ends it", async () => {
    const first = await linked()
    const moments = await momentsOf(harness.deps, (deps) => cancel(first, deps))
    expect(moments.length).toBeGreaterThan(3)
    for (const moment of moments) await endedAfter(moment)
  })

  it("a payment that came first is recorded once", async () => {
    const first = await linked()
    pay(await harness.shown(first.collectionId))
    const moments = await momentsOf(harness.deps, (deps) => cancel(first, deps))
    expect(moments.length).toBeGreaterThan(3)
    await checkAfter(await harness.shown(first.collectionId), MINUTE)
    for (const moment of moments) {
      const order = await linked()
      const link = await harness.shown(order.collectionId)
      pay(link)
      await dieAt(harness.deps, moment, (deps) => cancel(order, deps))
      await leaseOver(link)
      const done = await checkAfter(await reread(link), MINUTE)
      expect([moment, done.state, done.recordedAt !== null]).toEqual([moment, "completed", true])
      expect(harness.of(order.collectionId).completions).toBe(1)
    }
  })

  async function endedAfter(moment: Moment): Promise<void> {
    const order = await linked()
    const link = await harness.shown(order.collectionId)
    await dieAt(harness.deps, moment, (deps) => cancel(order, deps))
    const isCanceled = documentOf(link)?.status === "CANCELED"
    const { state } = await reread(link)
    expect([moment, state === "expired" && !isCanceled]).toEqual([moment, false])
    await leaseOver(link)
    await cancel(order)
    const operations = await findAllOfCollection(harness.deps.database, order.collectionId)
    expect([moment, ...operations.map((one) => one.state)]).toEqual([moment, "expired"])
    expect(documentOf(link)?.status).toBe("CANCELED")
  }

  /** The lease of a process that is gone. */
  const leaseOver = ({ id }: Operation) =>
    harness.ledger.sql(
      "update mp_operation set lease_until = now() - interval '1 s' where id = $1",
      [id],
    )
})
