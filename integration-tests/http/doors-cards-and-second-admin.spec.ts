/**
 * What routes refuse: ids, kinds of bodies, and their contents. One customer's data. [B42] A card on
 * the shop's page, through a whole order. And a refund that needs two admins.
 */
import { randomBytes } from "node:crypto"
import type {
  CustomerData,
  CustomerDataErased,
} from "../../src/reconciliation/schemas/customer-data"
import type { RequestAnsweredResponse, RequestsResponse } from "../../src/payouts/schemas/requests"
import type { OperationDetail } from "../../src/review/schemas/operations"
import { adminRoutes } from "../fuzz/routes"
import { expectPaidInFull, settled, timesCharged } from "./support/payments"
import { paidOrder, refundsOf } from "./support/refunds"
import { anApiKey, anotherAdmin, type Caller } from "./support/second-admin"
import { expectOk, HOSTED, walletOf, type Answer } from "./support/shop"
import { ADMIN } from "./support/store-process"
import { useHarness } from "./support/harness"

const harness = useHarness({
  simulator: { speed: 4 },
  env: { MERCHANT_PAYMENTS_ENCRYPTION_KEY: randomBytes(32).toString("base64") },
})

const ROOT = "/admin/merchant-payments"
const CANARY = "CANARY-typed-8812"
type Refused = { readonly code?: string; readonly message?: string; readonly field?: string }

describe("[S23] an impossible id", () => {
  it.each([
    ["GET", "/merchant-payments/return/%00", "session_not_found"],
    ["POST", "/store/carts/%00/line-items", "cart_not_found"],
    ["DELETE", "/store/carts/a%00b/line-items/x", "cart_not_found"],
    ["POST", "/store/payment-collections/%00/payment-sessions", "session_not_found"],
    ["GET", "/store/merchant-payments/sessions/%00", "session_not_found"],
    ["POST", "/store/merchant-payments/sessions/%00/start", "session_not_found"],
    ["GET", `/merchant-payments/return/${"x".repeat(201)}`, "session_not_found"],
  ])("in %s %s gets a 404", async (method, path, code) => {
    const { status, body } = await harness.shop.call<Refused>(
      method,
      path,
      method === "POST" ? {} : undefined,
    )
    expect([status, body.code]).toEqual([404, code])
  })

  it("gets a 404 from every admin route with an id", async () => {
    const cancel = await harness.admin.call<Refused>("POST", "/admin/orders/%00/cancel", {})
    expect([cancel.status, cancel.body.code]).toEqual([404, "order_not_found"])
    for (const route of adminRoutes().filter((one) => /\/:(?!action)/.test(one))) {
      const [method = "", address = ""] = route.split(" ")
      const path = `${ROOT}/${address.replace(/:action/, "test").replace(/:\w+/g, "%00")}`
      const { status } = await harness.admin.call<Refused>(
        method,
        path,
        method === "POST" ? {} : undefined,
      )
      expect([route, status]).toEqual([route, 404])
    }
  })

  it("in a query is refused with the name of its field", async () => {
    const at = (path: string) => harness.admin.call<Refused>("GET", path)
    for (const [path, field] of [
      [`${ROOT}/operations?cart_id=%00`, "cart_id"],
      [`${ROOT}/operations?reference=a%00`, "reference"],
      [`${ROOT}/reconciliation?account_id=%00`, "account_id"],
      [`${ROOT}/fees?account_id=%00`, "account_id"],
      ["/store/merchant-payments/methods?cart_id=%00", "cart_id"],
      ["/store/merchant-payments/quote?cart_id=%00&payment_method=x", "cart_id"],
    ] as const) {
      const { status, body } = path.startsWith("/store")
        ? await harness.shop.call<Refused>("GET", path)
        : await at(path)
      expect([path, status, body.field]).toEqual([path, 400, field])
    }
  })
})

