/**
 * What the core and the flows need from the world outside, as interfaces. Production passes the real
 * ones of this file; tests pass a driven clock and a seeded random.
 *
 * Two clocks on purpose: `now()` is the wall clock and only ever goes into what people read or into
 * `expires_at` fields; `monotonicMs()` measures deadlines and token life, because the wall clock may
 * jump. Schedules and leases use neither: they use the database's `now()`.
 */
import { randomBytes, randomUUID } from "node:crypto"
import { setTimeout as sleepFor } from "node:timers/promises"

export type Clock = {
  /** Wall clock. Never compared with a time that another machine gave. */
  now(): Date
  /** Milliseconds since an arbitrary start; never goes back. */
  monotonicMs(): number
  /** Resolves after `ms`; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export type Random = {
  /** At least 0 and below 1, for jitter only. Never for ids. */
  fraction(): number
}

export type Ids = {
  /** The ledger's own id of an operation; the gateway sees it as the source's `reference_id`. */
  operationId(): string
  /** Unguessable, in the address that the gateway's page sends a shopper back to. */
  returnToken(): string
  /** A UUID v4, the gateway's idempotency key for one movement of money. */
  reference(): string
}

export type Logger = {
  debug(message: string): void
  info(message: string): void
  warn(message: string): void
  error(message: string): void
}

/**
 * Moments between two lines where a process may die: before and after each commit and each call that
 * leaves it. `a.b` says what was done (`a`) and how far it came: `before_call` and `before_commit`
 * nothing has left us, `answered` the other side has done it and we have noted nothing, `committed` it
 * is in the ledger.
 */
