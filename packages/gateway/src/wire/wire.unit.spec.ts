import fc from "fast-check"
import {
  ACCOUNT,
  CHECKOUT,
  currency,
  DOCUMENT,
  EXECUTION,
  money,
  OPERATOR,
  PHONE,
  REFERENCE,
  SESSION,
  SOURCE,
} from "../../../../integration-tests/gateway/calls"
import { misread, read, refused, written } from "../../../../integration-tests/gateway/reading"
import { createCheckout } from "./sources/checkouts"
import { collectionStatus, executeCollection } from "./executions"
import { orderEndpoints } from "./sources/orders"
import { createPaymentAccount } from "./payment-accounts"
import { mmoProviderInfo } from "./predictions"
import { createCheckoutSession } from "./sessions"
import { sourceStatus } from "./status"

const checkoutRequest = {
  mode: "HOSTED",
  sourceType: "ORDER" as const,
  partyPhone: PHONE,
  currency: currency("USD"),
  items: [{ name: "Cart total", amount: money("42.50") }],
  expiresAt: new Date("2026-06-01T11:00:00Z"),
}
const sourceRequest = { sourceType: "ORDER" as const, sourceId: 301 }
const executeRequest = {
  sessionId: 55,
  paymentAccountId: 18,
  currency: currency("LRD"),
  referenceId: REFERENCE,
}
const accountRequest = { accountName: "Ada", provider: "P", method: "M", partyId: 42, phone: PHONE }

describe("checkouts/create", () => {
  it("writes source_kind, decimal numbers and only what was given", () => {
    const { body } = written(createCheckout, {
      ...checkoutRequest,
      items: [{ name: "a", amount: money("0.10") }],
      dueDate: new Date("2026-06-02T00:00:00Z"),
    })
    expect(body).toEqual({
      mode: "HOSTED",
      source_kind: "ORDER",
      party_phone: PHONE,
      currency: "USD",
      items: [{ name: "a", currency: "USD", amount: 0.1 }],
      due_date: "2026-06-02T00:00:00.000Z",
      expires_at: "2026-06-01T11:00:00.000Z",
    })
  })

  it("reads the source, its total exactly, and keeps what it has no name for", () => {
    expect(read(createCheckout, { ...CHECKOUT, surprise: [1] }, checkoutRequest)).toMatchObject({
      sourceType: "ORDER",
      sourceId: 301,
      sourceNumber: "ORD-2026-00301",
      status: "ACTIVE",
      partyId: 42,
      counterpartyId: 15,
      total: { minor: 4250n, currency: "USD" },
      url: "https://pay.example/c/abc",
      expiresAt: "2026-06-01T11:00:00Z",
      wire: { surprise: [1] },
    })
  })

  it("takes text for numbers and a status it has never seen", () => {
    const odd = { ...CHECKOUT, source_id: "301", total_amount: "42.50", source_status: "PARKED" }
    expect(read(createCheckout, odd, checkoutRequest)).toMatchObject({
      sourceId: 301,
      total: { minor: 4250n },
      status: "PARKED",
    })
  })

  it.each([
    ["source_id", { source_id: undefined }],
    ["source_id", { source_id: 3.5 }],
    ["party_id", { party_id: null }],
    ["source_status", { source_status: "" }],
    ["total_amount", { total_amount: 42.505 }],
    ["total_amount", { total_amount: -1 }],
    ["total_amount", { total_amount: "42,500" }],
    ["total_amount", { currency: "dollars" }],
    ["source_type", { source_type: "INVOICE" }],
    ["url", { url: "javascript:alert(1)" }],
  ])("[N13][N27] is not read when %s is wrong", (path, change) => {
    expect(misread(createCheckout, { ...CHECKOUT, ...change }, checkoutRequest)).toEqual([path])
  })

  it.each([
    ["partyPhone", { partyPhone: "+231770000001" }],
    ["partyPhone", { partyPhone: "0770000001" }],
    ["items", { items: [] }],
    ["items.0.amount", { items: [{ name: "a", amount: money("0") }] }],
    ["items.0.amount", { items: [{ name: "a", amount: money("5", "LRD") }] }],
    ["items.0.name", { items: [{ name: "", amount: money("5") }] }],
    ["expiresAt", { expiresAt: new Date("nonsense") }],
  ])("is refused before sending when %s is wrong", (path, change) => {
    expect(refused(createCheckout, { ...checkoutRequest, ...change })).toEqual([path])
  })
})

describe("documents", () => {
  it("reads state and owner", () => {
    expect(read(orderEndpoints.publish, DOCUMENT, { id: 301 })).toMatchObject({
      id: 301,
      status: "ACTIVE",
      ownerId: 7,
      ownerType: "ORGANIZATION",
    })
  })

  it("[N27] does not take another document's answer", () => {
    expect(misread(orderEndpoints.cancel, { ...DOCUMENT, id: 302 }, { id: 301 })).toEqual(["id"])
  })
})

