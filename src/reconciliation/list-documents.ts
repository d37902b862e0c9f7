/**
 * The documents of an account as the gateway lists them: one question a list, within its budget.
 */
import { LIMITS } from "../core/limits"
import type { SourceType } from "../core/operation"
import type { DocumentRecord, Gateway } from "../gateway"
import { learnOwner } from "../ledger/accounts/credentials"
import type { Account } from "../ledger/accounts/find-accounts"
import { spendChecks } from "../ledger/check-budget"
import { unanswered } from "../engine/ask-gateway"
import type { FlowDeps } from "../engine/deps"
import { pauseIfAsked } from "../engine/pause-checks"
import type { GatewayDocument } from "./rules/reconciliation"

export type ListedDocument = GatewayDocument & { readonly touchedAt: Date | null }

/**
 * @returns undefined when the list could not be read; the account is paused if it asked for that.
 *   `too_long`: it never can be, as a list has no pages
 */
export async function listDocuments(
  deps: FlowDeps,
  gateway: Gateway,
  account: Account,
  sourceType: SourceType,
  { status }: { readonly status?: "ACTIVE" | "IDLE" } = {},
): Promise<readonly ListedDocument[] | "too_long" | undefined> {
  const { id: accountId } = account
  await payQuestion(deps, accountId)
  const acts = sourceType === "ORDER" ? gateway.orders : gateway.invoices
  const outcome = await acts.list(status ? { status } : {}, { patience: "job" })
  if (outcome.kind === "done") {
    const isOurs = await isOwnMerchants(deps, account, outcome.value)
    return isOurs ? outcome.value.map((record) => listed(sourceType, record)) : undefined
  }
  await pauseIfAsked(deps, accountId, unanswered(outcome))
  deps.logger.warn(
    `merchant payments: the ${sourceType} documents of ${accountId} could not be listed: ` +
      outcome.error.message.slice(0, LIMITS.messageLengthMax),
  )
  return outcome.error.reason === "too_large" ? "too_long" : undefined
}

/**
 * The gateway says whose a document is. The first time it is kept, as the merchant that the
 * credential belongs to; from then on another one's documents count for nothing (rule 4: our
 * merchant).
 */
async function isOwnMerchants(
  deps: FlowDeps,
  account: Account,
  records: readonly DocumentRecord[],
): Promise<boolean> {
  const owners = new Set(records.flatMap(({ ownerId }) => ownerId ?? []))
  const [first] = owners
  if (first === undefined) return true
  const credential = await deps.credentialOf(account)
  const known =
    credential.ownerId ?? (await learnOwner(deps.database, credential.id, first))?.ownerId
  if (owners.size === 1 && known === first) return true
  deps.logger.error(
    `merchant payments: the gateway listed documents of another merchant for ${account.id}; ` +
      "they are left alone",
  )
  return false
}

/** One question beyond what the claims have paid for. */
export async function payQuestion(deps: FlowDeps, accountId: string): Promise<void> {
  await deps.budget.take(accountId)
  await spendChecks(deps.database, accountId, 1)
}

function listed(sourceType: SourceType, record: DocumentRecord): ListedDocument {
  const { id, referenceId, status, total, paidAt, updatedAt, createdAt } = record
  return {
    sourceType,
    sourceId: id,
    reference: referenceId ?? null,
    status,
    total: total ?? null,
    touchedAt: momentOf(paidAt ?? updatedAt ?? createdAt),
  }
}

function momentOf(text: string | undefined): Date | null {
  const moment = new Date(text ?? "")
  return Number.isNaN(moment.getTime()) ? null : moment
}