export type FailpointName =
  // start
  | "draft.before_commit"
  | "draft.committed"
  | "continued.committed"
  | "takeover.committed"
  | "ended.before_call"
  | "ended.answered"
  | "ended.committed"
  | "replaced.before_commit"
  | "replaced.committed"
  | "checkout.before_call"
  | "checkout.answered"
  | "checkout.committed"
  | "party.before_call"
  | "party.answered"
  | "counterparty.before_call"
  | "counterparty.answered"
  | "document.before_call"
  | "document.answered"
  | "document.committed"
  | "lines.before_calls"
  | "lines.answered"
  | "publish.before_call"
  | "publish.answered"
  | "publish.committed"
  | "link.before_call"
  | "link.answered"
  | "link.committed"
  | "wallet.before_call"
  | "wallet.answered"
  | "keys.before_calls"
  | "keys.answered"
  | "submit.before_commit"
  | "submit.committed"
  | "page.before_commit"
  | "page.committed"
  // the money call
  | "resend.before_commit"
  | "resend.committed"
  | "session.before_call"
  | "session.answered"
  | "execute.before_call"
  | "execute.answered"
  | "execute.committed"
  | "refused.before_call"
  | "refused.answered"
  // check
  | "claim.committed"
  | "look.before_call"
  | "look.answered"
  | "source.before_call"
  | "source.answered"
  | "closing.before_commit"
  | "closing.committed"
  | "close.before_call"
  | "close.answered"
  | "verdict.before_commit"
  | "verdict.committed"
  | "looks.before_commit"
  | "looks.committed"
  // drafts that end, and shoppers who give up
  | "end.before_call"
  | "end.answered"
  | "end.before_commit"
  | "end.committed"
  | "cancel.before_commit"
  | "cancel.committed"
  // a person decides
  | "resolve.before_commit"
  | "resolve.committed"
  | "resolve_refund.before_commit"
  | "resolve_refund.committed"
  | "resolve_payout.before_commit"
  | "resolve_payout.committed"
  // settle
  | "settle.read"
  | "rebind.committed"
  | "host.before_call"
  | "host.sessions_deleted"
  | "host.answered"
  | "recorded.before_commit"
  | "recorded.committed"
  | "stranded.before_commit"
  | "stranded.committed"
  | "settle_later.before_commit"
  | "settle_later.committed"
  // refund
  | "refund.before_reserve"
  | "refund.reserved"
  | "refund_session.before_call"
  | "refund_session.answered"
  | "refund_submit.before_commit"
  | "refund_submit.committed"
  | "refund_execute.before_call"
  | "refund_execute.answered"
  | "refund_execute.committed"
  | "refund_refused.before_call"
  | "refund_refused.answered"
  | "refund_resend.before_commit"
  | "refund_resend.committed"
  | "refund_retry.claimed"
  | "refund_retry.before_commit"
  | "refund_retry.committed"
  | "refund_retry.answered"
  | "refund_look.before_call"
  | "refund_look.answered"
  | "refund_verdict.before_commit"
  | "refund_verdict.committed"
  | "refund_abandon.before_commit"
  | "refund_abandon.committed"
  | "refund_adopt.before_commit"
  | "refund_adopt.committed"
  | "refund_answer.before_commit"
  | "refund_answer.committed"
  | "refund_deliver.read"
  | "refund_deliver.dropped"
  | "refund_deliver.row_removed"
  | "refund_deliver.before_call"
  | "refund_deliver.answered"
  | "refund_deliver.credited"
  | "refund_deliver.recounted"
  | "refund_deliver.completed"
  | "refund_deliver_later.before_commit"
  | "refund_deliver_later.committed"
  | "refund_recorded.before_commit"
  | "refund_recorded.committed"
  | "refund_undo.read"
  | "refund_undo.credit_removed"
  | "refund_undo.transaction_removed"
  | "refund_undo.recounted"
  | "refund_undo.row_removed"
  | "refund_undone.before_commit"
  | "refund_undone.committed"
  | "refund_undo_later.before_commit"
  | "refund_undo_later.committed"
  | "refund_mend.dropped"
  | "refund_mend.recounted"
  | "refund_mend.row_removed"
  | "policy.before_refund"
  | "policy.refunded"
  | "policy.refused"
  // payout and transfer
  | "payout.before_draft"
  | "payout.drafted"
  | "payout_party.before_call"
  | "payout_party.answered"
  | "payout_account.before_call"
  | "payout_account.answered"
  | "payout_session.before_call"
  | "payout_session.answered"
  | "transfer_session.before_call"
  | "transfer_session.answered"
  | "payout_submit.before_commit"
  | "payout_submit.committed"
  | "payout_execute.before_call"
  | "payout_execute.answered"
  | "payout_execute.committed"
  | "payout_refused.before_call"
  | "payout_refused.answered"
  | "payout_look.before_call"
  | "payout_look.answered"
  | "payout_verdict.before_commit"
  | "payout_verdict.committed"
  | "payout_abandon.before_commit"
  | "payout_abandon.committed"
  // unpaid orders
  | "order_source.before_call"
  | "order_source.answered"
  | "order_source.committed"
  | "order_close.before_commit"
  | "order_close.committed"
  | "order_cancel.answered"
  | "order_done.before_commit"
  | "order_done.committed"
  // what the shop is told
  | "announce.claimed"
  | "announce.told"
  | "announce.marked"
  // receipts
  | "receipt.claimed"
  | "receipt.answered"
  | "receipt.noted"
  | "receipt.kept"

/** Does nothing in production; the crash harness passes one that kills the process at a chosen name. */
export type Failpoints = {
  at(name: FailpointName): void
}

export const noFailpoints: Failpoints = { at: () => {} }

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  sleep: async (ms, signal) => {
    await sleepFor(ms, undefined, signal ? { signal } : undefined)
  },
}

export const systemRandom: Random = { fraction: () => Math.random() }

export const systemIds: Ids = {
  operationId: () => `mpop_${randomUUID().replaceAll("-", "")}`,
  returnToken: () => randomBytes(24).toString("base64url"),
  reference: () => randomUUID(),
}
