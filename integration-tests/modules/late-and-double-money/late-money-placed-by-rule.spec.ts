/**
 * The account's rule `place_late_money`: money that comes after its payment ended is placed onto
 * its cart or order, once and without an admin, if that is unchanged. Everything else waits.
 */
import { NO_POLICIES } from "../../../src/core/account-settings"
import type { Operation } from "../../../src/core/operation"
import { findEvents } from "../../../src/ledger/find-events"
import { resolveOperation } from "../../../src/review/resolve"
import { checkDueOperations, checkNow } from "../../../src/worker/check-due-operations"
import { MINUTE, money } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { HOSTED } from "../../support/flows-harness"
import { acceptedByAdmin, useLateMoney } from "../../support/late-money"
import { setPolicies } from "../../support/policies"
import { untilQuiet } from "../../support/until-quiet"

const { harness, start, reread, checkAfter, payByHand, failed } = useLateMoney()

beforeEach(() => setPolicies(harness, NO_POLICIES))

/** Failed, and approved a little later: in review, and the next pass of the job is still to come. */
async function late() {
  const { cart, operation } = await failed("decline_then_approve")
  const now = await checkAfter(operation, 2 * MINUTE)
  expect(now).toMatchObject({ state: "review", reason: "late_payment", isDuplicate: false })
  expect(now.nextCheckAt).not.toBeNull()
  return { cart, operation, medusa: harness.of(cart.collectionId) }
}

const refundsOf = ({ reference }: Operation) =>
  harness.simulator.book.refunds().filter((refund) => refund.originalReference === reference)

async function expectPlaced(operation: Operation, collectionId: string): Promise<void> {
  const medusa = harness.of(collectionId)
  expect(await reread(operation)).toMatchObject({
    state: "completed",
    recordedAt: expect.any(Date),
    orderId: medusa.order?.id,
    collected: money(1_999),
  })
  expect(medusa.completions).toBe(1)
  expect(refundsOf(operation)).toEqual([])
}

async function expectWaiting(operation: Operation): Promise<void> {
  expect(await reread(operation)).toMatchObject({ state: "review", recordedAt: null })
  expect(refundsOf(operation)).toEqual([])
}

const pass = () => checkDueOperations(harness.deps, { atMost: 50 })

it("an account without rules of its own places late money", () => {
  expect(NO_POLICIES.place_late_money).toBe(true)
})

describe("late money of an unchanged cart", () => {
  it("[B06] becomes its order without an admin, and its events name the rule", async () => {
    const { operation, cart } = await late()
    await pass()
    await expectPlaced(operation, cart.collectionId)
    const events = await findEvents(harness.ledger.database, operation.id)
    expect(events.find(({ name }) => name === "accept")).toMatchObject({
      code: "placed_by_policy",
      facts: { by: "policy place_late_money", execution: "COMPLETED", reason: "late_payment" },
    })
    expect(await codeOf(start(cart.sessionId))).toBe("already_paid")
  })

  it("[P11] is placed once, however many workers check it", async () => {
    const { operation, cart } = await late()
    await Promise.all([1, 2, 3].map(pass))
    await pass()
    await expectPlaced(operation, cart.collectionId)
  })

  it("[B15] becomes its order when it was paid on a page that had expired", async () => {
    const cart = harness.cart(HOSTED)
    await start(cart.sessionId)
    const page = await harness.shown(cart.collectionId)
    await harness.ledger.sql(
      `with moved as (
         update mp_operation set state = 'expired', version = version + 1, reason = 'window_closed'
          where id = $1 returning *)
       insert into mp_operation_event (operation_id, seq, name, state, code)
       select id, version, 'expire', state, 'window_over' from moved`,
      [page.id],
    )
    payByHand(page)
    expect(await checkAfter(page, 2 * MINUTE)).toMatchObject({ reason: "late_payment" })
    await pass()
    await expectPlaced(page, cart.collectionId)
  })

  it("[B06] is placed and not refunded where the account's rules do both", async () => {
    await setPolicies(harness, { refund_orphans: true })
    const { operation, cart } = await late()
    await pass()
    await expectPlaced(operation, cart.collectionId)
  })

  it("[B29] is captured on an order that was placed before it came", async () => {
    const { operation, cart, medusa } = await late()
    medusa.order = { id: "order_that_waits", isCanceled: false }
    await pass()
    await expectPlaced(operation, cart.collectionId)
  })

  it("[N01] is placed once the gateway answers again", async () => {
    const { operation, cart } = await late()
    harness.simulator.faults.script("getCollectionStatus", Array<"500">(6).fill("500"))
    await checkNow(harness.deps, operation.id)
    expect(await reread(operation)).toMatchObject({ state: "review" })
    expect((await reread(operation)).nextCheckAt).not.toBeNull()
    harness.simulator.faults.clear()
    await checkAfter(operation, MINUTE)
    await expectPlaced(operation, cart.collectionId)
  })

  it.each(["403", "404"] as const)(
    "[N01] is placed where the gateway lets no refund be read (%s)",
    async (fault) => {
      const { operation, cart } = await late()
      harness.simulator.faults.script("getRefundStatus", [fault, fault])
      await pass()
      await expectPlaced(operation, cart.collectionId)
    },
  )

  it("[P12] is placed once, in the name of the admin who accepts it while a worker is frozen", async () => {
    const { operation, cart } = await late()
    harness.before("basketOfCart", async () => void (await acceptedByAdmin(harness, operation)))
    await checkNow(harness.deps, operation.id)
    expect(harness.of(cart.collectionId).completions).toBe(0)
    await checkNow(harness.deps, operation.id)
    await expectPlaced(operation, cart.collectionId)
    const events = await findEvents(harness.ledger.database, operation.id)
    expect(events.filter(({ name }) => name === "accept")).toMatchObject([{ code: "note" }])
  })
})