describe("sessions/checkout", () => {
  it("reads the session", () => {
    const session = read(createCheckoutSession, SESSION, sourceRequest)
    expect(session).toMatchObject({ id: 55, status: "ACTIVE", expiresAt: "2026-06-01T10:30:00Z" })
    expect(session.paymentAccountId).toBeUndefined()
  })

  it("[N27] does not take another source's session", () => {
    expect(misread(createCheckoutSession, { ...SESSION, source_id: 302 }, sourceRequest)).toEqual([
      "source_id",
    ])
    expect(
      misread(createCheckoutSession, { ...SESSION, source_type: "INVOICE" }, sourceRequest),
    ).toEqual(["source_type"])
  })
})

describe("payment-accounts/create", () => {
  it("writes the phone under its wire name, for collecting", () => {
    expect(written(createPaymentAccount, accountRequest)).toMatchObject({
      query: { operation_type: "COLLECTION" },
      body: { insensitive_account_number: PHONE, party_id: 42 },
    })
  })

  it("reads whether the account can be used", () => {
    expect(
      read(createPaymentAccount, { ...ACCOUNT, is_active: false }, accountRequest),
    ).toMatchObject({ id: 18, isActive: false, partyId: 42 })
    for (const unsaid of [undefined, null, "perhaps"]) {
      const account = { ...ACCOUNT, is_active: unsaid }
      expect(read(createPaymentAccount, account, accountRequest).isActive).toBeUndefined()
    }
  })

  it("[N27] does not take another party's account", () => {
    expect(misread(createPaymentAccount, { ...ACCOUNT, party_id: 43 }, accountRequest)).toEqual([
      "party_id",
    ])
  })
})

describe("an execution", () => {
  it("is asked for with both ids as text", () => {
    expect(written(executeCollection, executeRequest).body).toEqual({
      session_id: "55",
      payment_account_id: "18",
      currency: "LRD",
      reference_id: REFERENCE,
    })
  })

  it("is read with its amounts, and without what is null", () => {
    const execution = read(collectionStatus, EXECUTION, { referenceId: REFERENCE })
    expect(execution).toMatchObject({
      referenceId: REFERENCE,
      status: "PROCESSING",
      operationType: "COLLECTION",
      payerAmount: { minor: 4310n, currency: "USD" },
      payeeAmount: { minor: 4250n, currency: "USD" },
      fees: {},
    })
    expect(execution.providerTransactionId).toBeUndefined()
    expect(execution.requiresAction).toBeUndefined()
    expect(execution.clientSecret).toBeUndefined()
    expect(execution.paymentIntentId).toBeUndefined()
  })

  it("gives the extra fields that a refund and the admin need", () => {
    const extra = {
      ...EXECUTION,
      status: "COMPLETED",
      payment_intent_id: 77,
      platform_fee: 0.5,
      gateway_fee: "0.10",
      provider_transaction_id: 123456789,
      requires_action: true,
      client_secret: "pi_1_secret",
    }
    expect(read(executeCollection, extra, executeRequest)).toMatchObject({
      paymentIntentId: 77,
      fees: { platform: "0.5", gateway: "0.10" },
      providerTransactionId: "123456789",
      requiresAction: true,
      clientSecret: "pi_1_secret",
    })
  })

  it("[S05][S09] has its messages made safe", () => {
    const said = { ...EXECUTION, gateway_message: "payer 231770000123\nfailed", wallet_message: {} }
    const execution = read(collectionStatus, said, { referenceId: REFERENCE })
    expect(execution.gatewayMessage).toBe("payer •••123\\u000afailed")
    expect(execution.walletMessage).toBeUndefined()
  })

  it("is read with a payer amount finer than its currency, which is only shown", () => {
    const exchanged = { ...EXECUTION, payer_amount: "7666.4567", payer_currency: "LRD" }
    expect(read(collectionStatus, exchanged, { referenceId: REFERENCE }).payerAmount).toEqual({
      ...money("7666.46", "LRD"),
      exact: "7666.4567",
    })
  })

  it.each([
    [{ platform_fee: 0.0000001 }, { platform: "0.0000001" }],
    [{ platform_fee: "n/a", gateway_fee: "0.85" }, { gateway: "0.85" }],
    [{ fx_fee: { amount: 1 } }, {}],
  ])("has of %j the fees that are decimal numbers", (odd, fees) => {
    const { fees: shown } = read(
      collectionStatus,
      { ...EXECUTION, ...odd },
      { referenceId: REFERENCE },
    )
    expect(shown).toEqual(fees)
  })

  it("has no transaction id of a number whose digits were lost", () => {
    const long = JSON.parse('{"provider_transaction_id": 12345678901234567891}') as object
    const wrong = read(collectionStatus, { ...EXECUTION, ...long }, { referenceId: REFERENCE })
    expect(wrong.providerTransactionId).toBeUndefined()
    const short = { ...EXECUTION, provider_transaction_id: 123456789 }
    const right = read(collectionStatus, short, { referenceId: REFERENCE })
    expect(right.providerTransactionId).toBe("123456789")
  })

  it("is read without amounts, as before anything was taken", () => {
    const pending = {
      reference_id: REFERENCE.toUpperCase(),
      status: "PENDING",
      payer_amount: null,
      payer_currency: "USD",
    }
    expect(read(collectionStatus, pending, { referenceId: REFERENCE })).toMatchObject({
      status: "PENDING",
      payerCurrency: "USD",
    })
  })

  it.each([
    ["reference_id", { reference_id: "650e8400-e29b-41d4-a716-446655440000" }],
    ["reference_id", { reference_id: 5 }],
    ["status", { status: null }],
    ["status", { status: 200 }],
  ])("[N13][N27] is not read when %s is wrong", (path, change) => {
    expect(misread(executeCollection, { ...EXECUTION, ...change }, executeRequest)).toEqual([path])
  })

  it.each([
    ["referenceId", { referenceId: "not-a-uuid" }],
    ["referenceId", { referenceId: "550e8400-e29b-11d4-a716-446655440000" }],
    ["sessionId", { sessionId: 0 }],
    ["paymentAccountId", { paymentAccountId: 1.5 }],
    ["currency", { currency: "usd" as typeof executeRequest.currency }],
  ])("is refused before sending when %s is wrong", (path, change) => {
    expect(refused(executeCollection, { ...executeRequest, ...change })).toEqual([path])
  })
})

