import { MINUTE_MS, phoneEnding, readyToExecute, startBench, type Bench } from "../testing/client"
import {
  execute,
  executionOf,
  fieldOf,
  openSession,
  paid,
  soon,
  walletIn,
} from "../testing/money-out"

let bench: Bench
beforeEach(async () => {
  bench = await startBench()
})
afterEach(() => bench.close())

const restarted = async (options: Parameters<typeof startBench>[0]) => {
  await bench.close()
  bench = await startBench(options)
}
const sessionFor = (intentId: number, amount: number) =>
  openSession(bench, "refund", {
    original_payment_intent_id: intentId,
    amount,
    expires_at: soon(bench),
    reason: "Returned goods",
  })
const refunded = async (intentId: number, amount: number) => {
  const opened = await sessionFor(intentId, amount)
  if (opened.status !== 200) return opened
  return execute(bench, "refund", executionOf("refund", opened.body))
}
const tooMuch = (field: string) => [422, ["body", field]]
const refusal = ({ status, body }: Awaited<ReturnType<typeof refunded>>) => [
  status,
  fieldOf({ status, body }),
]

test("a session says what it will give back", async () => {
  const { intentId } = await paid(bench)
  expect((await sessionFor(intentId, 10.5)).body).toMatchObject({
    original_payment_intent_id: intentId,
    amount: 10.5,
    currency: "USD",
    reason: "Returned goods",
    status: "ACTIVE",
  })
})

test("a session may answer as little as the contract asks for", async () => {
  await restarted({ showsRefundSession: false })
  const { intentId } = await paid(bench)
  const { status, body } = await sessionFor(intentId, 10.5)
  expect(status).toBe(200)
  expect(Object.keys(body).sort()).toEqual([
    "created_at",
    "expires_at",
    "id",
    "status",
    "updated_at",
  ])
  expect((await refunded(intentId, 10.5)).status).toBe(200)
})

test("a refund goes to who paid and leaves the source PAID", async () => {
  const { source, execution, intentId } = await paid(bench)
  await refunded(intentId, 42.5)
  bench.clock.advance(3_000)
  expect(bench.simulator.book.refundsOf(intentId)).toMatchObject([
    {
      originalReference: execution["reference_id"],
      originalPaymentIntentId: intentId,
      phone: phoneEnding("00"),
      method: "OPERATOR1_MOMO_LBR",
      status: "COMPLETED",
    },
  ])
  const sourceId = Number(source["source_id"])
  expect(bench.simulator.book.document(sourceId)).toMatchObject({ status: "PAID", charges: 1 })
})

test("several refunds may add up to the whole and to no more", async () => {
  const { intentId } = await paid(bench)
  expect((await refunded(intentId, 20)).status).toBe(200)
  expect((await refunded(intentId, 22.49)).status).toBe(200)
  expect(refusal(await refunded(intentId, 0.02))).toEqual(tooMuch("amount"))
  expect((await refunded(intentId, 0.01)).status).toBe(200)
  expect(bench.simulator.book.refunded(intentId)).toEqual({
    currency: "USD",
    paidMinor: 4250,
    completedMinor: 0,
    pendingMinor: 4250,
    leftMinor: 0,
  })
  bench.clock.advance(3_000)
  expect(bench.simulator.book.refunded(intentId)).toMatchObject({
    completedMinor: 4250,
    pendingMinor: 0,
  })
})

test("more than was paid is refused", async () => {
  const { intentId } = await paid(bench)
  expect(refusal(await sessionFor(intentId, 42.51))).toEqual(tooMuch("amount"))
})

test("of two sessions that were opened side by side, one is executed", async () => {
  const { intentId } = await paid(bench)
  const [one, other] = [await sessionFor(intentId, 30), await sessionFor(intentId, 30)]
  expect((await execute(bench, "refund", executionOf("refund", one.body))).status).toBe(200)
  const refused = await execute(bench, "refund", executionOf("refund", other.body))
  expect(refusal(refused)).toEqual(tooMuch("session_id"))
  expect(bench.simulator.book.refunds()).toHaveLength(1)
})

test("a refund that failed leaves its amount to the next one", async () => {
  const { intentId } = await paid(bench)
  bench.simulator.plan({ operationType: "REFUND", outcome: "decline", times: 1 })
  await refunded(intentId, 42.5)
  expect((await refunded(intentId, 42.5)).status).toBe(200)
})

test("a failed refund that turns out completed shows as money that went back twice", async () => {
  const { intentId } = await paid(bench)
  bench.simulator.plan({ operationType: "REFUND", outcome: "decline_then_approve", times: 1 })
  await refunded(intentId, 42.5)
  await refunded(intentId, 42.5)
  bench.clock.advance(MINUTE_MS)
  expect(bench.simulator.book.refunded(intentId)).toMatchObject({
    paidMinor: 4250,
    completedMinor: 8500,
    leftMinor: -4250,
  })
})

test("only one refund is made when set so", async () => {
  await restarted({ partialRefunds: "ONCE" })
  const { intentId } = await paid(bench)
  bench.simulator.plan({ operationType: "REFUND", outcome: "decline", times: 1 })
  await refunded(intentId, 10)
  expect((await refunded(intentId, 10)).status).toBe(200)
  expect(refusal(await refunded(intentId, 1))).toEqual([422, ["body", "amount"]])
})

