import type { IncomingHttpHeaders } from "node:http"
import { createCheckout } from "../checkout.js"
import { event, says, scriptedStore, type ScriptedStore } from "../testing/scripted-store.js"
import { passOn } from "./index.js"

const SHOP = "https://shop.example/api/payments"

let store: ScriptedStore
beforeEach(async () => (store = await scriptedStore()))
afterEach(() => store.close())

const routes = (proxies?: number) =>
  passOn({ baseUrl: store.url, publishableKey: "pk", ...(proxies !== undefined && { proxies }) })

/** A browser on the shop's page, with its cookies. */
const browser: typeof fetch = (input, init) => {
  const request = new Request(String(input), init)
  request.headers.set("sec-fetch-site", "same-origin")
  request.headers.set("cookie", "other=1; _medusa_jwt=token; more=2")
  const { GET, POST } = routes()
  return request.method === "GET" ? GET(request) : POST(request)
}
const kit = () => createCheckout({ baseUrl: SHOP, call: browser, storage: null })

it("adds key and login to what the kit asks, and no cookie", async () => {
  let heard: IncomingHttpHeaders = {}
  let sent = ""
  store.on("POST /sessions/a/start", (request, response, body) => {
    heard = request.headers
    sent = body
    says({ id: "a", state: "waiting_for_payer" })(request, response, body)
  })
  await kit().payment("a").start({ phone: "0770 000 010" })
  expect(heard).toMatchObject({ "x-publishable-api-key": "pk", authorization: "Bearer token" })
  expect(heard.cookie).toBeUndefined()
  expect(JSON.parse(sent)).toEqual({ phone: "0770 000 010" })
})

it("lets events through one by one", async () => {
  let tell: (() => void) | undefined
  store.on("GET /a/events", (_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" })
    response.write(event("1", { state: "waiting_for_payer", prompt: "sent" }))
    tell = () => response.end(event("2", { state: "paid", order_id: "order_1" }))
  })
  const payment = kit().payment("a")
  const phases: string[] = []
  await new Promise<void>((resolve) => {
    const stop = payment.subscribe(() => {
      const { phase } = payment.getView()
      if (phases.at(-1) !== phase) phases.push(phase)
      if (phase === "approve") tell?.()
      if (phase !== "paid") return
      stop()
      resolve()
    })
  })
  expect(phases).toEqual(["approve", "paid"])
})

it.each([
  ["another route of the store", `${SHOP}/store/customers/me`, {}, 404],
  ["a way around", `${SHOP}/store/merchant-payments/../customers/me`, {}, 404],
  ["an admin's route", `${SHOP}/admin/orders`, {}, 404],
  ["encoded dots", `${SHOP}/store/merchant-payments/%2e%2E/customers/me`, {}, 404],
  ["an encoded slash", `${SHOP}/store/merchant-payments/..%2fcustomers/me`, {}, 404],
  ["a backslash", `${SHOP}/store/merchant-payments/..\\..\\admin/orders`, {}, 404],
  ["another store", `${SHOP}/store/https://evil.example/merchant-payments/a`, {}, 404],
  ["another host", `${SHOP}//evil.example/store/customers`, {}, 404],
])("[D15] passes nothing on to %s", async (_name, url, headers, status) => {
  const answer = await routes().GET(new Request(url, { headers }))
  expect(answer.status).toBe(status)
  expect(store.asked).toEqual([])
})

it.each([
  ["/api/payments", ""],
  ["/api/payments", "/"],
  ["/store/api/payments", ""],
  ["/de/store/store/payments", "//"],
  ["/store/merchant-payments", ""],
  ["", ""],
])(
  "passes calls on from a handler at %j to a store whose address ends with %j",
  async (at, end) => {
    store.on("GET /sessions/a", says({ id: "a", state: "ready" }))
    const { GET } = passOn({ baseUrl: store.url + end, publishableKey: "pk" })
    const url = `https://shop.example${at}/store/merchant-payments/sessions/a?x=1`
    const answer = await GET(new Request(url, { headers: { "sec-fetch-site": "same-origin" } }))
    expect([answer.status, store.asked]).toEqual([200, ["GET /sessions/a"]])
  },
)

