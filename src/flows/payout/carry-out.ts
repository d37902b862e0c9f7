/**
 * From the draft to the sending, the same for payouts and transfers: the gateway session, then the
 * reference, committed before the call that moves money. What does not get so far has sent nothing, and
 * the draft ends. What gets further is sent once, and never again.
 */
import { LIMITS } from "../../core/limits"
import type { Operation } from "../../core/operation"
import { Refusal } from "../../core/refusal"
import type { Execution, Failure, Gateway, Outcome } from "../../gateway"
import type { Changes } from "../../ledger/advance-operation"
import { reopenApproval, type Approval } from "../../ledger/approvals"
import { persist } from "../persist"
import { abandonPayout } from "./abandon-payout"
import type { PayoutDeps } from "./payout-deps"
import { sendOnce } from "./send-once"
import { ofPayout, pauseIfAsked, setbackOf, unreachable, type Setback } from "./setback"

/** What the money needs on its way: all of it is in memory alone. */
export type Opened = {
  readonly kind: "opened"
  readonly sessionId: number
  readonly changes: Changes
  /** How long the session can be executed, where the gateway sets its end. */
  readonly lifeMs?: number
  send(sent: {
    readonly sessionId: number
    readonly referenceId: string
  }): Promise<Outcome<Execution>>
}

/** Something refused it before a session was there, and no answer of the gateway's says why. */
export type NotOpened = { readonly kind: "not_opened"; readonly setback: Setback }

export type Drafted = {
  readonly draft: Operation
  /** Of two admins; they still agree where nothing was sent. */
  readonly approval: Approval | undefined
}

/**
 * The caller holds the draft by lease; the lease is given back.
 *
 * @throws Refusal of {@link setbackOf}, with the `id` of what ended; nothing was sent then
 */
export async function carryOut(
  deps: PayoutDeps,
  gateway: Gateway,
  { draft, approval }: Drafted,
  open: () => Promise<Opened | NotOpened | Failure>,
): Promise<void> {
  try {
    await openAndSend(deps, gateway, draft, open)
  } catch (error) {
    if (error instanceof Refusal && approval) await reopenApproval(deps.database, approval.id)
    throw error
  }
}

async function openAndSend(
  deps: PayoutDeps,
  gateway: Gateway,
  draft: Operation,
  open: () => Promise<Opened | NotOpened | Failure>,
): Promise<void> {
  const opened = await open()
  if (opened.kind !== "opened") return giveUp(deps, draft, opened)
  const reference = deps.ids.reference()
  deps.failpoints.at("payout_submit.before_commit")
  const submitted = await persist(deps.database, draft, {
    event: "submit",
    why: "its session is open; the reference is committed before the money call",
    facts: { session: opened.sessionId },
    changes: {
      ...opened.changes,
      gatewaySessionId: opened.sessionId,
      reference,
      submittedAt: true,
      sendings: 1,
      lastSentAt: true,
      lastSending: "sending",
    },
    next: { inMs: LIMITS.refundChecksMs[0] },
    ...(opened.lifeMs === undefined ? {} : { expiresInMs: opened.lifeMs }),
    lease: { forMs: LIMITS.leaseMs },
  })
  // The lease ended while the gateway took its time, and the job has ended the draft.
  if (!submitted) throw ofPayout(unreachable(), draft.id)
  deps.failpoints.at("payout_submit.committed")
  const { refusal } = await sendOnce(deps, gateway, submitted, () =>
    opened.send({ sessionId: opened.sessionId, referenceId: reference }),
  )
  if (refusal) throw ofPayout(refusal, draft.id)
}

async function giveUp(
  deps: PayoutDeps,
  draft: Operation,
  end: NotOpened | Failure,
): Promise<never> {
  if (end.kind === "not_opened") {
    await abandonPayout(deps, draft, end.setback)
    throw ofPayout(end.setback.refusal, draft.id)
  }
  const setback = setbackOf(end)
  await abandonPayout(deps, draft, { ...setback, failure: end })
  await pauseIfAsked(deps, draft.accountId, end)
  throw ofPayout(setback.refusal, draft.id)
}
