/**
 * `POST operations/:id/retry` in a real store: one click makes a refund that failed once more,
 * once.
 */
import type { OperationResponse, OperationDetail } from "../../src/review/rules/review-responses"
import { expectOk } from "./support/shop"
import {
  books,
  isRecorded,
  isUndone,
  lastRefund,
  paidOrder,
  refund,
  refundsOf,
  refundUntil,
} from "./support/refunds"
import { useHarness } from "./support/harness"

const MINUTES_10 = 600_000
const ROOT = "/admin/merchant-payments/operations"

const harness = useHarness()

afterEach(() => harness.simulator.clearPlans())

type Refused = { readonly code?: string; readonly message?: string; readonly refund?: string }

const retry = (id: string, body: unknown = {}) =>
  harness.admin.call<OperationResponse & Refused>("POST", `${ROOT}/${id}/retry`, body)

const read = async (id: string) =>
  (await expectOk(harness.admin.call<{ operation: OperationDetail }>("GET", `${ROOT}/${id}`)))
    .operation

/** All of an order's money, shown by Medusa as given back, and failed after that. */
async function failed() {
  const order = await paidOrder(harness)
  harness.simulator.plan({ operationType: "REFUND", outcome: "approve", afterMs: MINUTES_10 })
  await expectOk(refund(harness, order, order.total))
  await refundUntil(harness, order, isRecorded, "the refund is recorded")
  const { id, reference } = await lastRefund(harness, order)
  harness.simulator.backOffice.settle(reference ?? "", "FAILED")
  await refundUntil(harness, order, isUndone, "Medusa is put right")
  harness.simulator.clearPlans()
  return { order, id }
}

it("[B21] gives the money back once, whoever clicks beside, and Medusa shows it", async () => {
  const { order, id } = await failed()
  expect(await read(id)).toMatchObject({
    attention: "refund_failed",
    actions: expect.arrayContaining([{ action: "retry", is_possible: true, why_not: null }]),
  })
  const clicks = await Promise.all([1, 2, 3].map(() => retry(id)))
  const [made, ...more] = clicks.filter(({ status }) => status === 200)
  expect(more).toEqual([])
  for (const { status, body } of clicks.filter((click) => click.status !== 200)) {
    expect(status).toBe(409)
    expect(["refund_in_progress", "refund_retried"]).toContain(body.code)
  }
  expect(made?.body.operation).toMatchObject({ type: "REFUND", amount: (await read(id)).amount })
  await refundUntil(harness, order, isRecorded, "the new refund is recorded")
  expect(await books(harness, order)).toMatchObject({
    refunded: order.total,
    collectionRefunded: order.total,
    rows: [order.total],
  })
  const [first, second, ...others] = await refundsOf(harness, order)
  expect([first?.id, second?.id, others]).toEqual([id, made?.body.operation.id, []])
  const went = harness.simulator.book.refunds().filter(({ status }) => status === "COMPLETED")
  expect(went.map(({ reference }) => reference)).toEqual([second?.reference])

  const again = await retry(id)
  expect([again.status, again.body.code, again.body.refund]).toEqual([
    409,
    "refund_retried",
    second?.id,
  ])
  const fine = await retry(second?.id ?? "")
  expect([fine.status, fine.body.code]).toEqual([409, "refund_unavailable"])
  expect((await read(id)).events.map(({ name, by }) => [name, by])).toContainEqual([
    "retried",
    expect.stringMatching(/^user_/),
  ])
})

it("refuses what is no refund that failed, and a body that says something", async () => {
  const order = await paidOrder(harness)
  const [payment] = await harness.sql<{ id: string }>(
    "select id from mp_operation where payment_collection_id = $1",
    [order.collectionId],
  )
  const paid = await retry(payment?.id ?? "")
  expect([paid.status, paid.body.code]).toEqual([409, "refund_unavailable"])
  const none = await retry("mpop_none")
  expect([none.status, none.body.code]).toEqual([404, "operation_not_found"])
  const said = await retry(payment?.id ?? "", { amount: 5 })
  expect([said.status, said.body.code]).toEqual([400, "invalid_request"])
  expect(harness.simulator.book.refunds()).toHaveLength(2)
})
