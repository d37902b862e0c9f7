/** Transfers between wallets, and the lists of what was sent. */
import { payoutView, readPayout } from "../../../src/payouts/payout-view"
import { listPayouts } from "../../../src/payouts/sql/find-payouts"
import { requestTransfer } from "../../../src/payouts/request-transfer"
import { MINUTE, SECOND } from "../../support/an-operation"
import { payoutOf, usePayoutsHarness } from "../../support/payouts-harness"

const { harness, transferOf, pay, codeOf, under, checkAfter, bookOf, sentIn } = usePayoutsHarness()

describe("a transfer", () => {
  it("moves between the wallets once, without a passcode", async () => {
    const request = await transferOf()
    const sent = payoutView(await requestTransfer(harness.deps, request))
    expect(sent).toMatchObject({
      type: "TRANSFER",
      state: "in_flight",
      amount: 30,
      recipient: null,
      from_wallet_id: request.fromWalletId,
      to_counterparty_id: request.toCounterpartyId,
    })
    expect((await requestTransfer(harness.deps, request)).operation.id).toBe(sent.id)
    expect(await checkAfter(request.idempotencyKey, 4 * SECOND)).toMatchObject({
      state: "completed",
    })
    expect(bookOf(sent.reference)).toMatchObject({ amount: "30.00", timesCalled: 1 })
  })

  it.each([
    ["a wallet that is not the merchant's", { fromWalletId: 999_999 }, "gateway_refused"],
    ["an unknown recipient", { toCounterpartyId: 999_999 }, "gateway_refused"],
    ["a wallet of another currency", { currency: "LRD" }, "gateway_refused"],
    ["a wallet that holds less", { amount: 9_000_000 }, "wallet_too_low"],
  ])("from or to %s is refused, and sends nothing", async (_name, change, code) => {
    const request = await transferOf(change)
    const before = sentIn()
    expect(await codeOf(requestTransfer(harness.deps, request))).toBe(code)
    for (const ms of [SECOND, MINUTE, 60 * MINUTE, 6 * MINUTE]) {
      const made = await under(request.idempotencyKey)
      if (made?.state === "submitted") await checkAfter(request.idempotencyKey, ms, 0)
    }
    expect(await under(request.idempotencyKey)).toMatchObject({ state: "expired" })
    expect(sentIn()).toBe(before)
  })

  it("under the key of a payout is refused", async () => {
    const { idempotencyKey } = payoutOf()
    await pay(payoutOf({ idempotencyKey }))
    const request = await transferOf({ idempotencyKey })
    expect(await codeOf(requestTransfer(harness.deps, request))).toBe("idempotency_key_reused")
  })

  it("[N05] that never arrived expires long after its session", async () => {
    const request = await transferOf()
    harness.simulator.faults.script("executeTransfer", ["500:before"])
    await requestTransfer(harness.deps, request)
    for (const minutes of [16, 6]) await checkAfter(request.idempotencyKey, minutes * MINUTE)
    expect(await under(request.idempotencyKey)).toMatchObject({ state: "expired" })
  })
})

describe("the list of payouts", () => {
  it("is newest first, of one type, in pages with a count", async () => {
    const first = payoutOf()
    const made = [await pay(first), await pay(payoutOf())]
    const list = { type: "PAYOUT", states: undefined, offset: 0 } as const
    const { payouts, count } = await listPayouts(harness.ledger.database, { ...list, limit: 2 })
    expect(payouts.map(({ operation }) => operation.id)).toEqual(made.map(({ id }) => id).reverse())
    const beyond = await listPayouts(harness.ledger.database, { ...list, limit: 2, offset: count })
    expect(beyond).toEqual({ payouts: [], count })
    await checkAfter(first.idempotencyKey, 4 * SECOND)
    const done = await listPayouts(harness.ledger.database, {
      ...list,
      limit: 100,
      states: ["completed"],
    })
    expect(new Set(done.payouts.map(({ operation }) => operation.state))).toEqual(
      new Set(["completed"]),
    )
    expect(await codeOf(readPayout(harness.deps, "TRANSFER", made[0]?.id ?? ""))).toBe(
      "operation_not_found",
    )
  })
})
