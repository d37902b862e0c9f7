import {
  checkoutRequest,
  MINUTE_MS,
  phoneEnding,
  startBench,
  type Bench,
  type Json,
} from "../testing/client"
import { callsAs, KINDS, OTHER, published } from "../testing/documents"

let bench: Bench
beforeEach(async () => {
  bench = await startBench({ merchants: [OTHER], merchantName: "Palm & Sons" })
})
afterEach(() => bench.close())

/** Pays a published document with mobile money through the API. */
async function paidBy(source: Json, type: string, currency: string): Promise<Json> {
  const { call } = bench
  const link = await call("GET", `/v1/counterparties/retrieve/${String(source["counterparty_id"])}`)
  const party = link.body["party"] as Json
  const session = await call("POST", "/v1/sessions/checkout", {
    source_id: source["id"],
    source_type: type,
  })
  const account = await call("POST", "/v1/payment-accounts/create?operation_type=COLLECTION", {
    account_name: "Wallet of Ada",
    provider: "MOBILE_MONEY_GATEWAY",
    method: "OPERATOR1_MOMO_LBR",
    party_id: party["id"],
    insensitive_account_number: phoneEnding("00"),
  })
  const { body } = await call("POST", "/v1/executions/collection", {
    session_id: String(session.body["id"]),
    payment_account_id: String(account.body["id"]),
    currency,
    reference_id: crypto.randomUUID(),
  })
  bench.clock.advance(MINUTE_MS)
  return body
}

describe.each(KINDS)("the receipt of $path", (kind) => {
  const { path, number, parameter, type } = kind
  const receiptOf = (source: Json) =>
    bench.call("GET", `/v1/${path}/receipt/${String(source["id"])}`)
  const byNumber = (source: Json) =>
    bench.call("GET", `/v1/${path}/receipt/number/${String(source[number])}`)

  test("says what was paid, by whom and how, and what it cost", async () => {
    const source = await published(bench.call, kind)
    const execution = await paidBy(source, type, "USD")
    const { status, body } = await receiptOf(source)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      [parameter]: source["id"],
      [number]: source[number],
      reference_id: "cart_7",
      currency: "USD",
      total_amount: 39.98,
      status: "PAID",
      note: "Thank you",
      as_payment_link: true,
      fee_bearer: "PAYER",
      paid_at: "2026-01-01T00:00:03.000Z",
      owner_id: 1,
      owner_type: "ORGANIZATION",
      counterparty_id: source["counterparty_id"],
      relationship_type: "CUSTOMER",
      counterparty_name: "Ada Weah",
      counterparty_phone: phoneEnding("00"),
      payer_amount: 40.98,
      payer_currency: "USD",
      payee_amount: 39.98,
      payee_currency: "USD",
      platform_fee: 0.4,
      platform_currency: "USD",
      gateway_fee: 0.6,
      gateway_currency: "USD",
      fx_fee: null,
      fx_rate: null,
      fx_currency_from: null,
      fx_currency_to: null,
      payment_provider: "MOBILE_MONEY_GATEWAY",
      payment_method: "OPERATOR1_MOMO_LBR",
      account_name: "Wallet of Ada",
      gateway_confirmed_at: "2026-01-01T00:00:03.000Z",
      provider_transaction_id: execution["provider_transaction_id"],
      items: [{ name: "T-shirt", qty: 2, amount: 19.99, currency: "USD" }],
    })
    const book = bench.simulator.book.executionsOf(Number(source["id"]))
    expect(book).toMatchObject([{ payerAmount: "40.98", payeeAmount: "39.98", charges: 1 }])
    expect((await byNumber(source)).body).toEqual(body)
  })

  test("shows the exchange of a payment in another currency", async () => {
    const source = await published(bench.call, kind)
    await paidBy(source, type, "LRD")
    expect((await receiptOf(source)).body).toMatchObject({
      currency: "USD",
      total_amount: 39.98,
      payer_amount: 7864.06,
      payer_currency: "LRD",
      payee_amount: 39.98,
      fx_fee: 77.86,
      fx_rate: "190",
      fx_currency_from: "USD",
      fx_currency_to: "LRD",
    })
  })

  test("takes the fees off what the merchant gets, when the merchant bears them", async () => {
    const source = await published(bench.call, kind, { fee_bearer: "PAYEE" })
    bench.simulator.hosted.pay(Number(source["id"]), { method: "card" })
    expect((await receiptOf(source)).body).toMatchObject({
      payer_amount: 39.98,
      payee_amount: 38.42,
      platform_fee: 0.4,
      gateway_fee: 1.16,
      payment_provider: "CARD_PROCESSOR",
      payment_method: "CREDIT_CARD",
      account_name: null,
    })
  })

  test("is not there before the source is PAID, by id and by number", async () => {
    const source = await published(bench.call, kind)
    for (const receipt of [receiptOf, byNumber]) expect((await receipt(source)).status).toBe(404)
    const phone = phoneEnding("42")
    bench.simulator.hosted.pay(Number(source["id"]), { method: "mobile_money", phone })
    for (const receipt of [receiptOf, byNumber]) expect((await receipt(source)).status).toBe(404)
    bench.simulator.handset.decline(phone)
    for (const receipt of [receiptOf, byNumber]) expect((await receipt(source)).status).toBe(404)
  })

  test("can be a 422 before, by setting", async () => {
    await bench.close()
    bench = await startBench({ unpaidReceipt: 422 })
    const source = await published(bench.call, kind)
    const state = (name: string) => ({
      status: 422,
      body: { detail: [{ loc: ["path", name], type: "state_error" }] },
    })
    expect(await receiptOf(source)).toMatchObject(state("id"))
    expect(await byNumber(source)).toMatchObject(state(number))
  })

  test("is no other merchant's business, by id and by number", async () => {
    const theirs = await callsAs(bench, OTHER)
    const source = await published(theirs, kind)
    bench.simulator.hosted.pay(Number(source["id"]), { method: "card" })
    for (const receipt of [receiptOf, byNumber]) expect((await receipt(source)).status).toBe(404)
    const own = await theirs("GET", `/v1/${path}/receipt/${String(source["id"])}`)
    expect(own.body).toMatchObject({ owner_id: 2, status: "PAID" })
  })

  test("of money for a canceled source does not exist", async () => {
    const source = await published(bench.call, kind)
    const phone = phoneEnding("07")
    bench.simulator.hosted.pay(Number(source["id"]), { method: "mobile_money", phone })
    bench.clock.advance(3_000)
    await bench.call("DELETE", `/v1/${path}/cancel/${String(source["id"])}`)
    bench.clock.advance(MINUTE_MS)
    expect(bench.simulator.book.document(Number(source["id"]))?.charges).toBe(1)
    expect((await receiptOf(source)).status).toBe(404)
  })
})

