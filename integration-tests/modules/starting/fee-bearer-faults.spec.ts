/**
 * Document first takes many calls; any of them can be lost, and the process can die between any two.
 * In the end one source can be paid, for the cart's amount, and it is paid once.
 */
import type { FaultEntry } from "../../../packages/simulator/src/faults"
import { LIMITS } from "../../../src/core/limits"
import { checkNow } from "../../../src/worker/check-due-operations"
import type { FlowDeps } from "../../../src/engine/deps"
import { MINUTE } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { ITEMS, sorted, useDocumentFirst } from "../../support/document-first"
import { HOSTED, PUSH, type FlowsHarness } from "../../support/flows-harness"

const its = useDocumentFirst()

describe("a lost answer to document first", () => {
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
    "[N06] from %s (%s) leads to one source of the right amount, charged once",
    async (call, fault) => {
      const { collectionId, sessionId } = its.harness.cart()
      its.harness.simulator.faults.script(call, scriptOf(call, fault))
      expect(await codeOf(its.start(sessionId))).toBe("gateway_unavailable")
      expect(await its.start(sessionId)).toMatchObject({ state: "waiting_for_payer" })
      expect(sorted((await its.paid(collectionId)).lines)).toEqual(ITEMS)
    },
  )

  it("[N06] with the page's address is asked for again", async () => {
    const { collectionId, sessionId } = its.harness.cart(HOSTED)
    its.harness.simulator.faults.script("getPaymentLink", ["422"])
    expect(await codeOf(its.start(sessionId))).toBe("gateway_refused")
    its.harness.simulator.faults.script("getPaymentLink", ["503", "reset:after"])
    expect(await its.start(sessionId)).toMatchObject({ state: "waiting_for_payer" })
    const { sourceId } = await its.harness.shown(collectionId)
    expect((await its.documentsOf(collectionId)).map(({ status }) => status)).toEqual([
      "CANCELED",
      "ACTIVE",
    ])
    expect(sourceId).not.toBeNull()
  })
})

describe("a gateway that leaves out parts of its answers", () => {
  /** The client, with something left out of what orders answer. */
  function orders(change: (orders: FlowsHarness["gateway"]["orders"]) => object): FlowDeps {
    const { gateway } = its.harness
    return its.flows({
      gatewayOf: () => ({
        ...gateway,
        token: gateway.token,
        orders: { ...gateway.orders, ...change(gateway.orders) },
      }),
    })
  }

  it("is asked for the total of a published document that it doesn't give", async () => {
    const { collectionId, sessionId } = its.harness.cart()
    const silent = orders((real): Pick<typeof real, "publish"> => ({
      async publish(id, how) {
        const outcome = await real.publish(id, how)
        if (outcome.kind !== "done") return outcome
        return { ...outcome, value: { id, status: outcome.value.status, wire: {} } }
      },
    }))
    its.harness.simulator.faults.script("getPaymentSourceStatus", ["422"])
    expect(await codeOf(its.start(sessionId, silent))).toBe("gateway_unavailable")
    expect(await its.harness.shown(collectionId)).toMatchObject({ sourceStatus: "IDLE" })
    expect(await its.start(sessionId, silent)).toMatchObject({ state: "waiting_for_payer" })
    await its.paid(collectionId)
  })

  const withoutLines = () =>
    orders((real): Pick<typeof real, "retrieve"> => ({
      async retrieve(id, how) {
        const outcome = await real.retrieve(id, how)
        if (outcome.kind !== "done") return outcome
        return { ...outcome, value: { ...outcome.value, items: undefined } }
      },
    }))

  it.each<[string, string, FaultEntry[]]>([
    ["all", "publishOrder", ["503"]],
    ["none", "addOrderItem", ["reset", "reset", "reset"]],
  ])("shows by the total that a document has %s of its lines", async (_which, call, script) => {
    const { collectionId, sessionId } = its.harness.cart()
    its.harness.simulator.faults.script(call, script)
    expect(await codeOf(its.start(sessionId))).toBe("gateway_unavailable")
    expect(await its.start(sessionId, withoutLines())).toMatchObject({ state: "waiting_for_payer" })
    const source = await its.paid(collectionId)
    expect(sorted(source.lines)).toEqual(ITEMS)
    expect(await its.documentsOf(collectionId)).toHaveLength(1)
  })

  it("gets another document when the total shows that only some lines arrived", async () => {
    const { collectionId, sessionId } = its.harness.cart()
    its.harness.simulator.faults.script("addOrderItem", ["ok", "reset"])
    expect(await codeOf(its.start(sessionId))).toBe("gateway_unavailable")
    expect(await codeOf(its.start(sessionId, withoutLines()))).toBe("gateway_unavailable")
    expect(await its.start(sessionId, withoutLines())).toMatchObject({ state: "waiting_for_payer" })
    await its.paid(collectionId)
    expect(await its.documentsOf(collectionId)).toHaveLength(2)
  })
})

