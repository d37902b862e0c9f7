/**
 * Notices from this process's calls that the gateway refuses an account's client id and secret, and
 * that it takes them again. One refusal proves nothing: a gateway may not know a new token yet. So
 * a refusal is believed when another one comes `LIMITS.clientRefusedAfterMs` later and the gateway
 * has taken no call of the client in between. The watch asks for that second answer itself, and
 * goes on asking while the client is refused, so that neither waits for a shopper.
 *
 * Only the client that the account uses now counts. Another client of it may be refused by design:
 * the one that it used before its secret was rotated.
 */
import type { AccountId } from "../../core/ids"
import { LIMITS } from "../../core/limits"
import type { Clock } from "../../core/ports"
import type { CallReport, Gateway } from "../../gateway"

type Asked = Pick<Gateway, "fees">

export type ClientWatchParts = {
  readonly clock: Pick<Clock, "monotonicMs">
  /** The account's client for what is new; undefined: it has none. */
  currentOf(accountId: AccountId): Asked | undefined
  /**
   * Tells it, and may be called again while it lasts. If it rejects, it is called again.
   *
   * @param wasAccepted whether this process has seen the client accepted before
   */
  refused(accountId: AccountId, wasAccepted: boolean): Promise<void>
  /** Tells that it is over, if it was told; called at a client's first accepted call as well. */
  accepted(accountId: AccountId): Promise<void>
  /** Calls `work` after `ms` milliseconds; default: a timer that keeps no process alive. */
  readonly later?: (ms: number, work: () => void) => void
}

type Seen = {
  readonly client: Asked
  /** When the first refusal came that no accepted call followed. */
  refusedAtMs?: number | undefined
  isRefused: boolean
  isAccepted: boolean
  /** Accepted at any time since the process began to use it. */
  wasAccepted: boolean
  isAsking: boolean
}

export type ClientWatch = (
  accountId: AccountId,
  client: Asked,
  report: Pick<CallReport, "kind" | "code">,
) => void

const timer = (ms: number, work: () => void): void => void setTimeout(work, ms).unref()

export function clientWatch(parts: ClientWatchParts): ClientWatch {
  const { clock, later = timer } = parts
  const seen = new Map<AccountId, Seen>()
  const telling = new Map<AccountId, Promise<void>>()

  /** One after the other, so that the end of a refusal is never told before its beginning. */
  function tell(accountId: AccountId, work: () => Promise<void>, failed: () => void): void {
    const before = telling.get(accountId) ?? Promise.resolve()
    telling.set(accountId, before.then(work).catch(failed))
  }

  function askAgain(accountId: AccountId, one: Seen, inMs: number): void {
    if (one.isAsking) return
    one.isAsking = true
    later(inMs, () => void ask(accountId, one))
  }

  async function ask(accountId: AccountId, one: Seen): Promise<void> {
    const isCurrent = parts.currentOf(accountId) === one.client
    // The answer comes back through the client's report, before this call ends.
    if (isCurrent && one.refusedAtMs !== undefined) {
      await one.client.fees.tiers({ patience: "job", deadlineMs: LIMITS.readDeadlineMs })
    }
    one.isAsking = false
    if (!isCurrent || one.refusedAtMs === undefined) return
    askAgain(accountId, one, LIMITS.refusedAskedEveryMs)
  }

  function noteRefused(accountId: AccountId, one: Seen): void {
    const nowMs = clock.monotonicMs()
    one.refusedAtMs ??= nowMs
    one.isAccepted = false
    askAgain(accountId, one, LIMITS.clientRefusedAfterMs)
    if (one.isRefused || nowMs - one.refusedAtMs < LIMITS.clientRefusedAfterMs) return
    one.isRefused = true
    const failed = () => void (one.isRefused = false)
    tell(accountId, () => parts.refused(accountId, one.wasAccepted), failed)
  }

  function noteAccepted(accountId: AccountId, one: Seen): void {
    one.refusedAtMs = undefined
    one.isRefused = false
    one.wasAccepted = true
    if (one.isAccepted) return
    one.isAccepted = true
    const failed = () => void (one.isAccepted = false)
    tell(accountId, () => parts.accepted(accountId), failed)
  }

  return (accountId, client, report) => {
    if (parts.currentOf(accountId) !== client) return
    const before = seen.get(accountId)
    const one =
      before?.client === client
        ? before
        : { client, isRefused: false, isAccepted: false, wasAccepted: false, isAsking: false }
    seen.set(accountId, one)
    const said = saidOf(report)
    if (said === "refused") noteRefused(accountId, one)
    else if (said === "accepted") noteAccepted(accountId, one)
  }
}

/**
 * What a call says of the client. A 403 counts only at the token: elsewhere it is about what was
 * asked, and the client was known. A 429 may come before the client is looked at.
 */
function saidOf({ kind, code }: Pick<CallReport, "kind" | "code">) {
  if (code === "GATEWAY_UNAUTHENTICATED") return "refused"
  if (code === "GATEWAY_FORBIDDEN" && kind === "not_sent") return "refused"
  if (kind === "done") return "accepted"
  return kind === "refused" && code !== "GATEWAY_RATE_LIMITED" ? "accepted" : undefined
}
