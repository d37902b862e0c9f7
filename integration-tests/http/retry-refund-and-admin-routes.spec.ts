/**
 * `POST operations/:id/retry` in a real store: one click makes a refund that failed once more,
 * once. And every route of the admin, found in the source: closed to whoever is not logged in, open
 * to a secret API key, and never an error of ours whatever it is asked.
 */
import fc from "fast-check"
import type { OperationResponse, OperationDetail } from "../../src/review/schemas/operations"
import { adminRoutes } from "../fuzz/routes"
import {
  books,
  isRecorded,
  isUndone,
  lastRefund,
  paidOrder,
  refund,
  refundsOf,
  refundUntil,
} from "./support/refunds"
import { expectOk, type Answer } from "./support/shop"
import { useHarness } from "./support/harness"
import { runs } from "../support/whole-tables"

const harness = useHarness()
const ROOT = "/admin/merchant-payments"
const MINUTES_10 = 600_000

describe("a refund that is retried", () => {
  afterEach(() => harness.simulator.clearPlans())

  type Refusal = { readonly code?: string; readonly message?: string; readonly refund?: string }

  const retry = (id: string, body: unknown = {}) =>
    harness.admin.call<OperationResponse & Refusal>("POST", `${ROOT}/operations/${id}/retry`, body)

  const read = async (id: string) =>
    (
      await expectOk(
        harness.admin.call<{ operation: OperationDetail }>("GET", `${ROOT}/operations/${id}`),
      )
    ).operation

  /** All of an order's money, shown by Medusa as given back, and failed after that. */
  async function failed() {
    const order = await paidOrder(harness)
    harness.simulator.plan({ operationType: "REFUND", outcome: "approve", afterMs: MINUTES_10 })
    await expectOk(refund(harness, order, order.total))
    await refundUntil(harness, order, isRecorded, "the refund is recorded")
    const { id, reference } = await lastRefund(harness, order)
    harness.simulator.backOffice.settle(reference ?? "", "FAILED")
    await refundUntil(harness, order, isUndone, "Medusa is put right")
    harness.simulator.clearPlans()
    return { order, id }
  }

  it("[B21] gives the money back once, whoever clicks beside, and Medusa shows it", async () => {
    const { order, id } = await failed()
    expect(await read(id)).toMatchObject({
      attention: "refund_failed",
      actions: expect.arrayContaining([{ action: "retry", is_possible: true, why_not: null }]),
    })
    const clicks = await Promise.all([1, 2, 3].map(() => retry(id)))
    const [made, ...more] = clicks.filter(({ status }) => status === 200)
    expect(more).toEqual([])
    for (const { status, body } of clicks.filter((click) => click.status !== 200)) {
      expect(status).toBe(409)
      expect(["refund_in_progress", "refund_retried"]).toContain(body.code)
    }
    expect(made?.body.operation).toMatchObject({ type: "REFUND", amount: (await read(id)).amount })
    await refundUntil(harness, order, isRecorded, "the new refund is recorded")
    expect(await books(harness, order)).toMatchObject({
      refunded: order.total,
      collectionRefunded: order.total,
      rows: [order.total],
    })
    const [first, second, ...others] = await refundsOf(harness, order)
    expect([first?.id, second?.id, others]).toEqual([id, made?.body.operation.id, []])
    const went = harness.simulator.book
      .refunds()
      .filter(({ reference }) => [first, second].some((one) => one?.reference === reference))
      .filter(({ status }) => status === "COMPLETED")
    expect(went.map(({ reference }) => reference)).toEqual([second?.reference])

    const again = await retry(id)
    expect([again.status, again.body.code, again.body.refund]).toEqual([
      409,
      "refund_retried",
      second?.id,
    ])
    const fine = await retry(second?.id ?? "")
    expect([fine.status, fine.body.code]).toEqual([409, "refund_unavailable"])
    expect((await read(id)).events.map(({ name, by }) => [name, by])).toContainEqual([
      "retried",
      expect.stringMatching(/^user_/),
    ])
  })

  it("refuses what is no refund that failed, and a body that says something", async () => {
    const order = await paidOrder(harness)
    const before = harness.simulator.book.refunds().length
    const [payment] = await harness.sql<{ id: string }>(
      "select id from mp_operation where payment_collection_id = $1",
      [order.collectionId],
    )
    const paid = await retry(payment?.id ?? "")
    expect([paid.status, paid.body.code]).toEqual([409, "refund_unavailable"])
    const none = await retry("mpop_none")
    expect([none.status, none.body.code]).toEqual([404, "operation_not_found"])
    const said = await retry(payment?.id ?? "", { amount: 5 })
    expect([said.status, said.body.code]).toEqual([400, "invalid_request"])
    expect(harness.simulator.book.refunds()).toHaveLength(before)
  })
})

