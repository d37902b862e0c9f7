/**
 * A prompt is declined, and its document is paid on the gateway's page: the money has another
 * payment intent than the execution that FAILED, and an admin enters it before a refund.
 */
import type { Operation } from "../../../src/core/operation"
import { startPayment } from "../../../src/checkout/start-payment"
import { LIMITS } from "../../../src/core/limits"
import { enterPaymentIntent } from "../../../src/review/payment-intent"
import { MINUTE, SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { PHONE } from "../../support/flows-harness"
import { useReviewHarness } from "../../support/review-harness"

const { its, reread, checkAfter, settled, resolve } = useReviewHarness()

const start = (sessionId: string) => startPayment(its().deps, { sessionId, phone: PHONE })

/** Declined once the ledger knows the prompt's payment intent. */
async function declined() {
  const cart = its().cart()
  await start(cart.sessionId)
  const operation = await checkAfter(await its().shown(cart.collectionId), 3 * SECOND)
  const reference = operation.reference ?? ""
  expect(operation.paymentIntentId).toBe(its().simulator.book.execution(reference)?.paymentIntentId)
  its().simulator.handset.decline(reference)
  await checkAfter(operation, 3 * SECOND)
  return { operation, ...cart }
}

/** The payment intent of what was paid on the page. */
function payOnPage({ sourceId }: Operation): number {
  const { hosted, book } = its().simulator
  const { reference } = hosted.pay(sourceId ?? 0, { method: "card" })
  return book.execution(reference)?.paymentIntentId ?? 0
}

/** Refused until the admin has entered the intent of the money, and then sent with it. */
async function givenBack({ id }: Operation, intent: number): Promise<void> {
  const review = await reread({ id })
  expect(review).toMatchObject({ state: "review", paymentIntentId: null })
  const refund = () => codeOf(resolve(review, "refund", { expectedAmount: 19.99 }))
  expect(await refund()).toBe("payment_intent_unknown")
  const entered = { operationId: id, paymentIntentId: intent, adminId: "user_ada" }
  expect(await codeOf(enterPaymentIntent(its().deps, entered))).toBe("none")
  expect(await refund()).toBe("none")
  await settled()
  expect((await reread({ id })).returnedAt).not.toBeNull()
  expect(its().simulator.book.refundsOf(intent)).toMatchObject([{ status: "COMPLETED" }])
}

it("[B40] money for a prompt that had failed, found by the watch, is refunded under the intent that an admin enters", async () => {
  const { operation } = await declined()
  expect(await checkAfter(operation, 6 * SECOND)).toMatchObject({ state: "failed" })
  const intent = payOnPage(operation)
  expect(await checkAfter(operation, MINUTE)).toMatchObject({ reason: "late_payment" })
  await givenBack(operation, intent)
})

it("[B40] money for a prompt that had failed, found by the next start, is refunded under the intent that an admin enters", async () => {
  const { operation, sessionId } = await declined()
  expect(await checkAfter(operation, 6 * SECOND)).toMatchObject({ state: "failed" })
  const intent = payOnPage(operation)
  expect(await codeOf(start(sessionId))).toBe("under_review")
  await givenBack(operation, intent)
})

it("[B40] money that came before the prompt was seen to fail twice is refunded under the intent that an admin enters", async () => {
  const { operation } = await declined()
  const intent = payOnPage(operation)
  await checkAfter(operation, 6 * SECOND)
  const review = await checkAfter(operation, LIMITS.neverLandedAfterMs)
  expect(review).toMatchObject({ reason: "source_disagrees" })
  await givenBack(operation, intent)
})
