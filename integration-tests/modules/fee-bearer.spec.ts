/**
 * An account that says who bears the fees: its sources are made document first, in many calls of which
 * each may be lost, and the process may die between any two. In the end there is one source that can be
 * paid, for the cart's amount, and it is paid once.
 */
import type { Operation } from "../../src/core/operation"
import type { DocumentView } from "../../simulator/book/view"
import type { FaultEntry } from "../../simulator/faults"
import { checkNow } from "../../src/flows/check-due-operations"
import type { FlowDeps } from "../../src/flows/deps"
import { startPayment } from "../../src/flows/start/start-payment"
import { findById } from "../../src/ledger/find-operations"
import { MINUTE, SECOND } from "../support/an-operation"
import { readLedger } from "../support/evidence"
import { HOSTED, PHONE, PUSH, startFlowsWorld, type FlowsWorld } from "../support/flows-world"
import { violations } from "../support/violations"

/** 19.99 in three lines: one that divides, one that does not, one piece. */
const POSITIONS = [
  { title: "Market tote", quantity: 3, total: "8.97" },
  { title: "Mug", quantity: 2, total: "9.01" },
  { title: "Courier", quantity: 1, total: "2.01" },
]
const ITEMS = [
  { name: "Courier", qty: 1, unitAmount: "2.01" },
  { name: "Market tote", qty: 3, unitAmount: "2.99" },
  { name: "Mug × 2", qty: 1, unitAmount: "9.01" },
]

let world: FlowsWorld

beforeAll(async () => {
  world = await startFlowsWorld()
  await bearer("PAYER")
}, 60_000)

afterAll(() => world.stop())

afterEach(async () => {
  world.simulator.clearPlans()
  world.simulator.faults.clear()
  await bearer("PAYER")
  const evidence = {
    book: world.simulator.book,
    ledger: await readLedger((sql, parameters) => world.ledger.sql(sql, parameters)),
    output: { texts: world.logged, secrets: ["simulator-secret"], phones: [PHONE.slice(1)] },
  }
  expect(violations(evidence)).toEqual([])
  expect(world.simulator.contractViolations).toEqual([])
})

function bearer(feeBearer: "PAYER" | "PAYEE" | null): Promise<unknown> {
  return world.ledger.sql("update mp_account set fee_bearer = $1", [feeBearer])
}

/** The world's flows, over a basket of three lines. */
function flows(given: Partial<FlowDeps> = {}): FlowDeps {
  const { host } = world.deps
  return {
    ...world.deps,
    host: {
      ...host,
      async basketOfCart(cartId) {
        const basket = await host.basketOfCart(cartId)
        return basket && { ...basket, positions: POSITIONS }
      },
    },
    ...given,
  }
}

const start = (sessionId: string, deps = flows(), customerId?: string) =>
  startPayment(deps, { sessionId, phone: PHONE, customerId })

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "none",
    (error: unknown) =>
      error instanceof Error && "code" in error ? String(error.code) : String(error),
  )

async function operationsOf(collectionId: string): Promise<Operation[]> {
  const rows = await world.ledger.sql(
    "select id from mp_operation where payment_collection_id = $1 order by created_at",
    [collectionId],
  )
  const found = await Promise.all(rows.map(({ id }) => findById(world.deps.database, String(id))))
  return found.flatMap((operation) => operation ?? [])
}

/** Every document that the gateway made for a cart, known to the ledger or not. */
async function documentsOf(collectionId: string): Promise<DocumentView[]> {
  const operations = await operationsOf(collectionId)
  return operations.flatMap(({ id }) => world.simulator.book.documentsByReference(id))
}

const sorted = (lines: DocumentView["lines"]) =>
  [...lines].sort((one, other) => one.name.localeCompare(other.name))

/** Approved on the handset, looked at, recorded; the one source that was paid. */
async function paid(collectionId: string): Promise<DocumentView> {
  const operation = await world.shown(collectionId)
  world.simulator.handset.approve(operation.reference ?? "")
  await world.pass(operation.id, 3 * SECOND)
  await checkNow(world.deps, operation.id)
  return expectPaidOnce(collectionId)
}

async function expectPaidOnce(collectionId: string): Promise<DocumentView> {
  const operation = await world.shown(collectionId)
  expect(operation).toMatchObject({ state: "completed", collected: operation.amount })
  expect(operation.recordedAt).not.toBeNull()
  expect(world.of(collectionId).completions).toBe(1)
  const documents = await documentsOf(collectionId)
  expect(documents.reduce((sum, { charges }) => sum + charges, 0)).toBe(1)
  const [source, ...others] = documents.filter(({ status }) => status === "PAID")
  expect(others).toEqual([])
  if (!source) throw new Error("nothing is paid")
  expect(source).toMatchObject({ id: operation.sourceId, totalAmount: "19.99" })
  // What is left over can't be paid: it was closed, or never had a line.
  for (const { status, lines, id } of documents) {
    if (id !== source.id) expect(status === "CANCELED" || lines.length === 0).toBe(true)
  }
  return source
}