test("the first payment to complete is the one on the receipt, however many came", async () => {
  const [kind] = KINDS
  const source = await published(bench.call, kind)
  const { call } = bench
  const id = Number(source["id"])
  const sessions = [
    await call("POST", "/v1/sessions/checkout", { source_id: id, source_type: "ORDER" }),
    await call("POST", "/v1/sessions/checkout", { source_id: id, source_type: "ORDER" }),
  ]
  const { body: link } = await call(
    "GET",
    `/v1/counterparties/retrieve/${String(source["counterparty_id"])}`,
  )
  for (const [index, session] of sessions.entries()) {
    const phone = phoneEnding(index === 0 ? "04" : "00")
    const account = await call("POST", "/v1/payment-accounts/create?operation_type=COLLECTION", {
      account_name: `Wallet ${index}`,
      provider: "MOBILE_MONEY_GATEWAY",
      method: "OPERATOR1_MOMO_LBR",
      party_id: (link["party"] as Json)["id"],
      insensitive_account_number: phone,
    })
    await call("POST", "/v1/executions/collection", {
      session_id: String(session.body["id"]),
      payment_account_id: String(account.body["id"]),
      currency: "USD",
      reference_id: crypto.randomUUID(),
    })
  }
  bench.clock.advance(10 * MINUTE_MS)
  expect(bench.simulator.book.document(id)?.charges).toBe(2)
  const { body } = await call("GET", `/v1/orders/receipt/${id}`)
  expect(body).toMatchObject({ account_name: "Wallet 1", paid_at: "2026-01-01T00:00:03.000Z" })
})

test("a paid checkout source has a receipt with the total that its scenario reports", async () => {
  const { body: source } = await bench.call("POST", "/v1/checkouts/create", checkoutRequest())
  const phone = phoneEnding("09")
  bench.simulator.hosted.pay(Number(source["source_id"]), { method: "mobile_money", phone })
  bench.clock.advance(MINUTE_MS)
  const path = `/v1/orders/receipt/${String(source["source_id"])}`
  expect((await bench.call("GET", path)).body).toMatchObject({
    total_amount: 43.5,
    payer_amount: 43.5,
    counterparty_name: "Ada",
  })
})
