import { phoneEnding, readyToExecute, startBench, type Bench, type Json } from "../testing/client"
import {
  execute,
  executionOf,
  fieldOf,
  openSession,
  passcodeOf,
  payoutAccount,
  readyToSend,
  walletIn,
} from "../testing/money-out"

let bench: Bench
beforeEach(async () => {
  bench = await startBench()
})
afterEach(() => bench.close())

const refusal = async (call: ReturnType<typeof execute>) => {
  const answer = await call
  return [answer.status, fieldOf(answer)]
}
const party = async () => (await readyToExecute(bench, phoneEnding("00"))).source
const register = (partyId: unknown, change: Json) =>
  bench.call("POST", "/v1/payment-accounts/create?operation_type=PAYOUT", {
    account_name: "Recipient",
    provider: "MOBILE_MONEY_GATEWAY",
    method: "OPERATOR1_MOMO_LBR",
    party_id: partyId,
    insensitive_account_number: phoneEnding("00"),
    ...change,
  })
const sessionFor = (account: Json, change: Json = {}) =>
  openSession(bench, "payout", {
    payout_account_id: account["id"],
    amount: 10,
    currency: "USD",
    ...change,
  })

test("the service picks the wallet, and ends the session itself", async () => {
  const account = await payoutAccount(bench, await party())
  expect((await sessionFor(account, { currency: "LRD" })).body).toMatchObject({
    wallet_id: walletIn(bench, "LRD").id,
    payout_account_id: account["id"],
    amount: 10,
    currency: "LRD",
    status: "ACTIVE",
    expires_at: new Date(bench.clock.now() + 15 * 60_000).toISOString(),
  })
})

test("what leaves the wallet is what predictions say", async () => {
  const account = await payoutAccount(bench, await party())
  const { body: session } = await sessionFor(account)
  const { body: executed } = await execute(bench, "payout", executionOf("payout", session))
  const query = new URLSearchParams({
    base_amount: "10",
    base_currency: "USD",
    target_currency: "USD",
    payment_method: "OPERATOR1_MOMO_LBR",
    operation_type: "PAYOUT",
    provider: "MOBILE_MONEY_GATEWAY",
    fee_bearer: "PAYER",
  })
  const path = `/v1/predictions/amount-and-fees?${query.toString()}`
  const { status, body: predicted } = await bench.call("GET", path)
  expect(status).toBe(200)
  expect(Number(predicted["payer_amount"])).toBe(executed["payer_amount"])
  expect(Number(predicted["payee_amount"])).toBe(executed["payee_amount"])
})

test("a recipient's account serves again and again", async () => {
  const account = await payoutAccount(bench, await party())
  for (const times of [1, 2]) {
    const { body: session } = await sessionFor(account)
    expect((await execute(bench, "payout", executionOf("payout", session))).status).toBe(200)
    expect(bench.simulator.book.payouts()).toHaveLength(times)
  }
})

test("an account that is not active is refused by the execution, not by the session", async () => {
  const account = await payoutAccount(bench, await party())
  const path = `/_simulator/payment-accounts/${String(account["id"])}/active`
  await bench.call("POST", path, { isActive: false })
  const { status, body: session } = await sessionFor(account)
  expect(status).toBe(200)
  const execution = executionOf("payout", session)
  expect(await refusal(execute(bench, "payout", execution))).toEqual([
    422,
    ["body", "payout_account_id"],
  ])
  await bench.call("POST", path, { isActive: true })
  expect((await execute(bench, "payout", execution)).status).toBe(200)
})

test("a collection account that is not active is refused", async () => {
  const { execution } = await readyToExecute(bench, phoneEnding("00"))
  bench.simulator.backOffice.setAccountActive(Number(execution["payment_account_id"]), false)
  const answer = await bench.call("POST", "/v1/executions/collection", execution)
  expect([answer.status, fieldOf(answer)]).toEqual([422, ["body", "payment_account_id"]])
})

