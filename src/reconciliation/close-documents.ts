/**
 * Closes our sources that must not be paid any more; one that is paid by then is held for an admin.
 * A source that no operation was made for is left alone, whatever its reference: another program of
 * the merchant may have made it.
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
import { payQuestion } from "../worker/pass-budget"
import { holdPaidDocument, holdSecondPayment } from "./hold-money"
import { partingWith } from "./list-documents"
import { documentsToClose, sourceKey, type GatewayDocument } from "./rules/reconciliation"
import type { Keep } from "./run-task"
import { findOfDocuments, logUnreadable, type OnUnreadable } from "./sql/find-for-period"

export async function closeDocuments(
  deps: FlowDeps,
  gateway: Gateway,
  account: Account,
  documents: readonly GatewayDocument[],
  keep: Keep,
): Promise<void> {
  const { id: accountId } = account
  const parted = partingWith(deps, account)
  let closed = 0
  const open = documents.filter(({ status }) => status === "ACTIVE" || status === "IDLE")
  for (const page of pages(open)) {
    const operations = await operationsOfDocuments(deps, accountId, page)
    const { askable, others } = await parted(operations)
    const unaskableIds = others.map(({ id }) => id)
    for (const document of documentsToClose({ documents: page, operations, unaskableIds })) {
      if (closed >= LIMITS.documentsClosedMax) return
      await keep()
      const own = {
        tries: askable.filter((one) => sourceKey(one) === sourceKey(document)),
        maker: operations.find(({ id }) => id === operationIdOf(document.reference ?? "")),
      }
      if (await closeDocument(deps, gateway, accountId, document, own)) closed += 1
    }
  }
  if (closed === 0) return
  deps.logger.info(
    `merchant payments: documents of ${accountId} that were left open, now closed: ${closed}`,
  )
}

/** The operations that have this source, and the operation that it was made for. */
type Own = { readonly tries: readonly Operation[]; readonly maker: Operation | undefined }

async function closeDocument(
  deps: FlowDeps,
  gateway: Gateway,
  accountId: string,
  document: GatewayDocument,
  own: Own,
): Promise<boolean> {
  // One question for the cancel, and one for the check of what became of the source.
  await payQuestion(deps, accountId)
  await payQuestion(deps, accountId)
  const { finding } = await closeSource(gateway, document)
  const status = finding.kind === "seen" ? finding.status : undefined
  if (status === "PAID") await holdPaid(deps, gateway, document, own)
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

/**
 * Makes the operations that have the source due: their own check finds the money. If there are
 * none, the maker holds it.
 */
async function holdPaid(
  deps: FlowDeps,
  gateway: Gateway,
  document: GatewayDocument,
  { tries, maker }: Own,
): Promise<void> {
  for (const { id } of tries) await bringForward(deps.database, id, 0)
  if (tries.length > 0 || !maker) return
  const hold = hasEnded(maker) ? holdPaidDocument : holdSecondPayment
  await hold(deps, gateway, maker, document)
}

/** All payers and makers of the sources. */
export async function operationsOfDocuments(
  deps: FlowDeps,
  accountId: string,
  documents: readonly GatewayDocument[],
  onUnreadable: OnUnreadable = logUnreadable(deps),
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
