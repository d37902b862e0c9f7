/**
 * Closes our sources that must not be paid any more; one that is paid by then is held for an admin.
 * A source that no operation was made for is left alone, whatever its reference: another program of
 * the merchant may have made it.
 */
import type { AccountId } from "../core/ids"
import { operationIdOf } from "../core/source-reference"
import { LIMITS } from "../core/limits"
import { hasEnded, type Operation } from "../core/operation"
import type { Gateway } from "../gateway"
import type { Account } from "../ledger/accounts/find-accounts"
import { bringForward } from "../ledger/bring-forward"
import { closeSource } from "../engine/ask-gateway"
import type { FlowDeps } from "../engine/deps"
import { persist } from "../engine/persist"
import { payQuestion } from "../worker/pass-budget"
import { holdPaidSource, holdSecondPayment, learnOwnSource } from "./hold-money"
import { partingWith } from "./list-sources"
import { lacksSource, sourcesToClose, sourceKey, type GatewaySource } from "./rules/reconciliation"
import type { Keep } from "./run-task"
import { findOfSources, logUnreadable, type Among, type OnUnreadable } from "./sql/find-for-period"

export async function closeListedSources(
  deps: FlowDeps,
  gateway: Gateway,
  account: Account,
  sources: readonly GatewaySource[],
  keep: Keep,
): Promise<void> {
  const { id: accountId } = account
  const parted = partingWith(deps, account)
  let closed = 0
  const open = sources.filter(({ status }) => status === "ACTIVE" || status === "IDLE")
  for (const page of pages(open)) {
    const among = { accountId, credentialIds: [] }
    const operations = await operationsOfSources(deps, among, page)
    const { askable, others } = await parted(operations)
    const unaskableIds = others.map(({ id }) => id)
    for (const source of sourcesToClose({ sources: page, operations, unaskableIds })) {
      if (closed >= LIMITS.sourcesClosedMax) return
      await keep()
      const own = {
        tries: askable.filter((one) => sourceKey(one) === sourceKey(source)),
        maker: operations.find(({ id }) => id === operationIdOf(source.reference ?? "")),
      }
      if (await closeListedSource(deps, gateway, accountId, source, own)) closed += 1
    }
  }
  if (closed === 0) return
  deps.logger.info(
    `merchant payments: sources of ${accountId} that were left open, now closed: ${closed}`,
  )
}

/** The operations that have this source, and the operation that it was made for. */
type Own = { readonly tries: readonly Operation[]; readonly maker: Operation | undefined }

async function closeListedSource(
  deps: FlowDeps,
  gateway: Gateway,
  accountId: AccountId,
  source: GatewaySource,
  own: Own,
): Promise<boolean> {
  // One question for the cancel, and one for the check of what became of the source.
  await payQuestion(deps, accountId)
  await payQuestion(deps, accountId)
  const { finding } = await closeSource(gateway, source)
  const status = finding.kind === "seen" ? finding.status : undefined
  if (status === "PAID") await holdPaid(deps, gateway, source, own)
  if (status !== "CANCELED") return false
  for (const ended of own.tries) {
    if (ended.leaseToken !== null) continue
    await persist(deps.database, ended, {
      event: { note: "source_closed" },
      code: "source_closed",
      changes: { sourceStatus: "CANCELED" },
    })
  }
  return true
}

/**
 * Makes the operations that have the source due: their own check finds the money. If there are
 * none, it is the maker's, or the maker holds it.
 */
async function holdPaid(
  deps: FlowDeps,
  gateway: Gateway,
  source: GatewaySource,
  { tries, maker }: Own,
): Promise<void> {
  for (const { id } of tries) await bringForward(deps.database, id, 0)
  if (tries.length > 0 || !maker) return
  if (lacksSource(maker)) {
    await learnOwnSource(deps, maker, source)
    return
  }
  const hold = hasEnded(maker) ? holdPaidSource : holdSecondPayment
  await hold(deps, gateway, maker, source)
}

/** All payers and makers of the sources. */
export async function operationsOfSources(
  deps: FlowDeps,
  among: Among,
  sources: readonly GatewaySource[],
  onUnreadable: OnUnreadable = logUnreadable(deps),
): Promise<Operation[]> {
  const ids = {
    operationIds: sources.flatMap(({ reference }) => operationIdOf(reference ?? "") ?? []),
    sourceIds: sources.map(({ sourceId }) => sourceId),
  }
  return findOfSources(deps.database, among, ids, onUnreadable)
}

export function* pages<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let start = 0; start < rows.length; start += LIMITS.upkeepRowsMax) {
    yield rows.slice(start, start + LIMITS.upkeepRowsMax)
  }
}
