/**
 * Payments that an admin has dismissed: nothing of them stays payable, and money that still comes
 * goes to review again. Money that the admin saw when deciding doesn't.
 */
import type { Operation } from "../../../src/core/operation"
import { checkDueOperations } from "../../../src/worker/check-due-operations"
import { startPayment } from "../../../src/checkout/start-payment"
import { HOUR, MINUTE, SECOND } from "../../support/an-operation"
import { useReviewHarness } from "../../support/review-harness"
import { HOSTED, PHONE, PUSH } from "../../support/flows-harness"

const review = useReviewHarness()
const { reread, checkAfter, resolve, eventsOf } = review

const CARD = { method: "card" } as const

const pass = () => checkDueOperations(review.its().deps, { atMost: 50 })

const statusOf = ({ sourceId }: Operation) =>
  review
    .its()
    .simulator.book.documents()
    .find(({ id }) => id === sourceId)?.status

/** Without a final answer for so long that an admin has to decide. */
async function unanswered(providerId = HOSTED): Promise<Operation> {
  const cart = review.its().cart(providerId)
  await startPayment(review.its().deps, { sessionId: cart.sessionId, phone: PHONE })
  const operation = await review.its().shown(cart.collectionId)
  await review.its().ledger.sql(
    `with moved as (update mp_operation set state = 'review', reason = 'no_answer',
            version = version + 1, next_check_at = null where id = $1 returning *)
     insert into mp_operation_event (operation_id, seq, name, state, code)
     select id, version, 'doubt', state, 'no_final_answer' from moved`,
    [operation.id],
  )
  return reread(operation)
}

describe("[B36] a dismissed payment page", () => {
  it("is closed at the gateway", async () => {
    const operation = await unanswered()
    await resolve(operation, "dismiss")
    await pass()
    expect(statusOf(operation)).toBe("CANCELED")
    expect(await reread(operation)).toMatchObject({ state: "failed", sourceStatus: "CANCELED" })
  })

  it("returns to review when it is paid before it closes, and a second dismissal is final", async () => {
    const operation = await unanswered()
    await resolve(operation, "dismiss")
    review.its().simulator.hosted.pay(operation.sourceId ?? 0, CARD)
    await pass()
    const back = await reread(operation)
    expect(back).toMatchObject({
      state: "review",
      reason: "late_payment",
      collected: { minor: 1_999n },
    })
    const [{ dismissed_at: dismissedAt } = {}] = await review
      .its()
      .ledger.sql("select dismissed_at from mp_operation where id = $1", [operation.id])
    expect(dismissedAt).toBeNull()
    await resolve(back, "dismiss")
    expect(await reread(operation)).toMatchObject({ state: "failed", nextCheckAt: null })
    expect(await checkAfter(operation, HOUR)).toMatchObject({ state: "failed", nextCheckAt: null })
    expect((await eventsOf(operation)).filter(({ name }) => name === "dismiss")).toHaveLength(2)
  })

  it("is closed later when the gateway refuses to close it at first", async () => {
    const operation = await unanswered()
    review.its().simulator.faults.script("cancelOrder", ["500", "500", "500", "500"])
    await resolve(operation, "dismiss")
    await pass()
    expect(statusOf(operation)).toBe("ACTIVE")
    const open = await reread(operation)
    expect(open.nextCheckAt).not.toBeNull()
    review.its().simulator.faults.clear()
    await checkAfter(operation, 16 * MINUTE)
    expect(statusOf(operation)).toBe("CANCELED")
  })
})

describe("[B37] a dismissed push under way", () => {
  /** Dismissed while the gateway says nothing of it. */
  async function dismissed(): Promise<Operation> {
    const { faults } = review.its().simulator
    const operation = await unanswered(PUSH)
    faults.script("getCollectionStatus", ["500", "500", "500"])
    await resolve(operation, "dismiss")
    faults.clear()
    return operation
  }

  it("returns to review when the payer approves it later", async () => {
    const operation = await dismissed()
    await pass()
    expect(await reread(operation)).toMatchObject({ state: "failed" })
    review.its().simulator.handset.approve(operation.reference ?? "")
    expect(await checkAfter(operation, 3 * MINUTE)).toMatchObject({
      state: "review",
      reason: "late_payment",
      isDuplicate: false,
    })
  })

  it("leaves no source for the next attempt when the payer declines it", async () => {
    const operation = await dismissed()
    review.its().simulator.handset.decline(operation.reference ?? "")
    await checkAfter(operation, SECOND)
    expect(statusOf(operation)).toBe("CANCELED")
    expect((await reread(operation)).state).toBe("failed")
  })
})