describe("status/source", () => {
  it("reads what the source is worth, exactly", () => {
    expect(read(sourceStatus, { ...SOURCE, owner_id: "7" }, sourceRequest)).toMatchObject({
      sourceType: "ORDER",
      sourceId: 301,
      status: "PAID",
      total: { minor: 4250n, currency: "USD" },
      paidAt: "2026-06-01T10:05:00Z",
      ownerId: 7,
    })
  })

  it.each([
    ["source_id", { source_id: 302 }],
    ["source_type", { source_type: "INVOICE" }],
    ["total_amount", { total_amount: 42.501 }],
    ["total_amount", { total_amount: null }],
    ["currency", { currency: 840 }],
  ])("[N13][N27][B10] is not read when %s is wrong", (path, change) => {
    expect(misread(sourceStatus, { ...SOURCE, ...change }, sourceRequest)).toEqual([path])
  })

  it.each([
    { payer_amount: 43.1 },
    { payer_amount: "a lot", payer_currency: "USD" },
    { payer_amount: { value: 43.1 }, payer_currency: {} },
    { payer_currency: "US$" },
  ])("says what is paid beside %j, which no contract promises", (odd) => {
    const status = read(sourceStatus, { ...SOURCE, ...odd }, sourceRequest)
    expect(status).toMatchObject({ status: "PAID", total: { minor: 4250n }, wire: odd })
    expect(status.payerAmount).toBeUndefined()
  })

  it("[B13] reads RWF without digits and refuses half a franc", () => {
    const rwf = { ...SOURCE, currency: "RWF", total_amount: 7666 }
    expect(read(sourceStatus, rwf, sourceRequest).total.minor).toBe(7666n)
    expect(misread(sourceStatus, { ...rwf, total_amount: 7666.5 }, sourceRequest)).toEqual([
      "total_amount",
    ])
  })
})

describe("predictions/mmo-provider-info", () => {
  it("reads the operator's wire values as they are, and the currencies it knows", () => {
    expect(
      read(mmoProviderInfo, { ...OPERATOR, currencies: ["LRD", "usd", 5] }, { phone: PHONE }),
    ).toMatchObject({
      paymentMethod: "OPERATOR1_MOMO_LBR",
      provider: "MOBILE_MONEY_GATEWAY",
      currencies: ["LRD", "USD"],
      country: "LBR",
    })
  })
})

describe("any JSON as an answer", () => {
  const endpoints: readonly [string, (body: unknown) => unknown][] = [
    ["checkout", (body) => createCheckout.read(body, checkoutRequest)],
    ["document", (body) => orderEndpoints.publish.read(body, { id: 301 })],
    ["session", (body) => createCheckoutSession.read(body, sourceRequest)],
    ["account", (body) => createPaymentAccount.read(body, accountRequest)],
    ["execution", (body) => executeCollection.read(body, executeRequest)],
    ["source", (body) => sourceStatus.read(body, sourceRequest)],
    ["operator", (body) => mmoProviderInfo.read(body, { phone: PHONE })],
  ]
  it.each(endpoints)("%s: is read or refused, never thrown at", (_, readAny) => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue(),
          fc.record(
            Object.fromEntries(
              Object.keys({ ...CHECKOUT, ...SOURCE, ...EXECUTION, ...SESSION }).map((key) => [
                key,
                fc.oneof(fc.jsonValue(), fc.constantFrom("USD", 301, REFERENCE, "ORDER")),
              ]),
            ),
            { requiredKeys: [] },
          ),
        ),
        (body) => {
          expect(readAny(body)).toHaveProperty("ok")
        },
      ),
    )
  })
})
