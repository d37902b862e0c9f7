import {
  collectionStatus,
  credentialsOf,
  checkoutRequest,
  MINUTE_MS,
  phoneEnding,
  readyToExecute,
  sourceStatus,
  startBench,
  type Bench,
  type Json,
} from "../testing/client"

let bench: Bench
beforeEach(async () => {
  bench = await startBench()
})
afterEach(() => bench.close())

const execute = (body: Json) => bench.call("POST", "/v1/executions/collection", body)
const fieldOf = (body: Json): unknown => {
  const [item] = body["detail"] as { loc: unknown }[]
  return item?.loc
}

test("a collection is PROCESSING, then COMPLETED, and its source PAID", async () => {
  const { source, execution } = await readyToExecute(bench, phoneEnding("00"))
  expect(source).toMatchObject({ source_status: "ACTIVE", total_amount: 42.5, currency: "USD" })

  const { status, body } = await execute(execution)
  expect(status).toBe(200)
  expect(body).toMatchObject({ status: "PROCESSING", reference_id: execution["reference_id"] })
  expect(await sourceStatus(bench, source)).toMatchObject({ status: "PROCESSING", paid_at: null })

  const executedAtMs = bench.clock.now()
  bench.clock.advance(MINUTE_MS)
  expect(await collectionStatus(bench, execution)).toMatchObject({ status: "COMPLETED" })
  expect(await sourceStatus(bench, source)).toMatchObject({ status: "PAID", total_amount: 42.5 })
  expect(bench.simulator.book.execution(String(execution["reference_id"]))).toMatchObject({
    completedAtMs: executedAtMs + 3_000,
    charges: 1,
  })
})

test("the same reference with the same body is one charge and the same answer", async () => {
  const { source, execution } = await readyToExecute(bench, phoneEnding("00"))
  const first = await execute(execution)
  const second = await execute(execution)
  expect(second).toEqual(first)

  bench.clock.advance(MINUTE_MS)
  const id = Number(source["source_id"])
  expect(bench.simulator.book.document(id)?.charges).toBe(1)
  expect(bench.simulator.book.executionsOf(id)).toMatchObject([{ timesCalled: 2 }])
})

test("a reference that was used for another payment is refused", async () => {
  const first = await readyToExecute(bench, phoneEnding("00"))
  const second = await readyToExecute(bench, phoneEnding("00"))
  await execute(first.execution)
  const reused = { ...second.execution, reference_id: first.execution["reference_id"] }
  const { status, body } = await execute(reused)
  expect([status, fieldOf(body)]).toEqual([422, ["body", "reference_id"]])
})

test("a repeat is refused, and an unknown reference reads 422, when set so", async () => {
  await bench.close()
  bench = await startBench({ repeatedExecution: "REFUSE", unknownReference: 422 })
  const { execution } = await readyToExecute(bench, phoneEnding("00"))
  expect((await bench.call("GET", statusPath(execution))).status).toBe(422)
  await execute(execution)
  const { status, body } = await execute(execution)
  expect([status, fieldOf(body)]).toEqual([422, ["body", "reference_id"]])
  expect((await bench.call("GET", statusPath(execution))).status).toBe(200)
})

test("a payment on the hosted page has no status under its reference", async () => {
  const { source } = await readyToExecute(bench, phoneEnding("00"))
  const { reference } = bench.simulator.hosted.pay(Number(source["source_id"]), { method: "card" })
  expect((await bench.call("GET", statusPath({ reference_id: reference }))).status).toBe(404)
})

test("a session is executed once", async () => {
  const { execution } = await readyToExecute(bench, phoneEnding("00"))
  await execute(execution)
  const again = { ...execution, reference_id: crypto.randomUUID() }
  const { status, body } = await execute(again)
  expect([status, fieldOf(body)]).toEqual([422, ["body", "session_id"]])
})