/** What a route answers to an API key that asks about what there is not, or says nothing. */
const BY_KEY: Readonly<Record<string, readonly number[]>> = {
  "DELETE account-changes/:id": [404],
  "DELETE accounts/:id": [404],
  "DELETE accounts/:id/credentials/:credential_id": [404],
  "DELETE customers/:id/data": [404],
  "GET accounts": [200],
  "GET accounts/:id": [404],
  "GET accounts/:id/events": [200],
  "GET customers/:id/data": [404],
  "GET fees": [200],
  "GET fees/prediction": [400],
  // Down is an answer, too: the store that filled the database has just ended.
  "GET health": [200, 503],
  "GET notifications": [200],
  "GET operations": [200],
  "GET operations/:id": [404],
  "GET operations/:id/receipt": [404],
  "GET operations/:id/receipt-page": [404],
  "GET orders/:id": [200],
  "GET orders/:id/payment-link": [404],
  "GET overview": [200],
  "GET payouts": [200],
  "GET payouts/:id": [404],
  "GET reconciliation": [200],
  "GET regions": [200],
  "GET requests": [200],
  "GET sheet": [200],
  "GET transfers": [200],
  "GET transfers/:id": [404],
  "POST account-changes/:id/:action": [404],
  "POST accounts": [400],
  "POST accounts/:id": [400],
  "POST accounts/:id/:action": [404],
  "POST notifications": [400],
  "POST notifications/:action": [400],
  "POST operations/:id/cancel-order": [400],
  "POST operations/:id/check": [404],
  "POST operations/:id/payment-intent": [400],
  "POST operations/:id/receipt-link": [404],
  "POST operations/:id/resend": [404],
  "POST operations/:id/resolve": [400],
  "POST operations/:id/retry": [404],
  "POST operations/search": [200],
  "POST orders/:id/payment-link": [404],
  "POST orders/:id/payment-link/cancel": [404],
  "POST orders/:id/prompt": [400],
  "POST payout-requests/:id/:action": [404],
  "POST payouts": [400],
  "POST refund-requests/:id/:action": [404],
  "POST regions/:id/disable": [404],
  "POST regions/:id/enable": [404],
  "POST transfers": [400],
}

type Refused = { readonly code?: unknown; readonly type?: unknown; readonly message?: unknown }

/** Half a pair can't be written into an address. */
const wellFormed = (text: string) => text.replace(/[\uD800-\uDFFF]/gu, "?")
const partsOf = (route: string): readonly [string, string] => {
  const [method = "", address = ""] = route.split(" ")
  return [method, address]
}
const filled = (address: string, id: string) => address.replace(/:\w+/g, encodeURIComponent(id))

async function secretKey(): Promise<string> {
  const { api_key } = await expectOk(
    harness.admin.call<{ api_key: { token: string } }>("POST", "/admin/api-keys", {
      title: "program",
      type: "secret",
    }),
  )
  return `Basic ${Buffer.from(`${api_key.token}:`).toString("base64")}`
}

it("each route has its row here", () => {
  expect(adminRoutes()).toEqual(Object.keys(BY_KEY).sort())
})

it("[S02] none is open without a login, with a made-up one, or with a shopper's", async () => {
  const { token: registered } = await expectOk(
    harness.shop.call<{ token: string }>("POST", "/auth/customer/emailpass/register", {
      email: "ada@example.com",
      password: "a-shopper-1",
    }),
  )
  const made = { authorization: `Bearer ${registered}` }
  await expectOk(harness.shop.call("POST", "/store/customers", { email: "ada@example.com" }, made))
  const { token } = await expectOk(
    harness.shop.call<{ token: string }>("POST", "/auth/customer/emailpass", {
      email: "ada@example.com",
      password: "a-shopper-1",
    }),
  )
  const strangers: Record<string, string>[] = [
    {},
    { authorization: "Bearer eyJub3QiOiJhIHRva2VuIn0.x.y" },
    { authorization: `Basic ${Buffer.from("sk_made_up:").toString("base64")}` },
    {
      authorization: `Basic ${Buffer.from(`${harness.store.publishableKey}:`).toString("base64")}`,
    },
    { authorization: `Bearer ${token}` },
  ]
  for (const route of adminRoutes()) {
    const [method, address] = partsOf(route)
    const body = method === "POST" ? {} : undefined
    for (const headers of strangers) {
      const path = `${ROOT}/${filled(address, "mpop_x")}`
      const { status } = await harness.shop.call(method, path, body, headers)
      expect([route, headers, status]).toEqual([route, headers, 401])
    }
  }
})

