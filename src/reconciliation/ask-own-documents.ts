/**
 * The documents of the ledger's own payments, one question each: for a gateway whose list is longer
 * than can be read. What the ledger does not know is not seen this way.
 */
import { LIMITS } from "../core/limits"
import type { IncompleteCode } from "../core/messages"
import type { Operation } from "../core/operation"
import type { Gateway } from "../gateway"
import { askSource } from "../engine/ask-gateway"
import type { FlowDeps } from "../engine/deps"
import { pauseIfAsked } from "../engine/pause-checks"
import { payQuestion, type ListedDocument } from "./list-documents"
import { sourceKey } from "./rules/reconciliation"
import type { Keep } from "./run-task"

/** @param because told why some of them were not asked about, or not answered */
export async function askOwnDocuments(
  deps: FlowDeps,
  gateway: Gateway,
  accountId: string,
  operations: readonly Operation[],
  keep: Keep,
  because: Set<IncompleteCode>,
): Promise<ListedDocument[]> {
  const bySource = new Map(operations.map((operation) => [sourceKey(operation), operation]))
  const documents: ListedDocument[] = []
  let questions = 0
  // The newest first: where there are too many, the oldest were asked about before.
  for (const { sourceType, sourceId } of [...bySource.values()].reverse()) {
    if (sourceId === null) continue
    await keep()
    questions += 1
    if (questions > LIMITS.reconcileOwnDocumentsMax) {
      because.add("too_many_questions")
      break
    }
    await payQuestion(deps, accountId)
    const { finding } = await askSource(gateway, { sourceType, sourceId })
    await pauseIfAsked(deps, accountId, finding)
    if (finding.kind === "seen") {
      const { status, total } = finding
      documents.push({ sourceType, sourceId, reference: null, status, total, touchedAt: null })
    } else if (finding.kind !== "absent") because.add("not_all_answered")
  }
  return documents
}