it("names the page's origin to the store, which may send the shopper back to it", async () => {
  let origin: string | undefined
  store.on("POST /sessions/a/start", (request, response, body) => {
    origin = request.headers.origin
    says({ id: "a", state: "waiting_for_payer" })(request, response, body)
  })
  const headers = { origin: "https://pr-12.preview.example", "sec-fetch-site": "same-origin" }
  const url = `${SHOP}/store/merchant-payments/sessions/a/start`
  await routes().POST(new Request(url, { method: "POST", headers, body: "{}" }))
  expect(origin).toBe("https://pr-12.preview.example")
})

it.each<[string, string, Readonly<Record<string, string>>, number]>([
  ["the shop's page", "POST", { "sec-fetch-site": "same-origin" }, 200],
  ["the shop's page, in an old browser", "POST", { origin: "https://shop.example" }, 200],
  [
    "the shop's page, behind a proxy",
    "POST",
    { origin: "https://a.b", "x-forwarded-host": "a.b" },
    200,
  ],
  ["the shop's page that only reads, in an old browser", "GET", {}, 200],
  ["another site", "GET", { "sec-fetch-site": "cross-site" }, 403],
  ["another host of the site", "POST", { "sec-fetch-site": "same-site" }, 403],
  ["an address that was typed", "GET", { "sec-fetch-site": "none" }, 403],
  ["another site, in an old browser", "GET", { origin: "https://evil.example" }, 403],
  ["a page without an origin", "POST", { origin: "null" }, 403],
  ["a form of nobody's", "POST", {}, 403],
])("[D15] a call of %s (%s %j) gets %d", async (_name, method, headers, status) => {
  store.on("GET /sessions/a", says({ id: "a", state: "ready" }))
  store.on("POST /sessions/a", says({ id: "a", state: "ready" }))
  const { GET, POST } = routes()
  const request = new Request(`${SHOP}/store/merchant-payments/sessions/a`, { method, headers })
  expect((await (method === "GET" ? GET : POST)(request)).status).toBe(status)
  expect(store.asked).toHaveLength(status === 200 ? 1 : 0)
})

it("[D15] hands on no address that the store leads to, and no cookie", async () => {
  store.on("GET /sessions/a", (_request, response) => {
    response.writeHead(302, { location: "https://evil.example/", "set-cookie": "a=b" }).end()
  })
  const url = `${SHOP}/store/merchant-payments/sessions/a`
  const answer = await routes().GET(new Request(url))
  expect([answer.status, [...answer.headers.keys()]]).toEqual([302, []])
})

it.each<[number | undefined, string | null, string | undefined]>([
  [undefined, "203.0.113.9", undefined],
  [0, "203.0.113.9", undefined],
  [1, "1.1.1.1, 203.0.113.9", "203.0.113.9"],
  [2, "1.1.1.1, 203.0.113.9, 10.0.0.2", "203.0.113.9"],
  [2, "203.0.113.9", undefined],
  [1, null, undefined],
])("[D15] with %p proxies, of X-Forwarded-For %p is passed on %p", async (proxies, sent, heard) => {
  let got: string | string[] | undefined
  store.on("GET /sessions/a", (request, response, body) => {
    got = request.headers["x-forwarded-for"]
    says({ id: "a", state: "ready" })(request, response, body)
  })
  const headers = {
    "sec-fetch-site": "same-origin",
    ...(sent !== null && { "x-forwarded-for": sent }),
  }
  await routes(proxies).GET(new Request(`${SHOP}/store/merchant-payments/sessions/a`, { headers }))
  expect(got).toBe(heard)
})

it("reads as no answer where the store is away", async () => {
  await store.close()
  const { problem } = await kit().payment("a").start()
  expect(problem?.name).toBe("NoAnswer")
  store = await scriptedStore()
})
