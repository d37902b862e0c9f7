import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

import {
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

const AMOUNT = {
  base_amount: "42.50",
  base_currency: "USD",
  target_currency: "USD",
  payment_method: "OPERATOR1_MOMO_LBR",
  operation_type: "COLLECTION",
  provider: "MOBILE_MONEY_GATEWAY",
  fee_bearer: "PAYEE",
}
const OWNER = { owner_type: "ORGANIZATION", owner_id: "1" }
const get = (path: string, query: Record<string, string> = {}) =>
  bench.call("GET", `/v1/${path}?${new URLSearchParams(query).toString()}`)
const predicted = (change: Record<string, string> = {}) =>
  get("predictions/amount-and-fees", { ...AMOUNT, ...change })
const without = (field: string): Record<string, string> =>
  Object.fromEntries(Object.entries(AMOUNT).filter(([name]) => name !== field))
const fieldOf = (body: Json): unknown => (body["detail"] as { loc: unknown }[])[0]?.loc

test.each([
  ["PAYEE", "USD", "42.50", "41.43", "0.43", "0.64", null],
  ["PAYER", "USD", "43.57", "42.50", "0.43", "0.64", null],
  ["PAYEE", "LRD", "8155.75", "41.43", "0.43", "0.64", "80.75"],
  ["PAYER", "LRD", "8361.08", "42.50", "0.43", "0.64", "82.78"],
])("42.50 USD with %s paid in %s costs the payer %s", async (bearer, currency, ...figures) => {
  const [payer, payee, platform, gateway, exchange] = figures
  const { body } = await predicted({ fee_bearer: bearer, target_currency: currency })
  expect(body).toEqual({
    payer_amount: payer,
    payer_currency: currency,
    payee_amount: payee,
    payee_currency: "USD",
    platform_fee: platform,
    platform_currency: "USD",
    fx_fee: exchange,
    gateway_fee: gateway,
    gateway_currency: "USD",
  })
})

describe.each([null, "GROWTH", "VOLUME"])("with the tier %p", (tier) => {
  test.each([
    ["USD", "ORDER"],
    ["LRD", "INVOICE"],
  ])("a prediction in %s is what the execution takes", async (currency, kind) => {
    bench.simulator.prices.assignTier(tier)
    const { source, execution } = await readyToExecute(bench, phoneEnding("00"), {
      source_kind: kind,
    })
    const forSource = await get("predictions/payment-source/amount-and-fees", {
      target_currency: currency,
      payment_method: AMOUNT.payment_method,
      provider: AMOUNT.provider,
      source_type: kind,
      source_id: String(source["source_id"]),
    })
    const forAmount = await predicted({ target_currency: currency, ...OWNER })
    expect(forSource).toEqual(forAmount)
    const { body } = await bench.call("POST", "/v1/executions/collection", {
      ...execution,
      currency,
    })
    expect(Number(forSource.body["payer_amount"])).toBe(body["payer_amount"])
    expect(Number(forSource.body["payee_amount"])).toBe(body["payee_amount"])
    const view = bench.simulator.book.execution(String(execution["reference_id"]))
    expect(view).toMatchObject({
      payerAmount: forSource.body["payer_amount"],
      payeeAmount: forSource.body["payee_amount"],
    })
    bench.clock.advance(MINUTE_MS)
    const receipt = await get(`${kind.toLowerCase()}s/receipt/${String(source["source_id"])}`)
    for (const field of ["payer_amount", "payee_amount", "platform_fee", "gateway_fee"]) {
      expect(receipt.body[field]).toBe(Number(forSource.body[field]))
    }
    const isExchanged = currency !== "USD"
    expect(receipt.body).toMatchObject({
      payer_currency: currency,
      fx_fee: isExchanged ? Number(forSource.body["fx_fee"]) : null,
      fx_rate: isExchanged ? "190" : null,
    })
  })
})

test("a source whose payer bears the fees is predicted and executed as such", async () => {
  await bench.close()
  bench = await startBench({ feeBearer: "PAYER" })
  const { source, execution } = await readyToExecute(bench, phoneEnding("00"))
  const { body: prediction } = await get("predictions/payment-source/amount-and-fees", {
    target_currency: "USD",
    payment_method: AMOUNT.payment_method,
    provider: AMOUNT.provider,
    source_type: "ORDER",
    source_id: String(source["source_id"]),
  })
  expect(prediction).toMatchObject({ payer_amount: "43.57", payee_amount: "42.50" })
  const { body } = await bench.call("POST", "/v1/executions/collection", execution)
  expect(body).toMatchObject({ payer_amount: 43.57, payee_amount: 42.5 })
})

test("without an owner the default tier is priced, whatever the merchant has", async () => {
  bench.simulator.prices.assignTier("VOLUME")
  expect((await predicted()).body).toMatchObject({ platform_fee: "0.43" })
  expect((await predicted(OWNER)).body).toMatchObject({ platform_fee: "0.21" })
})

test("a rate that changes shows in the next prediction and not in what has moved", async () => {
  const { execution } = await readyToExecute(bench, phoneEnding("00"))
  const inLrd = { ...execution, currency: "LRD" }
  const { body: before } = await bench.call("POST", "/v1/executions/collection", inLrd)
  bench.simulator.prices.setRate("LRD", 200)
  expect((await predicted({ target_currency: "LRD" })).body["payer_amount"]).toBe("8585.00")
  const { reference_id: reference } = execution
  const { body: after } = await bench.call("GET", `/v1/status/collection/${reference}`)
  expect(after["payer_amount"]).toBe(before["payer_amount"])
})

test.each([
  [{ base_currency: "EUR" }, "base_currency"],
  [{ target_currency: "RWF" }, "target_currency"],
  [{ target_currency: "eur" }, "target_currency"],
  [{ base_currency: "RWF", base_amount: "10.5" }, "base_amount"],
  [{ base_amount: "0.001" }, "base_amount"],
  [{ base_amount: "1.005" }, "base_amount"],
  [{ provider: "CARD_PROCESSOR" }, "provider"],
  [{ payment_method: "WALLET", provider: "PLATFORM" }, "payment_method"],
  [{ operation_type: "TRANSFER" }, "payment_method"],
  [{ operation_type: "PAYOUT", target_currency: "LRD" }, "target_currency"],
  [{ fee_bearer: "BOTH" }, "fee_bearer"],
  [{ owner_type: "ORGANIZATION" }, "owner_id"],
  [{ owner_id: "1" }, "owner_type"],
])("a prediction of %p is refused on %s", async (change, field) => {
  const { status, body } = await predicted(change)
  expect([status, fieldOf(body)]).toEqual([422, ["query", field]])
})

test.each(Object.keys(AMOUNT))("a prediction needs %s", async (field) => {
  const { status, body } = await get("predictions/amount-and-fees", without(field))
  expect([status, fieldOf(body)]).toEqual([422, ["query", field]])
})

test("another merchant's tier is out of reach", async () => {
  for (const owner of [
    { owner_type: "ORGANIZATION", owner_id: "2" },
    { owner_type: "USER", owner_id: "1" },
  ]) {
    expect((await predicted(owner)).status).toBe(404)
    expect((await get("fees/merchant-tier", owner)).status).toBe(404)
  }
})

test("only a published source of one's own has a prediction", async () => {
  const { source } = await readyToExecute(bench, phoneEnding("00"))
  const id = String(source["source_id"])
  const query = {
    target_currency: "USD",
    payment_method: AMOUNT.payment_method,
    provider: AMOUNT.provider,
    source_type: "ORDER",
    source_id: id,
  }
  const path = "predictions/payment-source/amount-and-fees"
  expect((await get(path, query)).status).toBe(200)
  expect((await get(path, { ...query, source_type: "INVOICE" })).status).toBe(404)
  expect((await get(path, { ...query, source_type: "SUBSCRIPTION" })).status).toBe(422)
  expect((await get(path, { ...query, source_id: "1" })).status).toBe(404)
  await bench.call("DELETE", `/v1/orders/cancel/${id}`)
  const { status, body } = await get(path, query)
  expect([status, fieldOf(body)]).toEqual([422, ["query", "source_id"]])
})

test("a source that is still IDLE has no prediction", async () => {
  await bench.close()
  bench = await startBench({ newSourceStatus: "IDLE" })
  const { source } = await readyToExecute(bench, phoneEnding("00"))
  const { status, body } = await get("predictions/payment-source/amount-and-fees", {
    target_currency: "USD",
    payment_method: AMOUNT.payment_method,
    provider: AMOUNT.provider,
    source_type: "ORDER",
    source_id: String(source["source_id"]),
  })
  expect([status, fieldOf(body)]).toEqual([422, ["query", "source_id"]])
})

test("money that goes out costs nothing here", async () => {
  const { body } = await predicted({ operation_type: "PAYOUT", fee_bearer: "PAYER" })
  expect(body).toMatchObject({ payer_amount: "42.50", payee_amount: "42.50", platform_fee: "0.00" })
})

test.each([
  ["231770000001", 200],
  ["+231770000001", 200],
  ["23177000", 422],
  ["+2317700", 422],
  ["0231770000001", 422],
  ["2317700000012345", 422],
  ["+231770000001234567", 422],
  [" 231770000001", 422],
])("the operator of %p is answered with %d", async (phone, expected) => {
  const { status, body } = await get("predictions/mmo-provider-info", {
    phone,
    operation_type: "COLLECTION",
  })
  expect(status).toBe(expected)
  if (status === 200) expect(body["phone"]).toBe("231770000001")
  else expect(fieldOf(body)).toEqual(["query", "phone"])
})

test("a card's token tells its brand and how to route it", async () => {
  const query = { payment_method_id: "card_brand1_lr", operation_type: "COLLECTION" }
  const { body } = await get("predictions/card-provider-info", query)
  expect(body).toEqual({
    brand: "Brand 1",
    country: "LR",
    currencies: ["USD", "LRD"],
    payment_method: "CREDIT_CARD",
    gateway_provider: "CARD_PROCESSOR",
    operation_type: "COLLECTION",
  })
  const abroad = await get("predictions/card-provider-info", {
    payment_method_id: "card_brand1_abroad",
  })
  expect(abroad.body).toMatchObject({ country: null, operation_type: null })
})

test.each([
  [{ payment_method_id: "card_unknown" }, "payment_method_id"],
  [{ payment_method_id: "card_brand1_lr", provider: "PLATFORM" }, "provider"],
  [{}, "payment_method_id"],
])("a card prediction of %p is refused on %s", async (query, field) => {
  const { status, body } = await get("predictions/card-provider-info", { ...query })
  expect([status, fieldOf(body)]).toEqual([422, ["query", field]])
})

test("exactly one tier is the default, and a merchant without a tier has it", async () => {
  const { body: tiers } = await get("fees/tiers")
  const defaults = (tiers as unknown as Json[]).filter((tier) => tier["is_default"] === true)
  expect(defaults).toHaveLength(1)
  const { body } = await get("fees/merchant-tier", OWNER)
  expect(body).toMatchObject({ owner_id: 1, assigned_by: null, tier: defaults[0] })
})

test("a tier is assigned and taken away over HTTP", async () => {
  await bench.call("POST", "/_simulator/fee-tier", { tier: "GROWTH" })
  const { body } = await get("fees/merchant-tier", OWNER)
  expect(body).toMatchObject({ assigned_by: "simulator", tier: { name: "GROWTH" } })
  await bench.call("POST", "/_simulator/fee-tier", { tier: null })
  expect((await get("fees/merchant-tier", OWNER)).body).toMatchObject({
    tier: { name: "STANDARD", is_default: true },
  })
  expect((await bench.call("POST", "/_simulator/fee-tier", { tier: "NONE" })).status).toBe(404)
})

test.each([
  ["STANDARD", "COLLECTION", "1.00", "1.00"],
  ["VOLUME", "COLLECTION", "0.50", "0.50"],
  ["VOLUME", "PAYOUT", "0.00", "0.50"],
])("the platform takes from %s for a %s %s percent", async (name, type, percentage, exchange) => {
  const query = { operation_type: type, fee_tier_name: name }
  const { body } = await get("fees/platform", query)
  expect(body).toMatchObject({ percentage, fx_percentage: exchange, tier: { name } })
})

test.each([
  ["OPERATOR1_MOMO_LBR", "COLLECTION", 1.5],
  ["CREDIT_CARD", "COLLECTION", 2.9],
  ["CREDIT_CARD", "REFUND", 0],
  ["WALLET", "TRANSFER", 0],
])("the gateway takes for %s and %s %d percent", async (method, type, percentage) => {
  const query = { payment_method: method, operation_type: type }
  const { body } = await get("fees/gateway", query)
  expect(body).toMatchObject({ percentage, payment_method: method, operation_type: type })
})

test("rates of what does not exist are not found", async () => {
  const collected = { payment_method: "WALLET", operation_type: "COLLECTION" }
  expect((await get("fees/gateway", collected)).status).toBe(404)
  const tier = { operation_type: "COLLECTION", fee_tier_name: "NONE" }
  expect((await get("fees/platform", tier)).status).toBe(404)
})

test("every gateway rate has an id of its own", async () => {
  const ids = new Set<unknown>()
  const methods = ["OPERATOR1_MOMO_LBR", "OPERATOR3_RWA", "CREDIT_CARD"]
  for (const payment_method of methods) {
    for (const operation_type of ["COLLECTION", "PAYOUT", "REFUND"]) {
      ids.add((await get("fees/gateway", { payment_method, operation_type })).body["id"])
    }
  }
  expect(ids.size).toBe(9)
})

test("rates of exchange are read and set over HTTP", async () => {
  const path = "/_simulator/exchange-rates"
  expect((await bench.call("GET", path)).body).toEqual({ USD: 1, LRD: 190, RWF: 1450 })
  await bench.call("POST", path, { currency: "RWF", perDollar: 1400.5 })
  expect((await bench.call("GET", path)).body).toMatchObject({ RWF: 1400.5 })
  expect((await bench.call("POST", path, { currency: "RWF", perDollar: 0 })).status).toBe(400)
  expect((await bench.call("POST", path, { currency: "EUR", perDollar: 1 })).status).toBe(400)
})

test("an assigned tier is in the book that is saved", async () => {
  const folder = mkdtempSync(join(tmpdir(), "simulator-"))
  const bookFile = join(folder, "book.json")
  try {
    await bench.close()
    bench = await startBench({ bookFile })
    bench.simulator.prices.assignTier("GROWTH")
    await bench.close()
    bench = await startBench({ bookFile })
    expect((await get("fees/merchant-tier", OWNER)).body).toMatchObject({
      tier: { name: "GROWTH" },
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test("a tier that does not exist is not assigned", () => {
  expect(() => bench.simulator.prices.assignTier("NONE")).toThrow("404")
})
