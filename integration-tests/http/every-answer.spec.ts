/**
 * Every answer of the plugin's routes: no cache keeps it, no page of another origin makes a browser
 * change anything, and an id that can't be decoded is unknown. The routes are read from the source,
 * so that none is forgotten.
 */
import { nameOf, routesOfOurs } from "../fuzz/routes"
import { paidOrder } from "./support/refunds"
import { unusedRegion } from "./support/regions"
import { ADMIN } from "./support/store-process"
import { expectOk, HOSTED } from "./support/shop"
import { useHarness } from "./support/harness"

const harness = useHarness()

type Asked = {
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

let token: string | undefined

async function login(): Promise<string> {
  const { token: given } = await expectOk(
    harness.shop.call<{ token: string }>("POST", "/auth/user/emailpass", ADMIN),
  )
  return (token ??= given)
}

async function asked(method: string, path: string, { body, headers = {} }: Asked = {}) {
  const response = await fetch(`${harness.shop.url}${path}`, {
    method,
    redirect: "manual",
    headers: {
      connection: "close",
      "x-publishable-api-key": harness.store.publishableKey,
      ...(path.startsWith("/admin") && { authorization: `Bearer ${token ?? (await login())}` }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  })
  const stream = response.headers.get("content-type")?.includes("event-stream")
  if (stream) await response.body?.cancel()
  return { response, text: stream ? "" : await response.text() }
}

const json = { "content-type": "application/json" }
const hasBody = (method: string) => method === "POST" || method === "PUT" || method === "PATCH"

function expectUncached(what: unknown, { headers }: Response): void {
  expect([what, headers.get("cache-control"), headers.get("etag")]).toEqual([
    what,
    expect.stringMatching(/^no-store(?:, no-transform)?$/),
    null,
  ])
}

/** An id that there is, for what stands before each parameter. */
async function knownIds(): Promise<(address: string) => string> {
  const { shop, sql } = harness
  const { orderId } = await paidOrder(harness)
  const [paid] = await sql<{ id: string }>("select id from mp_operation where order_id = $1", [
    orderId,
  ])
  const session = await shop.session(await shop.cart(), HOSTED)
  await expectOk(shop.start(session))
  const [open] = await sql<{ return_token: string }>(
    "select return_token from mp_operation where return_token is not null",
  )
  const [link] = await sql<{ token: string }>(
    "select token from mp_receipt_link where order_id = $1",
    [orderId],
  )
  const ids: readonly (readonly [RegExp, string | undefined])[] = [
    [/return/, open?.return_token],
    [/^\/merchant-payments\/receipt/, link?.token],
    [/sessions/, session],
    [/orders/, orderId],
    [/operations/, paid?.id],
    [/accounts/, "mpacc_env"],
    [/regions/, await unusedRegion(harness)],
  ]
  return (address) => ids.find(([pattern]) => pattern.test(address))?.[1] ?? "none"
}

const filled = (address: string, id: string) => address.replace(/:\w+/g, id)

describe("[D2] no cache keeps an answer", () => {
  it("of any route, whether it succeeds or refuses", async () => {
    const idOf = await knownIds()
    let succeeded = 0
    for (const route of routesOfOurs()) {
      const { method, address } = route
      const body = hasBody(method) ? { body: "{}", headers: json } : {}
      const isOfCart = method === "GET" && /methods|quote/.test(address)
      const query = isOfCart ? `?cart_id=${await harness.shop.cart()}` : ""
      const found = await asked(method, `${filled(address, idOf(address))}${query}`, body)
      if (found.response.status < 400) succeeded += 1
      expectUncached(nameOf(route), found.response)
      const refused = await asked(method, filled(address, "none"), body)
      expectUncached([nameOf(route), "refused"], refused.response)
      const misread = await asked(method, `${filled(address, "none")}?limit=x`, {
        ...body,
        ...(hasBody(method) && { body: "{" }),
      })
      expectUncached([nameOf(route), "misread"], misread.response)
    }
    expect(succeeded).toBeGreaterThan(15)
  })

  it("of an unknown path, of a guarded cart, or to a browser that already has it", async () => {
    for (const root of ["/admin/merchant-payments", "/store/merchant-payments"]) {
      const { response } = await asked("GET", `${root}/nothing/here`)
      expect(response.status).toBe(404)
      expectUncached(root, response)
    }
    const path = "/admin/merchant-payments/regions"
    for (const condition of ["*", 'W/"1"']) {
      const { response } = await asked("GET", path, { headers: { "if-none-match": condition } })
      expect(response.status).toBe(200)
    }
    const { shop } = harness
    const cart = await shop.cart()
    await expectOk(shop.start(await shop.session(cart)))
    const guarded = await asked("POST", `/store/carts/${cart}`, {
      body: '{"email":"other@example.com"}',
      headers: json,
    })
    expect(guarded.response.status).toBe(409)
    expectUncached("guard", guarded.response)
  })
})

it("[S02] the readiness probe is answered without a login or a key, in one word", async () => {
  for (const status of ["live", "ready"]) {
    const response = await fetch(`${harness.shop.url}/merchant-payments/${status}`)
    expect([response.status, await response.json()]).toEqual([200, { status }])
  }
})

describe("[D7] a page of another origin", () => {
  const cookie = async () => {
    const headers = { authorization: `Bearer ${await login()}` }
    const { response } = await asked("POST", "/auth/session", { headers })
    return response.headers
      .getSetCookie()
      .map((one) => one.split(";")[0])
      .join("; ")
  }

  it("changes nothing with an admin's cookie, with or without a body", async () => {
    const held = { cookie: await cookie(), authorization: "" }
    const changing = routesOfOurs().filter(
      ({ method, address }) => method !== "GET" && address.startsWith("/admin"),
    )
    expect(changing.length).toBeGreaterThan(10)
    for (const route of changing) {
      const foreign: Record<string, string>[] = [
        { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
        { origin: "https://evil.example" },
        { origin: "null" },
        { "sec-fetch-site": "same-site" },
        { origin: "https://evil.example", "content-type": "text/plain" },
        {},
      ]
      for (const said of foreign) {
        const { response, text } = await asked(route.method, filled(route.address, "none"), {
          headers: { ...held, ...said },
        })
        expect([nameOf(route), said, response.status]).toEqual([nameOf(route), said, 415])
        expect(text).toContain("unsupported_media_type.origin")
      }
    }
  })

  it("is told apart from the admin's page, a program, and a page that may send JSON", async () => {
    const held = { cookie: await cookie(), authorization: "" }
    const { host, origin } = new URL(harness.shop.url)
    const own: Record<string, string>[] = [
      { ...held, origin, "sec-fetch-site": "same-origin" },
      { ...held, origin, host },
      { ...held, "sec-fetch-site": "none" },
      { ...held, ...json },
      { ...held, ...json, origin: "http://localhost:4100", "sec-fetch-site": "same-site" },
      {},
    ]
    for (const headers of own) {
      const path = "/admin/merchant-payments/operations/none/check"
      const { response } = await asked("POST", path, { headers })
      expect([headers, response.status]).toEqual([headers, 404])
    }
  })
})

it("[D7] a shopper's quote has the payer's amount, and nothing about the shop's", async () => {
  const cart = await harness.shop.cart()
  const query = `cart_id=${cart}&payment_method=OPERATOR1_MOMO_LBR`
  const { response, text } = await asked("GET", `/store/merchant-payments/quote?${query}`)
  expect(response.status).toBe(200)
  const { quote } = JSON.parse(text) as { quote: object }
  expect(Object.keys(quote).sort()).toEqual([
    "expires_at",
    "least",
    "most",
    "payer_amount",
    "payer_currency",
  ])
})

it("[D7] an id that can't be decoded is unknown", async () => {
  for (const route of routesOfOurs().filter(({ address }) => address.includes(":"))) {
    for (const id of ["%E0%A4%A", "%", "%FF"]) {
      const { response, text } = await asked(route.method, filled(route.address, id), {
        headers: json,
      })
      expect([nameOf(route), id, response.status]).toEqual([nameOf(route), id, 404])
      expect(JSON.parse(text)).toMatchObject({ code: expect.stringMatching(/_not_found$/) })
      expectUncached(nameOf(route), response)
    }
  }
})

describe("[D5] an admin's search", () => {
  const ROOT = "/admin/merchant-payments/operations"

  it("is sent in a body: in an address it is refused, and no log line has it", async () => {
    const said = "0886 731 904 mary@shop.example"
    for (const format of ["json", "csv"]) {
      const words = { q: said, format }
      const inAddress = `${ROOT}?${new URLSearchParams({ q: "x", format }).toString()}`
      const refused = await asked("GET", inAddress)
      expect([refused.response.status, JSON.parse(refused.text)]).toEqual([
        400,
        expect.objectContaining({
          code: "invalid_request",
          situation: "invalid_request.search_by_post",
          field: "q",
        }),
      ])
      const found = await asked("POST", `${ROOT}/search`, {
        body: JSON.stringify(words),
        headers: json,
      })
      expect(found.response.status).toBe(200)
    }
    expect(decodeURIComponent(harness.store.output())).not.toMatch(/0886|mary@/)
  })

  it("finds the payment together with filters, while the list's filters stay in the address", async () => {
    const [paid] = await harness.sql<{ id: string }>(
      "select id from mp_operation where state = 'completed' limit 1",
    )
    const body = JSON.stringify({ q: paid?.id, state: "completed", limit: 5, totals: true })
    const found = await asked("POST", `${ROOT}/search`, { body, headers: json })
    expect(JSON.parse(found.text)).toMatchObject({ count: 1, operations: [{ id: paid?.id }] })
    const other = await asked("POST", `${ROOT}/search`, {
      body: JSON.stringify({ q: paid?.id, state: "failed" }),
      headers: json,
    })
    expect(JSON.parse(other.text)).toMatchObject({ count: 0 })
    expect((await asked("GET", `${ROOT}?state=completed&limit=5`)).response.status).toBe(200)
  })
})
