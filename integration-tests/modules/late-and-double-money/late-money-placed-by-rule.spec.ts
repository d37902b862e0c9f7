/**
 * Money that comes after its payment had ended, with the account's rule that places it: onto its
 * own cart or order where that is as it was, once, without a person. All else waits for one.
 */
import { NO_POLICIES, type AccountPolicies } from "../../../src/core/account-policies"
import type { Operation } from "../../../src/core/operation"
import { saveAccount } from "../../../src/ledger/accounts/find-accounts"
import { findEvents } from "../../../src/ledger/find-events"
import { resolveOperation } from "../../../src/review/resolve"
import { checkDueOperations, checkNow } from "../../../src/worker/check-due-operations"
import { MINUTE, money } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { HOSTED } from "../../support/flows-harness"
import { useLateMoney } from "../../support/late-money"
import { untilQuiet } from "../../support/until-quiet"

const { harness, start, reread, checkAfter, payByHand, failed } = useLateMoney()

beforeEach(() => policies({}))

async function policies(given: Partial<AccountPolicies>): Promise<void> {
  const [account] = await harness.deps.accounts()
  if (!account) throw new Error("there is no account")
  const all = { ...NO_POLICIES, ...given }
  await saveAccount(harness.ledger.database, { ...account, policies: all })
}

/** Failed, and approved a little later: it is in review, and the job has not come by again. */
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

it("is the rule of an account that says nothing", () => {
  expect(NO_POLICIES.place_late_money).toBe(true)
})

describe("late money of an unchanged cart", () => {
  it("[B06] becomes its order without a person, named by the rule in its events", async () => {
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

  it("[P11] is placed once, however many workers come by", async () => {
    const { operation, cart } = await late()
    await Promise.all([1, 2, 3].map(pass))
    await pass()
    await expectPlaced(operation, cart.collectionId)
  })

  it("[B15] that was paid on a page after its time becomes its order, too", async () => {
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

  it("[B06] is placed, and not given back, where the account does both", async () => {
    await policies({ refund_orphans: true })
    const { operation, cart } = await late()
    await pass()
    await expectPlaced(operation, cart.collectionId)
  })

  it("[B29] is captured on the order that has waited for it", async () => {
    const { operation, cart, medusa } = await late()
    medusa.order = { id: "order_that_waits", isCanceled: false }
    await pass()
    await expectPlaced(operation, cart.collectionId)
  })

  it("[N01] waits while the gateway is away, and is placed after", async () => {
    const { operation, cart } = await late()
    harness.simulator.faults.script("getCollectionStatus", Array<"500">(6).fill("500"))
    await checkNow(harness.deps, operation.id)
    expect(await reread(operation)).toMatchObject({ state: "review" })
    expect((await reread(operation)).nextCheckAt).not.toBeNull()
    harness.simulator.faults.clear()
    await checkAfter(operation, MINUTE)
    await expectPlaced(operation, cart.collectionId)
  })
})

describe("waits for a person", () => {
  type Late = Awaited<ReturnType<typeof late>>
  it.each<[string, (late: Late) => unknown]>([
    ["where the cart has another total", ({ medusa }) => (medusa.total = "24.99")],
    ["where the cart is gone", ({ medusa }) => ((medusa.isGone = true), (medusa.sessions = []))],
    [
      "where the order is cancelled",
      ({ medusa }) => (medusa.order = { id: "order_1", isCanceled: true }),
    ],
    [
      "where the order is paid in another way",
      ({ medusa }) => (medusa.order = { id: "order_2", isCanceled: false, isPaidOtherwise: true }),
    ],
    ["where the account does not place it", () => policies({ place_late_money: false })],
    [
      "where it is a duplicate payment",
      ({ operation }) =>
        harness.ledger.sql("update mp_operation set is_duplicate = true where id = $1", [
          operation.id,
        ]),
    ],
    [
      "where the cart holds something else at the same price",
      ({ operation }) =>
        harness.ledger.sql(
          `update mp_operation set lines = jsonb_set(lines, '{0,name}', '"Hat"') where id = $1`,
          [operation.id],
        ),
    ],
    [
      "where something else was taken than was asked for",
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

  it("[B15] where a prompt's document was paid by hand in another way", async () => {
    const { cart, operation } = await failed()
    payByHand(operation)
    await checkAfter(operation, 2 * MINUTE)
    await pass()
    await expectWaiting(operation)
    expect(harness.of(cart.collectionId).completions).toBe(0)
  })

  it("[B06] where the shopper has begun another payment by then", async () => {
    const { cart, operation } = await failed("decline_then_approve")
    await start(cart.sessionId)
    await checkAfter(operation, 2 * MINUTE)
    await pass()
    expect(await reread(operation)).toMatchObject({ state: "review", isDuplicate: true })
    expect(harness.of(cart.collectionId).completions).toBe(0)
  })

  it("[P12] who has decided while the worker was frozen: it is placed once, in that name", async () => {
    const { operation, cart } = await late()
    harness.before("basketOfCart", async () => {
      await harness.ledger.sql(
        `with moved as (
           update mp_operation set state = 'completed', version = version + 1, reason = null,
                  next_check_at = now(), lease_token = null, lease_until = null
            where id = $1 returning *)
         insert into mp_operation_event (operation_id, seq, name, state, code)
         select id, version, 'accept', state, 'note' from moved`,
        [operation.id],
      )
    })
    await checkNow(harness.deps, operation.id)
    expect(harness.of(cart.collectionId).completions).toBe(0)
    await checkNow(harness.deps, operation.id)
    await expectPlaced(operation, cart.collectionId)
    const events = await findEvents(harness.ledger.database, operation.id)
    expect(events.filter(({ name }) => name === "accept")).toMatchObject([{ code: "note" }])
  })

  it("[B05] where a person has dismissed it and it is found again", async () => {
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
