/** Two actors at the same line of a flow, and what one of them leaves behind when it stops there. */
import { LIMITS } from "../../../src/core/limits"
import type { Operation } from "../../../src/core/operation"
import { authorize } from "../../../src/checkout/answer-medusa"
import { checkDueOperations, checkNow } from "../../../src/worker/check-due-operations"
import type { FlowDeps } from "../../../src/engine/deps"
import { readStatus } from "../../../src/checkout/read-status"
import { bringForward } from "../../../src/ledger/bring-forward"
import { rebindOperation } from "../../../src/checkout/sql/rebind-operation"
import { DAY, MINUTE, SECOND } from "../../support/an-operation"
import { dieAt } from "../../support/moments"
import { codeOf } from "../../support/code-of"
import { HOSTED } from "../../support/flows-harness"
import { actsIn, forgetPlans, useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness()
const { start, approved, reread, checkAfter } = actsIn(harness)

afterEach(() => forgetPlans(harness))

it("an approved payment that two checks see at once is recorded once", async () => {
  const { collectionId, operation } = await approved()
  const { id } = operation
  await harness.pass(id, 3 * SECOND)
  await Promise.all([checkNow(harness.deps, id), checkNow(harness.deps, id)])
  const paid = await harness.shown(collectionId)
  expect(paid).toMatchObject({ state: "completed", leaseToken: null, nextCheckAt: null })
  expect(paid.recordedAt).not.toBeNull()
  expect(harness.of(collectionId).completions).toBe(1)
})

it("[B06] late money whose source was closed for another way to pay goes to review", async () => {
  const cart = harness.cart()
  harness.simulator.plan({ outcome: "decline_then_approve", times: 1 })
  await start(cart.sessionId)
  const first = await harness.shown(cart.collectionId)
  await checkAfter(first, SECOND)
  expect(await checkAfter(first, 6 * SECOND)).toMatchObject({ state: "failed" })
  const hosted = harness.session(cart.collectionId, HOSTED)
  expect(await start(hosted)).toMatchObject({ state: "waiting_for_payer" })
  harness.later(MINUTE)
  expect(harness.simulator.book.execution(first.reference ?? "")?.charges).toBe(1)
  expect(await checkAfter(first, 2 * MINUTE)).toMatchObject({
    state: "review",
    isDuplicate: true,
    reason: "source_disagrees",
  })
  expect(await harness.shown(cart.collectionId)).toMatchObject({ state: "submitted" })
})

describe("a draft", () => {
  it("never uses a source of another amount, even when that can't be closed", async () => {
    const cart = harness.cart()
    const { checkouts, ...rest } = harness.gateway
    const wrong: FlowDeps = {
      ...harness.deps,
      gatewayOf: () => ({
        ...rest,
        token: harness.gateway.token,
        checkouts: {
          async create(request, how) {
            const made = await checkouts.create(request, how)
            if (made.kind !== "done") return made
            const { total } = made.value
            return {
              ...made,
              value: { ...made.value, total: { ...total, minor: total.minor + 100n } },
            }
          },
        },
      }),
    }
    harness.simulator.faults.script("cancelOrder", ["503"])
    expect(await codeOf(start(cart.sessionId, wrong))).toBe("gateway_unavailable")
    const draft = await harness.shown(cart.collectionId)
    expect(draft).toMatchObject({ state: "drafted", leaseToken: null })
    expect(await start(cart.sessionId)).toMatchObject({ state: "waiting_for_payer" })
    expect(await reread(draft)).toMatchObject({ state: "expired", sourceStatus: "CANCELED" })
    expect((await harness.shown(cart.collectionId)).sourceId).not.toBe(draft.sourceId)
  })

  it("is continued by the start when a completion of the cart made it meanwhile", async () => {
    await harness.ledger.sql("update mp_account set order_placement = 'order_first'")
    try {
      const { collectionId, sessionId } = harness.cart()
      harness.before("basketOfCart", async () => {
        const session = await harness.deps.medusa.session(sessionId)
        if (!session) throw new Error("no session")
        const answer = await authorize(harness.deps, session, {
          cartId: null,
          orderId: "order_1",
          hasPayment: false,
        })
        expect(answer.kind).toBe("pending_authorization")
      })
      expect(await start(sessionId)).toMatchObject({ state: "waiting_for_payer" })
      expect((await harness.shown(collectionId)).reference).not.toBeNull()
    } finally {
      await harness.ledger.sql("update mp_account set order_placement = 'pay_first'")
    }
  })

  it("isn't made for a provider that the shop has switched off", async () => {
    const { collectionId, sessionId } = harness.cart()
    harness.of(collectionId).isProviderOff = true
    expect(await codeOf(start(sessionId))).toBe("not_configured")
  })
})

describe("a source that begins idle", () => {
  const idle = useFlowsHarness({ newSourceStatus: "IDLE" })

  it.each(["503", "503:after"] as const)(
    "[N24] is payable after a start whose publishing was answered with %s",
    async (fault) => {
      const { collectionId, sessionId } = idle.cart()
      idle.simulator.faults.script("publishOrder", [fault])
      expect(await codeOf(start(sessionId, idle.deps))).toBe("gateway_unavailable")
      expect(await start(sessionId, idle.deps)).toMatchObject({ state: "waiting_for_payer" })
      const { sourceId } = await idle.shown(collectionId)
      expect(idle.simulator.book.document(sourceId ?? 0)?.status).toBe("PROCESSING")
    },
  )
})

it("a start while Medusa completes a paid cart is answered as processing", async () => {
  const { collectionId, sessionId } = harness.cart()
  await start(sessionId)
  const { id, reference } = await harness.shown(collectionId)
  harness.simulator.handset.approve(reference ?? "")
  let answered: unknown
  harness.before("completeCart", async () => {
    harness.of(collectionId).payments.push({
      sessionId,
      isCaptured: true,
      isCanceled: false,
      isInOrder: true,
    })
    answered = await start(sessionId)
  })
  await harness.pass(id, 3 * SECOND)
  await checkNow(harness.deps, id)
  expect(answered).toMatchObject({ state: "processing" })
})

it("[H25] a capture of an undone completion enters the order once, on the session that replaced its own", async () => {
  const { collectionId, sessionId } = harness.cart()
  await start(sessionId)
  const { id, reference } = await harness.shown(collectionId)
  harness.simulator.handset.approve(reference ?? "")
  harness.before("completeCart", async () => {
    const { payments } = harness.of(collectionId)
    payments.push({ sessionId, isCaptured: true, isCanceled: false, isInOrder: false })
    harness.of(collectionId).sessions = []
    throw new Error("the order's transaction could not be written")
  })
  await harness.pass(id, 3 * SECOND)
  await checkNow(harness.deps, id)
  const paid = await harness.shown(collectionId)
  expect(paid).toMatchObject({ state: "completed", recordedAt: null })

  // The worker that follows Medusa to its new session dies there; the shopper completes the cart.
  const heir = harness.session(collectionId)
  await rebindOperation(harness.deps.database, paid, heir)
  const session = await harness.deps.medusa.payable(heir)
  if (!session) throw new Error("no session")
  expect(session.hasPayment).toBe(true)
  expect(await authorize(harness.deps, session, session)).toMatchObject({ kind: "requires_more" })
  expect((await checkAfter(paid, MINUTE)).recordedAt).not.toBeNull()
  expect(harness.of(collectionId).payments).toMatchObject([{ sessionId: heir, isInOrder: true }])
})

it("a cart that another payment has paid meanwhile isn't paid again", async () => {
  const { collectionId, sessionId } = harness.cart(HOSTED)
  harness.before("basketOfCart", async () => {
    harness.of(collectionId).payments.push({
      sessionId: "payses_of_another_provider",
      isCaptured: true,
      isCanceled: false,
      isInOrder: true,
    })
  })
  expect(await codeOf(start(sessionId))).toBe("already_paid")
  expect(await harness.shown(collectionId)).toMatchObject({ state: "expired" })
})

it("[B16] a shopper who keeps asking uses up no attempt to bring money into Medusa", async () => {
  const { collectionId, sessionId } = harness.cart()
  await start(sessionId)
  const { id, reference } = await harness.shown(collectionId)
  harness.simulator.handset.approve(reference ?? "")
  const out = async () => {
    throw new Error("out of stock")
  }
  harness.before("completeCart", out)
  await harness.pass(id, 3 * SECOND)
  await checkNow(harness.deps, id)
  const refused = await harness.shown(collectionId)
  expect(refused).toMatchObject({ state: "completed", settleAttempts: 1 })
  await harness.ledger.sql(
    `update mp_operation
        set next_check_at = now() + interval '1 hour', waiting_at = waiting_at - interval '1 hour',
            checked_at = checked_at - interval '1 hour'
      where id = $1`,
    [id],
  )
  const before = await harness.shown(collectionId)
  await readStatus(harness.deps, { sessionId })
  await bringForward(harness.deps.database, id, 0)
  expect((await harness.shown(collectionId)).nextCheckAt).toEqual(before.nextCheckAt)
})

describe("a run of the job", () => {
  it("skips a row that can't be read and checks the others", async () => {
    const broken = harness.cart()
    const sound = harness.cart()
    await start(broken.sessionId)
    await start(sound.sessionId)
    const bad = await harness.shown(broken.collectionId)
    const good = await harness.shown(sound.collectionId)
    harness.simulator.handset.approve(good.reference ?? "")
    await harness.pass(bad.id, 3 * SECOND)
    await harness.pass(good.id, 3 * SECOND)
    await harness.ledger.sql("update mp_operation set currency_code = '?' where id = $1", [bad.id])
    try {
      await checkDueOperations(harness.deps, { atMost: 50 })
      expect((await harness.shown(sound.collectionId)).recordedAt).not.toBeNull()
      expect(harness.logged.join("\n")).toContain(bad.id)
    } finally {
      await harness.ledger.sql("update mp_operation set currency_code = 'USD' where id = $1", [
        bad.id,
      ])
    }
  })

  it("[N30] gives back the payments that it had no time to check", async () => {
    const carts = Array.from({ length: LIMITS.checksInFlight + 6 }, () => harness.cart())
    const operations: Operation[] = []
    for (const { collectionId, sessionId } of carts) {
      await start(sessionId)
      const operation = await harness.shown(collectionId)
      operations.push(operation)
      await harness.pass(operation.id, 3 * SECOND)
    }
    let nowMs = 0
    const slow: FlowDeps = {
      ...harness.deps,
      clock: { ...harness.deps.clock, monotonicMs: () => nowMs },
      budget: { ...harness.deps.budget, take: async () => void (nowMs += MINUTE) },
    }
    await checkDueOperations(slow, { atMost: 50 })
    const after = await Promise.all(operations.map(reread))
    expect(after.map(({ leaseToken }) => leaseToken)).toEqual(operations.map(() => null))
    expect(after.filter(({ checks }) => checks === 0).length).toBeGreaterThan(0)
  })
})

it("[I7] a draft whose source can't be closed doesn't hold its cart forever", async () => {
  const { collectionId, sessionId } = harness.cart()
  harness.simulator.faults.script("createCheckoutSession", ["503"])
  expect(await codeOf(start(sessionId))).toBe("gateway_unavailable")
  const draft = await harness.shown(collectionId)
  const unclosed = async (afterMs: number) => {
    harness.simulator.faults.script("cancelOrder", ["503"])
    await harness.pass(draft.id, afterMs)
    await checkNow(harness.deps, draft.id)
    return reread(draft)
  }
  expect(await unclosed(31 * MINUTE)).toMatchObject({ state: "drafted" })
  expect(await unclosed(3 * DAY)).toMatchObject({ state: "expired" })
})

it("[I7] a draft ends without credentials, and its source is closed once they are back", async () => {
  const { collectionId, sessionId } = harness.cart(HOSTED)
  await dieAt(harness.deps, "after checkouts.create=ACTIVE+1", (deps) => start(sessionId, deps))
  const draft = await harness.shown(collectionId)
  expect(draft).toMatchObject({ state: "drafted", sourceStatus: "ACTIVE" })
  await harness.pass(draft.id, 61 * MINUTE)
  await checkNow({ ...harness.deps, gatewayOf: () => undefined }, draft.id)
  const ended = await reread(draft)
  expect(ended.state).toBe("expired")
  expect(ended.nextCheckAt).not.toBeNull()
  await checkAfter(ended, 6 * MINUTE)
  const source = harness.simulator.book.documents().find(({ id }) => id === draft.sourceId)
  expect(source?.status).toBe("CANCELED")
})