describe("a shopper's patience", () => {
  /** Flows on whose clock so much time is gone once the gateway has made a document. */
  function slowFrom(made: () => boolean, ms: number): FlowDeps {
    const { clock } = its.harness.deps
    return its.flows({
      clock: { ...clock, monotonicMs: () => clock.monotonicMs() + (made() ? ms : 0) },
    })
  }

  it("ends between two lines; the next start goes on with the same document", async () => {
    const { collectionId, sessionId } = its.harness.cart()
    its.harness.simulator.resetCalls()
    const isMade = () => (its.harness.simulator.calls["createOrder"] ?? 0) > 0
    const slow = slowFrom(isMade, LIMITS.shopperBudgetMs)
    expect(await codeOf(its.start(sessionId, slow))).toBe("gateway_unavailable")
    expect(await its.documentsOf(collectionId)).toMatchObject([{ status: "IDLE", lines: [] }])
    expect(await its.start(sessionId)).toMatchObject({ state: "waiting_for_payer" })
    expect(sorted((await its.paid(collectionId)).lines)).toEqual(ITEMS)
    expect(await its.documentsOf(collectionId)).toHaveLength(1)
  })

  it("bounds the reading of a published document as well", async () => {
    const { sessionId } = its.harness.cart()
    const { gateway } = its.harness
    its.harness.simulator.resetCalls()
    const isPublished = () => (its.harness.simulator.calls["publishOrder"] ?? 0) > 0
    const given: (number | undefined)[] = []
    its.harness.simulator.faults.script("publishOrder", ["422"])
    const slow = slowFrom(isPublished, LIMITS.shopperBudgetMs - 2 * LIMITS.shortestCallMs)
    const recording: FlowDeps = {
      ...slow,
      gatewayOf: () => ({
        ...gateway,
        token: gateway.token,
        status: {
          ...gateway.status,
          source(which, how) {
            given.push(how?.deadlineMs)
            return gateway.status.source(which, how)
          },
        },
      }),
    }
    expect(await codeOf(its.start(sessionId, recording))).toBe("gateway_refused")
    expect(given[0]).toBeLessThanOrEqual(2 * LIMITS.shortestCallMs)
  })

  it("is long enough for a cart of a hundred lines, each of them added once", async () => {
    const { collectionId, sessionId } = its.harness.cart()
    const positions = Array.from({ length: 100 }, (_, index) => ({
      title: `Line ${index + 1}`,
      quantity: index === 0 ? 1 : 2,
      total: index === 0 ? "0.19" : "0.20",
    }))
    const flows = its.flows()
    const many: FlowDeps = {
      ...flows,
      medusa: {
        ...flows.medusa,
        async basketOfCart(cartId) {
          const basket = await flows.medusa.basketOfCart(cartId)
          return basket && { ...basket, positions }
        },
      },
    }
    its.harness.simulator.resetCalls()
    expect(await its.start(sessionId, many)).toMatchObject({ state: "waiting_for_payer" })
    expect(its.harness.simulator.calls["addOrderItem"]).toBe(100)
    const source = await its.paid(collectionId)
    expect(new Set(source.lines.map(({ name }) => name)).size).toBe(100)
  })
})

