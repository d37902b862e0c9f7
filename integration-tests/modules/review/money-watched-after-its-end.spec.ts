/**
 * Money that went out, or back, after its end: what a person does in the review must neither use
 * the watch up nor begin one that no person can end.
 */
import { randomUUID } from "node:crypto"
import { checkNow } from "../../../src/worker/check-due-operations"
import { checkForPerson } from "../../../src/review/check"
import { resolveOperation } from "../../../src/review/resolve"
import { payoutView, readPayout } from "../../../src/payouts/payout-view"
import { requestPayout, type PayoutRequest } from "../../../src/payouts/request-payout"
import { startPayment } from "../../../src/checkout/start-payment"
import { DAY, MINUTE, SECOND } from "../../support/an-operation"
import { readLedger } from "../../support/evidence"
import { PHONE, startFlowsHarness, type FlowsHarness } from "../../support/flows-harness"
import { letMoneyOut } from "../../support/payouts-harness"
import { violations } from "../../support/violations"

const PASSCODE = "CANARY-passcode-7731"
let harness: FlowsHarness

beforeAll(async () => {
  harness = await startFlowsHarness({ passcode: PASSCODE, tokenLifeMinutes: 10_000_000 })
  await letMoneyOut(harness.ledger)
})

afterAll(() => harness.stop())

afterEach(async () => {
  const ledger = await readLedger(harness.ledger.sql)
  const output = { texts: harness.logged, secrets: [PASSCODE], phones: [PHONE.slice(1)] }
  expect(violations({ book: harness.simulator.book, ledger, output })).toEqual([])
  harness.simulator.clearPlans()
  harness.simulator.faults.clear()
})

const payoutOf = (): PayoutRequest => ({
  idempotencyKey: randomUUID(),
  amount: 12.5,
  currency: "usd",
  note: undefined,
  askedBy: "user_admin",
  name: "Ada Carpenter",
  phone: PHONE,
  countryCode: undefined,
  passcode: {
    token: { code: PASSCODE, phone: undefined, userId: undefined },
    device: { name: "till", type: "SERVER", platform: "NODE", userAgent: "shop", clientIp: "::1" },
  },
})

const read = async (id: string) => payoutView(await readPayout(harness.deps, "PAYOUT", id))
const check = (id: string) => checkForPerson(harness.deps, id, "user_ada")

async function checkAfter(id: string, afterMs: number, laterMs = 0) {
  harness.later(laterMs)
  await harness.pass(id, afterMs)
  await checkNow(harness.deps, id)
  return read(id)
}

const decide = (operationId: string, action: "accept" | "dismiss") =>
  resolveOperation(harness.deps, {
    operationId,
    action,
    note: "looked it up in the portal",
    adminId: "user_ada",
  })
const accept = (id: string) => decide(id, "accept")
const dismiss = (id: string) => decide(id, "dismiss")

/** Declined, seen twice; the gateway will approve it all the same, an hour later. */
async function failed() {
  const afterMs = 6 * SECOND
  harness.simulator.plan({
    operationType: "PAYOUT",
    outcome: "decline_then_approve",
    afterMs: SECOND,
    times: 1,
  })
  const { id } = payoutView(await requestPayout(harness.deps, payoutOf()))
  await checkAfter(id, SECOND, SECOND)
  expect(await checkAfter(id, afterMs, afterMs)).toMatchObject({ state: "failed" })
  return id
}

describe("a person who checks", () => {
  it("what was never sent is answered so, and no check follows", async () => {
    harness.simulator.faults.script("createPayoutSession", ["422"])
    const request = payoutOf()
    await expect(requestPayout(harness.deps, request)).rejects.toMatchObject({
      code: "gateway_refused",
    })
    const [row] = await harness.ledger.sql(
      "select id from mp_operation where idempotency_key = $1",
      [request.idempotencyKey],
    )
    const id = String(row?.["id"])
    expect(await check(id)).toEqual({ kind: "not_asked", why: "nothing_to_ask" })
    expect(await read(id)).toMatchObject({ state: "expired", next_check_at: null })
  })

  it("[B21] a payout that failed, again and again, does not use its watch up", async () => {
    const id = await failed()
    for (let time = 0; time < 7; time++) await check(id)
    expect(await read(id)).toMatchObject({ state: "failed" })
    expect((await read(id)).next_check_at).not.toBeNull()
    expect(await checkAfter(id, 2 * MINUTE, 2 * MINUTE)).toMatchObject({ reason: "late_payout" })
    await accept(id)
  })
})

describe("a watch", () => {
  it("[B06] of a payment is not used up by a person who checks", async () => {
    harness.simulator.plan({ outcome: "decline", times: 1 })
    const { sessionId, collectionId } = harness.cart()
    await startPayment(harness.deps, { sessionId, phone: PHONE })
    const { id } = await harness.shown(collectionId)
    for (const ms of [4 * SECOND, 6 * SECOND]) {
      harness.later(ms)
      await harness.pass(id, ms)
      await checkNow(harness.deps, id)
    }
    for (let time = 0; time < 7; time++) await check(id)
    const operation = await harness.shown(collectionId)
    expect(operation).toMatchObject({ state: "failed", checks: 0 })
    expect(operation.nextCheckAt).not.toBeNull()
  })

  it("goes on where a person dismisses what the gateway does not know at that moment", async () => {
    harness.simulator.faults.script(
      "getPayoutStatus",
      Array.from({ length: 40 }, () => "500"),
    )
    const { id } = payoutView(await requestPayout(harness.deps, payoutOf()))
    expect(await checkAfter(id, 4 * DAY)).toMatchObject({ state: "review", reason: "no_answer" })
    harness.simulator.faults.clear()
    harness.simulator.faults.script("getPayoutStatus", ["404"])
    expect(await dismiss(id)).toMatchObject({ execution: "absent" })
    expect(await read(id)).toMatchObject({ state: "failed" })
    expect(await checkAfter(id, 2 * MINUTE, MINUTE)).toMatchObject({ reason: "late_payout" })
    await accept(id)
  })
})
