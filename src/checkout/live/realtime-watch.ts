/**
 * Experimental: hears from the gateway's push transport that something changed about a payment on
 * screen, and brings its next check forward. An update proves nothing: the check asks the gateway.
 * Without a key or channel, or with nonsense on the channel, the checks come as planned.
 */
import { errorText } from "../../core/error-text"
import type { OperationId, PaymentCollectionId } from "../../core/ids"
import { LIMITS } from "../../core/limits"
import { isPush, type Operation, isUnderWay } from "../../core/operation"
import type { MoneyDeps } from "../../engine/deps"
import { gatewayFor } from "../../engine/gateway-for"
import { pauseAfter } from "../../engine/pause-checks"
import { eventChannel, type RealtimeChannel } from "../../gateway"
import { accountById } from "../../ledger/accounts/find-accounts"
import { checkAfterUpdate } from "../../ledger/bring-forward"
import { takeSpareCheck } from "../../ledger/limits/check-budget"

export type RealtimeWatch = {
  /** @param operation what the collection shows; undefined: no page shows it any more */
  see(paymentCollectionId: PaymentCollectionId, operation: Operation | undefined): void
}

type Joined = { readonly operationId: OperationId; untilMs: number; close: () => void }
/** Without a token: the gateway gave none, and is not asked again before `untilMs`. */
type Key = { readonly token: string | undefined; readonly untilMs: number }

export function realtimeWatch(deps: MoneyDeps, channelAt = eventChannel): RealtimeWatch {
  const { clock, logger } = deps
  const keyOf = realtimeKeys(deps)
  const forward = forwarding(deps)
  const joined = new Map<string, Joined>()
  const channels = new Map<string, RealtimeChannel>()

  const leave = (paymentCollectionId: PaymentCollectionId) => {
    joined.get(paymentCollectionId)?.close()
    joined.delete(paymentCollectionId)
  }

  async function join(
    paymentCollectionId: PaymentCollectionId,
    operation: Operation,
  ): Promise<void> {
    const own: Joined = { operationId: operation.id, untilMs: Infinity, close: () => undefined }
    joined.set(paymentCollectionId, own)
    const isStill = () => joined.get(paymentCollectionId) === own
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
      if (isStill() && own.untilMs === Infinity) joined.delete(paymentCollectionId)
    }
  }

  return {
    see(paymentCollectionId, operation) {
      const own = joined.get(paymentCollectionId)
      const isWanted = operation !== undefined && isFollowed(operation)
      const isOver = own !== undefined && own.untilMs <= clock.monotonicMs()
      if (own && (!isWanted || own.operationId !== operation.id || isOver))
        leave(paymentCollectionId)
      const isFree = joined.size < LIMITS.realtimeChannelsMax
      if (isWanted && isFree && !joined.has(paymentCollectionId))
        void join(paymentCollectionId, operation)
    },
  }
}

/**
 * A key is asked for once in its lifetime, though pages come and go, and only with a question that
 * the checks leave over.
 */
function realtimeKeys(deps: MoneyDeps): (operation: Operation) => Promise<Key | undefined> {
  const { clock, database } = deps
  const keys = new Map<string, Key>()
  return async (operation) => {
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
}

/** Brings checks forward with one statement each half second, however many updates come. */
function forwarding({ clock, database, logger }: MoneyDeps): (operationId: OperationId) => void {
  const updated = new Set<OperationId>()
  let isForwarding = false

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

  return (operationId) => {
    updated.add(operationId)
    if (!isForwarding) void forwardAll()
  }
}

/** Only an execution under a gateway session and a reference has a channel (contract, 11). */
function isFollowed(operation: Operation): boolean {
  const { gatewaySessionId, reference } = operation
  return (
    isUnderWay(operation) && isPush(operation) && gatewaySessionId !== null && reference !== null
  )
}

function channelOf({ gatewaySessionId, reference }: Operation): string {
  return `payment-intent:${gatewaySessionId}:${reference}`
}
