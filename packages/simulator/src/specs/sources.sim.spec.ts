import {
  checkoutRequest,
  MINUTE_MS,
  phoneEnding,
  readyToExecute,
  startBench,
  type Bench,
  type Json,
} from "../testing/client"

let bench: Bench
beforeEach(async () => {
  bench = await startBench()
})
afterEach(() => bench.close())

const create = (change: Json = {}) =>
  bench.call("POST", "/v1/checkouts/create", checkoutRequest(change))

test("the total is the exact sum of the lines", async () => {
  const items = [0.1, 0.2, 19.99].map((amount) => ({ name: "Line", currency: "USD", amount }))
  expect((await create({ items })).body).toMatchObject({ total_amount: 20.29 })
})

test("a shopper who comes again is the same party and counterparty", async () => {
  const [first, second] = [await create(), await create()]
  expect(second.body["party_id"]).toBe(first.body["party_id"])
  expect(second.body["counterparty_id"]).toBe(first.body["counterparty_id"])
  expect(second.body["source_id"]).not.toBe(first.body["source_id"])
})

test.each([
  ["a reserved kind", { source_kind: "SUBSCRIPTION" }, ["source_kind"]],
  ["an unknown mode", { mode: "FREE" }, ["mode"]],
  ["a phone with a plus", { party_phone: "+231770000001" }, ["party_phone"]],
  ["a phone that is too short", { party_phone: "2317700" }, ["party_phone"]],
  ["no currency", { currency: undefined }, ["currency"]],
  ["a currency in lower case", { currency: "usd" }, ["currency"]],
  ["a currency nobody serves", { currency: "XAF" }, ["currency"]],
  ["no lines", { items: [] }, ["items"]],
  ["nothing to pay", { items: [line("USD", 0)] }, ["items", 0, "amount"]],
  ["half a cent", { items: [line("USD", 1.005)] }, ["items", 0, "amount"]],
  ["half a franc", { currency: "RWF", items: [line("RWF", 0.5)] }, ["items", 0, "amount"]],
  ["a line in another currency", { items: [line("LRD", 5)] }, ["items", 0, "currency"]],
  ["an unknown counterparty", { counterparty_id: 5 }, ["counterparty_id"]],
  ["no counterparty under 0", { counterparty_id: 0 }, ["counterparty_id"]],
  ["a sum that cannot be counted", { items: [line("USD", 9e13), line("USD", 9e13)] }, ["items"]],
  ["an address that is no web address", { success_url: "javascript:alert(1)" }, ["success_url"]],
  ["an expiry that is no time", { expires_at: "soon" }, ["expires_at"]],
])("%s is refused", async (_, change, field) => {
  const { status, body } = await create(change)
  expect(status).toBe(422)
  expect(body["detail"]).toEqual([expect.objectContaining({ loc: ["body", ...field] })])
})

test("a counterparty that is named stands for the payer, if it has a party", async () => {
  const link = (body: Json) => bench.call("POST", "/v1/counterparties/create", body)
  const { body: party } = await bench.call("POST", "/v1/parties/create", {
    fullname: "Ben Kollie",
    phone: phoneEnding("42"),
  })
  const named = await link({ relationship_type: "PARTNER", party_id: party["id"] })
  const { body } = await create({ counterparty_id: named.body["id"] })
  expect(body).toMatchObject({ counterparty_id: named.body["id"], party_id: party["id"] })
  const loose = await link({ relationship_type: "PARTNER" })
  const refusal = await create({ counterparty_id: loose.body["id"] })
  expect(refusal.status).toBe(422)
  const loc = ["body", "counterparty_id"]
  expect(refusal.body["detail"]).toEqual([expect.objectContaining({ loc })])
})

