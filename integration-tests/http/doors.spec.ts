/**
 * What is sent to a route: its ids, its kind, and what is said about it. And one customer's own
 * data.
 */
import { randomBytes } from "node:crypto"
import type { CustomerData, CustomerDataErased } from "../../src/reconciliation/customer-data"
import { adminRoutes } from "./support/admin-routes"
import { paidOrder } from "./support/refunds"
import { expectOk, HOSTED, type Answer } from "./support/shop"
import { ADMIN } from "./support/store-process"
import { useHarness } from "./support/harness"

const harness = useHarness({
  env: { MERCHANT_PAYMENTS_ENCRYPTION_KEY: randomBytes(32).toString("base64") },
})

const ROOT = "/admin/merchant-payments"
const CANARY = "CANARY-typed-8812"
type Refused = { readonly code?: string; readonly message?: string; readonly field?: string }

describe("[S23] an id that can be none", () => {
  it.each([
    ["GET", "/merchant-payments/return/%00", "session_not_found"],
    ["POST", "/store/carts/%00/line-items", "cart_not_found"],
    ["DELETE", "/store/carts/a%00b/line-items/x", "cart_not_found"],
    ["POST", "/store/payment-collections/%00/payment-sessions", "session_not_found"],
    ["GET", "/store/merchant-payments/sessions/%00", "session_not_found"],
    ["POST", "/store/merchant-payments/sessions/%00/start", "session_not_found"],
    ["GET", `/merchant-payments/return/${"x".repeat(201)}`, "session_not_found"],
  ])("%s %s is 404", async (method, path, code) => {
    const { status, body } = await harness.shop.call<Refused>(
      method,
      path,
      method === "POST" ? {} : undefined,
    )
    expect([status, body.code]).toEqual([404, code])
  })

  it("is 404 to an admin, too, at each route that has one", async () => {
    const cancel = await harness.admin.call<Refused>("POST", "/admin/orders/%00/cancel", {})
    expect([cancel.status, cancel.body.code]).toEqual([404, "order_not_found"])
    for (const route of adminRoutes().filter((one) => one.includes("/:"))) {
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

  it("in a query is refused by the name of its field", async () => {
    const at = (path: string) => harness.admin.call<Refused>("GET", path)
    for (const [path, field] of [
      [`${ROOT}/operations?cart_id=%00`, "cart_id"],
      [`${ROOT}/operations?q=a%00`, "q"],
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

/** Whatever the shop's or the admin's own clients would not send. */
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
  ])("of the kind %s is refused, at the admin's and the shop's routes", async (type, body) => {
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
  ])("with %s is refused, and nothing of it repeated", async (_what, body, field) => {
    const answer = await sent(`${ROOT}/accounts/new/test`, "application/json", body)
    expect([answer.status, answer.body.code, answer.body.field]).toEqual([
      400,
      "invalid_request",
      field,
    ])
    expect(harness.store.output()).not.toContain(CANARY)
  })

  it("of JSON is read, with a charset as well, and none at all is as good as an empty one", async () => {
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

it("[S28] an admin exports and erases what is kept of one customer", async () => {
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
