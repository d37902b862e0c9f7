/**
 * The prompt's way to the phone: failures before, at and after the money call, an execution that
 * never arrived, a gateway session that expired, a status that lags, a start that froze. The
 * reference stays the same, and the gateway's book says what was charged.
 */
import type { FaultEntry } from "../../../packages/simulator/src"
import { sourceReference } from "../../../src/core/source-reference"
import type { Operation } from "../../../src/core/operation"
import { checkNow } from "../../../src/worker/check-due-operations"
import { Refusal } from "../../../src/core/refusal"
import { readStatus } from "../../../src/checkout/read-status"
import { statusOf } from "../../../src/checkout/rules/status"
import { findAllOfCollection } from "../../../src/ledger/find-operations"
import { MINUTE, SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { HOSTED, PHONE, PUSH } from "../../support/flows-harness"
import { actsIn, forgetPlans, useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness({ tokenLifeMinutes: 10_000_000 })
const { start, checkAfter, reread } = actsIn(harness)

const SESSION_LIFE_MS = 15 * MINUTE

beforeEach(() => harness.simulator.resetCalls())

afterEach(() => {
  forgetPlans(harness)
  harness.presently()
  harness.simulator.timing.set({ sessionLifeMs: SESSION_LIFE_MS, statusLagMs: 0, sourceLagMs: 0 })
})

const sent = () => harness.simulator.calls["executeCollection"] ?? 0
const sessionsOpened = () => harness.simulator.calls["createCheckoutSession"] ?? 0
const executionOf = ({ reference }: Operation) => harness.simulator.book.execution(reference ?? "")
const sourceOf = ({ sourceId }: Operation) => harness.simulator.book.document(sourceId ?? 0)?.status

/** A check by the job, so much later for the gateway and the ledger. */
async function later(operation: Operation, ms: number): Promise<Operation> {
  harness.later(ms)
  return checkAfter(operation, ms)
}

/** A push whose first executions meet these faults. */
async function begun(...faults: Parameters<typeof harness.simulator.faults.script>[1]) {
  const cart = harness.cart(PUSH)
  harness.simulator.faults.script("executeCollection", faults)
  const status = await start(cart.sessionId)
  return { cart, status, operation: await harness.shown(cart.collectionId) }
}

async function expectPaidOnce(operation: Operation, ms = 3 * SECOND): Promise<void> {
  harness.simulator.handset.approve(operation.reference ?? "")
  const { reference } = operation
  expect(await later(operation, ms)).toMatchObject({ state: "completed", reference })
  expect(harness.simulator.book.chargesOf(reference ?? "")).toBe(1)
}

async function renewals({ id }: Operation): Promise<number> {
  const rows = await harness.ledger.sql(
    "select 1 from mp_operation_event where operation_id = $1 and name = 'session_renewed'",
    [id],
  )
  return rows.length
}

type Cart = ReturnType<typeof harness.cart>

const allOf = ({ collectionId }: Cart) => findAllOfCollection(harness.deps.database, collectionId)

/** How often the gateway took money for a cart, all documents that it has of it together. */
async function timesCharged(cart: Cart): Promise<number> {
  return (await allOf(cart))
    .flatMap(({ id }) => harness.simulator.book.documentsByReference(sourceReference(id)))
    .reduce((sum, { charges }) => sum + charges, 0)
}

/** The job checks every few seconds, until the payment is where it is expected, or for a minute. */
async function checkedUntil(
  operation: Operation,
  isThere: (now: Operation) => boolean,
  seen: (now: Operation) => void = () => {},
): Promise<Operation> {
  let now = operation
  for (let ms = 0; ms < MINUTE && !isThere(now); ms += 5 * SECOND) {
    seen(now)
    now = await later(now, 5 * SECOND)
  }
  return now
}

const promptsOf = ({ sourceId }: Operation) =>
  harness.simulator.handset.pending(PHONE.slice(1)).filter((one) => one.sourceId === sourceId)

async function expectPaidAfter(cart: Cart): Promise<void> {
  const operation = await harness.shown(cart.collectionId)
  harness.simulator.handset.approve(operation.reference ?? "")
  await checkedUntil(operation, ({ state }) => state === "completed")
  const { status } = await readStatus(harness.deps, { sessionId: cart.sessionId })
  expect(status).toMatchObject({ state: "paid", reason: null })
  expect(await timesCharged(cart)).toBe(1)
}

describe("a payment at a failing gateway", () => {
  const beforeMoney: [string, string, FaultEntry, number, string][] = [
    ["N23", "createCheckoutSource", "500", 503, "gateway_unavailable"],
    ["N06", "createCheckoutSource", "reset:after", 503, "gateway_unavailable"],
    ["N12", "createCheckoutSource", "html", 503, "gateway_unavailable"],
    ["N13", "createCheckoutSource", "shape", 503, "gateway_unavailable"],
    ["N23", "createCheckoutSession", "500", 503, "gateway_unavailable"],
    ["N10", "createPaymentAccount", "cut", 503, "gateway_unavailable"],
    ["N18", "createPaymentAccount", "403", 503, "not_configured"],
  ]
  it.each(beforeMoney)(
    "[%s] sends nothing when %s answers %s: the start gets %d %s, and the cart stays payable",
    async (_, call, fault, httpStatus, code) => {
      const cart = harness.cart(PUSH)
      harness.simulator.faults.script(call, [fault, fault])
      const refused = await start(cart.sessionId).catch((error: unknown) => error)
      expect(refused).toBeInstanceOf(Refusal)
      expect(refused).toMatchObject({ httpStatus, code })
      expect([await timesCharged(cart), sent()]).toEqual([0, 0])
      harness.simulator.faults.clear()
      expect(await start(cart.sessionId)).toMatchObject({ state: "waiting_for_payer" })
      await expectPaidAfter(cart)
    },
  )

  const onMoney: [string, FaultEntry][] = [
    ["N05", "reset"],
    ["N06", "reset:after"],
    ["N10", "cut"],
    ["N11", "cut_silently"],
    ["N12", "html"],
    ["N23", "500"],
    ["N24", "503:after"],
    ["N13", "shape"],
  ]
  it.each(onMoney)(
    "[%s] is never called failed and never charged twice when its execution answers %s",
    async (_, fault) => {
      const { cart, status, operation } = await begun(fault)
      expect(status).toMatchObject({ state: "waiting_for_payer", reason: null })
      await checkedUntil(operation, () => promptsOf(operation).length > 0)
      expect(promptsOf(operation)).toHaveLength(1)
      await expectPaidAfter(cart)
      expect(await allOf(cart)).toHaveLength(1)
    },
  )

  it("[N24] stays as it is while status reads fail, and is paid once one answers", async () => {
    const { cart, operation } = await begun()
    harness.simulator.faults.script("getCollectionStatus", ["500", "html", "reset", "shape", "404"])
    harness.simulator.faults.script("getPaymentSourceStatus", ["500", "shape"])
    harness.simulator.handset.approve(operation.reference ?? "")
    const states = new Set<string>()
    const ended = await checkedUntil(
      operation,
      ({ state }) => state === "completed",
      (now) => states.add(statusOf(now).state),
    )
    expect([...states]).toEqual(["waiting_for_payer"])
    expect(harness.simulator.faults.scripted()).toEqual([])
    expect(statusOf(ended).state).toBe("paid")
    expect(await allOf(cart)).toHaveLength(1)
    expect(await timesCharged(cart)).toBe(1)
  })

  it("[N23] has one page after a hosted start that was answered with gateway_unavailable", async () => {
    const cart = harness.cart(HOSTED)
    harness.simulator.faults.script("createCheckoutSource", ["503"])
    expect(await codeOf(start(cart.sessionId))).toBe("gateway_unavailable")
    const { url } = await start(cart.sessionId)
    expect(url).toContain("/pay/")
    expect(await allOf(cart)).toHaveLength(1)
  })
})

describe("an execution that never arrived", () => {
  it("[B31] is sent again under the same reference after two 404s five seconds apart", async () => {
    const { status, operation } = await begun("reset:before")
    expect(status).toMatchObject({ state: "waiting_for_payer", prompt: "sending" })
    const once = await later(operation, 3 * SECOND)
    expect(sent()).toBe(1)
    expect((once.nextCheckAt?.getTime() ?? 0) - once.readAt.getTime()).toBeLessThan(5_001)
    const again = await later(operation, 5 * SECOND)
    expect(sent()).toBe(2)
    expect(statusOf(again)).toMatchObject({ state: "waiting_for_payer", prompt: "sent" })
    expect(executionOf(operation)).toMatchObject({ timesCalled: 1 })
    await expectPaidOnce(operation)
  })

  it("[B31] ends its payment a minute later when no repeat arrives either, and the shopper can try again", async () => {
    const lost = Array.from({ length: 20 }, () => "reset:before" as const)
    const { cart, operation } = await begun(...lost)
    const references = new Set<string | null>()
    let now: Operation = operation
    for (let ms = 0; ms < 80 * SECOND && now.state === "submitted"; ms += 5 * SECOND) {
      now = await later(now, 5 * SECOND)
      references.add(now.reference)
    }
    expect([...references]).toEqual([operation.reference])
    expect(sent()).toBeGreaterThan(3)
    expect(sourceOf(operation)).toBe("CANCELED")
    expect(statusOf(now)).toMatchObject({
      state: "expired",
      reason: "never_landed",
      can_retry: true,
      prompt: null,
    })
    harness.simulator.faults.clear()
    expect(await start(cart.sessionId)).toMatchObject({ prompt: "sent" })
    const [retried] = await findAllOfCollection(harness.deps.database, cart.collectionId)
    expect(retried?.reference).not.toBe(operation.reference)
    if (retried) await expectPaidOnce(retried)
  })

  it("[B31] isn't given up while its source can't be closed", async () => {
    const { operation } = await begun("reset:before")
    await checkAfter(operation, 3 * SECOND)
    harness.simulator.faults.script("cancelOrder", ["503"])
    expect(await checkAfter(operation, MINUTE)).toMatchObject({
      state: "submitted",
      closing: "never_landed",
    })
    expect(sourceOf(operation)).toBe("ACTIVE")
    expect(await checkAfter(operation, 5 * SECOND)).toMatchObject({ state: "expired" })
    expect(sourceOf(operation)).toBe("CANCELED")
    expect(sent()).toBe(1)
  })

  it("[N19] is sent again only after a minute when the source can't be read", async () => {
    const { operation } = await begun("reset:before")
    const unread = Array.from({ length: 20 }, () => "500" as const)
    harness.simulator.faults.script("getPaymentSourceStatus", unread)
    await checkAfter(operation, 3 * SECOND)
    await checkAfter(operation, 30 * SECOND)
    expect(sent()).toBe(1)
    await checkAfter(operation, 30 * SECOND)
    expect(sent()).toBe(2)
    harness.simulator.faults.clear()
    await expectPaidOnce(operation)
  })
})

describe("a gateway session that expired", () => {
  it("[B32] is replaced by a session of the same source, under the same reference", async () => {
    harness.simulator.timing.set({ sessionLifeMs: 5 * SECOND })
    const { operation } = await begun("reset:before")
    await later(operation, 3 * SECOND)
    const renewed = await later(operation, 5 * SECOND)
    expect(renewed).toMatchObject({ state: "in_flight", reference: operation.reference })
    expect(renewed.gatewaySessionId).not.toBe(operation.gatewaySessionId)
    expect(executionOf(operation)).toMatchObject({ sourceId: operation.sourceId, timesCalled: 1 })
    expect([sent(), sessionsOpened(), await renewals(operation)]).toEqual([3, 2, 1])
    await expectPaidOnce(operation)
  })

  it("[B32] is replaced even if nothing has reached the gateway yet", async () => {
    harness.simulator.timing.set({ sessionLifeMs: 2 * SECOND })
    const { operation } = await begun("429")
    expect(operation).toMatchObject({ lastSending: "not_sent", sendings: 1 })
    expect(await later(operation, 3 * SECOND)).toMatchObject({ state: "in_flight" })
    await expectPaidOnce(operation)
  })

  it("[B32] is replaced once, and then the payment ends within its minute", async () => {
    const { operation } = await begun("reset:before")
    harness.simulator.timing.set({ sessionLifeMs: 5 * SECOND })
    const { gateway, deps } = harness
    const checkout: typeof gateway.sessions.checkout = async (...asked) => {
      const opened = await gateway.sessions.checkout(...asked)
      // The session expires before it can be executed.
      harness.later(5 * SECOND)
      return opened
    }
    const sessions = { ...gateway.sessions, checkout }
    const slow = { ...deps, gatewayOf: () => ({ ...gateway, sessions }) }
    let now: Operation = operation
    harness.later(SESSION_LIFE_MS)
    for (let ms = 0; ms < 80 * SECOND && now.state === "submitted"; ms += 5 * SECOND) {
      await harness.pass(now.id, 5 * SECOND)
      await checkNow(slow, now.id)
      now = await reread(now)
    }
    expect(now).toMatchObject({ state: "expired", reason: "never_landed" })
    expect([sessionsOpened(), await renewals(operation)]).toEqual([2, 1])
    expect(sourceOf(operation)).toBe("CANCELED")
    expect(executionOf(operation)).toBeUndefined()
  })
})

describe("a status that lags", () => {
  it("[B33] behind an answer causes no second sending", async () => {
    harness.simulator.timing.set({ statusLagMs: 2 * MINUTE })
    const { status, operation } = await begun()
    expect(status).toMatchObject({ prompt: "sent" })
    for (let checks = 0; checks < 4; checks++) {
      expect(await later(operation, 20 * SECOND)).toMatchObject({ state: "in_flight" })
    }
    expect(sent()).toBe(1)
    await expectPaidOnce(operation, MINUTE)
  })

  it("[B33] behind a lost answer causes no second sending while the source is PROCESSING", async () => {
    harness.simulator.timing.set({ statusLagMs: 2 * MINUTE })
    const { operation } = await begun("reset:after")
    for (let checks = 0; checks < 4; checks++) await later(operation, 20 * SECOND)
    expect(sent()).toBe(1)
    await expectPaidOnce(operation, MINUTE)
  })

  it("[B33] together with its source causes a second sending of the same reference, charged once", async () => {
    harness.simulator.timing.set({ statusLagMs: 2 * MINUTE, sourceLagMs: 2 * MINUTE })
    const { operation } = await begun("reset:after")
    await later(operation, 3 * SECOND)
    expect(await later(operation, 5 * SECOND)).toMatchObject({ state: "in_flight" })
    expect(executionOf(operation)).toMatchObject({ timesCalled: 2 })
    harness.simulator.handset.approve(operation.reference ?? "")
    harness.simulator.timing.set({ statusLagMs: 0, sourceLagMs: 0 })
    expect(await later(operation, 5 * SECOND)).toMatchObject({ state: "completed" })
    expect(harness.simulator.book.chargesOf(operation.reference ?? "")).toBe(1)
  })

  it("[B33] together with its source for over a minute doesn't end the payment", async () => {
    harness.simulator.timing.set({ statusLagMs: 5 * MINUTE, sourceLagMs: 5 * MINUTE })
    const { operation } = await begun("reset:after")
    await later(operation, 3 * SECOND)
    const closing = await later(operation, MINUTE)
    expect(closing).toMatchObject({ state: "submitted", closing: "never_landed" })
    expect([sent(), sourceOf(operation)]).toEqual([1, "PROCESSING"])
    await expectPaidOnce(operation, 5 * MINUTE)
  })
})

describe("a start that froze past its lease", () => {
  const freeze = (collectionId: string) =>
    harness.before("basketOfCart", async () =>
      harness.before("payable", async () => {
        await harness.ledger.sql(
          `update mp_operation set lease_until = now() - interval '1 ms'
            where payment_collection_id = $1 and lease_token is not null`,
          [collectionId],
        )
      }),
    )

  it.each([PUSH, HOSTED])(
    "[P26] submits nothing for %s, and the next start goes on",
    async (provider) => {
      const cart = harness.cart(provider)
      freeze(cart.collectionId)
      expect(await codeOf(start(cart.sessionId))).toBe("gateway_unavailable")
      const draft = await harness.shown(cart.collectionId)
      expect(draft).toMatchObject({ state: "drafted", reference: null, submittedAt: null })
      expect(sent()).toBe(0)
      expect(await start(cart.sessionId)).toMatchObject({ state: "waiting_for_payer" })
      expect(await harness.shown(cart.collectionId)).toMatchObject({ id: draft.id })
    },
  )
})
