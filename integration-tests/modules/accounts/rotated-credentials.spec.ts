/** [B23] Credentials that are rotated, of another merchant, or of another gateway. */
import { sourceReference } from "../../../src/core/source-reference"
import { LIMITS } from "../../../src/core/limits"
import type { MedusaOperation, Operation } from "../../../src/core/operation"
import { cancelPayment } from "../../../src/checkout/cancel-payment"
import { checkNow } from "../../../src/worker/check-due-operations"
import type { FlowDeps } from "../../../src/engine/deps"
import { listSources } from "../../../src/reconciliation/list-sources"
import { reconcile } from "../../../src/reconciliation/reconcile"
import { sweep } from "../../../src/reconciliation/sweep"
import { startPayment } from "../../../src/checkout/start-payment"
import { createGateway, type Gateway } from "../../../src/gateway"
import { saveAccount } from "../../../src/ledger/accounts/find-accounts"
import { adoptCredential, findCredential } from "../../../src/ledger/accounts/credentials"
import { findById } from "../../../src/ledger/find-operations"
import { lastPeriod } from "../../../src/reconciliation/sql/reconciliations"
import { HOUR, SECOND } from "../../support/an-operation"
import { dieAt } from "../../support/moments"
import {
  HOSTED,
  PHONE,
  PUSH,
  startFlowsHarness,
  type FlowsHarness,
} from "../../support/flows-harness"

/** The first merchant's second client, and another merchant's only one. */
const CLIENTS = [
  { ownerId: 1, clientId: "rotated-client", clientSecret: "CANARY-rotated", name: "Demo Shop" },
  { ownerId: 2, clientId: "other-client", clientSecret: "CANARY-other", name: "Other Shop" },
]

let harness: FlowsHarness
const opened: Gateway[] = []

beforeAll(async () => {
  harness = await startFlowsHarness({ merchants: CLIENTS })
})

afterAll(async () => {
  await Promise.all(opened.map((gateway) => gateway.close()))
  await harness.stop()
})

/** A store that was started again with these credentials in its environment. */
function storeWith(
  clientId: string,
  clientSecret: string,
  baseUrl = harness.simulator.url,
): FlowDeps {
  const gateway = createGateway({ baseUrl, clientId, clientSecret })
  opened.push(gateway)
  return {
    ...harness.deps,
    gatewayOf: () => gateway,
    credentialOf: ({ id }) =>
      adoptCredential(harness.ledger.database, { accountId: id, baseUrl, clientId }),
  }
}

const ROTATED = ["rotated-client", "CANARY-rotated"] as const
const OTHER = ["other-client", "CANARY-other"] as const

async function begun(providerId?: string): Promise<MedusaOperation> {
  const { collectionId, sessionId } = harness.cart(providerId)
  await startPayment(harness.deps, { sessionId, phone: PHONE })
  return harness.shown(collectionId)
}

async function checkAfter(
  deps: FlowDeps,
  { id }: Operation,
  afterMs = 3 * SECOND,
): Promise<Operation> {
  await harness.pass(id, afterMs)
  await checkNow(deps, id)
  const found = await findById(harness.ledger.database, id)
  if (!found) throw new Error(`${id} is gone`)
  return found
}

