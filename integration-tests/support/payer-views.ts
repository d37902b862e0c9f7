/**
 * All that shoppers, customers and admins are shown of one payment and of its refund, by the view's
 * name, for suites about what every view has to agree on.
 */
import { readStatus } from "../../src/checkout/read-status"
import { idFrom } from "../../src/core/ids"
import type { Operation } from "../../src/core/operation"
import { receiptOfPayment, type ReceiptPorts } from "../../src/papers/read-receipt"
import { renderReceipt } from "../../src/papers/render-receipt"
import { accountantFile } from "../../src/reconciliation/accountant-file"
import { listFile } from "../../src/reconciliation/list-file"
import { periodFile } from "../../src/reconciliation/period-file"
import { readOverview } from "../../src/reconciliation/read-overview"
import { sendRefund } from "../../src/refunds/send-refund-to-gateway"
import { readOperation, readOperations, readOrder } from "../../src/review/read-operations"
import { enterPaymentIntent } from "../../src/review/payment-intent"
import { readPayments } from "../../src/review/read-payments"
import {
  fetchReceipts,
  readReceiptOfOperation,
  readReceiptOfSession,
} from "../../src/worker/receipts"
import { adminReceipt, shopperReceipt } from "../../src/worker/rules/receipt"
import { DAY, SECOND } from "./an-operation"
import { notifyScene } from "./notify-scene"
import { aPaperOrder, readPaper } from "./paper"
import type { useReviewHarness } from "./review-harness"

type Review = ReturnType<typeof useReviewHarness>
export type Started = { readonly sessionId: string; readonly operation: Operation }
type Views = Readonly<Record<string, unknown>>

export function payerViews(review: Review) {
  const its = () => review.its()
  const fine = () => Promise.resolve()
  const scene = () => notifyScene(its().ledger, { email: fine })

  /** Recorded, with its receipt, and given back in part. */
  async function settled({ sessionId, operation }: Started): Promise<Started> {
    const paid = await review.checkAfter(operation, 2 * SECOND)
    expect(paid.recordedAt).not.toBeNull()
    await its().ledger.sql("update mp_operation set receipt_due_at = now() where id = $1", [
      paid.id,
    ])
    await fetchReceipts(its().deps)
    // As an admin copies it from the portal: the gateway's answers about a page name none.
    const { book } = its().simulator
    const execution = book
      .executions()
      .find(({ sourceId, charges }) => sourceId === paid.sourceId && charges > 0)
    const paymentIntentId = execution?.paymentIntentId ?? 0
    await enterPaymentIntent(its().deps, {
      operationId: paid.id,
      paymentIntentId,
      adminId: "user_ada",
    })
    await sendRefund(its().deps, {
      operationId: paid.id,
      medusaAmount: "1.00",
      capturedAmount: "19.99",
      medusaRefundId: null,
      askedBy: "user_ada",
      code: "refund_by_medusa",
      isWaitedFor: true,
    })
    return { sessionId, operation: await review.reread(paid) }
  }

  /** Medusa's records in memory know no order's number, and no admin's name. */
  const asked = () => {
    const { deps } = its()
    const none = () => Promise.resolve(new Map<string, string>())
    return { ...deps, medusa: { ...deps.medusa, orderNumbers: none, adminNames: none } }
  }

  async function textOf(lines: AsyncIterable<string>): Promise<string> {
    const texts: string[] = []
    for await (const text of lines) texts.push(text)
    return texts.join("")
  }

  /** What is there before the money is accepted, too. */
  async function viewsInReview({ sessionId, operation }: Started): Promise<Views> {
    const deps = asked()
    const { status } = await readStatus(deps, { sessionId })
    const paging = { limit: 20, offset: 0 }
    const { operations } = await readOperations(deps, {}, paging)
    const now = Date.now()
    const period = { from: new Date(now - 2 * DAY), until: new Date(now + DAY) }
    const account = {
      account_id: operation.accountId,
      label: "Main",
      is_complete: true,
      incomplete_because: [],
      compared_at: new Date(now).toISOString(),
      counts: {},
      totals: [],
      differences: [],
      left_out: 0,
    }
    const compared = periodFile(deps, { ...period, accounts: [account], isDifferencesOnly: false })
    const sheet = await accountantFile(deps, { ...period, timeZone: "UTC", language: "en" })
    return {
      status,
      "the list": operations.filter(({ type }) => type === "COLLECTION"),
      "the refund in the list": operations.filter(({ type }) => type === "REFUND"),
      "the payment's page": await readOperation(deps, operation.id),
      "the shop's own code": await readPayments(deps, {}, paging),
      "the list's file": await textOf(await listFile(deps, {})),
      "the period's file": await textOf(compared),
      "the accountant's sheet": await textOf(sheet.lines),
      "the home page": await readOverview(deps, "UTC"),
    }
  }

  /** Everything, of a payment that was `settled`. */
  async function viewsOf(started: Started): Promise<Views> {
    const { sessionId, operation } = started
    const deps = asked()
    const papers: ReceiptPorts["papers"] = {
      paperOrder: async (id) => aPaperOrder({ id }),
      shopName: async () => "Harbour & Hills",
    }
    const ofSession = await readReceiptOfSession(deps, { sessionId })
    const ofOperation = await readReceiptOfOperation(deps, operation.id)
    const { document } = await receiptOfPayment({ ...deps, papers }, operation.id)
    const { notifier, run } = scene()
    await run()
    return {
      ...(await viewsInReview(started)),
      "the shopper's receipt": shopperReceipt(ofSession.operation, ofSession.fetched),
      "the admin's receipt": adminReceipt(ofOperation.operation, ofOperation.fetched, () => null),
      "the customer's receipt": document,
      "its page": readPaper(renderReceipt(document, "en")).payments,
      "the order": await readOrder(deps, idFrom(operation.orderId ?? "none")),
      "the messages": notifier.sent,
    }
  }

  return { scene, settled, viewsInReview, viewsOf }
}