describe("late money waits for an admin", () => {
  type Late = Awaited<ReturnType<typeof late>>
  it.each<[string, (late: Late) => unknown]>([
    ["when the total of its cart has changed", ({ medusa }) => (medusa.total = "24.99")],
    ["when its cart is deleted", ({ medusa }) => ((medusa.isGone = true), (medusa.sessions = []))],
    [
      "when its order is canceled",
      ({ medusa }) => (medusa.order = { id: "order_1", isCanceled: true }),
    ],
    [
      "when its order was paid another way",
      ({ medusa }) => (medusa.order = { id: "order_2", isCanceled: false, isPaidOtherwise: true }),
    ],
    [
      "when the account doesn't place late money",
      () => setPolicies(harness, { place_late_money: false }),
    ],
    [
      "when it is a duplicate payment",
      ({ operation }) =>
        harness.ledger.sql("update mp_operation set is_duplicate = true where id = $1", [
          operation.id,
        ]),
    ],
    [
      "when its cart holds something else at the same price",
      ({ operation }) =>
        harness.ledger.sql(
          `update mp_operation set lines = jsonb_set(lines, '{0,name}', '"Hat"') where id = $1`,
          [operation.id],
        ),
    ],
    [
      "when the amount taken differs from the amount asked for",
      ({ operation }) =>
        harness.ledger.sql("update mp_operation set collected_minor = 1998 where id = $1", [
          operation.id,
        ]),
    ],
  ])("[B05] %s", async (_, change) => {
    const given = await late()
    await change(given)
    await pass()
    await expectWaiting(given.operation)
    expect(given.medusa.completions).toBe(0)
  })

  it("[B15] when the source of a prompt was paid by hand", async () => {
    const { cart, operation } = await failed()
    payByHand(operation)
    await checkAfter(operation, 2 * MINUTE)
    await pass()
    await expectWaiting(operation)
    expect(harness.of(cart.collectionId).completions).toBe(0)
  })

  it("[B06] when the shopper has started another payment", async () => {
    const { cart, operation } = await failed("decline_then_approve")
    await start(cart.sessionId)
    await checkAfter(operation, 2 * MINUTE)
    await pass()
    expect(await reread(operation)).toMatchObject({ state: "review", isDuplicate: true })
    expect(harness.of(cart.collectionId).completions).toBe(0)
  })

  it("[B05] when an admin has dismissed it and the gateway still reports it", async () => {
    const { operation, medusa } = await late()
    medusa.total = "24.99"
    await pass()
    await resolveOperation(harness.deps, {
      operationId: operation.id,
      action: "dismiss",
      note: "Settled in the portal.",
      adminId: "ada",
    })
    medusa.total = "19.99"
    await checkAfter(operation, 2 * MINUTE)
    await untilQuiet(harness)
    expect((await reread(operation)).recordedAt).toBeNull()
    expect(medusa.completions).toBe(0)
  })
})
