/** A payout that an admin requests: what is sent, what is refused before that, and how it reads. */
import { randomUUID } from "node:crypto"
import { readOperation } from "../../../src/review/read-operations"
import { checkDueOperations } from "../../../src/worker/check-due-operations"
import { MINUTE, SECOND } from "../../support/an-operation"
import { PHONE } from "../../support/flows-harness"
import {
  PASSCODE,
  passcodeOf,
  payoutOf,
  usePayoutsHarness,
  WRONG,
} from "../../support/payouts-harness"

const { harness, walletId, pay, codeOf, under, checkAfter, bookOf, sentIn } = usePayoutsHarness()

describe("a payout", () => {
  it("leaves the wallet once, and is completed only when the gateway says so", async () => {
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
    expect(await checkAfter(request.idempotencyKey, 4 * SECOND)).toMatchObject({
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
  ])("of %s %s sends exactly that amount", async (currency, amount, exact, phone) => {
    const { reference } = await pay(payoutOf({ currency, amount, phone }))
    expect(bookOf(reference)).toMatchObject({ amount: exact, currency })
  })

  it("is followed by the job to its end", async () => {
    const request = payoutOf()
    const { id } = await pay(request)
    harness.later(5 * SECOND)
    await harness.pass(id, 5 * SECOND)
    await checkDueOperations(harness.deps, { atMost: 50 })
    expect(await under(request.idempotencyKey)).toMatchObject({ state: "completed" })
  })

  it.each(["null", "''"])("shows no session of Medusa's where its row has %s", async (absent) => {
    const { id } = await pay(payoutOf())
    await harness.ledger.sql(
      `update mp_operation set provider_id = ${absent}, payment_collection_id = ${absent},
              payment_session_id = ${absent} where id = $1`,
      [id],
    )
    expect(await readOperation(harness.deps, id)).toMatchObject({
      provider_id: "",
      payment_collection_id: "",
      payment_session_id: "",
      cart_id: null,
      order_id: null,
    })
  })

  it("that two admins request under one key at the same moment is sent once", async () => {
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
  ])("with another %s under the same key is refused", async (_name, change) => {
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
    ["of 0.1 + 0.2, which is no exact amount", { amount: 0.1 + 0.2 }, "amount_not_payable"],
    ["of half a Rwandan franc", { amount: 10.5, currency: "RWF" }, "amount_not_payable"],
    ["of an amount that is no number", { amount: "a lot" }, "amount_not_payable"],
    ["of an amount beyond every limit", { amount: "1e30" }, "amount_not_payable"],
    ["in a currency that does not exist", { currency: "??!" }, "currency_not_served"],
    ["in a currency that no account holds", { currency: "EUR" }, "currency_not_served"],
    ["that its wallet does not take", { currency: "RWF", amount: 100 }, "currency_not_served"],
    ["to a phone number that is none", { phone: "hello" }, "invalid_phone"],
    ["to a fixed line", { phone: "+250252123456" }, "invalid_phone"],
    ["to a number of a country that is not served", { phone: "+14155550123" }, "invalid_phone"],
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
        harness.simulator.backOffice.setVerified(1, false)
        return payoutOf()
      },
      "not_verified",
    ],
    [
      "the gateway refuses the recipient",
      () => {
        harness.simulator.faults.script("createPaymentAccount", ["422"])
        return payoutOf()
      },
      "gateway_refused",
    ],
    [
      "no session can be opened",
      () => {
        harness.simulator.faults.script("createPayoutSession", ["500"])
        return payoutOf()
      },
      "gateway_unavailable",
    ],
    [
      "the session's answer is lost",
      () => {
        harness.simulator.faults.script("createPayoutSession", ["reset:after"])
        return payoutOf()
      },
      "gateway_unavailable",
    ],
    [
      "the gateway limits the session's request",
      () => {
        harness.simulator.faults.script("createPayoutSession", ["429:7"])
        return payoutOf()
      },
      "gateway_unavailable",
    ],
    [
      "the gateway limits the money call",
      () => {
        harness.simulator.faults.script("executePayout", ["429:7"])
        return payoutOf()
      },
      "gateway_unavailable",
    ],
  ])("is refused where %s, expires, and has sent nothing", async (_name, prepare, code) => {
    const request = prepare()
    const before = sentIn()
    expect(await codeOf(pay(request))).toBe(code)
    // A refused money call is checked twice, a minute apart; a refused session is in doubt until it
    // is over.
    for (const ms of [SECOND, MINUTE, 60 * MINUTE, 6 * MINUTE]) {
      const made = await under(request.idempotencyKey)
      if (made?.state === "submitted") await checkAfter(request.idempotencyKey, ms, 0)
    }
    const ended = await under(request.idempotencyKey)
    expect(ended).toMatchObject({ state: "expired" })
    expect(sentIn()).toBe(before)
    // Its key is used: the same request again returns how it ended, and nothing is sent.
    harness.simulator.backOffice.setVerified(1, true)
    expect(await pay({ ...request, passcode: passcodeOf(PASSCODE) })).toEqual(ended)
    expect(sentIn()).toBe(before)
  })

  it("creates its recipient's contact once", async () => {
    const name = `Cora ${randomUUID()}`
    for (let times = 0; times < 2; times++) await pay(payoutOf({ name }))
    const listed = await harness.gateway.parties.list({ fullname: name })
    expect(listed).toMatchObject({ kind: "done", value: [{ fullname: name }] })
  })
})
