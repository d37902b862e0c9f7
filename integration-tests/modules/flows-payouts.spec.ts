/**
 * Payouts and transfers from asking to their end: the flows over a real ledger and the simulator, whose
 * book says what truly left the wallet.
 */
import { randomUUID } from "node:crypto"
import type { FailpointName } from "../../src/core/ports"
import { checkDueOperations, checkNow } from "../../src/flows/check-due-operations"
import type { FlowDeps } from "../../src/flows/deps"
import { checkForPerson } from "../../src/flows/desk/check"
import { resolveOperation } from "../../src/flows/desk/resolve"
import { payoutView } from "../../src/flows/payout/payout-view"
import { readPayout, readPayouts } from "../../src/flows/payout/read-payouts"
import { requestPayout, type PayoutRequest } from "../../src/flows/payout/request-payout"
import { requestTransfer, type TransferRequest } from "../../src/flows/payout/request-transfer"
import { wakeForgotten } from "../../src/ledger/wake-operations"
import { DAY, MINUTE, SECOND } from "../support/an-operation"
import { readLedger } from "../support/evidence"
import { startFlowsWorld, type FlowsWorld } from "../support/flows-world"
import { violations } from "../support/violations"

const PASSCODE = "CANARY-passcode-7731"
const WRONG = "CANARY-wrong-passcode"
const PHONE = "+231770000042"
const ADMINS_PHONE = "231770000077"

let world: FlowsWorld
/** Whatever an admin was shown, beside what was logged. */
const shown: string[] = []

beforeAll(async () => {
  world = await startFlowsWorld({ passcode: PASSCODE })
}, 60_000)

afterAll(() => world.stop())

afterEach(async () => {
  const ledger = await readLedger(world.ledger.sql)
  const output = {
    texts: [...world.logged, ...shown],
    secrets: ["simulator-secret", PASSCODE, WRONG],
    phones: [PHONE.slice(1), ADMINS_PHONE],
  }
  expect(violations({ book: world.simulator.book, ledger, output })).toEqual([])
  await world.ledger.sql(
    `update mp_account set checks_paused_until = null, checks_slowed_at = null,
       checks_per_second = checks_per_second_max, checks_left = checks_per_second_max`,
  )
  world.simulator.clearPlans()
  world.simulator.faults.clear()
  world.simulator.backOffice.setVerified(1, true)
})

const passcodeOf = (code: string): PayoutRequest["passcode"] => ({
  token: { code, phone: ADMINS_PHONE },
  device: { name: "till", type: "SERVER", platform: "NODE", userAgent: "shop", clientIp: "::1" },
})

function payoutOf(given: Partial<PayoutRequest> = {}): PayoutRequest {
  return {
    idempotencyKey: randomUUID(),
    amount: 12.5,
    currency: "usd",
    note: "for the carpenter",
    askedBy: "user_admin",
    name: "Ada Carpenter",
    phone: PHONE,
    countryCode: undefined,
    passcode: passcodeOf(PASSCODE),
    ...given,
  }
}

const walletId = (currency = "USD") =>
  world.simulator.book.wallets().find((one) => one.ownerId === 1 && one.currency === currency)
    ?.id ?? 0

async function transferOf(given: Partial<TransferRequest> = {}): Promise<TransferRequest> {
  const { parties, counterparties } = world.gateway
  const party = await parties.create({ fullname: "Branch", phone: PHONE.slice(1) })
  if (party.kind !== "done") throw party.error
  const made = await counterparties.create({
    relationshipType: "PARTNER",
    partyId: party.value.id,
  })
  if (made.kind !== "done") throw made.error
  const { idempotencyKey, note, askedBy } = payoutOf()
  return {
    idempotencyKey,
    note,
    askedBy,
    amount: "30.00",
    currency: "USD",
    fromWalletId: walletId(),
    toCounterpartyId: made.value.id,
    ...given,
  }
}

async function pay(request: PayoutRequest, deps: FlowDeps = world.deps) {
  const view = payoutView(await requestPayout(deps, request))
  shown.push(JSON.stringify(view))
  return view
}

/** The code of its refusal, kept for the oracle word for word. */
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    (value) => value,
    (error: unknown) => {
      shown.push(`${String(error)} ${JSON.stringify(error)}`)
      return error instanceof Error && "code" in error ? error.code : String(error)
    },
  )