test("a body that is no JSON is refused in the same form", async () => {
  const { url } = bench.simulator
  const response = await fetch(`${url}/v1/jwt/client/obtain/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{",
  })
  expect(response.status).toBe(422)
  expect(await response.json()).toMatchObject({ detail: [{ loc: ["body"] }] })
})

describe.each([
  ["orders", "ORDER"],
  ["invoices", "INVOICE"],
])("%s", (path, source_kind) => {
  test("are canceled once, and final then", async () => {
    const { body } = await create({ source_kind })
    const cancel = () => bench.call("DELETE", `/v1/${path}/cancel/${body["source_id"]}`)
    expect((await cancel()).body).toMatchObject({ status: "CANCELED", id: body["source_id"] })
    expect((await cancel()).status).toBe(422)
  })

  test("are published from IDLE only", async () => {
    await bench.close()
    bench = await startBench({ newSourceStatus: "IDLE" })
    const { body } = await create({ source_kind })
    expect(body).toMatchObject({ source_status: "IDLE" })
    const publish = () => bench.call("PUT", `/v1/${path}/publish/${body["source_id"]}`)
    const { source_id, source_type } = body
    const session = { source_id, source_type }
    expect((await bench.call("POST", "/v1/sessions/checkout", session)).status).toBe(422)
    expect((await publish()).body).toMatchObject({ status: "ACTIVE" })
    expect((await publish()).status).toBe(422)
  })

  test("are listed by currency and status, and read with their lines", async () => {
    const { body } = await create({ source_kind })
    const { source_id: id } = body
    const ids = async (query: string) => {
      const { body: list } = await bench.call("GET", `/v1/${path}/list${query}`)
      return Array.isArray(list) ? list.map((one: Json) => one["id"]) : null
    }
    expect(await ids("")).toEqual([id])
    expect(await ids("?currency=USD&status=ACTIVE")).toEqual([id])
    expect(await ids("?currency=LRD")).toEqual([])
    expect(await ids("?status=PAID")).toEqual([])
    const { body: detail } = await bench.call("GET", `/v1/${path}/retrieve/${id}`)
    expect(detail).toMatchObject({ reference_id: "cart_1", total_amount: 42.5 })
    expect(detail[path === "orders" ? "order_items" : "invoice_items"]).toHaveLength(2)
  })

  test("of the other kind, unknown, or under a nonsense id are not found", async () => {
    const { body } = await create({ source_kind: source_kind === "ORDER" ? "INVOICE" : "ORDER" })
    for (const id of [body["source_id"], 1, "abc"]) {
      expect((await bench.call("DELETE", `/v1/${path}/cancel/${id}`)).status).toBe(404)
      expect((await bench.call("PUT", `/v1/${path}/publish/${id}`)).status).toBe(404)
      expect((await bench.call("GET", `/v1/${path}/retrieve/${id}`)).status).toBe(404)
    }
  })
})

test("a source is not canceled while it is paid, nor after", async () => {
  const { source, execution } = await readyToExecute(bench, phoneEnding("00"))
  await bench.call("POST", "/v1/executions/collection", execution)
  const cancel = () => bench.call("DELETE", `/v1/orders/cancel/${source["source_id"]}`)
  expect((await cancel()).status).toBe(422)
  bench.clock.advance(MINUTE_MS)
  expect((await cancel()).status).toBe(422)
})

test("money for a canceled source leaves it CANCELED, and the book shows it", async () => {
  const { source, execution } = await readyToExecute(bench, phoneEnding("07"))
  await bench.call("POST", "/v1/executions/collection", execution)
  bench.clock.advance(3_000)
  await bench.call("DELETE", `/v1/orders/cancel/${source["source_id"]}`)
  bench.clock.advance(MINUTE_MS)
  const document = bench.simulator.book.document(Number(source["source_id"]))
  expect(document).toMatchObject({ status: "CANCELED", charges: 1 })
})

test.each([
  ["a provider that does not fit", { provider: "CARD_PROCESSOR" }, "provider"],
  ["a method of another country", { method: "OPERATOR1_MOMO_RWA" }, "method"],
  ["no number", { insensitive_account_number: null }, "insensitive_account_number"],
  [
    "a number with a plus",
    { insensitive_account_number: "+231770000001" },
    "insensitive_account_number",
  ],
  ["a wallet", { method: "WALLET", provider: "PLATFORM" }, "method"],
  ["an unknown party", { party_id: 1 }, "party_id"],
  ["a three-letter country", { country_code: "LBR" }, "country_code"],
])("a payment account with %s is refused", async (_, change, field) => {
  const { body } = await create()
  const { status, body: refusal } = await bench.call(
    "POST",
    "/v1/payment-accounts/create?operation_type=COLLECTION",
    {
      account_name: "Wallet",
      provider: "MOBILE_MONEY_GATEWAY",
      method: "OPERATOR1_MOMO_LBR",
      party_id: body["party_id"],
      insensitive_account_number: phoneEnding("00"),
      ...change,
    },
  )
  expect(status).toBe(422)
  expect(refusal["detail"]).toEqual([expect.objectContaining({ loc: ["body", field] })])
})

test("a number may have moved to another operator of its country", async () => {
  const { body } = await create()
  const { status } = await bench.call(
    "POST",
    "/v1/payment-accounts/create?operation_type=COLLECTION",
    {
      account_name: "Wallet",
      provider: "MOBILE_MONEY_GATEWAY",
      method: "OPERATOR2_MONEY_LBR",
      party_id: body["party_id"],
      insensitive_account_number: phoneEnding("00"),
    },
  )
  expect(status).toBe(200)
})

test("a number that no operator serves is refused on its field", async () => {
  const path = "/v1/predictions/mmo-provider-info?operation_type=COLLECTION&phone="
  const unserved = await bench.call("GET", `${path}231555000001`)
  expect(unserved.status).toBe(422)
  expect(unserved.body["detail"]).toEqual([expect.objectContaining({ loc: ["query", "phone"] })])
  expect((await bench.call("GET", `${path}%2B${phoneEnding("00")}`)).body).toMatchObject({
    phone: phoneEnding("00"),
    payment_method: "OPERATOR1_MOMO_LBR",
  })
})

function line(currency: string, amount: number) {
  return { name: "Line", currency, amount }
}
