/**
 * Experimental: hears from the gateway's push transport that something changed about a payment on
 * screen, and brings its next check forward. An update proves nothing: the check asks the gateway.
 * Without a key or channel, or with nonsense on the channel, the checks come as planned.
 */
import { errorText } from "../../core/error-text"
import { LIMITS } from "../../core/limits"
import { isPush, type Operation } from "../../core/operation"
import type { MoneyDeps } from "../../engine/deps"
import { gatewayFor } from "../../engine/gateway-for"
import { pauseAfter } from "../../engine/pause-checks"
import { eventChannel, type RealtimeChannel } from "../../gateway"
import { accountById } from "../../ledger/accounts/find-accounts"
import { checkAfterUpdate } from "../../ledger/bring-forward"
import { takeSpareCheck } from "../../ledger/check-budget"

export type RealtimeWatch = {
  /** @param operation what the collection shows; undefined: no page shows it any more */
  see(collectionId: string, operation: Operation | undefined): void
}

type Joined = { readonly operationId: string; untilMs: number; close: () => void }
/** Without a token: the gateway gave none, and is not asked again before `untilMs`. */
type Key = { readonly token: string | undefined; readonly untilMs: number }

export function realtimeWatch(deps: MoneyDeps, channelAt = eventChannel): RealtimeWatch {
  const { clock, database, logger } = deps
  const joined = new Map<string, Joined>()
  const keys = new Map<string, Key>()
  const channels = new Map<string, RealtimeChannel>()
  const updated = new Set<string>()
  let isForwarding = false

  const leave = (collectionId: string) => {
    joined.get(collectionId)?.close()
    joined.delete(collectionId)
  }

  async function join(collectionId: string, operation: Operation): Promise<void> {
    const own: Joined = { operationId: operation.id, untilMs: Infinity, close: () => undefined }
    joined.set(collectionId, own)
    const isStill = () => joined.get(collectionId) === own
    try {
      const account = accountById(await deps.accounts(), operation.accountId)
      const url = account?.realtimeUrl
      const key = url && isStill() ? await keyOf(operation) : undefined
      if (!url || !key?.token || !isStill()) return
      const channel = channels.get(url) ?? channelAt(url)
      channels.set(url, channel)
      own.untilMs = key.untilMs
      own.close = channel.subscribe(key.token, channelOf(operation), () => forward(operation.id))
    } catch (error) {
      // The text of the client's error holds no token.
      logger.debug(`merchant payments: no realtime channel: ${errorText(error)}`)
    } finally {
      if (isStill() && own.untilMs === Infinity) joined.delete(collectionId)
    }
  }

  /**
   * A key is asked for once in its lifetime, though pages come and go, and only with a question
   * that the checks leave over.
   */
  async function keyOf(operation: Operation): Promise<Key | undefined> {
    const now = clock.monotonicMs()
    for (const [id, { untilMs }] of keys) if (untilMs <= now) keys.delete(id)
    const kept = keys.get(operation.id)
    if (kept || !(await takeSpareCheck(database, operation.accountId))) return kept
    keys.set(operation.id, { token: undefined, untilMs: now + LIMITS.realtimeRetryMs })
    const gateway = await gatewayFor(deps, operation)
    const { gatewaySessionId: sessionId, reference: referenceId, sourceType } = operation
    if (!gateway || sessionId === null || referenceId === null) return undefined
    await deps.budget.take(operation.accountId)
    const asked = { sessionId, referenceId, sourceType }
    const outcome = await gateway.realtimeKeys.collection(asked, { patience: "job" })
    if (outcome.kind !== "done") {
      await pauseAfter(deps, operation.accountId, outcome)
      return undefined
    }
    const lifeMs = Math.min(outcome.value.expiresInSeconds * 1_000, LIMITS.realtimeKeyMs)
    const untilMs = clock.monotonicMs() + Math.max(lifeMs, LIMITS.realtimeRetryMs)
    const key = { token: outcome.value.accessToken, untilMs }
    keys.set(operation.id, key)
    return key
  }

  /** Brings checks forward with one statement each half second, however many updates come. */
  function forward(operationId: string): void {
    updated.add(operationId)
    if (!isForwarding) void forwardAll()
  }

  async function forwardAll(): Promise<void> {
    isForwarding = true
    try {
      while (updated.size > 0) {
        const ids = [...updated]
        updated.clear()
        await checkAfterUpdate(database, ids)
        await clock.sleep(LIMITS.streamsReadEveryMs)
      }
    } catch (error) {
      logger.debug(`merchant payments: no check was brought forward: ${errorText(error)}`)
    } finally {
      isForwarding = false
    }
  }

  return {
    see(collectionId, operation) {
      const own = joined.get(collectionId)
      const isWanted = operation !== undefined && isFollowed(operation)
      const isOver = own !== undefined && own.untilMs <= clock.monotonicMs()
      if (own && (!isWanted || own.operationId !== operation.id || isOver)) leave(collectionId)
      const isFree = joined.size < LIMITS.realtimeChannelsMax
      if (isWanted && isFree && !joined.has(collectionId)) void join(collectionId, operation)
    },
  }
}

/** Only an execution under a gateway session and a reference has a channel (contract, 11). */
function isFollowed(operation: Operation): boolean {
  const { state, gatewaySessionId, reference } = operation
  const isMoving = state === "submitted" || state === "in_flight"
  return isMoving && isPush(operation) && gatewaySessionId !== null && reference !== null
}

function channelOf({ gatewaySessionId, reference }: Operation): string {
  return `payment-intent:${gatewaySessionId}:${reference}`
}