let token: Promise<{ readonly token: string }> | undefined
async function login(): Promise<string> {
  token ??= expectOk(harness.shop.call<{ token: string }>("POST", "/auth/user/emailpass", ADMIN))
  return (await token).token
}

/** Sends what the shop's and the admin's clients never would. */
async function sent(
  path: string,
  type: string | undefined,
  body: string,
): Promise<Answer<Refused>> {
  const response = await fetch(`${harness.shop.url}${path}`, {
    method: "POST",
    headers: {
      "x-publishable-api-key": harness.store.publishableKey,
      authorization: `Bearer ${await login()}`,
      ...(type === undefined ? {} : { "content-type": type }),
    },
    body: Buffer.from(body),
  })
  const text = await response.text()
  expect(text).not.toContain("CANARY")
  return { status: response.status, body: JSON.parse(text) as Refused }
}

describe("[S25] a body", () => {
  const json = JSON.stringify({ client_secret: CANARY, [CANARY]: CANARY })

  it.each([
    ["application/x-www-form-urlencoded", json],
    ["application/x-www-form-urlencoded", `client_secret=${CANARY}`],
    ["text/plain", json],
    ["multipart/form-data; boundary=x", json],
    ["application/jsonp", json],
    [undefined, json],
  ])("of type %s is refused by the admin's and the shop's routes", async (type, body) => {
    for (const path of [
      `${ROOT}/accounts/new/test`,
      `${ROOT}/accounts`,
      "/store/merchant-payments/operator",
    ]) {
      const answer = await sent(path, type, body)
      expect([path, answer.status, answer.body.code]).toEqual([path, 415, "unsupported_media_type"])
    }
  })

  it.each([
    ["an unknown key", json, null],
    ["an unknown key further in", JSON.stringify({ policies: { [CANARY]: CANARY } }), "policies"],
    [
      "a strange currency of a limit",
      JSON.stringify({ policies: { refund_second_admin_above: { [CANARY]: 1 } } }),
      "policies.refund_second_admin_above",
    ],
    [
      "a name of the wire with a sign",
      JSON.stringify({ wire_names: { [`${CANARY}!`]: "x" } }),
      "wire_names",
    ],
    ["a value of another kind", JSON.stringify({ client_secret: [CANARY] }), "client_secret"],
    ["a word of no list", JSON.stringify({ source_kind: CANARY }), "source_kind"],
    ["a secret with spaces", JSON.stringify({ client_secret: `${CANARY} x` }), "client_secret"],
    ["a text in the place of an object", JSON.stringify(CANARY), null],
    ["half of an object", `{"client_secret":"${CANARY}`, null],
    ["no JSON at all", CANARY, null],
    ["far too much", JSON.stringify({ label: CANARY.repeat(20_000) }), null],
  ])("with %s is refused, and none of it repeated", async (_what, body, field) => {
    const answer = await sent(`${ROOT}/accounts/new/test`, "application/json", body)
    expect([answer.status, answer.body.code, answer.body.field]).toEqual([
      400,
      "invalid_request",
      field,
    ])
    expect(harness.store.output()).not.toContain(CANARY)
  })

  it("of JSON is read with any charset, and no body counts as an empty one", async () => {
    const phone = JSON.stringify({ phone: "0788 123 456", country_code: "rw" })
    for (const type of ["application/json; charset=utf-8", "Application/JSON"]) {
      expect((await sent("/store/merchant-payments/operator", type, phone)).status).toBe(200)
    }
    const sessionId = await harness.shop.session(await harness.shop.cart(), HOSTED)
    const started = await harness.shop.call(
      "POST",
      `/store/merchant-payments/sessions/${sessionId}/start`,
    )
    expect(started.status).toBe(200)
    await expectOk(harness.shop.cancel(sessionId))
  })
})