it("each answers a secret API key as it answers a person", async () => {
  const authorization = await secretKey()
  for (const route of adminRoutes()) {
    const [method, address] = partsOf(route)
    const body = method === "POST" ? {} : undefined
    const path = `${ROOT}/${filled(address, "mp_none")}`
    const byKey = await harness.shop.call<Refused>(method, path, body, { authorization })
    expect([route, BY_KEY[route]]).toEqual([route, expect.arrayContaining([byKey.status])])
    expectSentence(route, byKey)
    const byPerson = await harness.admin.call<Refused>(method, path, body)
    if (!route.includes("health")) expect([route, byPerson.status]).toEqual([route, byKey.status])
  }
})

/** Refused in words: a code or Medusa's type, and a sentence. */
function expectSentence(what: unknown, { status, body }: Answer<Refused>): void {
  if (status < 400 || status === 503) return
  expect([what, body]).toEqual([what, expect.objectContaining({ message: expect.any(String) })])
  expect([what, typeof (body.code ?? body.type)]).toEqual([what, "string"])
}

const FIELDS = [
  ...["label", "base_url", "client_id", "client_secret", "currencies", "wire_names", "policies"],
  ...["version", "is_default", "action", "note", "cart_id", "order_id", "payment_intent_id"],
  ...["amount", "currency", "name", "phone", "passcode", "idempotency_key", "from_wallet_id"],
  ...["to_counterparty_id", "state", "limit", "offset", "after", "q", "from", "to", "format"],
  ...["account_id", "payment_method", "payer_currency", "bearer", "created_from", "__proto__"],
]

const nasty = fc.constantFrom<unknown>(
  ...["", " ", "\0", "a\0b", "\uD800", "\u202E", "é".repeat(300), "x".repeat(20_000), "toString"],
  ...["__proto__", "constructor", "' or 1=1 --", "${7*7}", "%00", "../..", "NaN", "1e400", "-0"],
  ...["3f1e2b8a-4c5d-4e6f-8a9b-0c1d2e3f4a5b", "2026-02-31", "275760-09-13", "usd", "review"],
  ...[0, -1, 1.5, 2 ** 53, 1e308, true, null, [], [[]], {}, { $gt: "" }, ["a", null]],
)
const value = fc.oneof(nasty, fc.jsonValue(), fc.string({ unit: "binary" }))
const known = fc.dictionary(fc.constantFrom(...FIELDS), value, { maxKeys: 8 })
const body = fc.oneof({ weight: 4, arbitrary: known }, { weight: 1, arbitrary: value })
const query = fc.array(fc.tuple(fc.constantFrom(...FIELDS, "a[b]", "q[]"), nasty.map(String)), {
  maxLength: 5,
})

it("[S07] none answers an error of ours, whatever is asked for or sent", async () => {
  const order = await paidOrder(harness)
  const [payment] = await harness.sql<{ id: string }>(
    "select id from mp_operation where order_id = $1",
    [order.orderId],
  )
  const ids = fc.oneof(
    fc.constantFrom(payment?.id ?? "", order.orderId, "mpacc_env", "none", "a b", "\0", "é", "%"),
    nasty.map((one) => wellFormed(String(one)).slice(0, 2_000) || "x"),
  )
  for (const route of adminRoutes()) {
    const [method, address] = partsOf(route)
    await fc.assert(
      fc.asyncProperty(ids, query, body, async (id, asked, sent) => {
        const words = new URLSearchParams(asked)
        const path = `${ROOT}/${filled(address, id)}?${words.toString().slice(0, 4_000)}`
        const answer = await harness.admin.call<Refused>(
          method,
          path,
          method === "POST" ? sent : undefined,
        )
        if (route !== "GET health") expect([route, answer.status < 500]).toEqual([route, true])
        expectSentence(route, answer)
      }),
      { numRuns: runs(20) },
    )
  }
  expect(harness.store.output()).not.toMatch(/unhandled|ECONNRESET/i)
})
