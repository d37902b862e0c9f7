/**
 * A payout after its money call: checked until the gateway reports its end, never sent again, and
 * put under review where the gateway reports none.
 */
import { readPayout } from "../../../src/payouts/payout-view"
import { signedFiguresOf } from "../../../src/review/rules/signed-figures"
import { MOVED_MINOR } from "../../../src/review/sql/moved-money"
import { checkForPerson } from "../../../src/review/check"
import { requestPayout } from "../../../src/payouts/request-payout"
import { wakeForgotten } from "../../../src/reconciliation/sql/wake-operations"
import { DAY, MINUTE, SECOND } from "../../support/an-operation"
import { dieAt } from "../../support/moments"
import { payoutOf, usePayoutsHarness } from "../../support/payouts-harness"

const { harness, pay, codeOf, under, checkAfter, sentIn, decide } = usePayoutsHarness()

describe("a payout", () => {
  it("[N06] whose answer was lost is checked, and never sent again", async () => {
    const request = payoutOf()
    harness.simulator.faults.script("executePayout", ["reset:after"])
    expect(await pay(request)).toMatchObject({ state: "submitted", reason: null })
    expect(await checkAfter(request.idempotencyKey, 4 * SECOND)).toMatchObject({
      state: "completed",
    })
  })

  it("[N05] that never arrived is never sent again, and expires long after its session", async () => {
    const request = payoutOf()
    harness.simulator.faults.script("executePayout", ["reset:before"])
    expect(await pay(request)).toMatchObject({ state: "submitted" })
    const before = sentIn()
    for (let minutes = 0; minutes < 14; minutes++) {
      expect(await checkAfter(request.idempotencyKey, MINUTE)).toMatchObject({ state: "submitted" })
    }
    await checkAfter(request.idempotencyKey, 2 * MINUTE)
    expect(await checkAfter(request.idempotencyKey, 4 * MINUTE)).toMatchObject({
      state: "submitted",
    })
    expect(await checkAfter(request.idempotencyKey, 2 * MINUTE)).toMatchObject({
      state: "expired",
      reason: "never_landed",
    })
    expect(sentIn()).toBe(before)
    expect(harness.logged.join()).toContain("The gateway never received it.")
  })

  it("[I7] without an answer for three days is put under review", async () => {
    const request = payoutOf()
    harness.simulator.faults.script(
      "getPayoutStatus",
      Array.from({ length: 9 }, () => "500"),
    )
    await pay(request)
    expect(await checkAfter(request.idempotencyKey, 3 * DAY)).toMatchObject({ state: "in_flight" })
    const doubted = await checkAfter(request.idempotencyKey, DAY)
    expect(doubted).toMatchObject({ state: "review", reason: "no_answer", next_check_at: null })
    harness.simulator.faults.clear()
    harness.simulator.faults.script("getPayoutStatus", ["404"])
    expect(await checkForPerson(harness.deps, doubted?.id ?? "", "user_ada")).toMatchObject({
      execution: "absent",
    })
    // What the gateway says at that moment counts, and not what an earlier check found.
    expect(await codeOf(decide(doubted, "dismiss"))).toBe("action_not_possible")
    expect(await decide(doubted, "accept")).toMatchObject({ execution: "COMPLETED" })
  })

  it("[B21] that reads FAILED twice has failed, and waits for an admin when it reads COMPLETED later", async () => {
    const request = payoutOf()
    harness.simulator.plan({
      operationType: "PAYOUT",
      outcome: "decline_then_approve",
      afterMs: SECOND,
      times: 1,
    })
    await pay(request)
    expect(await checkAfter(request.idempotencyKey, SECOND)).toMatchObject({ state: "in_flight" })
    expect(await checkAfter(request.idempotencyKey, 6 * SECOND)).toMatchObject({
      state: "failed",
      reason: "declined",
    })
    const late = await checkAfter(request.idempotencyKey, 2 * MINUTE, 2 * MINUTE)
    expect(late).toMatchObject({ state: "review", reason: "late_payout" })
    expect(await codeOf(decide(late, "dismiss"))).toBe("action_not_possible")
    expect(await codeOf(decide(late, "refund"))).toBe("action_not_possible")
    expect(await decide(late, "accept")).toMatchObject({ execution: "COMPLETED" })
    expect(await under(request.idempotencyKey)).toMatchObject({ state: "completed", reason: null })
    expect(await codeOf(decide(late, "dismiss"))).toBe("already_resolved")
  })

  it("[B11] that moved another amount than was asked for waits for an admin, and is shown as it moved", async () => {
    const request = payoutOf()
    const { id } = await pay(request)
    const ask = (minor: number) =>
      harness.ledger.sql("update mp_operation set amount_minor = $2 where id = $1", [id, minor])
    // The ledger asked for a tenth of what the gateway sends.
    await ask(125)
    const doubted = await checkAfter(request.idempotencyKey, 4 * SECOND)
    expect(doubted).toMatchObject({ state: "review", reason: "amount_mismatch" })
    expect(harness.logged.join()).toContain("needs a review (amount_mismatch)")
    expect(await codeOf(decide(doubted, "dismiss"))).toBe("action_not_possible")
    expect(await decide(doubted, "accept")).toMatchObject({ execution: "COMPLETED" })
    const accepted = await under(request.idempotencyKey)
    expect(accepted).toMatchObject({ state: "completed", amount: 1.25, received_amount: 12.5 })
    const [moved] = await harness.ledger.sql(
      `select (${MOVED_MINOR})::int as minor from mp_operation where id = $1`,
      [id],
    )
    expect(moved).toEqual({ minor: -1_250 })
    const { operation } = await readPayout(harness.deps, "PAYOUT", id)
    expect(signedFiguresOf(operation).gross).toBe(-1_250n)
    await ask(1_250)
  })

  it.each([
    "after predictions.mmoProviderInfo+1",
    "after parties.list",
    "after sessions.payout=ACTIVE",
  ] as const)("[P02] whose process died %s has sent nothing, and the job ends it", async (at) => {
    const request = payoutOf()
    await dieAt(harness.deps, at, (deps) => requestPayout(deps, request))
    expect(await pay(request)).toMatchObject({ state: "drafted" })
    // The gateway is asked twice for the reference that the draft was made with.
    expect(await checkAfter(request.idempotencyKey, MINUTE)).toMatchObject({ state: "drafted" })
    expect(await checkAfter(request.idempotencyKey, MINUTE)).toMatchObject({
      state: "expired",
      reason: "never_landed",
      next_check_at: null,
    })
  })

  it("[P03] whose process died with the reference committed stays unknown, and is not sent", async () => {
    // It stays in doubt, so the same to the same recipient is refused from here on.
    const request = payoutOf({ name: "Bea Mason" })
    await dieAt(harness.deps, "before executions.payout", (deps) => requestPayout(deps, request))
    const before = sentIn()
    expect(await pay(request)).toMatchObject({ state: "submitted" })
    expect(await checkAfter(request.idempotencyKey, 3 * MINUTE)).toMatchObject({
      state: "submitted",
    })
    expect(sentIn()).toBe(before)
  })

  it("[P03] whose process died with the money call answered is found by a check", async () => {
    const request = payoutOf()
    await dieAt(harness.deps, "after executions.payout=PROCESSING", (deps) =>
      requestPayout(deps, request),
    )
    expect(await checkAfter(request.idempotencyKey, 3 * MINUTE)).toMatchObject({
      state: "completed",
    })
  })

  it("[I7] that no worker would check again is woken by the sweep", async () => {
    const request = payoutOf()
    const { id } = await pay(request)
    await harness.ledger.sql("update mp_operation set next_check_at = null where id = $1", [id])
    expect(await wakeForgotten(harness.deps.database, 10)).toEqual([{ id, state: "in_flight" }])
    await checkAfter(request.idempotencyKey, 4 * SECOND)
  })

  it("[I7] that the gateway never answers about can be dismissed by an admin, and is watched", async () => {
    const request = payoutOf()
    harness.simulator.faults.script("executePayout", ["reset:before"])
    harness.simulator.faults.script(
      "getPayoutStatus",
      Array.from({ length: 30 }, () => "500"),
    )
    await pay(request)
    const doubted = await checkAfter(request.idempotencyKey, 4 * DAY)
    expect(doubted).toMatchObject({ state: "review", reason: "no_answer" })
    expect(await codeOf(decide(doubted, "accept"))).toBe("gateway_unavailable")
    expect(await decide(doubted, "dismiss")).toMatchObject({ kind: "unanswered" })
    const dismissed = await under(request.idempotencyKey)
    expect(dismissed).toMatchObject({ state: "failed" })
    expect(dismissed?.next_check_at).not.toBeNull()
  })
})