it("[S28] an admin can export and erase the data of one customer", async () => {
  const [mine, other] = [await paidOrder(harness), await paidOrder(harness)]
  const [row] = await harness.sql<{ customer_id: string }>(
    `update "order" set customer_id = $2 where id = $1 returning customer_id`,
    [mine.orderId, "cus_ada"],
  )
  const path = `${ROOT}/customers/${row?.customer_id ?? ""}/data`
  const ofOrder = (orderId: string) =>
    harness.sql<{ phone_hint: string | null; lines: { name: string }[]; amount_minor: string }>(
      "select phone_hint, lines, amount_minor from mp_operation where order_id = $1",
      [orderId],
    )
  const before = await ofOrder(mine.orderId)
  const exported = await expectOk(harness.admin.call<CustomerData>("GET", path))
  expect(exported).toMatchObject({
    customer_id: "cus_ada",
    operations: [{ order_id: mine.orderId, phone_hint: before[0]?.phone_hint }],
    next: null,
  })
  const erased = await expectOk(harness.admin.call<CustomerDataErased>("DELETE", path))
  expect(erased.operations).toBe(1)
  expect(await ofOrder(mine.orderId)).toEqual([
    {
      amount_minor: before[0]?.amount_minor,
      phone_hint: null,
      lines: before[0]?.lines.map((line) => ({ ...line, name: "•••" })),
    },
  ])
  expect((await ofOrder(other.orderId))[0]?.phone_hint).not.toBeNull()
  const unknown = await harness.admin.call<Refused>("DELETE", `${ROOT}/customers/cus_none/data`)
  expect([unknown.status, unknown.body.code]).toEqual([404, "customer_not_found"])
})

describe("[B42] a card on the shop's own page", () => {
  const CARD = "pp_card_merchant"

  type Regions = { regions: { id: string; name: string; providers: { provider_id: string }[] }[] }

  const regions = async () =>
    (await expectOk(harness.admin.call<Regions>("GET", "/admin/merchant-payments/regions"))).regions

  const offered = async (cartId: string) => {
    const path = `/store/merchant-payments/methods?cart_id=${cartId}`
    type Methods = { methods: { provider_id: string; flow: string; needs_phone: boolean }[] }
    const { methods } = await expectOk(harness.shop.call<Methods>("GET", path))
    return methods.find(({ provider_id }) => provider_id === CARD)
  }

  it("is offered only once the merchant adds it, not by Enable", async () => {
    const region = (await regions()).find(({ name }) => name === "International")
    // The demo's regions have it: here it is taken out first, as a merchant would in Medusa.
    const others = { payment_providers: ["pp_hosted-checkout_merchant"] }
    await expectOk(harness.admin.call("POST", `/admin/regions/${region?.id}`, others))
    const path = `/admin/merchant-payments/regions/${region?.id}/enable`
    await expectOk(harness.admin.call("POST", path, {}))
    const cartId = await harness.shop.cart({ phone: walletOf() })
    expect(await offered(cartId)).toBeUndefined()
    await expectOk(harness.admin.call("POST", path, { provider_ids: [CARD] }))
    expect(await offered(cartId)).toMatchObject({ flow: "card", needs_phone: false })
  })

  it("asks the bank, and the order is paid once the gateway says so", async () => {
    const { shop, simulator } = harness
    const cartId = await shop.cart({ phone: walletOf() })
    const total = await shop.total(cartId)
    const sessionId = await shop.session(cartId, CARD)
    const { payment } = await expectOk(shop.start(sessionId, { card_token: "card_3ds" }))
    expect(payment).toMatchObject({ state: "action_required", flow: "card", phone_hint: null })
    const { client_secret: clientSecret } = { client_secret: "", ...payment }
    const shown = "select status, data from payment_session where id = $1"
    const [session] = await harness.sql(shown, [sessionId])
    expect(session).toMatchObject({ status: "requires_more" })
    expect(JSON.stringify(session)).not.toContain(clientSecret)
    simulator.card.pass({ clientSecret })
    const paid = await settled(harness, sessionId)
    expect(paid).toMatchObject({ state: "paid", client_secret: null })
    await expectPaidInFull(harness, paid.order_id ?? "", total)
    expect(await timesCharged(harness, cartId)).toBe(1)
    expect(harness.store.output()).not.toContain(clientSecret)
  })

  it("needs a token, and another card can pay after a declined one", async () => {
    const { shop } = harness
    const cartId = await shop.cart({ phone: walletOf() })
    const sessionId = await shop.session(cartId, CARD)
    const refused = await shop.start(sessionId)
    expect(refused).toMatchObject({
      status: 400,
      body: { code: "invalid_request", field: "card_token" },
    })
    await expectOk(shop.start(sessionId, { card_token: "card_declined" }))
    expect(await settled(harness, sessionId)).toMatchObject({ state: "failed", can_retry: true })
    await expectOk(shop.start(sessionId, { card_token: "card_no_3ds" }))
    expect(await settled(harness, sessionId)).toMatchObject({ state: "paid" })
    expect(await timesCharged(harness, cartId)).toBe(1)
  })
})