describe("[B23] a store with other credentials", () => {
  it("keeps them once, by a fingerprint, without the secret", async () => {
    const operation = await begun()
    const rows = await harness.ledger.sql("select * from mp_credential where id = $1", [
      operation.credentialId,
    ])
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({ status: "active", secret_ciphertext: null })
    expect(rows[0]?.["fingerprint"]).toMatch(/^[0-9a-f]{64}$/)
    expect((await begun()).credentialId).toBe(operation.credentialId)
  })

  it("[B39] ends a draft whose currency another account has taken, and begins with that account", async () => {
    const account = await theAccount()
    const id = "mpacc_second"
    await saveAccount(harness.ledger.database, { ...account, id, isDefault: false, currencies: [] })
    const { collectionId, sessionId } = harness.cart()
    harness.simulator.faults.script("createCheckoutSource", ["500"])
    await expect(startPayment(harness.deps, { sessionId, phone: PHONE })).rejects.toThrow()
    const draft = await harness.shown(collectionId)
    expect(draft).toMatchObject({ state: "drafted", sourceId: null, accountId: account.id })
    const store = storeWith(...ROTATED)
    const accounts: FlowDeps["accounts"] = async () =>
      (await store.accounts()).map((one) => ({
        ...one,
        currencies: one.id === id ? account.currencies : [],
      }))
    await startPayment({ ...store, accounts }, { sessionId, phone: PHONE })
    const { id: credentialId } = await store.credentialOf({ ...account, id })
    expect(await harness.shown(collectionId)).toMatchObject({ accountId: id, credentialId })
    expect(await findById(harness.ledger.database, draft.id)).toMatchObject({
      state: "expired",
      accountId: account.id,
      credentialId: draft.credentialId,
    })
  })

  it("keeps one row of them, however many processes adopt them at once", async () => {
    const clientId = "many-at-once"
    const adopted = await Promise.all(
      Array.from({ length: 20 }, () =>
        adoptCredential(harness.ledger.database, {
          accountId: "mpacc_env",
          baseUrl: harness.simulator.url,
          clientId,
        }),
      ),
    )
    expect(new Set(adopted.map(({ id }) => id)).size).toBe(1)
  })

  it("goes on with a payment whose document the new client of the same merchant can read", async () => {
    const operation = await begun()
    const rotated = storeWith(...ROTATED)
    harness.simulator.handset.approve(operation.reference ?? "")
    const paid = await checkAfter(rotated, operation)
    expect(paid.state).toBe("completed")
    expect(paid.recordedAt).not.toBeNull()
    const [before] = await harness.ledger.sql(
      "select status, owner_id, successor_id from mp_credential where id = $1",
      [operation.credentialId],
    )
    const own = await rotated.credentialOf(await theAccount())
    expect(before).toMatchObject({ status: "draining", owner_id: "1", successor_id: own.id })
    expect((await findCredential(harness.ledger.database, own.id))?.ownerId).toBe(1)
  })

  it("recognizes a source that a second try took over by the first try's reference", async () => {
    const { collectionId, sessionId } = harness.cart()
    harness.simulator.plan({ outcome: "decline", times: 1 })
    await startPayment(harness.deps, { sessionId, phone: PHONE })
    const first = await harness.shown(collectionId)
    await checkAfter(harness.deps, first, SECOND)
    expect((await checkAfter(harness.deps, first, 6 * SECOND)).state).toBe("failed")
    await startPayment(harness.deps, { sessionId, phone: PHONE })
    const second = await harness.shown(collectionId)
    expect(second.sourceId).toBe(first.sourceId)
    await harness.ledger.sql("update mp_credential set successor_id = null")
    harness.simulator.handset.approve(second.reference ?? "")
    expect((await checkAfter(storeWith(...ROTATED), second)).state).toBe("completed")
  })

  it("learns the credential's merchant from the list of documents, and trusts no other merchant's list", async () => {
    await begun()
    const account = await theAccount()
    await harness.ledger.sql("update mp_credential set owner_id = null, successor_id = null")
    const list = (deps: FlowDeps) => {
      const gateway = deps.gatewayOf(account)
      if (!gateway) throw new Error("no client")
      return listSources(deps, gateway, account, "ORDER")
    }
    expect((await list(harness.deps))?.length).toBeGreaterThan(0)
    const own = await harness.deps.credentialOf(account)
    expect(own.ownerId).toBe(1)
    await harness.ledger.sql("update mp_credential set owner_id = 7 where id = $1", [own.id])
    expect(await list(harness.deps)).toBeUndefined()
    expect(harness.logged.at(-1)).toContain("another merchant")
    await harness.ledger.sql("update mp_credential set owner_id = 1 where id = $1", [own.id])
  })

  it("goes back to the former client without another proof", async () => {
    const operation = await begun()
    harness.simulator.handset.approve(operation.reference ?? "")
    await checkAfter(storeWith(...ROTATED), operation)
    const next = await begun()
    harness.simulator.handset.approve(next.reference ?? "")
    expect((await checkAfter(harness.deps, next)).state).toBe("completed")
  })

  it.each([
    ["another merchant's credentials", () => storeWith(...OTHER)],
    ["wrong credentials", () => storeWith("unknown-client", "CANARY-nothing")],
  ])("checks, closes and sends nothing of an earlier payment with %s", async (_which, store) => {
    const operation = await begun(HOSTED)
    const other = store()
    const checked = await checkAfter(other, operation)
    expect(checked).toMatchObject({ state: "submitted", sourceStatus: operation.sourceStatus })
    const refused = await cancelPayment(other, { sessionId: operation.paymentSessionId }).catch(
      (error: { code?: string }) => error.code,
    )
    expect(refused).toBe("gateway_unavailable")
    const document = harness.simulator.book.documents().find(({ id }) => id === operation.sourceId)
    expect(document?.status).toBe("ACTIVE")
    expect(harness.logged.some((line) => line.includes(operation.id))).toBe(true)
    // With the former ones back it goes on.
    expect((await checkAfter(harness.deps, operation)).state).toBe("submitted")
  })

  it.each([
    [PUSH, "after paymentAccounts.create", "in_flight"],
    [HOSTED, "after checkouts.create=ACTIVE+1", "submitted"],
  ] as const)(
    "ends an earlier draft of %s without asking the gateway, and begins anew",
    async (providerId, last, state) => {
      const { collectionId, sessionId } = harness.cart(providerId)
      await dieAt(harness.deps, last, (deps) => startPayment(deps, { sessionId, phone: PHONE }))
      const draft = await harness.shown(collectionId)
      expect(draft).toMatchObject({ state: "drafted", sourceStatus: "ACTIVE" })
      await harness.pass(draft.id, LIMITS.startLeaseMs)
      await startPayment(storeWith(...OTHER), { sessionId, phone: PHONE })
      expect((await findById(harness.ledger.database, draft.id))?.state).toBe("expired")
      const next = await harness.shown(collectionId)
      expect(next.sourceId).not.toBe(draft.sourceId)
      expect(next.state).toBe(state)
    },
  )

  it("does not take another merchant's 404 for proof that a source can't be paid", async () => {
    const { collectionId, sessionId } = harness.cart(HOSTED)
    await startPayment(harness.deps, { sessionId, phone: PHONE })
    const page = await harness.shown(collectionId)
    await harness.ledger.sql(
      "update mp_operation set state = 'expired', next_check_at = now() where id = $1",
      [page.id],
    )
    const refused = await startPayment(storeWith(...OTHER), { sessionId, phone: PHONE }).catch(
      (error: { code?: string }) => error.code,
    )
    expect(refused).toBe("gateway_unavailable")
  })

  it("puts a payment that it can't check under review, and never calls it failed", async () => {
    const operation = await begun()
    const other = storeWith(...OTHER)
    const waited = await checkAfter(other, operation, HOUR)
    expect(waited.state).toBe("in_flight")
    expect(waited.nextCheckAt).not.toBeNull()
    const ended = await checkAfter(other, operation, LIMITS.collectionAskMs)
    expect(ended).toMatchObject({ state: "review", reason: "credentials" })
  })

  it("takes new payments at once", async () => {
    const other = storeWith(...OTHER)
    const { collectionId, sessionId } = harness.cart()
    await startPayment(other, { sessionId, phone: PHONE })
    const operation = await harness.shown(collectionId)
    harness.simulator.handset.approve(operation.reference ?? "")
    expect((await checkAfter(other, operation)).state).toBe("completed")
  })

  it("does not take another gateway's document of the same number for the payment's", async () => {
    const elsewhere = await startFlowsHarness({ merchants: CLIENTS })
    try {
      const operation = await begun(HOSTED)
      // The same ids are given out there.
      for (let made = 0; made < 200; made++) {
        const cart = elsewhere.cart(HOSTED)
        await startPayment(elsewhere.deps, { sessionId: cart.sessionId, phone: PHONE })
        const there = await elsewhere.shown(cart.collectionId)
        if (there.sourceId === operation.sourceId) break
      }
      const twin = elsewhere.simulator.book.documents().find(({ id }) => id === operation.sourceId)
      expect(twin?.status).toBe("ACTIVE")
      const moved = storeWith("simulator-client", "simulator-secret", elsewhere.simulator.url)
      expect((await checkAfter(moved, operation)).sourceStatus).toBe("ACTIVE")
      const [event] = await harness.ledger.sql(
        "select name from mp_operation_event where operation_id = $1 order by seq desc limit 1",
        [operation.id],
      )
      expect(event?.["name"]).toBe("no_credentials")
    } finally {
      await elsewhere.stop()
    }
  })

  it("closes no earlier page and doubles no earlier payment, even where only the lists can prove them", async () => {
    const page = await begun(HOSTED)
    const operation = await begun()
    harness.simulator.handset.approve(operation.reference ?? "")
    expect((await checkAfter(harness.deps, operation)).recordedAt).not.toBeNull()
    await harness.ledger.sql("update mp_credential set owner_id = null, successor_id = null")
    const sweepAndCompare = async (deps: FlowDeps) => {
      await sweep(deps, () => Promise.resolve())
      const period = await lastPeriod(harness.ledger.database, HOUR)
      return (await reconcile(deps, period)).flatMap(({ differences }) => differences)
    }
    for (const [clientId, secret] of [OTHER, ROTATED]) {
      const codes = (await sweepAndCompare(storeWith(clientId, secret))).map(({ code }) => code)
      expect(codes).not.toContain("paid_twice")
      const [document] = harness.simulator.book.documentsByReference(sourceReference(page.id))
      expect(document?.status).toBe("ACTIVE")
      const own = await harness.ledger.sql("select id from mp_operation where source_id = $1", [
        operation.sourceId,
      ])
      expect(own).toEqual([{ id: operation.id }])
    }
    const rotated = await storeWith(...ROTATED).credentialOf(await theAccount())
    const [before] = await harness.ledger.sql(
      "select successor_id from mp_credential where id = $1",
      [operation.credentialId],
    )
    expect(before).toEqual({ successor_id: rotated.id })
  })
})

async function theAccount() {
  const [account] = await harness.deps.accounts()
  if (!account) throw new Error("no account")
  return account
}