async function under(key: string) {
  const [row] = await world.ledger.sql(
    "select id, type from mp_operation where idempotency_key = $1",
    [key],
  )
  if (!row) return undefined
  const type = row["type"] === "TRANSFER" ? "TRANSFER" : "PAYOUT"
  return payoutView(await readPayout(world.deps, type, String(row["id"])))
}

/** So much time passes for the ledger's row, at the gateway as much as it needs to end what it does. */
async function look(key: string, afterMs: number, laterMs = Math.min(afterMs, 5 * SECOND)) {
  const found = await under(key)
  if (!found) throw new Error(`nothing was made under ${key}`)
  world.later(laterMs)
  await world.pass(found.id, afterMs)
  await checkNow(world.deps, found.id)
  return under(key)
}

const bookOf = (reference: string | null | undefined) =>
  world.simulator.book.moneyOut(reference ?? "")
const sentIn = (book = world.simulator.book) => book.payouts().length + book.transfers().length

const dyingAt = (at: FailpointName): FlowDeps => ({
  ...world.deps,
  failpoints: {
    at: (name) => {
      if (name === at) throw new Error("killed")
    },
  },
})

const decide = (view: { id: string } | undefined, action: "accept" | "refund" | "dismiss") =>
  resolveOperation(world.deps, {
    operationId: view?.id ?? "",
    action,
    note: "looked it up in the portal",
    adminId: "user_ada",
  })