describe("a document that isn't what was asked for", () => {
  it("is closed when a lost line arrives late", async () => {
    const { collectionId, sessionId } = its.harness.cart()
    its.harness.simulator.faults.script("addOrderItem", ["reset:before"])
    expect(await codeOf(its.start(sessionId))).toBe("gateway_unavailable")
    const { orders, ...rest } = its.harness.gateway
    const late = its.flows({
      gatewayOf: () => ({
        ...rest,
        token: its.harness.gateway.token,
        orders: {
          ...orders,
          async publish(id, how) {
            const amount = (await its.harness.shown(collectionId)).lines[0]?.amount
            if (amount) await orders.items.add(id, { name: "Market tote", qty: 1, amount })
            return orders.publish(id, how)
          },
        },
      }),
    })
    expect(await codeOf(its.start(sessionId, late))).toBe("gateway_unavailable")
    const [closed] = await its.documentsOf(collectionId)
    expect(closed?.status).toBe("CANCELED")
    expect(await its.start(sessionId)).toMatchObject({ state: "waiting_for_payer" })
    expect((await its.paid(collectionId)).id).not.toBe(closed?.id)
  })

  it("is never used, even while it can't be closed", async () => {
    const { collectionId, sessionId } = its.harness.cart()
    its.harness.simulator.faults.script("publishOrder", ["503"])
    expect(await codeOf(its.start(sessionId))).toBe("gateway_unavailable")
    const { sourceId, amount } = await its.harness.shown(collectionId)
    await its.harness.gateway.orders.items.add(sourceId ?? 0, { name: "Extra", qty: 1, amount })
    its.harness.simulator.faults.script("cancelOrder", ["503"])
    expect(await codeOf(its.start(sessionId))).toBe("gateway_unavailable")
    expect(await its.harness.shown(collectionId)).toMatchObject({
      state: "drafted",
      closing: "unknown",
    })
    expect(await its.start(sessionId)).toMatchObject({ state: "waiting_for_payer" })
    expect((await its.paid(collectionId)).id).not.toBe(sourceId)
  })

  it("is closed when its fee bearer was changed at the gateway", async () => {
    const { collectionId, sessionId } = its.harness.cart()
    its.harness.simulator.faults.script("publishOrder", ["503"])
    expect(await codeOf(its.start(sessionId))).toBe("gateway_unavailable")
    const { sourceId } = await its.harness.shown(collectionId)
    await its.harness.gateway.orders.update(sourceId ?? 0, { feeBearer: "PAYEE" })
    expect(await codeOf(its.start(sessionId))).toBe("gateway_unavailable")
    expect(its.harness.simulator.book.document(sourceId ?? 0)?.status).toBe("CANCELED")
    await its.start(sessionId)
    expect(await its.paid(collectionId)).toMatchObject({ feeBearer: "PAYER" })
  })

  it("is closed when the shop has changed who bears the fees", async () => {
    const { collectionId, sessionId } = its.harness.cart()
    its.harness.simulator.faults.script("createCheckoutSession", ["503"])
    expect(await codeOf(its.start(sessionId))).toBe("gateway_unavailable")
    const { sourceId } = await its.harness.shown(collectionId)
    await its.bearer(null)
    expect(await its.start(sessionId)).toMatchObject({ state: "waiting_for_payer" })
    expect(its.harness.simulator.book.document(sourceId ?? 0)?.status).toBe("CANCELED")
    const source = await its.paid(collectionId)
    expect(sorted(source.lines).map(({ name, qty }) => [name, qty])).toEqual([
      ["Courier", 1],
      ["Market tote x 3", 1],
      ["Mug x 2", 1],
    ])
  })
})

describe("a process that dies", () => {
  /** Flows whose database answers this many queries and then never again. */
  function dyingAfter(queries: number): { deps: FlowDeps; isDead: () => boolean } {
    const { database } = its.harness.deps
    let left = queries
    const query: typeof database.query = (sql, parameters) => {
      if (left-- > 0) return database.query(sql, parameters)
      return Promise.reject(new Error("the process has died"))
    }
    return { deps: its.flows({ database: { query } }), isDead: () => left < 0 }
  }

  /** Pays as soon as there is something to pay, until the job has recorded it. */
  async function payAndSettle(collectionId: string): Promise<void> {
    for (let minutes = 0; minutes < 8; minutes++) {
      const { id, reference, sourceId, flow, recordedAt } = await its.harness.shown(collectionId)
      if (recordedAt) break
      const prompts = its.harness.simulator.handset.pending()
      if (prompts.some((prompt) => prompt.reference === reference)) {
        its.harness.simulator.handset.approve(reference ?? "")
      }
      const source = its.harness.simulator.book.document(sourceId ?? 0)
      if (flow === "hosted" && source?.status === "ACTIVE") {
        its.harness.simulator.hosted.pay(source.id, { method: "card" })
      }
      await its.harness.pass(id, MINUTE)
      await checkNow(its.harness.deps, id)
    }
    await its.expectPaidOnce(collectionId)
  }

  it.each([PUSH, HOSTED])(
    "[P02] before any write of a start (%s) leaves at most one source that can be paid",
    async (providerId) => {
      const deaths: number[] = []
      for (let queries = 1; ; queries++) {
        const { collectionId, sessionId } = its.harness.cart(providerId)
        const { deps, isDead } = dyingAfter(queries)
        await codeOf(its.start(sessionId, deps))
        if (!isDead()) break
        deaths.push(queries)
        const payable = (await its.documentsOf(collectionId)).filter(
          ({ status, hostedPath }) => status === "ACTIVE" && hostedPath !== null,
        )
        expect(payable.length).toBeLessThanOrEqual(providerId === HOSTED ? 1 : 0)
        for (const { id } of await its.operationsOf(collectionId))
          await its.harness.pass(id, MINUTE)
        expect(await its.start(sessionId)).toMatchObject({ state: "waiting_for_payer" })
        await payAndSettle(collectionId)
      }
      // Draft, party, counterparty, document, published and submitted, at least.
      expect(deaths.length).toBeGreaterThan(6)
    },
  )
})
