/** [B23] New credentials that can't prove at once that they are the same merchant's. */
import type { FaultEntry } from "../../../packages/simulator/src/faults"
import { LIMITS } from "../../../src/core/limits"
import type { Operation } from "../../../src/core/operation"
import { startPayment } from "../../../src/checkout/start-payment"
import type { FlowDeps } from "../../../src/engine/deps"
import { gatewayFor } from "../../../src/engine/gateway-for"
import { createGateway, type Gateway } from "../../../src/gateway"
import { adoptCredential } from "../../../src/ledger/accounts/credentials"
import { findById } from "../../../src/ledger/find-operations"
import { checkNow } from "../../../src/worker/check-due-operations"
import { SECOND } from "../../support/an-operation"
import { PHONE, startFlowsHarness, type FlowsHarness } from "../../support/flows-harness"

const ROTATED = { clientId: "rotated-client", clientSecret: "CANARY-rotated" }
const OTHER = { clientId: "other-client", clientSecret: "CANARY-other" }
const FORMER = { clientId: "simulator-client", clientSecret: "simulator-secret" }
const REVOKED = { clientId: "simulator-client", clientSecret: "CANARY-revoked" }

type Client = typeof FORMER

let harness: FlowsHarness
let aheadMs = 0
const opened: Gateway[] = []

beforeAll(async () => {
  harness = await startFlowsHarness({
    merchants: [
      { ownerId: 1, name: "Demo Shop", ...ROTATED },
      { ownerId: 2, name: "Other Shop", ...OTHER },
    ],
  })
})

beforeEach(async () => {
  await harness.ledger.sql("update mp_credential set owner_id = null, successor_id = null")
  harness.logged.length = 0
})

afterAll(async () => {
  await Promise.all(opened.map((gateway) => gateway.close()))
  await harness.stop()
})

function clientOf(client: Client): Gateway {
  const gateway = createGateway({ baseUrl: harness.simulator.url, ...client })
  opened.push(gateway)
  return gateway
}

/** A store whose account has `client` by now, and which keeps the former one. */
function storeWith(client: Client, former: Client): FlowDeps & { own: Gateway; kept: Gateway } {
  const [own, kept] = [clientOf(client), clientOf(former)]
  const { clientId } = client
  return {
    ...harness.deps,
    own,
    kept,
    clock: { ...harness.deps.clock, monotonicMs: () => performance.now() + aheadMs },
    gatewayOf: () => own,
    keptGateway: () => Promise.resolve(kept),
    credentialOf: ({ id }) =>
      adoptCredential(harness.ledger.database, {
        accountId: id,
        baseUrl: harness.simulator.url,
        clientId,
      }),
  }
}

async function begun(): Promise<Operation> {
  const { collectionId, sessionId } = harness.cart()
  await startPayment(harness.deps, { sessionId, phone: PHONE })
  return harness.shown(collectionId)
}

async function checkAfter(deps: FlowDeps, { id }: Operation): Promise<Operation | undefined> {
  await harness.pass(id, 3 * SECOND)
  await checkNow(deps, id)
  return findById(harness.ledger.database, id)
}

/** As often as a job tries one read. */
const always = (kind: FaultEntry): FaultEntry[] =>
  Array.from({ length: LIMITS.readTries }, () => kind)

const retrievals = () => harness.simulator.calls["retrieveOrder"] ?? 0

describe("[B23] a first proof that gets no answer", () => {
  it.each(["500", "503:none", "429:none", "html", "reset", "403", "422", "cut"] as const)(
    "but %s is tried again at the next check, and the log accuses nobody",
    async (kind) => {
      const operation = await begun()
      const store = storeWith(ROTATED, REVOKED)
      harness.simulator.handset.approve(operation.reference ?? "")
      harness.simulator.faults.script("retrieveOrder", always(kind))
      expect((await checkAfter(store, operation))?.state).toBe("in_flight")
      expect(harness.logged.join("\n")).toContain("could not be asked yet")
      expect(harness.logged.join("\n")).not.toContain("another")
      harness.simulator.faults.clear()
      const paid = await checkAfter(store, operation)
      expect(paid?.state).toBe("completed")
      expect(paid?.recordedAt).not.toBeNull()
    },
  )

  it("but one 404 is tried again at the next check", async () => {
    const operation = await begun()
    const store = storeWith(ROTATED, FORMER)
    harness.simulator.faults.script("retrieveOrder", ["404"])
    expect(await gatewayFor(store, operation)).toBe(store.kept)
    expect(await gatewayFor(store, operation)).toBe(store.own)
  })

  it("does not keep another payment from its proof", async () => {
    const [first, second] = [await begun(), await begun()]
    const store = storeWith(ROTATED, FORMER)
    harness.simulator.faults.script("retrieveOrder", always("500"))
    expect(await gatewayFor(store, first)).toBe(store.kept)
    expect(await gatewayFor(store, second)).toBe(store.own)
  })

  it("is logged once, however often it is tried", async () => {
    const operation = await begun()
    const store = storeWith(ROTATED, FORMER)
    harness.simulator.faults.script("retrieveOrder", [...always("500"), ...always("500")])
    await gatewayFor(store, operation)
    await gatewayFor(store, operation)
    expect(harness.logged.filter((line) => line.includes("not be asked yet"))).toHaveLength(1)
  })
})

describe("[B23] an answer that contradicts", () => {
  /** The document under the payment's number is another payment's there. */
  async function contradicted() {
    const operation = await begun()
    const store = storeWith(ROTATED, FORMER)
    const { sourceId } = await begun()
    const mistaken: Operation = { ...operation, sourceId }
    expect(await gatewayFor(store, mistaken)).toBe(store.kept)
    return { operation, mistaken, store }
  }

  it("counts for about a minute, and for that payment alone", async () => {
    const { mistaken, store } = await contradicted()
    expect(harness.logged.join("\n")).toContain("carries another reference")
    const before = retrievals()
    expect(await gatewayFor(store, mistaken)).toBe(store.kept)
    expect(retrievals()).toBe(before)
    aheadMs += LIMITS.contradictionForMs
    expect(await gatewayFor(store, mistaken)).toBe(store.kept)
    expect(retrievals()).toBe(before + 1)
    expect(await gatewayFor(store, await begun())).toBe(store.own)
  })

  it("is asked for again as soon as the kept credentials are refused", async () => {
    const { operation, store } = await contradicted()
    harness.simulator.faults.script("getCollectionStatus", always("403"))
    await store.kept.status.collection(operation.reference ?? "")
    expect(await gatewayFor(store, operation)).toBe(store.own)
  })

  it("as a 404 counts only once it has lasted", async () => {
    const operation = await begun()
    const store = storeWith(OTHER, FORMER)
    for (const ms of [0, LIMITS.absentConfirmAfterMs]) {
      const before = retrievals()
      aheadMs += ms
      expect(await gatewayFor(store, operation)).toBe(store.kept)
      expect(retrievals()).toBe(before + 1)
    }
    expect(harness.logged.join("\n")).toContain("there is no such source for them")
    const before = retrievals()
    expect(await gatewayFor(store, operation)).toBe(store.kept)
    expect(retrievals()).toBe(before)
  })
})