describe("a payout", () => {
  it("leaves the wallet once, and is paid only when the gateway says so", async () => {
    const request = payoutOf()
    const accepted = await pay(request)
    expect(accepted).toMatchObject({
      type: "PAYOUT",
      state: "in_flight",
      amount: 12.5,
      currency: "USD",
      recipient: { name: "Ada Carpenter", phone_hint: "042" },
      from_wallet_id: walletId(),
      created_by: "user_admin",
    })
    expect(await look(request.idempotencyKey, 4 * SECOND)).toMatchObject({
      state: "completed",
      reason: null,
      received_amount: 12.5,
      next_check_at: null,
    })
    expect(bookOf(accepted.reference)).toMatchObject({
      status: "COMPLETED",
      amount: "12.50",
      phone: PHONE.slice(1),
      timesCalled: 1,
    })
  })

  it.each([
    ["USD", "0.10", "0.10", PHONE],
    ["USD", 19.99, "19.99", PHONE],
    ["LRD", "1234.56", "1234.56", PHONE],
    ["RWF", 7666, "7666", "+250788000042"],
  ])("of %s %s sends exactly that", async (currency, amount, exact, phone) => {
    const { reference } = await pay(payoutOf({ currency, amount, phone }))
    expect(bookOf(reference)).toMatchObject({ amount: exact, currency })
  })

  it("is followed by the job to its end", async () => {
    const request = payoutOf()
    const { id } = await pay(request)
    world.later(5 * SECOND)
    await world.pass(id, 5 * SECOND)
    await checkDueOperations(world.deps, { atMost: 50 })
    expect(await under(request.idempotencyKey)).toMatchObject({ state: "completed" })
  })

  it("asked for again under its key is answered, also by two admins at the same moment", async () => {
    const request = payoutOf()
    const before = sentIn()
    const both = await Promise.all(
      ["user_one", "user_two"].map((askedBy) => pay({ ...request, askedBy })),
    )
    expect(both[0]?.id).toBe(both[1]?.id)
    expect((await pay({ ...request, passcode: passcodeOf(WRONG) })).id).toBe(both[0]?.id)
    expect(sentIn()).toBe(before + 1)
  })

  it.each([
    ["amount", { amount: 13 }],
    ["currency", { currency: "LRD" }],
    ["recipient", { name: "Bob" }],
    ["number", { phone: "+231770000043" }],
  ])("of another %s under the same key is refused", async (_name, change) => {
    const request = payoutOf()
    await pay(request)
    const before = sentIn()
    expect(await codeOf(pay({ ...request, ...change }))).toBe("idempotency_key_reused")
    expect(sentIn()).toBe(before)
  })

  it.each([
    ["of nothing", { amount: 0 }, "amount_not_payable"],
    ["of less than nothing", { amount: -5 }, "amount_not_payable"],
    ["of a third of a cent", { amount: "0.003" }, "amount_not_payable"],
    ["of 0.1 and 0.2 as a computer adds them", { amount: 0.1 + 0.2 }, "amount_not_payable"],
    ["of half a franc", { amount: 10.5, currency: "RWF" }, "amount_not_payable"],
    ["of no number", { amount: "a lot" }, "amount_not_payable"],
    ["of more than there is", { amount: "1e30" }, "amount_not_payable"],
    ["in no currency", { currency: "??!" }, "currency_not_served"],
    ["in a currency that no account holds", { currency: "EUR" }, "currency_not_served"],
    ["that its wallet does not take", { currency: "RWF", amount: 100 }, "currency_not_served"],
    ["to no number", { phone: "hello" }, "invalid_phone"],
    ["to a fixed line", { phone: "+250252123456" }, "invalid_phone"],
    ["to another country", { phone: "+14155550123" }, "invalid_phone"],
    ["to a number of no operator", { phone: "+231555123456" }, "operator_unknown"],
  ])("%s is refused, and leaves nothing behind", async (_name, change, code) => {
    const request = payoutOf(change)
    const before = sentIn()
    expect(await codeOf(pay(request))).toBe(code)
    expect([await under(request.idempotencyKey), sentIn()]).toEqual([undefined, before])
  })

  it.each([
    ["the passcode is wrong", () => payoutOf({ passcode: passcodeOf(WRONG) }), "wrong_passcode"],
    ["the wallet is too low", () => payoutOf({ amount: 9_000_000 }), "wallet_too_low"],
    [
      "the merchant is not verified",
      () => {
        world.simulator.backOffice.setVerified(1, false)
        return payoutOf()
      },
      "not_verified",
    ],
    [
      "the gateway refuses the recipient",
      () => {
        world.simulator.faults.script("createPaymentAccount", ["422"])
        return payoutOf()
      },
      "gateway_refused",
    ],
    [
      "no session can be opened",
      () => {
        world.simulator.faults.script("createPayoutSession", ["500"])
        return payoutOf()
      },
      "gateway_unavailable",
    ],
    [
      "the session's answer is lost",
      () => {
        world.simulator.faults.script("createPayoutSession", ["reset:after"])
        return payoutOf()
      },
      "gateway_unavailable",
    ],
    [
      "the questions are too many",
      () => {
        world.simulator.faults.script("createPayoutSession", ["429:7"])
        return payoutOf()
      },
      "gateway_unavailable",
    ],
    [
      "the money call meets too many questions",
      () => {
        world.simulator.faults.script("executePayout", ["429:7"])
        return payoutOf()
      },
      "gateway_unavailable",
    ],
  ])("where %s is said so, has ended, and sent nothing", async (_name, prepare, code) => {
    const request = prepare()
    const before = sentIn()
    expect(await codeOf(pay(request))).toBe(code)
    const ended = await under(request.idempotencyKey)
    expect(ended).toMatchObject({ state: "expired" })
    expect(sentIn()).toBe(before)
    // Its key is used up: whoever asks again is told how it ended, and nothing is sent.
    world.simulator.backOffice.setVerified(1, true)
    expect(await pay({ ...request, passcode: passcodeOf(PASSCODE) })).toEqual(ended)
    expect(sentIn()).toBe(before)
  })

  it("[N06] whose answer was lost is asked for, and never sent again", async () => {
    const request = payoutOf()
    world.simulator.faults.script("executePayout", ["reset:after"])
    expect(await pay(request)).toMatchObject({ state: "submitted", reason: null })
    expect(await look(request.idempotencyKey, 4 * SECOND)).toMatchObject({ state: "completed" })
  })

  it("[N05] that never arrived is never sent again, and ended once its session is long over", async () => {
    const request = payoutOf()
    world.simulator.faults.script("executePayout", ["reset:before"])
    expect(await pay(request)).toMatchObject({ state: "submitted" })
    const before = sentIn()
    for (let minutes = 0; minutes < 14; minutes++) {
      expect(await look(request.idempotencyKey, MINUTE)).toMatchObject({ state: "submitted" })
    }
    await look(request.idempotencyKey, 2 * MINUTE)
    expect(await look(request.idempotencyKey, 4 * MINUTE)).toMatchObject({ state: "submitted" })
    expect(await look(request.idempotencyKey, 2 * MINUTE)).toMatchObject({
      state: "expired",
      reason: "never_landed",
    })
    expect(sentIn()).toBe(before)
    expect(world.logged.join()).toContain("did not go through (never_landed)")
  })

  it("[I7] without an answer for three days is put before a person", async () => {
    const request = payoutOf()
    world.simulator.faults.script(
      "getPayoutStatus",
      Array.from({ length: 9 }, () => "500"),
    )
    await pay(request)
    expect(await look(request.idempotencyKey, 3 * DAY)).toMatchObject({ state: "in_flight" })
    const doubted = await look(request.idempotencyKey, DAY)
    expect(doubted).toMatchObject({ state: "review", reason: "no_answer", next_check_at: null })
    world.simulator.faults.clear()
    world.simulator.faults.script("getPayoutStatus", ["404"])
    expect(await checkForPerson(world.deps, doubted?.id ?? "", "user_ada")).toMatchObject({
      execution: "absent",
    })
    // What the gateway says at that moment counts, and not what anybody believes.
    expect(await codeOf(decide(doubted, "dismiss"))).toBe("action_not_possible")
    expect(await decide(doubted, "accept")).toMatchObject({ execution: "COMPLETED" })
  })

  it("[B21] FAILED twice has failed; COMPLETED after that is for a person", async () => {
    const request = payoutOf()
    world.simulator.plan({
      operationType: "PAYOUT",
      outcome: "decline_then_approve",
      afterMs: SECOND,
      times: 1,
    })
    await pay(request)
    expect(await look(request.idempotencyKey, SECOND)).toMatchObject({ state: "in_flight" })
    expect(await look(request.idempotencyKey, 6 * SECOND)).toMatchObject({
      state: "failed",
      reason: "declined",
    })
    const late = await look(request.idempotencyKey, 2 * MINUTE, 2 * MINUTE)
    expect(late).toMatchObject({ state: "review", reason: "late_payout" })
    expect(await codeOf(decide(late, "dismiss"))).toBe("action_not_possible")
    expect(await codeOf(decide(late, "refund"))).toBe("action_not_possible")
    expect(await decide(late, "accept")).toMatchObject({ execution: "COMPLETED" })
    expect(await under(request.idempotencyKey)).toMatchObject({ state: "completed", reason: null })
    expect(await codeOf(decide(late, "dismiss"))).toBe("already_resolved")
  })

  it.each(["payout.drafted", "payout_session.answered", "payout_submit.before_commit"] as const)(
    "[P02] whose process died at %s has sent nothing, and the job ends it",
    async (at) => {
      const request = payoutOf()
      await expect(requestPayout(dyingAt(at), request)).rejects.toThrow("killed")
      expect(await pay(request)).toMatchObject({ state: "drafted" })
      expect(await look(request.idempotencyKey, MINUTE)).toMatchObject({
        state: "expired",
        reason: "never_landed",
        next_check_at: null,
      })
    },
  )

  it("[P03] whose process died with the reference committed is not known, and not sent by anybody", async () => {
    const request = payoutOf()
    await expect(requestPayout(dyingAt("payout_submit.committed"), request)).rejects.toThrow()
    const before = sentIn()
    expect(await pay(request)).toMatchObject({ state: "submitted" })
    expect(await look(request.idempotencyKey, 3 * MINUTE)).toMatchObject({ state: "submitted" })
    expect(sentIn()).toBe(before)
  })

  it("[P03] whose process died with the money call answered is found by asking", async () => {
    const request = payoutOf()
    await expect(requestPayout(dyingAt("payout_execute.answered"), request)).rejects.toThrow()
    expect(await look(request.idempotencyKey, 3 * MINUTE)).toMatchObject({ state: "completed" })
  })

  it("[I7] that nobody would look at again is found by the sweep", async () => {
    const request = payoutOf()
    const { id } = await pay(request)
    await world.ledger.sql("update mp_operation set next_check_at = null where id = $1", [id])
    expect(await wakeForgotten(world.deps.database, 10)).toEqual([{ id, state: "in_flight" }])
    await look(request.idempotencyKey, 4 * SECOND)
  })

  it("[I7] of which nobody ever heard is dismissed by a person, and watched", async () => {
    const request = payoutOf()
    world.simulator.faults.script("executePayout", ["reset:before"])
    world.simulator.faults.script(
      "getPayoutStatus",
      Array.from({ length: 30 }, () => "500"),
    )
    await pay(request)
    const doubted = await look(request.idempotencyKey, 4 * DAY)
    expect(doubted).toMatchObject({ state: "review", reason: "no_answer" })
    expect(await codeOf(decide(doubted, "accept"))).toBe("gateway_unavailable")
    expect(await decide(doubted, "dismiss")).toMatchObject({ kind: "unanswered" })
    const dismissed = await under(request.idempotencyKey)
    expect(dismissed).toMatchObject({ state: "failed" })
    expect(dismissed?.next_check_at).not.toBeNull()
  })

  it("makes a recipient's contact once", async () => {
    const name = `Cora ${randomUUID()}`
    for (let times = 0; times < 2; times++) await pay(payoutOf({ name }))
    const listed = await world.gateway.parties.list({ fullname: name })
    expect(listed).toMatchObject({ kind: "done", value: [{ fullname: name }] })
  })
})

