import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

import { phoneEnding, readyToExecute, startBench, type Bench } from "../testing/client"
import {
  execute,
  openSession,
  paid,
  readyToSend,
  sessionRequest,
  statusOf,
  walletIn,
} from "../testing/money-out"

let bench: Bench
beforeEach(async () => {
  bench = await startBench({ openingBalances: {} })
})
afterEach(() => bench.close())

const folder = mkdtempSync(join(tmpdir(), "simulator-wallets-"))
afterAll(() => rmSync(folder, { recursive: true }))

test("each merchant has one wallet in each currency, empty when set so", () => {
  expect(bench.simulator.book.wallets()).toMatchObject([
    { ownerId: 1, currency: "USD", state: "ACTIVE", balance: "0.00", available: "0.00" },
    { ownerId: 1, currency: "LRD", state: "ACTIVE", balance: "0.00", available: "0.00" },
    { ownerId: 1, currency: "RWF", state: "ACTIVE", balance: "0", available: "0" },
  ])
})

test("a collection brings what the payee gets, once it is completed", async () => {
  const { execution } = await readyToExecute(bench, phoneEnding("00"))
  const { body } = await bench.call("POST", "/v1/executions/collection", execution)
  expect(walletIn(bench, "USD").balance).toBe("0.00")
  bench.clock.advance(3_000)
  expect(Number(walletIn(bench, "USD").balance)).toBe(body["payee_amount"])
})

test("a declined collection brings nothing", async () => {
  const { execution } = await readyToExecute(bench, phoneEnding("01"))
  await bench.call("POST", "/v1/executions/collection", execution)
  bench.clock.advance(3_000)
  expect(walletIn(bench, "USD").balance).toBe("0.00")
})

test("a payment in another currency comes into the wallet of the source's", async () => {
  bench.simulator.plan({ outcome: "approve" })
  const { execution } = await readyToExecute(bench, phoneEnding("00"))
  const request = { ...execution, currency: "LRD" }
  const { body } = await bench.call("POST", "/v1/executions/collection", request)
  expect(Number(walletIn(bench, "USD").balance)).toBe(body["payee_amount"])
  expect(walletIn(bench, "LRD").balance).toBe("0.00")
})

test("a refund of the whole needs more than came when the merchant bore the fees", async () => {
  const { intentId } = await paid(bench)
  const request = {
    original_payment_intent_id: intentId,
    amount: 42.5,
    expires_at: new Date(bench.clock.now() + 60_000).toISOString(),
  }
  const { body: session } = await openSession(bench, "refund", request)
  const execution = { session_id: String(session["id"]), reference_id: crypto.randomUUID() }
  expect((await execute(bench, "refund", execution)).status).toBe(422)
  bench.simulator.backOffice.deposit(walletIn(bench, "USD").id, 1.07)
  expect((await execute(bench, "refund", execution)).status).toBe(200)
  expect(walletIn(bench, "USD").available).toBe("0.00")
})

test("money under way out cannot be sent a second time", async () => {
  bench.simulator.backOffice.deposit(walletIn(bench, "USD").id, 15)
  bench.simulator.plan({ operationType: "PAYOUT", outcome: "never", times: 1 })
  const [first, second] = [await readyToSend(bench, "payout"), await readyToSend(bench, "payout")]
  await execute(bench, "payout", first)
  expect(walletIn(bench, "USD")).toMatchObject({
    balance: "15.00",
    reserved: "10.00",
    available: "5.00",
  })
  expect((await execute(bench, "payout", second)).status).toBe(422)
  bench.simulator.backOffice.settle(String(first["reference_id"]), "FAILED")
  expect((await execute(bench, "payout", second)).status).toBe(200)
})

test("wallets are read, frozen and filled over HTTP", async () => {
  const { id } = walletIn(bench, "RWF")
  const path = `/_simulator/wallets/${id}`
  const frozen = await bench.call("POST", `${path}/state`, { state: "FROZEN" })
  expect(frozen.body).toMatchObject({ id, state: "FROZEN" })
  await bench.call("POST", `${path}/deposit`, { amount: 2_500 })
  const { body } = await bench.call("GET", "/_simulator/wallets")
  expect(body).toContainEqual(expect.objectContaining({ id, state: "FROZEN", balance: "2500" }))
})

test.each([
  ["state", { state: "OPEN" }],
  ["deposit", { amount: 0.5 }],
  ["deposit", { amount: 0 }],
])("a control over %s refuses %p", async (what, body) => {
  const { id } = walletIn(bench, "RWF")
  expect((await bench.call("POST", `/_simulator/wallets/${id}/${what}`, body)).status).toBe(400)
})

test.each([
  { openingBalances: { RWF: 0.5 } },
  { openingBalances: { USD: -1 } },
  { longestSessionMs: 0 },
  { realtimeKeyLifeSeconds: -1 },
])("%p is refused by name", async (options) => {
  await expect(startBench(options)).rejects.toThrow(Object.keys(options)[0])
})

test("a control over what is not there is refused", async () => {
  const state = { state: "CLOSED" }
  expect((await bench.call("POST", "/_simulator/wallets/1/state", state)).status).toBe(400)
  const active = { isActive: false }
  const account = "/_simulator/payment-accounts/1/active"
  expect((await bench.call("POST", account, active)).status).toBe(400)
  const settle = "/_simulator/money-out/none/settle"
  expect((await bench.call("POST", settle, { status: "FAILED" })).status).toBe(400)
})

test("the book over HTTP has refunds, payouts, transfers and wallets", async () => {
  bench.simulator.backOffice.deposit(walletIn(bench, "USD").id, 100)
  for (const way of ["refund", "payout", "transfer"] as const) {
    await execute(bench, way, await readyToSend(bench, way))
  }
  expect((await bench.call("GET", "/_simulator/book")).body).toMatchObject({
    refunds: [{ operationType: "REFUND", amount: "10.00" }],
    payouts: [{ operationType: "PAYOUT", amount: "10.00" }],
    transfers: [{ operationType: "TRANSFER", amount: "10.00" }],
  })
})

test("money out, wallets and open sessions are still known after a new start", async () => {
  const bookFile = join(folder, "book.json")
  const reopened = async () => {
    await bench.close()
    bench = await startBench({ bookFile })
  }
  await reopened()
  const execution = await readyToSend(bench, "refund")
  const request = await sessionRequest(bench, "payout")
  await execute(bench, "refund", execution)
  bench.simulator.backOffice.setWalletState(walletIn(bench, "LRD").id, "FROZEN")
  const before = bench.simulator.book.toJSON()

  await reopened()
  expect(bench.simulator.book.toJSON()).toEqual(before)
  expect((await statusOf(bench, "refund", execution)).body).toMatchObject({ status: "PROCESSING" })
  expect((await openSession(bench, "payout", request)).status).toBe(200)
  const again = await readyToSend(bench, "refund")
  expect((await execute(bench, "refund", again)).status).toBe(200)
})
