import { phoneEnding, readyToExecute, startBench, type Bench, type Json } from "../testing/client"
import {
  execute,
  executionOf,
  fieldOf,
  openSession,
  paid,
  sessionRequest,
  walletIn,
} from "../testing/money-out"

const OTHER = {
  ownerId: 2,
  clientId: "other",
  clientSecret: "secret",
  name: "Other",
  phone: phoneEnding("77"),
}

let bench: Bench
beforeEach(async () => {
  bench = await startBench({ merchants: [OTHER] })
})
afterEach(() => bench.close())

const asOther = async (method: string, path: string, body?: unknown) => {
  const credentials = { client_id: OTHER.clientId, client_secret: OTHER.clientSecret }
  const token = await bench.call("POST", "/v1/jwt/client/obtain/token", credentials, {})
  const headers = { authorization: `Bearer ${String(token.body["access_token"])}` }
  return bench.call(method, path, body, headers)
}
const sent = async (request: Json) => {
  const { body: session } = await openSession(bench, "transfer", request)
  return execute(bench, "transfer", executionOf("transfer", session))
}
const amountsInUsd = () =>
  bench.simulator.book.wallets().filter(({ currency }) => currency === "USD")

test("a session names the wallet and who gets the money", async () => {
  const request = await sessionRequest(bench, "transfer")
  expect((await openSession(bench, "transfer", request)).body).toMatchObject({
    from_wallet_id: walletIn(bench, "USD").id,
    to_counterparty_id: request["to_counterparty_id"],
    amount: 10,
    currency: "USD",
    status: "ACTIVE",
  })
})

test("money for a party that is no merchant arrives in a wallet of its own", async () => {
  const total = () => amountsInUsd().reduce((sum, { balance }) => sum + Number(balance), 0)
  const before = total()
  const request = await sessionRequest(bench, "transfer")
  await sent(request)
  await sent(request)
  bench.clock.advance(3_000)
  const reached = amountsInUsd().filter(({ partyId }) => partyId !== null)
  expect(reached).toMatchObject([{ balance: "20.00", currency: "USD" }])
  expect(total()).toBe(before)
})

test("money for another merchant's phone arrives in that merchant's wallet", async () => {
  const before = Number(walletIn(bench, "USD", 2).balance)
  await sent(await sessionRequest(bench, "transfer", OTHER.phone))
  expect(Number(walletIn(bench, "USD", 2).balance)).toBe(before)
  bench.clock.advance(3_000)
  expect(Number(walletIn(bench, "USD", 2).balance)).toBe(before + 10)
  expect(bench.simulator.book.transfers()).toMatchObject([
    { walletId: walletIn(bench, "USD").id, toWalletId: walletIn(bench, "USD", 2).id },
  ])
})

test.each([
  ["an unknown wallet", { from_wallet_id: 1 }, "from_wallet_id"],
  ["an unknown counterparty", { to_counterparty_id: 1 }, "to_counterparty_id"],
  ["a currency that is not the wallet's", { currency: "LRD" }, "currency"],
  ["a currency that nobody knows", { currency: "EUR" }, "currency"],
])("a session for %s is refused", async (_, change, field) => {
  const request = { ...(await sessionRequest(bench, "transfer")), ...change }
  const answer = await openSession(bench, "transfer", request)
  expect([answer.status, fieldOf(answer)]).toEqual([422, ["body", field]])
})

test("another merchant's wallet and counterparty are refused", async () => {
  const request = await sessionRequest(bench, "transfer")
  const theirs = await asOther("POST", "/v1/sessions/transfer", request)
  expect([theirs.status, fieldOf(theirs)]).toEqual([422, ["body", "from_wallet_id"]])
  const own = { ...request, from_wallet_id: walletIn(bench, "USD", 2).id }
  const foreign = await asOther("POST", "/v1/sessions/transfer", own)
  expect([foreign.status, fieldOf(foreign)]).toEqual([422, ["body", "to_counterparty_id"]])
})

test("a party's own wallet is nobody's to send from", async () => {
  const request = await sessionRequest(bench, "transfer")
  await sent(request)
  const reached = amountsInUsd().find(({ partyId }) => partyId !== null)
  const answer = await openSession(bench, "transfer", { ...request, from_wallet_id: reached?.id })
  expect([answer.status, fieldOf(answer)]).toEqual([422, ["body", "from_wallet_id"]])
})

test("a counterparty without a party gets no transfer", async () => {
  const { body: lone } = await bench.call("POST", "/v1/counterparties/create", {
    relationship_type: "SUPPLIER",
  })
  const request = await sessionRequest(bench, "transfer")
  const answer = await openSession(bench, "transfer", {
    ...request,
    to_counterparty_id: lone["id"],
  })
  expect([answer.status, fieldOf(answer)]).toEqual([422, ["body", "to_counterparty_id"]])
})

test("what one merchant collects comes into no wallet of another", async () => {
  const before = walletIn(bench, "USD", 2).balance
  await paid(bench)
  expect(walletIn(bench, "USD", 2).balance).toBe(before)
  expect(walletIn(bench, "USD").balance).not.toBe(before)
})

test("a merchant's own phone is no other merchant", async () => {
  await bench.close()
  bench = await startBench({ merchants: [{ ...OTHER, ownerId: 1 }] })
  await readyToExecute(bench, OTHER.phone)
  await sent(await sessionRequest(bench, "transfer", OTHER.phone))
  const [transfer] = bench.simulator.book.transfers()
  expect(transfer?.toWalletId).not.toBe(transfer?.walletId)
})
