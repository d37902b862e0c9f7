/**
 * [B23] Two gateways give out the same numbers. A number belongs to one merchant at one address,
 * whatever the account is called.
 */
import type { Operation } from "../../../src/core/operation"
import { startPayment } from "../../../src/checkout/start-payment"
import type { FlowDeps } from "../../../src/engine/deps"
import { sendRefund } from "../../../src/refunds/send-refund-to-gateway"
import { enterPaymentIntent } from "../../../src/review/payment-intent"
import {
  adoptCredential,
  learnOwner,
  succeedCredential,
} from "../../../src/ledger/accounts/credentials"
import { saveAccount, type Account } from "../../../src/ledger/accounts/find-accounts"
import { findById, findOthersOfSource } from "../../../src/ledger/find-operations"
import { findOfIntent } from "../../../src/refunds/sql/find-refunds"
import { checkNow } from "../../../src/worker/check-due-operations"
import { SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import {
  HOSTED,
  PHONE,
  PUSH,
  startFlowsHarness,
  type FlowsHarness,
} from "../../support/flows-harness"
import { submitted } from "../../support/ledger-database"

let test: FlowsHarness
let live: FlowsHarness

beforeAll(async () => {
  // The same seed, so the same numbers from the first one on.
  test = await startFlowsHarness()
  live = await startFlowsHarness()
})

afterAll(async () => {
  await test.stop()
  await live.stop()
})

/** The store of `test`, after its account was changed to the gateway of `live`. */
function changedToLive(): FlowDeps {
  return {
    ...test.deps,
    gatewayOf: () => live.gateway,
    credentialOf: ({ id }) =>
      adoptCredential(test.ledger.database, {
        accountId: id,
        baseUrl: live.simulator.url,
        clientId: "simulator-client",
      }),
    keptGateway: () => Promise.resolve(test.gateway),
  }
}

async function started(deps: FlowDeps, providerId: string): Promise<Operation> {
  const { collectionId, sessionId } = test.cart(providerId)
  await startPayment(deps, { sessionId, phone: PHONE })
  return test.shown(collectionId)
}

async function paidBy(deps: FlowDeps, at: FlowsHarness): Promise<Operation> {
  const { id, reference } = await started(deps, PUSH)
  at.simulator.handset.approve(reference ?? "")
  await test.pass(id, 3 * SECOND)
  await checkNow(deps, id)
  const paid = await findById(test.ledger.database, id)
  if (!paid?.recordedAt) throw new Error(`${id} is not paid`)
  return paid
}

const refundOf = (deps: FlowDeps, { id }: Operation) =>
  sendRefund(deps, {
    operationId: id,
    medusaAmount: "19.99",
    capturedAmount: "19.99",
    medusaRefundId: null,
    askedBy: "medusa",
    code: "refund_by_medusa",
    isWaitedFor: false,
  })

describe("[B23] an account that changes from the test gateway to the live one", () => {
  it("shows the live page for a first payment whose number the test gateway gave out before", async () => {
    const before = await started(test.deps, HOSTED)
    const after = await started(changedToLive(), HOSTED)
    expect(after.sourceId).toBe(before.sourceId)
    expect(after).toMatchObject({ state: "submitted", leaseToken: null })
    expect(after.hostedUrl).toContain(live.simulator.url)
  })

  it("refunds two payments with one intent number, each at its gateway", async () => {
    const before = await paidBy(test.deps, test)
    let after = await paidBy(changedToLive(), live)
    for (let made = 0; made < 50 && after.paymentIntentId !== before.paymentIntentId; made++) {
      after = await paidBy(changedToLive(), live)
    }
    expect(after.paymentIntentId).toBe(before.paymentIntentId)
    expect((await refundOf(changedToLive(), after)).kind).not.toBe("nothing_to_send")
    expect((await refundOf(changedToLive(), before)).kind).not.toBe("nothing_to_send")
    for (const { simulator } of [test, live]) expect(simulator.calls["executeRefund"]).toBe(1)
  })

  it("still refuses an intent of another payment of the same merchant", async () => {
    const [first, second] = [await paidBy(test.deps, test), await paidBy(test.deps, test)]
    const given = { operationId: second.id, adminId: "user_ada" }
    const paymentIntentId = first.paymentIntentId ?? 0
    expect(await codeOf(enterPaymentIntent(test.deps, { ...given, paymentIntentId }))).toBe(
      "payment_intent_taken",
    )
  })
})

describe("[B23] a number of two payments", () => {
  const OTHER_ADDRESS = "https://elsewhere.example"

  const at = (clientId: string, baseUrl = OTHER_ADDRESS, account?: string) => ({
    clientId,
    baseUrl,
    ...(account ? { account } : {}),
  })

  /** Two payments of one collection under one number, each made with a credential of its own. */
  async function twins(
    one: { account?: string; baseUrl: string; clientId: string },
    two: { account?: string; baseUrl: string; clientId: string },
  ) {
    const { database } = test.ledger
    const [account] = (await test.deps.accounts()) as [Account]
    const second = { ...account, id: "mpacc_second", isDefault: false, currencies: [] }
    await saveAccount(database, second)
    const made = []
    for (const { account: accountId = account.id, ...client } of [one, two]) {
      const credential = await adoptCredential(database, { accountId, ...client })
      const { id } = await submitted(database, { accountId, credentialId: credential.id })
      await test.ledger.sql(
        `update mp_operation
            set source_id = 9900, payment_intent_id = 9901, state = 'failed',
                payment_collection_id = 'pay_col_twins' where id = $1`,
        [id],
      )
      const operation = await findById(database, id)
      if (!operation) throw new Error(`${id} is gone`)
      made.push({ operation, credential })
    }
    return made as [(typeof made)[number], (typeof made)[number]]
  }

  afterEach(() =>
    test.ledger.sql(
      `update mp_operation set payment_intent_id = null, source_id = null
        where payment_collection_id = 'pay_col_twins'`,
    ),
  )

  async function areTheSame([{ operation: one }, { operation: two }]: Awaited<
    ReturnType<typeof twins>
  >) {
    const { database } = test.ledger
    const intent = await findOfIntent(database, one, 9_901)
    const others = await findOthersOfSource(database, one)
    const isSame = intent?.id === two.id
    expect(others.map(({ id }) => id)).toEqual(isSame ? [two.id] : [])
    return isSame
  }

  it("belongs to two merchants at two addresses, even for the same client and account", async () => {
    expect(await areTheSame(await twins(at("a1"), at("a1", "https://b.example")))).toBe(false)
  })

  it.each([
    ["client", at("b1"), at("b2")],
    ["account", at("b3"), at("b3", OTHER_ADDRESS, "mpacc_second")],
  ])("belongs to one merchant at one address, even for another %s", async (_what, one, two) => {
    expect(await areTheSame(await twins(one, two))).toBe(true)
  })

  it("belongs to two merchants at one address where the documents name two owners", async () => {
    const both = await twins(at("c1"), at("c2"))
    await learnOwner(test.ledger.database, both[0].credential.id, 1)
    await learnOwner(test.ledger.database, both[1].credential.id, 2)
    expect(await areTheSame(both)).toBe(false)
  })

  it("belongs to one merchant at two addresses once each credential is proven to succeed the other", async () => {
    const both = await twins(at("d1"), at("d3", "https://d3.example"))
    const middle = await adoptCredential(test.ledger.database, {
      accountId: both[0].operation.accountId,
      ...at("d2", "https://d2.example"),
    })
    const [from, to] = [both[0].credential.id, both[1].credential.id]
    const ownerId = null
    await succeedCredential(test.ledger.database, { from: middle.id, to, ownerId })
    expect(await areTheSame(both)).toBe(false)
    await succeedCredential(test.ledger.database, { from, to: middle.id, ownerId })
    expect(await areTheSame(both)).toBe(true)
  })
})

describe("[B23] a start that fails inside the plugin", () => {
  it("because its number is another payment's is refused, and the next start works", async () => {
    const taken = await started(test.deps, HOSTED)
    const { collectionId, sessionId } = test.cart(HOSTED)
    const deps: FlowDeps = {
      ...test.deps,
      gatewayOf: () => ({
        ...test.gateway,
        checkouts: {
          create: async (...given) => {
            const made = await test.gateway.checkouts.create(...given)
            if (made.kind !== "done" || taken.sourceId === null) return made
            return { ...made, value: { ...made.value, sourceId: taken.sourceId } }
          },
        },
      }),
    }
    const request = { sessionId, phone: PHONE }
    expect(await codeOf(startPayment(deps, request))).toBe("gateway_refused")
    expect(await test.shown(collectionId)).toMatchObject({ state: "expired", leaseToken: null })
    expect((await startPayment(test.deps, request)).url).toContain(test.simulator.url)
  })

  it.each(["checkouts", "sessions", "paymentAccounts"] as const)(
    "at %s gives the lease of its draft back",
    async (resource) => {
      const { collectionId, sessionId } = test.cart(PUSH)
      const fails = () => Promise.reject(new Error("a fault of ours"))
      const deps: FlowDeps = {
        ...test.deps,
        gatewayOf: () => ({
          ...test.gateway,
          [resource]: new Proxy(test.gateway[resource], { get: () => fails }),
        }),
      }
      await expect(startPayment(deps, { sessionId, phone: PHONE })).rejects.toThrow("fault of ours")
      expect(await test.shown(collectionId)).toMatchObject({ state: "drafted", leaseToken: null })
      expect((await startPayment(test.deps, { sessionId, phone: PHONE })).state).toBe(
        "waiting_for_payer",
      )
    },
  )
})
