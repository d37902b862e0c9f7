/**
 * Lists an account's sources as the gateway has them: one question a list, within the account's
 * budget. A source's number belongs to one merchant of one gateway, and the account may have other
 * credentials by now.
 */
import type { AccountId, CredentialId } from "../core/ids"
import { LIMITS } from "../core/limits"
import type { IncompleteCode } from "../core/messages"
import type { Operation, SourceType } from "../core/operation"
import { isMarked } from "../core/source-reference"
import type { Gateway, ListSourcesRequest, SourceRecord } from "../gateway"
import { isProvenFor, learnOwner } from "../ledger/accounts/credentials"
import type { Account } from "../ledger/accounts/find-accounts"
import { askSource, unanswered } from "../engine/ask-gateway"
import type { FlowDeps } from "../engine/deps"
import { provenGateway } from "../engine/gateway-for"
import { pauseIfAsked } from "../engine/pause-checks"
import { payQuestion } from "../worker/pass-budget"
import { sourceKey, type GatewaySource } from "./rules/reconciliation"
import type { Keep } from "./run-task"

export type ListedSource = GatewaySource & { readonly touchedAt: Date | null }

type OwnerId = NonNullable<SourceRecord["ownerId"]>

/** A state that a list can be narrowed to. */
export type ListedState = NonNullable<ListSourcesRequest["status"]>

/** Which sources are listed. A state makes the gateway's answer smaller. */
export type ListAsked = {
  readonly sourceType: SourceType
  readonly status?: ListedState | undefined
}

/**
 * `whole`: read to its end. `cut`: it began and broke off, so a source that did not come proves
 * nothing. `too_long`: longer than any list is read. `unread`: nothing came. `foreign`: it has
 * sources of another merchant, so what came before them counts for nothing either.
 */
export type ListEnd = "whole" | "cut" | "too_long" | "unread" | "foreign"

/** A page of a list, with the few fields that are compared. */
export type TakePage = (page: readonly ListedSource[]) => Promise<void>

/**
 * Reads a list while it arrives, so that its length needs no memory. The account is paused if the
 * gateway asked for that.
 */
export async function readSources(
  deps: FlowDeps,
  gateway: Gateway,
  account: Account,
  { sourceType, status }: ListAsked,
  take: TakePage,
): Promise<ListEnd> {
  const { id: accountId } = account
  await payQuestion(deps, accountId)
  const acts = sourceType === "ORDER" ? gateway.orders : gateway.invoices
  const isOwn = ownMerchants(deps, account)
  let isBegun = false
  const takeBatch = async (batch: readonly SourceRecord[]) => {
    isBegun = true
    if (!(await isOwn(batch))) throw new AnotherMerchant()
    await take(batch.map((record) => listed(deps, sourceType, record)))
  }
  const filter = status ? { status } : {}
  try {
    const outcome = await acts.stream(filter, takeBatch, { patience: "job" })
    if (outcome.kind === "done") return "whole"
    await pauseIfAsked(deps, accountId, unanswered(outcome))
    deps.logger.warn(
      `merchant payments: the ${sourceType} sources of ${accountId} could not be listed` +
        `${isBegun ? " to their end" : ""}: ` +
        outcome.error.message.slice(0, LIMITS.messageLengthMax),
    )
    if (outcome.error.reason === "too_large") return "too_long"
    return isBegun ? "cut" : "unread"
  } catch (error) {
    if (error instanceof AnotherMerchant) return "foreign"
    throw error
  }
}

/**
 * The open sources of one state, as far as they came: one that came is there, whatever the others
 * are.
 *
 * @returns undefined when nothing could be read, or the list is not our merchant's alone
 */
export async function listSources(
  deps: FlowDeps,
  gateway: Gateway,
  account: Account,
  sourceType: SourceType,
  status?: "ACTIVE" | "IDLE",
): Promise<readonly ListedSource[] | undefined> {
  const sources: ListedSource[] = []
  const end = await readSources(deps, gateway, account, { sourceType, status }, async (page) => {
    // A gateway may not know the filter.
    for (const one of page) if (!status || one.status === status) sources.push(one)
    return Promise.resolve()
  })
  return end === "unread" || end === "foreign" ? undefined : sources
}

/** Ends the reading of a list that has sources of another merchant. */
class AnotherMerchant extends Error {}

/**
 * Tells whether the listed sources are of our merchant, whom the gateway names. The first merchant
 * is kept as the credential's; from then on another merchant's sources count for nothing (rule 4:
 * our merchant).
 */
