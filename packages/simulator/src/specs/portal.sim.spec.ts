import {
  checkoutRequest,
  credentialsOf,
  phoneEnding,
  startBench,
  type Bench,
} from "../testing/client"
import { execute, openSession, paid, readyToSend, soon, walletIn } from "../testing/money-out"

const OTHER = { ownerId: 2, clientId: "other", clientSecret: "secret", name: "Palm & Sons" }

let bench: Bench
beforeEach(async () => {
  bench = await startBench({ merchants: [OTHER] })
})
afterEach(() => bench.close())

const open = async (path: string) => {
  const response = await fetch(`${bench.simulator.url}${path}`)
  return { status: response.status, text: await response.text(), headers: response.headers }
}
const post = async (path: string, fields: Record<string, string>) => {
  const body = new URLSearchParams(fields)
  const init = { method: "POST", body, redirect: "manual" } as const
  const response = await fetch(`${bench.simulator.url}${path}`, init)
  const location = response.headers.get("location")
  return { status: response.status, location, text: await response.text() }
}
/** The texts of all elements with this test id, in the page's order. */
const texts = (page: string, testId: string): string[] =>
  [...page.matchAll(new RegExp(`data-testid="${testId}"[^>]*>([^<]*)<`, "g"))].map(
    ([, text = ""]) => text.trim(),
  )
const token = async (secret: string) => {
  const credentials = credentialsOf({ clientSecret: secret })
  return bench.call("POST", "/v1/jwt/client/obtain/token", credentials, {})
}

test("the front page leads to it, and it begins with the choice of a merchant", async () => {
  expect((await open("/")).text).toContain('href="/portal"')
  const { text } = await open("/portal")
  expect(text).toContain('href="/portal/1"')
  expect(text).toContain("Palm &amp; Sons (2)")
})

test("a payment on the hosted page shows the payment intent that refunds it", async () => {
  const { body } = await bench.call("POST", "/v1/checkouts/create", checkoutRequest())
  bench.simulator.hosted.pay(Number(body["source_id"]), { method: "card" })
  const { text, headers } = await open("/portal/1")
  expect(headers.get("cache-control")).toBe("no-store")
  const [intentId] = texts(text, "payment-intent-id")
  expect(texts(text, "source-number")).toEqual([body["source_number"]])
  expect(text).toContain(`data-copy="${intentId}"`)
  expect(texts(text, "reference")).toEqual([])
  const request = {
    original_payment_intent_id: Number(intentId),
    amount: 42.5,
    expires_at: soon(bench),
  }
  expect((await openSession(bench, "refund", request)).status).toBe(200)
})

test("lists transactions of all types, newest first, with amounts, method and status", async () => {
  const { intentId } = await paid(bench)
  bench.clock.advance(1_000)
  await execute(bench, "payout", await readyToSend(bench, "payout", phoneEnding("91")))
  bench.clock.advance(3_000)
  const request = { original_payment_intent_id: intentId, amount: 10, expires_at: soon(bench) }
  const { body: session } = await openSession(bench, "refund", request)
  const reference = crypto.randomUUID()
  await execute(bench, "refund", { session_id: String(session["id"]), reference_id: reference })

  const { text } = await open("/portal/1")
  expect(texts(text, "transaction-status")).toEqual(["processing", "failed", "completed"])
  expect(texts(text, "payer-amount")).toEqual(["USD 10.00", "USD 10.00", "USD 42.50"])
  expect(texts(text, "payee-amount")).toEqual(["USD 10.00", "USD 10.00", "USD 41.43"])
  expect(new Set(texts(text, "method"))).toEqual(new Set(["OPERATOR1_MOMO_LBR"]))
  expect(texts(text, "original-intent")).toEqual([String(intentId)])
  expect(texts(text, "reference")[0]).toBe(reference)
  expect(texts((await open(`/portal/1?find=${reference}`)).text, "reference")).toEqual([reference])
  expect((await open("/portal/1?find=nothing")).text).toContain("No transaction fits")
})