test("a session expires after 15 minutes", async () => {
  const { execution } = await readyToExecute(bench, phoneEnding("00"))
  bench.clock.advance(15 * MINUTE_MS)
  const { status, body } = await execute(execution)
  expect([status, fieldOf(body)]).toEqual([422, ["body", "session_id"]])
  expect((await bench.call("GET", statusPath(execution))).status).toBe(404)
})

test("a status that lags is that of an unknown reference until its time has passed", async () => {
  bench.simulator.timing.set({ statusLagMs: 8_000, sourceLagMs: 4_000 })
  const { source, execution } = await readyToExecute(bench, phoneEnding("00"))
  expect((await execute(execution)).body).toMatchObject({ status: "PROCESSING" })
  expect((await bench.call("GET", statusPath(execution))).status).toBe(404)
  expect(await sourceStatus(bench, source)).toMatchObject({ status: "ACTIVE" })
  bench.clock.advance(4_000)
  expect(await sourceStatus(bench, source)).toMatchObject({ status: "PROCESSING" })
  bench.clock.advance(4_000)
  expect(await collectionStatus(bench, execution)).toMatchObject({ status: "COMPLETED" })
})

test("sessions live as long as was set over HTTP, and nothing else is a time", async () => {
  const timing = await bench.call("POST", "/_simulator/timing", { sessionLifeMs: 5_000 })
  expect(timing.body).toEqual({ sessionLifeMs: 5_000, statusLagMs: 0, sourceLagMs: 0 })
  expect((await bench.call("GET", "/_simulator/timing")).body).toEqual(timing.body)
  const { execution } = await readyToExecute(bench, phoneEnding("00"))
  bench.clock.advance(5_000)
  expect(fieldOf((await execute(execution)).body)).toEqual(["body", "session_id"])
  const wrong = [{ sessionLifeMs: 0 }, { statusLagMs: -1 }, { sourceLagMs: "soon" }]
  for (const body of wrong) {
    expect((await bench.call("POST", "/_simulator/timing", body)).status).toBe(400)
  }
})

test("a source that was canceled meanwhile is not charged", async () => {
  const { source, execution } = await readyToExecute(bench, phoneEnding("00"))
  await bench.call("DELETE", `/v1/orders/cancel/${source["source_id"]}`)
  expect((await execute(execution)).status).toBe(422)
  expect(bench.simulator.book.executions()).toEqual([])
})

test.each([
  ["an unknown session", { session_id: "1" }, "session_id"],
  ["a session that is no number", { session_id: "abc" }, "session_id"],
  ["an unknown account", { payment_account_id: "1" }, "payment_account_id"],
  ["a currency the operator does not take", { currency: "RWF" }, "currency"],
  ["a reference that is no UUID v4", { reference_id: "cart_1" }, "reference_id"],
])("%s is refused", async (_, change, field) => {
  const { execution } = await readyToExecute(bench, phoneEnding("00"))
  const { status, body } = await execute({ ...execution, ...change })
  expect([status, fieldOf(body)]).toEqual([422, ["body", field]])
})

test("an account of another party is refused", async () => {
  const { execution } = await readyToExecute(bench, phoneEnding("00"))
  const other = await readyToExecute(bench, phoneEnding("03"))
  const { status, body } = await execute({
    ...execution,
    payment_account_id: other.execution["payment_account_id"],
  })
  expect([status, fieldOf(body)]).toEqual([422, ["body", "payment_account_id"]])
})

test("a session is not opened for a source that is not ACTIVE", async () => {
  const { source, execution } = await readyToExecute(bench, phoneEnding("03"))
  await execute(execution)
  const { source_id, source_type } = source
  const { status } = await bench.call("POST", "/v1/sessions/checkout", { source_id, source_type })
  expect(status).toBe(422)
})

test("two sessions of one source, executed both, charge twice and the book shows it", async () => {
  const { source, execution } = await readyToExecute(bench, phoneEnding("03"))
  const { source_id, source_type, party_id } = source
  expect(party_id).toEqual(expect.any(Number))
  const second = await bench.call("POST", "/v1/sessions/checkout", { source_id, source_type })
  await execute(execution)
  await execute({
    ...execution,
    session_id: String(second.body["id"]),
    reference_id: crypto.randomUUID(),
  })
  bench.simulator.handset.approve(phoneEnding("03"))
  bench.simulator.handset.approve(phoneEnding("03"))
  expect(bench.simulator.book.document(Number(source_id))?.charges).toBe(2)
})