function ownMerchants(
  deps: FlowDeps,
  account: Account,
): (records: readonly SourceRecord[]) => Promise<boolean> {
  let known: OwnerId | undefined
  const learn = async (first: OwnerId) => {
    const credential = await deps.credentialOf(account)
    const { id, ownerId } = credential
    return ownerId ?? (await learnOwner(deps.database, id, first))?.ownerId ?? undefined
  }
  return async (records) => {
    const owners = new Set(records.flatMap(({ ownerId }) => ownerId ?? []))
    const [first] = owners
    if (first === undefined) return true
    known ??= await learn(first)
    if (owners.size === 1 && known === first) return true
    deps.logger.error(
      `merchant payments: the gateway listed sources of another merchant for ${account.id}; ` +
        "they are left alone",
    )
    return false
  }
}

/**
 * Asks about the sources of the ledger's own payments, one question each, where a list is too long
 * to be read, or lacks them. A source that the ledger does not know is not seen this way.
 *
 * @param wholeLists types whose list was read to its end: there a 404 in any form says that it is gone
 * @param because gets why some of the sources were not asked about, or not answered
 */
export async function askOwnSources(
  deps: FlowDeps,
  gateway: Gateway,
  accountId: AccountId,
  operations: readonly Operation[],
  wholeLists: readonly SourceType[],
  keep: Keep,
  because: Set<IncompleteCode>,
): Promise<ListedSource[]> {
  const bySource = new Map(operations.map((operation) => [sourceKey(operation), operation]))
  const sources: ListedSource[] = []
  let questions = 0
  // The newest come first: if there are too many, the oldest were asked about before.
  for (const { sourceType, sourceId } of [...bySource.values()].reverse()) {
    if (sourceId === null) continue
    await keep()
    questions += 1
    if (questions > LIMITS.reconcileOwnSourcesMax) {
      because.add("too_many_questions")
      break
    }
    await payQuestion(deps, accountId)
    const { finding, isNotFound } = await askSource(gateway, { sourceType, sourceId })
    await pauseIfAsked(deps, accountId, finding)
    const isGone = finding.kind === "absent" || (isNotFound && wholeLists.includes(sourceType))
    if (finding.kind === "seen") {
      const { status, total } = finding
      sources.push({ sourceType, sourceId, reference: null, status, total, touchedAt: null })
    } else if (!isGone) because.add("not_all_answered")
  }
  return sources
}

function listed(
  { digest }: Pick<FlowDeps, "digest">,
  sourceType: SourceType,
  record: SourceRecord,
): ListedSource {
  const { id, referenceId, status, total, paidAt, updatedAt, createdAt } = record
  return {
    sourceType,
    sourceId: id,
    reference: referenceId ?? null,
    isUnmarked: referenceId !== undefined && !isMarked(referenceId, digest),
    status,
    total: total ?? null,
    touchedAt: momentOf(paidAt ?? updatedAt ?? createdAt),
  }
}

function momentOf(text: string | undefined): Date | null {
  const moment = new Date(text ?? "")
  return Number.isNaN(moment.getTime()) ? null : moment
}

type Parted = { readonly askable: Operation[]; readonly others: Operation[] }

/**
 * Separates the operations that the account's lists can say something about from the others. If no
 * payment under way proves new credentials, the first one with a source does: else the days before
 * a rotation on a quiet day would stay uncompared for good.
 *
 * @returns a function that sets apart operations made with credentials that the account's own do
 *   not follow
 */
export function partingWith(
  deps: FlowDeps,
  account: Account,
  clientIds: readonly CredentialId[] = [],
): (operations: readonly Operation[]) => Promise<Parted> {
  const followed = new Map<string, Promise<boolean>>()
  const proven = new Map<string, Promise<boolean>>()
  const isFollowed = async (madeWith: CredentialId): Promise<boolean> => {
    if (clientIds.includes(madeWith)) return true
    // An account without credentials has no lists either.
    if (!deps.gatewayOf(account)) return false
    const current = await deps.credentialOf(account)
    return current.id === madeWith || isProvenFor(deps.database, madeWith, current.id)
  }
  const prove = async (operation: Operation) => (await provenGateway(deps, operation)) !== undefined
  const isAskable = async (operation: Operation): Promise<boolean> => {
    const { credentialId, sourceId } = operation
    if (credentialId === null) return true
    if (await once(followed, credentialId, () => isFollowed(credentialId))) return true
    if (sourceId === null) return (await proven.get(credentialId)) ?? false
    return once(proven, credentialId, () => prove(operation))
  }
  return async (operations) => {
    const parted: Parted = { askable: [], others: [] }
    for (const one of operations) {
      const part = (await isAskable(one)) ? parted.askable : parted.others
      part.push(one)
    }
    return parted
  }
}

/** Runs `ask` at most once for each credential. */
function once(
  known: Map<string, Promise<boolean>>,
  credentialId: CredentialId,
  ask: () => Promise<boolean>,
): Promise<boolean> {
  const answer = known.get(credentialId) ?? ask()
  known.set(credentialId, answer)
  return answer
}