describe("a source that is made document first", () => {
  it("[B12] has the cart's lines with their quantities; the fees come on top", async () => {
    const { collectionId, sessionId } = world.cart()
    expect(await start(sessionId)).toMatchObject({ state: "waiting_for_payer", amount: 19.99 })
    const source = await paid(collectionId)
    expect(source).toMatchObject({ feeBearer: "PAYER", hostedPath: null, type: "ORDER" })
    expect(sorted(source.lines)).toEqual(ITEMS)
    const [execution] = world.simulator.book.executionsOf(source.id)
    expect(Number(execution?.payerAmount)).toBeGreaterThan(19.99)
    expect(execution?.payeeAmount).toBe("19.99")
    expect((await world.shown(collectionId)).payerAmount).toBe(execution?.payerAmount)
  })

  it("[B12] takes the fees off what the shop gets when it bears them", async () => {
    await bearer("PAYEE")
    const { collectionId, sessionId } = world.cart()
    await start(sessionId)
    const source = await paid(collectionId)
    expect(source.feeBearer).toBe("PAYEE")
    const [execution] = world.simulator.book.executionsOf(source.id)
    expect(execution?.payerAmount).toBe("19.99")
    expect(Number(execution?.payeeAmount)).toBeLessThan(19.99)
  })

  it("has a page of its own for the hosted way", async () => {
    const { collectionId, sessionId } = world.cart(HOSTED)
    const status = await start(sessionId)
    const { sourceId } = await world.shown(collectionId)
    const path = world.simulator.book.document(sourceId ?? 0)?.hostedPath ?? "none"
    expect(status).toMatchObject({
      state: "waiting_for_payer",
      url: `${world.simulator.url}${path}`,
    })
    world.simulator.hosted.pay(sourceId ?? 0, { method: "card" })
    const { id } = await world.shown(collectionId)
    await world.pass(id, 3 * SECOND)
    await checkNow(world.deps, id)
    expect(sorted((await expectPaidOnce(collectionId)).lines)).toEqual(ITEMS)
  })

  it("can be an invoice, due at the end of the time to pay", async () => {
    await world.ledger.sql("update mp_account set source_kind = 'INVOICE'")
    try {
      const { collectionId, sessionId } = world.cart()
      await start(sessionId)
      expect(await paid(collectionId)).toMatchObject({ type: "INVOICE", feeBearer: "PAYER" })
    } finally {
      await world.ledger.sql("update mp_account set source_kind = 'ORDER'")
    }
  })

  it("is taken over by the next try of a payment that failed, but not for another bearer", async () => {
    const cart = world.cart()
    const fail = async () => {
      world.simulator.plan({ outcome: "decline", times: 1 })
      await start(cart.sessionId)
      const { id } = await world.shown(cart.collectionId)
      await world.pass(id, SECOND)
      await checkNow(world.deps, id)
      await world.pass(id, 6 * SECOND)
      await checkNow(world.deps, id)
      const failed = await world.shown(cart.collectionId)
      expect(failed.state).toBe("failed")
      return failed.sourceId
    }
    const first = await fail()
    expect(await fail()).toBe(first)
    await bearer("PAYEE")
    await start(cart.sessionId)
    const source = await paid(cart.collectionId)
    expect(source).toMatchObject({ feeBearer: "PAYEE" })
    expect(source.id).not.toBe(first)
  })
})