test("payer and source may differ in currency", async () => {
  const { source, execution } = await readyToExecute(bench, phoneEnding("00"))
  const { body } = await execute({ ...execution, currency: "LRD" })
  expect(body).toMatchObject({ payer_currency: "LRD", payee_currency: "USD" })
  bench.clock.advance(MINUTE_MS)
  expect(await sourceStatus(bench, source)).toMatchObject({ currency: "USD", total_amount: 42.5 })
})

test("after a failed execution the source is ACTIVE and can be paid by a new one", async () => {
  const { source, execution } = await readyToExecute(bench, phoneEnding("01"))
  await execute(execution)
  bench.clock.advance(3_000)
  expect(await collectionStatus(bench, execution)).toMatchObject({ status: "FAILED" })
  expect(await sourceStatus(bench, source)).toMatchObject({ status: "ACTIVE" })
})

test("another merchant's source, party and execution are out of reach", async () => {
  await bench.close()
  const other = { ownerId: 2, clientId: "other", clientSecret: "secret", name: "Other" }
  bench = await startBench({ merchants: [other] })
  const { source, execution } = await readyToExecute(bench, phoneEnding("00"))
  await execute(execution)

  const credentials = credentialsOf(other)
  const token = await bench.call("POST", "/v1/jwt/client/obtain/token", credentials, {})
  const headers = { authorization: `Bearer ${String(token.body["access_token"])}` }
  const as = async (method: string, path: string, body?: unknown) =>
    (await bench.call(method, path, body, headers)).status
  const { source_id, source_type, party_id, counterparty_id } = source
  expect(await as("GET", `/v1/status/source?source_type=ORDER&source_id=${source_id}`)).toBe(404)
  expect(await as("GET", statusPath(execution))).toBe(404)
  expect(await as("DELETE", `/v1/orders/cancel/${source_id}`)).toBe(404)
  expect(await as("POST", "/v1/sessions/checkout", { source_id, source_type })).toBe(404)
  expect(await as("POST", "/v1/checkouts/create", checkoutRequest({ counterparty_id }))).toBe(422)
  const account = {
    account_name: "x",
    provider: "CARD_PROCESSOR",
    method: "CREDIT_CARD",
    party_id,
  }
  const accounts = "/v1/payment-accounts/create?operation_type=COLLECTION"
  expect(await as("POST", accounts, account)).toBe(422)
  expect(await as("POST", "/v1/executions/collection", execution)).toBe(422)
})

test.each([
  ["a card's account serves one attempt", "CARD_PROCESSOR", "CREDIT_CARD", 422],
  ["a wallet's account serves many", "MOBILE_MONEY_GATEWAY", "OPERATOR1_MOMO_LBR", 200],
])("%s", async (_, provider, method, status) => {
  const phone = phoneEnding("00")
  const [first, second] = [await readyToExecute(bench, phone), await readyToExecute(bench, phone)]
  const account = await bench.call(
    "POST",
    "/v1/payment-accounts/create?operation_type=COLLECTION",
    {
      account_name: "x",
      provider,
      method,
      party_id: first.source["party_id"],
      ...(status === 200 ? { insensitive_account_number: phone } : {}),
    },
  )
  const payment_account_id = String(account.body["id"])
  const firstCall = { ...first.execution, payment_account_id }
  expect((await execute(firstCall)).status).toBe(200)
  expect((await execute(firstCall)).status).toBe(200)
  const again = await execute({ ...second.execution, payment_account_id })
  expect(again.status).toBe(status)
  if (status === 422) expect(fieldOf(again.body)).toEqual(["body", "payment_account_id"])
})

const statusPath = (execution: Json) => `/v1/status/collection/${execution["reference_id"]}`
