/**
 * A prompt reads FAILED, its document is paid by card on the gateway's page, and a minute later the
 * phone approves the prompt after all: the gateway has the money twice, on one document that reads
 * PAID. The ledger holds both sums, whoever finds it and whatever was decided before.
 */
import type { Operation } from "../../../src/core/operation"
import { startPayment } from "../../../src/checkout/start-payment"
import { checkNow } from "../../../src/worker/check-due-operations"
import { sweep } from "../../../src/reconciliation/sweep"
import { checkForPerson } from "../../../src/review/check"
import { MINUTE, SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { PHONE } from "../../support/flows-harness"
import { useReviewHarness } from "../../support/review-harness"

const { its, reread, resolve } = useReviewHarness()

const start = (sessionId: string) => startPayment(its().deps, { sessionId, phone: PHONE })

async function checked({ id }: Pick<Operation, "id">, afterMs: number): Promise<Operation> {
  await its().pass(id, afterMs)
  await checkNow(its().deps, id)
  return reread({ id })
}

/** Declined once; the phone approves a minute later. */
async function declinedOnce() {
  const cart = its().cart()
  its().simulator.plan({ outcome: "decline_then_approve", times: 1 })
  await start(cart.sessionId)
  const operation = await checked(await its().shown(cart.collectionId), SECOND)
  expect(operation.failedAt).not.toBeNull()
  return { operation, ...cart }
}

const payOnPage = ({ sourceId }: Operation) =>
  its().simulator.hosted.pay(sourceId ?? 0, { method: "card" })

const swept = () => sweep(its().deps, () => Promise.resolve())

/** The sums that the ledger holds of a payment's document. */
async function heldOf({ sourceId, amount }: Operation) {
  const rows = await its().ledger.sql(
    `select id, state, is_duplicate, collected_minor::int as minor, source_number
       from mp_operation where source_id = $1 and collected_minor is not null order by is_duplicate`,
    [sourceId],
  )
  const [own, other] = rows
  expect(rows.map(({ minor }) => minor)).toEqual([Number(amount.minor), Number(amount.minor)])
  expect(other).toMatchObject({ state: "review", is_duplicate: true })
  expect(other?.["source_number"]).toBe(own?.["source_number"])
  const { book } = its().simulator
  const charged = book.executions().filter((one) => one.sourceId === sourceId && one.charges > 0)
  expect(charged).toHaveLength(2)
  return own
}

it("[B15] paid on its page before it was seen to fail twice, and approved then, is held twice", async () => {
  const { operation, collectionId } = await declinedOnce()
  payOnPage(operation)
  expect(await checked(operation, 6 * SECOND)).toMatchObject({ collected: null })
  its().later(MINUTE)
  expect(await checked(operation, MINUTE)).toMatchObject({ state: "completed" })
  expect(await heldOf(operation)).toMatchObject({ id: operation.id })
  expect(its().of(collectionId).completions).toBe(1)
})

describe("[B15] paid on its page after it had failed, and approved then", () => {
  async function inReview() {
    const { operation, ...cart } = await declinedOnce()
    expect(await checked(operation, 6 * SECOND)).toMatchObject({ state: "failed" })
    payOnPage(operation)
    const review = await checked(operation, 2 * MINUTE)
    expect(review).toMatchObject({ state: "review", reason: "late_payment" })
    return { operation: review, ...cart }
  }

  it("is held twice once an admin decides, who decides about its own money alone", async () => {
    const { operation, collectionId } = await inReview()
    its().later(MINUTE)
    await resolve(operation, "accept")
    expect(await checked(operation, SECOND)).toMatchObject({ state: "completed" })
    expect(await heldOf(operation)).toMatchObject({ id: operation.id })
    expect(its().of(collectionId).completions).toBe(1)
  })

  it("is held twice once an admin checks", async () => {
    const { operation } = await inReview()
    its().later(MINUTE)
    await checkForPerson(its().deps, operation.id, "user_ada")
    await heldOf(operation)
  })

  it("is held twice by the next sweep, though the first money was accepted before", async () => {
    const { operation } = await inReview()
    await resolve(operation, "accept")
    expect(await checked(operation, SECOND)).toMatchObject({ state: "completed" })
    await swept()
    its().later(MINUTE)
    await swept()
    await swept()
    expect(await heldOf(operation)).toMatchObject({ state: "completed" })
  })

  it("is held twice by the next sweep, though the first money was dismissed before", async () => {
    const { operation } = await inReview()
    await resolve(operation, "dismiss")
    its().later(MINUTE)
    await swept()
    expect(await heldOf(operation)).toMatchObject({ state: "failed" })
  })

  it("is held twice where the next start found the first money", async () => {
    const { operation, sessionId } = await declinedOnce()
    expect(await checked(operation, 6 * SECOND)).toMatchObject({ state: "failed" })
    payOnPage(operation)
    expect(await codeOf(start(sessionId))).toBe("under_review")
    its().later(MINUTE)
    await swept()
    await heldOf(operation)
  })
})

it("[B06] approved after it had failed, and not paid otherwise, is held once", async () => {
  const { operation } = await declinedOnce()
  its().later(MINUTE)
  const paid = await checked(operation, 6 * SECOND)
  expect(paid).toMatchObject({ state: "completed", paidOtherwiseAt: null })
  await swept()
  const rows = await its().ledger.sql("select id from mp_operation where source_id = $1", [
    operation.sourceId,
  ])
  expect(rows).toHaveLength(1)
})