describe("the shopper at the gateway", () => {
  const timesMade = () => {
    const { createParty = 0, createCounterparty = 0 } = world.simulator.calls
    return [createParty, createCounterparty]
  }
  const madeBy = async (work: () => Promise<unknown>) => {
    world.simulator.resetCalls()
    await work()
    return timesMade()
  }
  const register = (collectionId: string, customerId: string) => {
    const cart = world.of(collectionId)
    cart.sessions = cart.sessions.map((one) => ({ ...one, registeredCustomerId: customerId }))
  }

  it("is made once for a registered customer, and for a guest once a cart", async () => {
    const [first, second, third] = [world.cart(), world.cart(), world.cart()]
    register(first.collectionId, "cus_1")
    register(second.collectionId, "cus_1")
    expect(await madeBy(() => start(first.sessionId, flows(), "cus_1"))).toEqual([1, 1])
    expect(await madeBy(() => start(second.sessionId, flows(), "cus_1"))).toEqual([0, 0])
    expect(await madeBy(() => start(third.sessionId))).toEqual([1, 1])
    const { partyId } = await world.shown(first.collectionId)
    expect((await world.shown(second.collectionId)).partyId).toBe(partyId)
    expect((await world.shown(third.collectionId)).partyId).not.toBe(partyId)
    await paid(second.collectionId)
  })

  it("is one record though two carts begin at the same moment", async () => {
    const carts = [world.cart(), world.cart()]
    for (const { collectionId } of carts) register(collectionId, "cus_2")
    await Promise.all(carts.map(({ sessionId }) => start(sessionId, flows(), "cus_2")))
    const kept = await world.ledger.sql("select party_id from mp_party where customer_id = 'cus_2'")
    expect(kept).toHaveLength(1)
    for (const { collectionId } of carts) {
      expect((await world.shown(collectionId)).partyId).toBe(Number(kept[0]?.["party_id"]))
      await paid(collectionId)
    }
  })

  it("[B23] is made anew when the kept one is another merchant's", async () => {
    const [before, after] = [world.cart(), world.cart()]
    register(before.collectionId, "cus_3")
    register(after.collectionId, "cus_3")
    await start(before.sessionId, flows(), "cus_3")
    const strange = 999_999
    await world.ledger.sql(
      "update mp_party set party_id = $1, counterparty_id = $1 where customer_id = 'cus_3'",
      [strange],
    )
    expect(await madeBy(() => start(after.sessionId, flows(), "cus_3"))).toEqual([1, 1])
    await paid(after.collectionId)
    const [kept] = await world.ledger.sql(
      "select party_id from mp_party where customer_id = 'cus_3'",
    )
    expect(Number(kept?.["party_id"])).toBe((await world.shown(after.collectionId)).partyId)
  })
})

describe("a lost answer", () => {
  const calls = [
    "createParty",
    "createCounterparty",
    "createOrder",
    "addOrderItem",
    "publishOrder",
    "createCheckoutSession",
    "createPaymentAccount",
  ]
  const faults: FaultEntry[] = ["reset:after", "reset:before", "503:after", "cut"]
  // Of three lines side by side, the one in the middle.
  const scriptOf = (call: string, fault: FaultEntry): FaultEntry[] =>
    call === "addOrderItem" ? ["ok", fault] : [fault]
  it.each(calls.flatMap((call) => faults.map((fault) => [call, fault] as const)))(
    "[N06] of %s (%s) leads to one source of the right amount, charged once",
    async (call, fault) => {
      const { collectionId, sessionId } = world.cart()
      world.simulator.faults.script(call, scriptOf(call, fault))
      expect(await codeOf(start(sessionId))).toBe("gateway_unavailable")
      expect(await start(sessionId)).toMatchObject({ state: "waiting_for_payer" })
      expect(sorted((await paid(collectionId)).lines)).toEqual(ITEMS)
    },
  )

  it("[N06] of the address of the page is asked for again", async () => {
    const { collectionId, sessionId } = world.cart(HOSTED)
    world.simulator.faults.script("getPaymentLink", ["422"])
    expect(await codeOf(start(sessionId))).toBe("gateway_refused")
    world.simulator.faults.script("getPaymentLink", ["503", "reset:after"])
    expect(await start(sessionId)).toMatchObject({ state: "waiting_for_payer" })
    const { sourceId } = await world.shown(collectionId)
    expect((await documentsOf(collectionId)).map(({ status }) => status)).toEqual([
      "CANCELED",
      "ACTIVE",
    ])
    expect(sourceId).not.toBeNull()
  })
})