describe("a transfer", () => {
  it("moves between the wallets once, without a passcode", async () => {
    const request = await transferOf()
    const sent = payoutView(await requestTransfer(world.deps, request))
    expect(sent).toMatchObject({
      type: "TRANSFER",
      state: "in_flight",
      amount: 30,
      recipient: null,
      from_wallet_id: request.fromWalletId,
      to_counterparty_id: request.toCounterpartyId,
    })
    expect((await requestTransfer(world.deps, request)).operation.id).toBe(sent.id)
    expect(await look(request.idempotencyKey, 4 * SECOND)).toMatchObject({ state: "completed" })
    expect(bookOf(sent.reference)).toMatchObject({ amount: "30.00", timesCalled: 1 })
  })

  it.each([
    ["another wallet", { fromWalletId: 999_999 }, "gateway_refused"],
    ["nobody", { toCounterpartyId: 999_999 }, "gateway_refused"],
    ["a currency that is not the wallet's", { currency: "LRD" }, "gateway_refused"],
    ["more than is there", { amount: 9_000_000 }, "wallet_too_low"],
  ])("from or to %s is refused, and sends nothing", async (_name, change, code) => {
    const request = await transferOf(change)
    const before = sentIn()
    expect(await codeOf(requestTransfer(world.deps, request))).toBe(code)
    expect(await under(request.idempotencyKey)).toMatchObject({ state: "expired" })
    expect(sentIn()).toBe(before)
  })

  it("under a key of a payout is refused", async () => {
    const { idempotencyKey } = payoutOf()
    await pay(payoutOf({ idempotencyKey }))
    const request = await transferOf({ idempotencyKey })
    expect(await codeOf(requestTransfer(world.deps, request))).toBe("idempotency_key_reused")
  })

  it("[N05] that never arrived has never landed once its session is long over", async () => {
    const request = await transferOf()
    world.simulator.faults.script("executeTransfer", ["500:before"])
    await requestTransfer(world.deps, request)
    for (const minutes of [16, 6]) await look(request.idempotencyKey, minutes * MINUTE)
    expect(await under(request.idempotencyKey)).toMatchObject({ state: "expired" })
  })
})

describe("the list", () => {
  it("is newest first, of one type, in pages with a count", async () => {
    const made = [await pay(payoutOf()), await pay(payoutOf())]
    const list = { type: "PAYOUT", states: undefined, offset: 0 } as const
    const { payouts, count } = await readPayouts(world.deps, { ...list, limit: 2 })
    expect(payouts.map(({ operation }) => operation.id)).toEqual(made.map(({ id }) => id).reverse())
    const beyond = await readPayouts(world.deps, { ...list, limit: 2, offset: count })
    expect(beyond).toEqual({ payouts: [], count })
    const done = await readPayouts(world.deps, { ...list, limit: 100, states: ["completed"] })
    expect(new Set(done.payouts.map(({ operation }) => operation.state))).toEqual(
      new Set(["completed"]),
    )
    expect(await codeOf(readPayout(world.deps, "TRANSFER", made[0]?.id ?? ""))).toBe(
      "operation_not_found",
    )
  })
})
