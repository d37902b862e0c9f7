/**
 * Money that the books show and that no operation stands for: put before a person, never applied and
 * never given back here. The document itself is asked first; what a list says is a hint.
 */
import { mismatch } from "../../core/decision"
import { LIMITS } from "../../core/limits"
import type { Money } from "../../core/money"
import type { BookDocument } from "../../core/reconciliation"
import type { Gateway } from "../../gateway"
import { adoptMoney } from "../../ledger/adopt-money"
import { claimOperation } from "../../ledger/claim-due-operations"
import { findById } from "../../ledger/find-operations"
import { releaseOperation } from "../../ledger/postpone-operation"
import { alertReview } from "../alert-review"
import { askSource } from "../ask-gateway"
import type { FlowDeps } from "../deps"
import { persist } from "../persist"
import { payQuestion } from "./list-documents"

/**
 * An ended operation whose document is paid after all comes into review, as late money.
 *
 * @returns false when it is not paid now, could not be asked, or somebody else is at the operation
 */
export async function holdLateMoney(
  deps: FlowDeps,
  gateway: Gateway,
  operationId: string,
  document: BookDocument,
): Promise<boolean> {
  const total = await paidTotal(deps, gateway, operationId, document)
  if (!total) return false
  const held = await claimOperation(deps.database, operationId, LIMITS.leaseMs)
  if (!held) return false
  if (held.state !== "failed" && held.state !== "expired") {
    await releaseOperation(deps.database, held)
    return false
  }
  const why = "its document is paid after the end"
  const review = await persist(deps.database, held, {
    event: "complete",
    why,
    facts: { source: "PAID", source_id: document.sourceId, source_before: held.sourceId },
    changes: {
      sourceId: document.sourceId,
      sourceStatus: "PAID",
      reason: mismatch(held, total) ?? "late_payment",
      ...(total.currency === held.amount.currency ? { collectedMinor: total.minor } : {}),
    },
    next: "never",
    lease: "release",
  })
  alertReview(deps, held, review, why)
  return review !== undefined
}

/** A second document of one payment is paid: surplus, in review, beside the payment. */
export async function holdSecondPayment(
  deps: FlowDeps,
  gateway: Gateway,
  operationId: string,
  document: BookDocument,
): Promise<boolean> {
  const total = await paidTotal(deps, gateway, operationId, document)
  const beside = total && (await findById(deps.database, operationId))
  if (!beside) return false
  const adopted = await adoptMoney(deps.database, beside, {
    id: deps.ids.operationId(),
    sourceType: document.sourceType,
    sourceId: document.sourceId,
    total,
  })
  const why = `a second document of ${operationId} is paid`
  if (adopted) alertReview(deps, beside, adopted, why)
  return adopted !== undefined
}

async function paidTotal(
  deps: FlowDeps,
  gateway: Gateway,
  operationId: string,
  document: BookDocument,
): Promise<Money | undefined> {
  const operation = await findById(deps.database, operationId)
  if (!operation) return undefined
  await payQuestion(deps, operation.accountId)
  const { look } = await askSource(gateway, document)
  return look.kind === "seen" && look.status === "PAID" ? look.total : undefined
}