/** Last: it leaves a limit behind, and counts every refund. */
describe("a refund above the limit", () => {
  type Refusal = { readonly message?: string }
  type Refunds = (paymentId: string, amount: number) => Promise<Answer<Refusal>>

  const refundsBy =
    ({ call }: Caller): Refunds =>
    (paymentId, amount) =>
      call("POST", `/admin/payments/${paymentId}/refund`, { amount })

  it("needs two admins, and an API key is neither of them", async () => {
    await harness.sql(
      `update mp_account set policies = '{ "refund_second_admin_above": { "*": 10 } }'::jsonb`,
    )
    const order = await paidOrder(harness)
    const program = await anApiKey(harness)
    const key = refundsBy(program)
    const bob = await anotherAdmin(harness)
    const ada = refundsBy(harness.admin)
    const sent = () => harness.simulator.book.refunds().filter(({ phone }) => phone === order.phone)
    const expectRefused = async (refund: Refunds, code = "refund_needs_second_admin") => {
      const { status, body } = await refund(order.paymentId, 15)
      expect([status, body.message]).toEqual([expect.any(Number), expect.stringContaining(code)])
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(500)
    }
    expect((await key(order.paymentId, 4.99)).status).toBe(200)
    await expectRefused(key)
    await expectRefused(ada)
    await expectRefused(ada)
    await expectRefused(key)
    expect(await refundsOf(harness, order)).toHaveLength(1)
    expect(sent()).toMatchObject([{ amount: "4.99" }])
    await expectRefused(refundsBy(bob))
    const all = await expectOk(harness.admin.call<RequestsResponse>("GET", `${ROOT}/requests`))
    // The other suites of this store leave theirs.
    const requests = all.requests.filter(({ amount }) => amount === 15)
    expect(requests).toMatchObject([{ kind: "REFUND", currency: "USD" }])
    const path = `${ROOT}/refund-requests/${requests[0]?.id}/approve`
    const approve = (by: Caller) => by.call<RequestAnsweredResponse>("POST", path, { note: "seen" })
    for (const by of [program, harness.admin]) expect((await approve(by)).status).toBe(409)
    const clicks = await Promise.all([approve(bob), approve(bob)])
    expect(clicks.map(({ status }) => status)).toContain(200)
    const { request } = await expectOk(approve(bob))
    expect(request).toMatchObject({ state: "approved", answer: "seen" })
    const of = await expectOk(
      harness.admin.call<{ operation: OperationDetail }>(
        "GET",
        `${ROOT}/operations/${requests[0]?.payment_id}`,
      ),
    )
    expect(of.operation.refunds.find(({ id }) => id === request?.operation_id)).toMatchObject({
      asked_by: request?.asked_by,
      approval: { approved_by: request?.approved_by, answer: "seen" },
    })
    await expectRefused(ada, "request_ended")
    expect(sent()).toMatchObject([{ amount: "4.99" }, { amount: "15.00" }])
  })
})