test("a merchant sees its own transactions and wallets only", async () => {
  await paid(bench)
  const { text } = await open("/portal/2")
  expect(texts(text, "portal-merchant")).toEqual(["Palm &amp; Sons"])
  expect(texts(text, "payment-intent-id")).toEqual([])
  const ids = ["USD", "LRD", "RWF"].map((currency) => String(walletIn(bench, currency, 2).id))
  expect(texts(text, "wallet-id")).toEqual(ids)
})

test("wallets show balance, what is on its way out, and a state that can be set", async () => {
  await execute(bench, "payout", await readyToSend(bench, "payout", phoneEnding("95")))
  const { id } = walletIn(bench, "USD")
  const set = await post(`/portal/1/wallets/${id}/state`, { state: "FROZEN" })
  expect(set).toMatchObject({ status: 303, location: "/portal/1" })
  const { text } = await open("/portal/1")
  expect(texts(text, "balance")[0]).toBe("USD 1,000.00")
  expect(texts(text, "reserved")[0]).toBe("USD 10.00")
  expect(texts(text, "available")[0]).toBe("USD 990.00")
  expect(texts(text, "wallet-state")).toEqual(["frozen", "active", "active"])
  expect(walletIn(bench, "USD").state).toBe("FROZEN")
})

test("another merchant's wallet is not set from here", async () => {
  const { id } = walletIn(bench, "USD", 2)
  expect((await post(`/portal/1/wallets/${id}/state`, { state: "CLOSED" })).status).toBe(404)
  expect(walletIn(bench, "USD", 2).state).toBe("ACTIVE")
})

test("a button verifies the merchant, and takes it away again", async () => {
  await post("/portal/1/verified", { isVerified: "false" })
  expect(texts((await open("/portal/1")).text, "verification")).toEqual(["not verified"])
  const checkout = await bench.call("POST", "/v1/checkouts/create", checkoutRequest())
  expect(checkout.status).toBe(403)
  expect(bench.simulator.backOffice.merchants()).toMatchObject([
    { ownerId: 1, isVerified: false },
    { ownerId: 2, isVerified: true },
  ])
  await post("/portal/1/verified", { isVerified: "true" })
  expect(texts((await open("/portal/1")).text, "verification")).toEqual(["verified"])
})

test("a rotated key is shown once; the old secret and its tokens are void", async () => {
  expect((await bench.call("GET", "/v1/orders/list")).status).toBe(200)
  const { text } = await post("/portal/1/rotate-key", { clientId: "simulator-client" })
  const [secret = ""] = texts(text, "new-secret")
  expect(secret).toMatch(/^[0-9a-f]{40}$/)
  expect((await open("/portal/1")).text).not.toContain(secret)

  expect((await bench.call("GET", "/v1/orders/list")).status).toBe(401)
  expect((await token("simulator-secret")).status).toBe(401)
  const { status, body } = await token(secret)
  expect(status).toBe(200)
  const headers = { authorization: `Bearer ${String(body["access_token"])}` }
  expect((await bench.call("GET", "/v1/orders/list", undefined, headers)).status).toBe(200)
})

test("another merchant's key is not rotated from here", async () => {
  expect((await post("/portal/2/rotate-key", { clientId: "simulator-client" })).status).toBe(404)
  expect((await token("simulator-secret")).status).toBe(200)
})

test.each(["/portal/3", "/portal/1x"])("%s is no portal", async (path) => {
  expect((await open(path)).status).toBeGreaterThanOrEqual(400)
})

test("every control has a label and a test id", async () => {
  await paid(bench)
  const { text } = await open("/portal/1")
  for (const [, id] of text.matchAll(/<(?:input|select)[^>]* id="([^"]+)"/g)) {
    expect(text).toContain(`<label for="${id}">`)
  }
  for (const [tag] of text.matchAll(/<(?:button|select|a|input(?! type="hidden))[ >][^>]*>/g)) {
    if (!tag.includes('href="/"') && !tag.includes('type="hidden"')) {
      expect(tag).toContain("data-testid=")
    }
  }
})
