import type { IncomingHttpHeaders } from "node:http"
import { createCheckout } from "../checkout.js"
import { event, says, scriptedStore, type ScriptedStore } from "../testing/scripted-store.js"
import { passOn } from "./index.js"

const SHOP = "https://shop.example/api/payments"

let store: ScriptedStore
beforeEach(async () => (store = await scriptedStore()))
afterEach(() => store.close())

const routes = () => passOn({ baseUrl: store.url, publishableKey: "pk" })

/** A browser on the shop's page, with its cookies. */
const browser: typeof fetch = (input, init) => {
  const request = new Request(String(input), init)
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
  [
    "another site",
    `${SHOP}/store/merchant-payments/methods`,
    { "sec-fetch-site": "cross-site" },
    403,
  ],
])("passes nothing on to %s", async (_name, url, headers, status) => {
  const answer = await routes().GET(new Request(url, { headers }))
  expect(answer.status).toBe(status)
  expect(store.asked).toEqual([])
})

it("reads as no answer where the store is away", async () => {
  await store.close()
  const { problem } = await kit().payment("a").start()
  expect(problem?.name).toBe("NoAnswer")
  store = await scriptedStore()
})
