/**
 * [B42] A card on the shop's page: with 3-D Secure passed, refused or abandoned, without it,
 * declined, with a lost answer, and with a process that dies. The gateway's book says what was
 * charged.
 */
import { cancelPayment } from "../../../src/checkout/cancel-payment"
import { listPaymentMethods } from "../../../src/checkout/offer/payment-methods"
import { readStatus } from "../../../src/checkout/read-status"
import { startPayment } from "../../../src/checkout/start-payment"
import type { Operation } from "../../../src/core/operation"
import type { FlowDeps } from "../../../src/engine/deps"
import { findAllOfCollection } from "../../../src/ledger/find-operations"
import { secretBoxOf } from "../../../src/medusa/secrets/secret-box"
import { checkNow } from "../../../src/worker/check-due-operations"
import { MINUTE, SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { CARD, HOSTED, PHONE, PUSH } from "../../support/flows-harness"
import { actsIn, breachesIn, forgetPlans, useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness({ tokenLifeMinutes: 10_000_000 })
const { checkAfter } = actsIn(harness)

afterEach(() => {
  harness.presently()
  forgetPlans(harness)
})

type Cart = { readonly sessionId: string; readonly collectionId: string }

const start = (
  { sessionId }: Cart,
  cardToken: string | undefined = "card_3ds",
  deps: FlowDeps = harness.deps,
) => startPayment(deps, { sessionId, phone: PHONE, cardToken })

/** Started, and as the ledger has it. */
async function started(token?: string) {
  const cart = harness.cart(CARD)
  const status = await start(cart, token)
  return { cart, status, operation: await harness.shown(cart.collectionId) }
}

const statusOf = async ({ sessionId }: Cart) =>
  (await readStatus(harness.deps, { sessionId })).status
const medusaShows = ({ collectionId }: Cart) => harness.of(collectionId).sessions[0]?.status
const executionOf = ({ reference }: Operation) => harness.simulator.book.execution(reference ?? "")
const sent = () => harness.simulator.calls["executeCollection"] ?? 0
const pass = ({ client_secret }: { client_secret: string | null }) =>
  harness.simulator.card.pass({ clientSecret: client_secret ?? "" })

async function secretOf({ id }: Operation): Promise<unknown> {
  const [row] = await harness.ledger.sql("select card_secret from mp_operation where id = $1", [id])
  return row?.["card_secret"]
}

/** Only the row's own sealed text may stand for the secret: not events, logs or Medusa's data. */
async function expectSecretNowhere(secret: string | null, { id }: Operation, cart: Cart) {
  const rows = await harness.ledger.sql(
    `select to_jsonb(o)::text as operation,
            (select jsonb_agg(e)::text from mp_operation_event e where operation_id = o.id) as events
       from mp_operation o where id = $1`,
    [id],
  )
  const texts = [JSON.stringify(rows), ...harness.logged, ...harness.of(cart.collectionId).shown]
  expect(secret).toMatch(/^pi_\w+_secret_\w+$/)
  for (const kept of [secret ?? "", "card_3ds"]) expect(texts.join("\n")).not.toContain(kept)
}

describe("[B42] a card whose bank asks the shopper", () => {
  it("is paid once the bank has the answer, and its client secret is sealed until then", async () => {
    const { cart, status, operation } = await started()
    expect(status).toMatchObject({
      state: "action_required",
      flow: "card",
      prompt: null,
      url: null,
      phone_hint: null,
      payer_currency: "USD",
      operator: { payment_method: "CREDIT_CARD", carrier: "Brand 1" },
    })
    expect(await statusOf(cart)).toMatchObject({ client_secret: status.client_secret })
    expect(medusaShows(cart)).toBe("requires_more")
    expect(await secretOf(operation)).toMatchObject({ keyId: expect.any(String) })
    await expectSecretNowhere(status.client_secret, operation, cart)
    pass(status)
    expect(await checkAfter(operation, 3 * SECOND)).toMatchObject({ state: "completed" })
    expect(await secretOf(operation)).toBeNull()
    await checkNow(harness.deps, operation.id)
    expect(await statusOf(cart)).toMatchObject({ state: "paid", client_secret: null })
    expect(executionOf(operation)).toMatchObject({
      charges: 1,
      timesCalled: 1,
      challenge: "passed",
    })
  })

  it("isn't paid because the browser says so", async () => {
    const { cart, operation } = await started()
    expect(await checkAfter(operation, 3 * SECOND)).toMatchObject({ state: "in_flight" })
    expect(await statusOf(cart)).toMatchObject({ state: "action_required" })
    expect(executionOf(operation)).toMatchObject({ charges: 0 })
    harness.simulator.card.refuse({ reference: operation.reference ?? "" })
    await checkAfter(operation, 5 * SECOND)
    await checkAfter(operation, 6 * SECOND)
  })

  it("fails when the shopper refuses, and the next attempt uses another payment account", async () => {
    const { cart, status, operation } = await started()
    harness.simulator.card.refuse({ clientSecret: status.client_secret ?? "" })
    expect(await checkAfter(operation, 3 * SECOND)).toMatchObject({ state: "in_flight" })
    expect(await statusOf(cart)).toMatchObject({ state: "waiting_for_payer", client_secret: null })
    expect(await checkAfter(operation, 6 * SECOND)).toMatchObject({ state: "failed" })
    expect(await secretOf(operation)).toBeNull()
    expect(medusaShows(cart)).toBe("error")
    expect(await statusOf(cart)).toMatchObject({ state: "failed", can_retry: true })
    const again = await start(cart)
    const second = await harness.shown(cart.collectionId)
    expect(second).toMatchObject({ sourceId: operation.sourceId, state: "in_flight" })
    for (const key of ["reference", "paymentAccountId", "gatewaySessionId"] as const) {
      expect(second[key]).not.toBe(operation[key])
    }
    pass(again)
    expect(await checkAfter(second, 3 * SECOND)).toMatchObject({ state: "completed" })
    expect(harness.simulator.book.document(operation.sourceId ?? 0)?.charges).toBe(1)
    await checkNow(harness.deps, second.id)
  })

  it("fails by the gateway's answer when the shopper leaves", async () => {
    const { cart, operation } = await started()
    expect(await codeOf(cancelPayment(harness.deps, cart))).toBe("payment_in_progress")
    harness.later(11 * MINUTE)
    await checkAfter(operation, 11 * MINUTE)
    expect(await checkAfter(operation, 6 * SECOND)).toMatchObject({ state: "failed" })
    expect(await secretOf(operation)).toBeNull()
  })

  it("stays the same payment at a second start, even without a token", async () => {
    const { cart, status, operation } = await started()
    expect(await start(cart, "card_no_3ds")).toEqual(status)
    expect(await startPayment(harness.deps, { sessionId: cart.sessionId })).toMatchObject({
      client_secret: status.client_secret,
    })
    expect(await findAllOfCollection(harness.deps.database, cart.collectionId)).toHaveLength(1)
    pass(status)
    await checkAfter(operation, 3 * SECOND)
    await checkNow(harness.deps, operation.id)
  })

  it("is shown without its client secret when the key is gone", async () => {
    const { cart, status, operation } = await started()
    const box = secretBoxOf({})
    const { status: shown } = await readStatus({ ...harness.deps, box }, cart)
    expect(shown).toMatchObject({ state: "waiting_for_payer", client_secret: null })
    pass(status)
    await checkAfter(operation, 3 * SECOND)
    await checkNow(harness.deps, operation.id)
  })
})

describe("[B42] a card whose bank asks nothing", () => {
  it("is paid when the gateway's status and source say so", async () => {
    const { status, operation } = await started("card_no_3ds")
    expect(status).toMatchObject({ state: "waiting_for_payer", client_secret: null })
    expect(await checkAfter(operation, SECOND)).toMatchObject({ state: "completed" })
    expect(executionOf(operation)).toMatchObject({ charges: 1, challenge: null })
    await checkNow(harness.deps, operation.id)
  })

  it("fails when it is declined, once that was seen twice", async () => {
    const { cart, operation } = await started("card_declined")
    expect(await checkAfter(operation, SECOND)).toMatchObject({ failedAt: expect.any(Date) })
    expect(await checkAfter(operation, 6 * SECOND)).toMatchObject({ state: "failed" })
    expect(await statusOf(cart)).toMatchObject({ reason: "declined", can_retry: true })
  })
})

describe("[B42] an execution whose answer is lost", () => {
  it("is asked about, and waits without a client secret until the gateway ends it", async () => {
    harness.simulator.faults.script("executeCollection", ["reset:after"])
    const before = sent()
    const { cart, status, operation } = await started()
    expect(status).toMatchObject({ state: "waiting_for_payer", client_secret: null })
    expect(await checkAfter(operation, 3 * SECOND)).toMatchObject({ state: "in_flight" })
    expect(await statusOf(cart)).toMatchObject({ state: "waiting_for_payer" })
    harness.later(11 * MINUTE)
    await checkAfter(operation, 11 * MINUTE)
    expect(await checkAfter(operation, 6 * SECOND)).toMatchObject({ state: "failed" })
    expect(sent() - before).toBe(1)
  })

  it("isn't sent again when it never arrived: it is closed, and another attempt is paid", async () => {
    harness.simulator.faults.script("executeCollection", ["reset:before"])
    const { cart, operation } = await started()
    await checkAfter(operation, 3 * SECOND)
    const ended = await checkAfter(operation, 30 * SECOND)
    expect(ended).toMatchObject({ state: "expired", reason: "never_landed", sendings: 1 })
    expect(executionOf(operation)).toBeUndefined()
    pass(await start(cart))
    const second = await harness.shown(cart.collectionId)
    expect(await checkAfter(second, 3 * SECOND)).toMatchObject({ state: "completed" })
    expect(executionOf(second)).toMatchObject({ charges: 1 })
    await checkNow(harness.deps, second.id)
  })

  it("is closed when it never left a process that died, and another attempt is paid", async () => {
    const cart = harness.cart(CARD)
    const dead: FlowDeps["gatewayOf"] = () => ({
      ...harness.gateway,
      executions: { ...harness.gateway.executions, collection: () => new Promise(() => {}) },
    })
    const clock = { ...harness.deps.clock, sleep: () => Promise.resolve() }
    await start(cart, "card_3ds", { ...harness.deps, gatewayOf: dead, clock })
    const operation = await harness.shown(cart.collectionId)
    expect(operation).toMatchObject({ state: "submitted", lastSending: "sending" })
    await checkAfter(operation, 2 * MINUTE + SECOND)
    const ended = await checkAfter(operation, 10 * SECOND)
    expect(ended).toMatchObject({ state: "expired", reason: "never_landed" })
    expect(ended.reference).toBe(operation.reference)
    expect(executionOf(operation)).toBeUndefined()
    pass(await start(cart))
    const second = await harness.shown(cart.collectionId)
    expect(await checkAfter(second, 3 * SECOND)).toMatchObject({ state: "completed" })
    await checkNow(harness.deps, second.id)
  })
})

describe("[B42] a start by card", () => {
  const fieldOf = async (asked: Promise<unknown>) =>
    asked.then(
      () => "none",
      (error: { code?: string; details?: object }) => ({ code: error.code, ...error.details }),
    )

  it("needs a token of the processor, which other payment methods refuse", async () => {
    const refused = { code: "invalid_request", field: "card_token" }
    const { sessionId } = harness.cart(CARD)
    expect(await fieldOf(startPayment(harness.deps, { sessionId, phone: PHONE }))).toEqual(refused)
    expect(await fieldOf(start(harness.cart(CARD), "card_unknown"))).toEqual(refused)
    for (const provider of [PUSH, HOSTED]) {
      expect(await fieldOf(start(harness.cart(provider)))).toEqual(refused)
    }
  })

  it("needs a currency that the card takes", async () => {
    const cart = harness.cart(CARD)
    const { sessionId } = cart
    const asked = { sessionId, phone: PHONE, cardToken: "card_brand1_lr", payerCurrency: "RWF" }
    expect(await fieldOf(startPayment(harness.deps, asked))).toMatchObject({
      code: "currency_not_served",
      currencies: ["USD", "LRD"],
    })
  })

  it("needs a key that seals its client secret, without which no card is offered", async () => {
    const deps = { ...harness.deps, box: secretBoxOf({}) }
    const cart = harness.cart(CARD)
    expect(await codeOf(start(cart, "card_3ds", deps))).toBe("not_configured")
    expect(await findAllOfCollection(harness.deps.database, cart.collectionId)).toEqual([])
    const medusa = {
      ...harness.deps.medusa,
      payableCart: async () => ({
        currency: "usd",
        country: "lr",
        phone: PHONE,
        providerIds: [CARD],
      }),
    }
    expect(await listPaymentMethods({ ...deps, medusa }, "cart_1")).toEqual([])
    expect(await listPaymentMethods({ ...harness.deps, medusa }, "cart_1")).toMatchObject([
      {
        flow: "card",
        needs_phone: false,
        operators: [],
        label_key: "merchant_payments.methods.card",
      },
    ])
  })
})

it("[B42] the card payments break no promise, and the gateway's answers keep the contract", async () => {
  expect(await breachesIn(harness)).toEqual([])
  expect(harness.simulator.contractViolations).toEqual([])
})