test("the sum is not looked at when set so, and the book shows what it came to", async () => {
  await restarted({ partialRefunds: "UNCAPPED" })
  const { intentId } = await paid(bench)
  await refunded(intentId, 42.5)
  expect((await refunded(intentId, 42.5)).status).toBe(200)
  expect(refusal(await sessionFor(intentId, 42.51))).toEqual(tooMuch("amount"))
  bench.clock.advance(3_000)
  expect(bench.simulator.book.refunded(intentId)).toMatchObject({ leftMinor: -4250 })
})

test.each([
  ["declined", "decline"],
  ["under way", "never"],
] as const)("a collection that is %s cannot be refunded", async (_, outcome) => {
  bench.simulator.plan({ outcome })
  const { execution } = await readyToExecute(bench, phoneEnding("00"))
  const { body } = await bench.call("POST", "/v1/executions/collection", execution)
  const answer = await sessionFor(Number(body["payment_intent_id"]), 1)
  expect(refusal(answer)).toEqual([422, ["body", "original_payment_intent_id"]])
})

test("a payment intent that is none, or a refund's own, answers 404", async () => {
  expect((await sessionFor(1, 1)).status).toBe(404)
  const { intentId } = await paid(bench)
  const { body } = await refunded(intentId, 1)
  expect(body["payment_intent_id"]).not.toBe(intentId)
  expect((await sessionFor(Number(body["payment_intent_id"]), 1)).status).toBe(404)
})

test("another merchant's payment intent answers 404", async () => {
  const other = { ownerId: 2, clientId: "other", clientSecret: "secret", name: "Other" }
  await restarted({ merchants: [other] })
  const { intentId } = await paid(bench)
  const credentials = { client_id: "other", client_secret: "secret" }
  const token = await bench.call("POST", "/v1/jwt/client/obtain/token", credentials, {})
  const request = { original_payment_intent_id: intentId, amount: 1, expires_at: soon(bench) }
  const headers = { authorization: `Bearer ${String(token.body["access_token"])}` }
  expect((await bench.call("POST", "/v1/sessions/refund", request, headers)).status).toBe(404)
})

test("money paid on the hosted page goes back too", async () => {
  const { source } = await readyToExecute(bench, phoneEnding("00"))
  const { paymentIntentId } = bench.simulator.hosted.pay(Number(source["source_id"]), {
    method: "card",
  })
  expect((await refunded(paymentIntentId, 42.5)).status).toBe(200)
  expect(bench.simulator.book.refunds()).toMatchObject([{ phone: null, method: "CREDIT_CARD" }])
})

/** 42.50 USD, paid with 1% and 1.5% fees on top in USD, or in another currency. */
test.each([
  // currency of amount, who bears fees, paid in, asked for, the most that may be asked for
  ["SOURCE", "PAYEE", "USD", "USD", 42.5],
  ["PAYER", "PAYEE", "USD", "USD", 42.5],
  ["PAYEE", "PAYEE", "USD", "USD", 41.43],
  ["SOURCE", "PAYER", "USD", "USD", 42.5],
  ["PAYER", "PAYER", "USD", "USD", 43.57],
  ["PAYEE", "PAYER", "USD", "USD", 42.5],
  ["SOURCE", "PAYEE", "LRD", "USD", 42.5],
  ["PAYER", "PAYEE", "LRD", "LRD", 8155.75],
] as const)("asked in the currency of %s, fees by %s, paid in %s: %s up to %d", async (...row) => {
  const [refundCurrency, feeBearer, paidIn, currency, most] = row
  await restarted({ refundCurrency, feeBearer })
  bench.simulator.plan({ outcome: "approve" })
  const { execution } = await readyToExecute(bench, phoneEnding("00"))
  const collection = { ...execution, currency: paidIn }
  const { body } = await bench.call("POST", "/v1/executions/collection", collection)
  const intentId = Number(body["payment_intent_id"])
  expect(refusal(await sessionFor(intentId, Number((most + 0.01).toFixed(2))))).toEqual(
    tooMuch("amount"),
  )
  const { body: session } = await sessionFor(intentId, most)
  expect(session).toMatchObject({ amount: most, currency })
  const { body: refund } = await execute(bench, "refund", executionOf("refund", session))
  // The payer gets the currency that was paid in; the wallet pays the source's.
  expect(refund).toMatchObject({ payee_currency: paidIn, payer_currency: "USD" })
})

test("parts of a payment in another currency add up exactly to what was paid", async () => {
  bench.simulator.plan({ outcome: "approve" })
  const { execution } = await readyToExecute(bench, phoneEnding("00"))
  const { body } = await bench.call("POST", "/v1/executions/collection", {
    ...execution,
    currency: "LRD",
  })
  const intentId = Number(body["payment_intent_id"])
  const parts = []
  for (const amount of [0.01, 14.16, 14.17, 14.16]) {
    parts.push(Number((await refunded(intentId, amount)).body["payee_amount"]))
  }
  const sum = parts.reduce((total, part) => total + Math.round(part * 100), 0)
  expect(sum).toBe(Math.round(Number(body["payer_amount"]) * 100))
})

test("the wallet gives back the fees that it never got", async () => {
  const before = Number(walletIn(bench, "USD").balance)
  const { intentId, answer } = await paid(bench)
  await refunded(intentId, 42.5)
  bench.clock.advance(3_000)
  const fees = 42.5 - Number(answer["payee_amount"])
  expect(Number(walletIn(bench, "USD").balance)).toBeCloseTo(before - fees, 10)
})