test("the execution names the session's account", async () => {
  const source = await party()
  const { body: session } = await sessionFor(await payoutAccount(bench, source))
  const other = await payoutAccount(bench, source)
  const execution = {
    ...executionOf("payout", session),
    payout_account_id: String(other["id"]),
  }
  expect(await refusal(execute(bench, "payout", execution))).toEqual([
    422,
    ["body", "payout_account_id"],
  ])
})

test("a reference stands for its account, too", async () => {
  const execution = await readyToSend(bench, "payout")
  await execute(bench, "payout", execution)
  const other = await payoutAccount(bench, await party())
  const changed = { ...execution, payout_account_id: String(other["id"]) }
  expect(await refusal(execute(bench, "payout", changed))).toEqual([422, ["body", "reference_id"]])
})

test("a wrong passcode is refused on its field and moves nothing", async () => {
  const execution = await readyToSend(bench, "payout")
  const wrong = { ...execution, passcode: passcodeOf("000000") }
  expect(await refusal(execute(bench, "payout", wrong))).toEqual([
    422,
    ["body", "passcode", "token", "code"],
  ])
  expect(bench.simulator.book.payouts()).toEqual([])
  expect((await execute(bench, "payout", execution)).status).toBe(200)
})

test("a missing passcode is refused on its field", async () => {
  const { passcode, ...execution } = await readyToSend(bench, "payout")
  expect(passcode).toBeDefined()
  expect(await refusal(execute(bench, "payout", execution))).toEqual([422, ["body", "passcode"]])
})

test.each([
  ["an unknown account", { payout_account_id: 1 }, "payout_account_id"],
  ["a currency that the recipient does not take", { currency: "RWF" }, "currency"],
  ["a currency that nobody knows", { currency: "EUR" }, "currency"],
  ["a currency in small letters", { currency: "usd" }, "currency"],
  ["no currency", { currency: undefined }, "currency"],
])("a session for %s is refused", async (_, change, field) => {
  const account = await payoutAccount(bench, await party())
  expect(await refusal(sessionFor(account, change))).toEqual([422, ["body", field]])
})

test("a session for an account that was registered for collections is refused", async () => {
  const { execution } = await readyToExecute(bench, phoneEnding("00"))
  const account = { id: Number(execution["payment_account_id"]) }
  expect(await refusal(sessionFor(account))).toEqual([422, ["body", "payout_account_id"]])
})

test("an account of another merchant's party is refused", async () => {
  await bench.close()
  const other = { ownerId: 2, clientId: "other", clientSecret: "secret", name: "Other" }
  bench = await startBench({ merchants: [other] })
  const account = await payoutAccount(bench, await party())
  const credentials = { client_id: "other", client_secret: "secret" }
  const token = await bench.call("POST", "/v1/jwt/client/obtain/token", credentials, {})
  const headers = { authorization: `Bearer ${String(token.body["access_token"])}` }
  const request = { payout_account_id: account["id"], amount: 10, currency: "USD" }
  const answer = await bench.call("POST", "/v1/sessions/payout", request, headers)
  expect([answer.status, fieldOf(answer)]).toEqual([422, ["body", "payout_account_id"]])
})

test("a payout to a wallet has no number", async () => {
  const { party_id: partyId } = await party()
  const wallet = { method: "WALLET", provider: "PLATFORM" }
  expect((await register(partyId, { ...wallet, insensitive_account_number: null })).status).toBe(
    200,
  )
  expect(await refusal(register(partyId, wallet))).toEqual([
    422,
    ["body", "insensitive_account_number"],
  ])
})

test.each([
  [false, 422],
  [true, 200],
])("cards are paid out to only by a merchant's set-up: %p", async (paysOutToCards, status) => {
  await bench.close()
  bench = await startBench({ paysOutToCards })
  const { party_id: partyId } = await party()
  const card = { method: "CREDIT_CARD", provider: "CARD_PROCESSOR" }
  const answer = await register(partyId, { ...card, insensitive_account_number: null })
  expect(answer.status).toBe(status)
})