describe("a document that is not what was asked for", () => {
  it("is closed when a line that was lost arrives after all", async () => {
    const { collectionId, sessionId } = world.cart()
    world.simulator.faults.script("addOrderItem", ["reset:before"])
    expect(await codeOf(start(sessionId))).toBe("gateway_unavailable")
    const { orders, ...rest } = world.gateway
    const late = flows({
      gatewayOf: () => ({
        ...rest,
        token: world.gateway.token,
        orders: {
          ...orders,
          async publish(id, how) {
            const amount = (await world.shown(collectionId)).lines[0]?.amount
            if (amount) await orders.items.add(id, { name: "Market tote", qty: 1, amount })
            return orders.publish(id, how)
          },
        },
      }),
    })
    expect(await codeOf(start(sessionId, late))).toBe("gateway_unavailable")
    const [closed] = await documentsOf(collectionId)
    expect(closed?.status).toBe("CANCELED")
    expect(await start(sessionId)).toMatchObject({ state: "waiting_for_payer" })
    expect((await paid(collectionId)).id).not.toBe(closed?.id)
  })

  it("is never paid with, also when it can't be closed just now", async () => {
    const { collectionId, sessionId } = world.cart()
    world.simulator.faults.script("publishOrder", ["503"])
    expect(await codeOf(start(sessionId))).toBe("gateway_unavailable")
    const { sourceId, amount } = await world.shown(collectionId)
    await world.gateway.orders.items.add(sourceId ?? 0, { name: "Extra", qty: 1, amount })
    world.simulator.faults.script("cancelOrder", ["503"])
    expect(await codeOf(start(sessionId))).toBe("gateway_unavailable")
    expect(await world.shown(collectionId)).toMatchObject({ state: "drafted", closing: "unknown" })
    expect(await start(sessionId)).toMatchObject({ state: "waiting_for_payer" })
    expect((await paid(collectionId)).id).not.toBe(sourceId)
  })

  it("is closed when somebody has changed who bears its fees", async () => {
    const { collectionId, sessionId } = world.cart()
    world.simulator.faults.script("publishOrder", ["503"])
    expect(await codeOf(start(sessionId))).toBe("gateway_unavailable")
    const { sourceId } = await world.shown(collectionId)
    await world.gateway.orders.update(sourceId ?? 0, { feeBearer: "PAYEE" })
    expect(await codeOf(start(sessionId))).toBe("gateway_unavailable")
    expect(world.simulator.book.document(sourceId ?? 0)?.status).toBe("CANCELED")
    await start(sessionId)
    expect(await paid(collectionId)).toMatchObject({ feeBearer: "PAYER" })
  })

  it("is closed when the shop has changed its mind about the fees", async () => {
    const { collectionId, sessionId } = world.cart()
    world.simulator.faults.script("createCheckoutSession", ["503"])
    expect(await codeOf(start(sessionId))).toBe("gateway_unavailable")
    const { sourceId } = await world.shown(collectionId)
    await bearer(null)
    expect(await start(sessionId)).toMatchObject({ state: "waiting_for_payer" })
    expect(world.simulator.book.document(sourceId ?? 0)?.status).toBe("CANCELED")
    const source = await paid(collectionId)
    expect(sorted(source.lines).map(({ name, qty }) => [name, qty])).toEqual([
      ["Courier", 1],
      ["Market tote × 3", 1],
      ["Mug × 2", 1],
    ])
  })
})

describe("a process that dies", () => {
  /** Flows whose database answers so often and then never again. */
  function dyingAfter(queries: number): { deps: FlowDeps; isDead: () => boolean } {
    const { database } = world.deps
    let left = queries
    const query: typeof database.query = (sql, parameters) => {
      if (left-- > 0) return database.query(sql, parameters)
      return Promise.reject(new Error("the process has died"))
    }
    return { deps: flows({ database: { query } }), isDead: () => left < 0 }
  }

  /** Pays as soon as there is something to pay, and lets time pass until the job has recorded it. */
  async function payAndSettle(collectionId: string): Promise<void> {
    for (let minutes = 0; minutes < 8; minutes++) {
      const { id, reference, sourceId, flow, recordedAt } = await world.shown(collectionId)
      if (recordedAt) break
      const prompts = world.simulator.handset.pending()
      if (prompts.some((prompt) => prompt.reference === reference)) {
        world.simulator.handset.approve(reference ?? "")
      }
      const source = world.simulator.book.document(sourceId ?? 0)
      if (flow === "hosted" && source?.status === "ACTIVE") {
        world.simulator.hosted.pay(source.id, { method: "card" })
      }
      await world.pass(id, MINUTE)
      await checkNow(world.deps, id)
    }
    await expectPaidOnce(collectionId)
  }

  it.each([PUSH, HOSTED])(
    "[P02] before any write of a start (%s) leaves at most one source that can be paid",
    async (providerId) => {
      const deaths: number[] = []
      for (let queries = 1; ; queries++) {
        const { collectionId, sessionId } = world.cart(providerId)
        const { deps, isDead } = dyingAfter(queries)
        await codeOf(start(sessionId, deps))
        if (!isDead()) break
        deaths.push(queries)
        const payable = (await documentsOf(collectionId)).filter(
          ({ status, hostedPath }) => status === "ACTIVE" && hostedPath !== null,
        )
        expect(payable.length).toBeLessThanOrEqual(providerId === HOSTED ? 1 : 0)
        for (const { id } of await operationsOf(collectionId)) await world.pass(id, MINUTE)
        expect(await start(sessionId)).toMatchObject({ state: "waiting_for_payer" })
        await payAndSettle(collectionId)
      }
      // Draft, party, counterparty, document, published and submitted, at least.
      expect(deaths.length).toBeGreaterThan(6)
    },
    60_000,
  )
})
