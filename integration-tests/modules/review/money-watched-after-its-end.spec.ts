/**
 * Money that went out or back is watched after its end. An admin's checks and decisions neither use
 * up the watch nor begin one that no admin can end.
 */
import { startPayment } from "../../../src/checkout/start-payment"
import { checkForPerson } from "../../../src/review/check"
import { checkNow } from "../../../src/worker/check-due-operations"
import { DAY, MINUTE, SECOND } from "../../support/an-operation"
import { PHONE } from "../../support/flows-harness"
import { payoutOf, usePayoutsHarness } from "../../support/payouts-harness"

const { harness, pay, codeOf, under, checkAfter, decide } = usePayoutsHarness()

const check = ({ id }: { readonly id: string }) => checkForPerson(harness.deps, id, "user_ada")

it("a payout that was never sent has nothing to check, and no check follows an admin's", async () => {
  harness.simulator.faults.script("createPayoutSession", ["422"])
  const request = payoutOf()
  expect(await codeOf(pay(request))).toBe("gateway_refused")
  const ended = await under(request.idempotencyKey)
  if (!ended) throw new Error("nothing was made")
  expect(await check(ended)).toEqual({ kind: "not_asked", why: "nothing_to_ask" })
  expect(await under(request.idempotencyKey)).toMatchObject({
    state: "expired",
    next_check_at: null,
  })
})

it("[B21] the watch of a payout that failed is not used up by an admin's checks", async () => {
  const request = payoutOf()
  harness.simulator.plan({
    operationType: "PAYOUT",
    outcome: "decline_then_approve",
    afterMs: SECOND,
    times: 1,
  })
  const sent = await pay(request)
  await checkAfter(request.idempotencyKey, SECOND)
  await checkAfter(request.idempotencyKey, 6 * SECOND)
  for (let time = 0; time < 7; time++) await check(sent)
  const failed = await under(request.idempotencyKey)
  expect(failed).toMatchObject({ state: "failed" })
  expect(failed?.next_check_at).not.toBeNull()
  const late = await checkAfter(request.idempotencyKey, 2 * MINUTE, 2 * MINUTE)
  expect(late).toMatchObject({ reason: "late_payout" })
  await decide(late, "accept")
})

it("[B06] the watch of a payment is not used up by an admin's checks", async () => {
  harness.simulator.plan({ outcome: "decline", times: 1 })
  const { sessionId, collectionId } = harness.cart()
  await startPayment(harness.deps, { sessionId, phone: PHONE })
  const { id } = await harness.shown(collectionId)
  for (const ms of [4 * SECOND, 6 * SECOND]) {
    harness.later(ms)
    await harness.pass(id, ms)
    await checkNow(harness.deps, id)
  }
  for (let time = 0; time < 7; time++) await check({ id })
  const operation = await harness.shown(collectionId)
  expect(operation).toMatchObject({ state: "failed", checks: 0 })
  expect(operation.nextCheckAt).not.toBeNull()
})

it("the watch goes on where an admin dismisses a payout that the gateway doesn't know at that moment", async () => {
  harness.simulator.faults.script(
    "getPayoutStatus",
    Array.from({ length: 40 }, () => "500"),
  )
  const request = payoutOf()
  await pay(request)
  const doubted = await checkAfter(request.idempotencyKey, 4 * DAY, 0)
  expect(doubted).toMatchObject({ state: "review", reason: "no_answer" })
  harness.simulator.faults.clear()
  harness.simulator.faults.script("getPayoutStatus", ["404"])
  expect(await decide(doubted, "dismiss")).toMatchObject({ execution: "absent" })
  expect(await under(request.idempotencyKey)).toMatchObject({ state: "failed" })
  const late = await checkAfter(request.idempotencyKey, 2 * MINUTE, MINUTE)
  expect(late).toMatchObject({ reason: "late_payout" })
  await decide(late, "accept")
})
