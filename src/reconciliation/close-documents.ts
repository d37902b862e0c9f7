/**
 * Documents of ours that stay open at the gateway although nobody should pay them: the answer to
 * their making was lost, or the payment they belong to has ended. Each is closed; one that is paid
 * by then is held for a person. A document that no operation of ours was made for is left alone,
 * whatever its reference looks like: another program of the merchant's may have made it.
 */
import { operationIdOf } from "../core/document-reference"
import { LIMITS } from "../core/limits"
import { hasEnded, type Operation } from "../core/operation"
import type { Gateway } from "../gateway"
import type { Account } from "../ledger/accounts/find-accounts"
import { bringForward } from "../ledger/bring-forward"
import { closeSource } from "../engine/ask-gateway"
import type { FlowDeps } from "../engine/deps"
import { persist } from "../engine/persist"
import { askableWith, partedBy } from "./asked-with"
import { holdPaidDocument, holdSecondPayment } from "./hold-money"
import { payQuestion } from "./list-documents"
import { documentsToClose, sourceKey, type GatewayDocument } from "./rules/reconciliation"
import type { Keep } from "./run-task"
import { findOfDocuments, type OnUnreadable } from "./sql/find-for-period"

/** @returns how many were seen `CANCELED` */
export async function closeDocuments(
  deps: FlowDeps,
  gateway: Gateway,
  account: Account,
  documents: readonly GatewayDocument[],
  keep: Keep,
): Promise<number> {
  const { id: accountId } = account
  const isAskable = askableWith(deps, account)
  let closed = 0
  const open = documents.filter(({ status }) => status === "ACTIVE" || status === "IDLE")
  for (const page of pages(open)) {
    const operations = await operationsOfDocuments(deps, accountId, page)
    const { askable, others } = await partedBy(operations, isAskable)
    const unaskableIds = others.map(({ id }) => id)
    for (const document of documentsToClose({ documents: page, operations, unaskableIds })) {
      if (closed >= LIMITS.documentsClosedMax) return closed
      await keep()
      const own = {
        tries: askable.filter((one) => sourceKey(one) === sourceKey(document)),
        maker: operations.find(({ id }) => id === operationIdOf(document.reference ?? "")),
      }
      if (await closeDocument(deps, gateway, accountId, document, own)) closed += 1
    }
  }
  if (closed > 0) {
    deps.logger.info(
      `merchant payments: documents of ${accountId} that were left open, now closed: ${closed}`,
    )
  }
  return closed
}

/** Who has it as the source, and whom it was made for. */
type Own = { readonly tries: readonly Operation[]; readonly maker: Operation | undefined }

async function closeDocument(
  deps: FlowDeps,
  gateway: Gateway,
  accountId: string,
  document: GatewayDocument,
  own: Own,
): Promise<boolean> {
  // The cancel, and the check of what became of it.
  await payQuestion(deps, accountId)
  await payQuestion(deps, accountId)
  const { finding } = await closeSource(gateway, document)
  const status = finding.kind === "seen" ? finding.status : undefined
  if (status === "PAID") await tellPaid(deps, gateway, document, own)
  if (status !== "CANCELED") return false
  for (const ended of own.tries) {
    if (ended.leaseToken !== null) continue
    await persist(deps.database, ended, {
      event: { note: "source_closed" },
      code: "document_closed",
      changes: { sourceStatus: "CANCELED" },
    })
  }
  return true
}

/** Paid by then. The payment whose document it is finds it by a check of its own. */
async function tellPaid(
  deps: FlowDeps,
  gateway: Gateway,
  document: GatewayDocument,
  { tries, maker }: Own,
): Promise<void> {
  for (const { id } of tries) await bringForward(deps.database, id, 0)
  if (tries.length > 0 || !maker) return
  const hold = hasEnded(maker) ? holdPaidDocument : holdSecondPayment
  await hold(deps, gateway, maker.id, document)
}

/** Every operation that pays one of the documents, or that one was made for. */
export async function operationsOfDocuments(
  deps: FlowDeps,
  accountId: string,
  documents: readonly GatewayDocument[],
  onUnreadable: OnUnreadable = (error) => deps.logger.error(`merchant payments: ${error.message}`),
): Promise<Operation[]> {
  const ids = {
    operationIds: documents.flatMap(({ reference }) => operationIdOf(reference ?? "") ?? []),
    sourceIds: documents.map(({ sourceId }) => sourceId),
  }
  return findOfDocuments(deps.database, accountId, ids, onUnreadable)
}

export function* pages<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let start = 0; start < rows.length; start += LIMITS.upkeepRowsMax) {
    yield rows.slice(start, start + LIMITS.upkeepRowsMax)
  }
}
