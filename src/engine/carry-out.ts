/**
 * From the draft of money that goes back or out to its sending: the gateway session, then the
 * reference, committed before the call that moves money. What does not get so far has sent nothing,
 * and the draft ends: of a refund its part is free again.
 */
import { LIMITS } from "../core/limits"
import type { Operation } from "../core/operation"
import { refusal } from "../core/refusal"
import type { Execution, Failure, Gateway, Outcome } from "../gateway"
import type { Changes } from "../ledger/advance-operation"
import type { MoneyDeps } from "./deps"
import { abandonDraft } from "./end-draft"
import { KINDS } from "./kinds"
import { pauseAfter } from "./pause-checks"
import { persist } from "./persist"
import type { NotSent } from "./gateway-refusal"
import { send } from "./send"

/** What the money needs on its way: all of it is in memory alone. */
export type Opened = {
  readonly kind: "opened"
  readonly sessionId: number
  readonly changes?: Changes
  /** How long the session can be executed, where the gateway sets its end. */
  readonly lifeMs?: number
  call(submitted: Operation, reference: string): Promise<Outcome<Execution> | undefined>
}

/** Something refused it before a session was there, and no answer of the gateway's says why. */
export type NotOpened = { readonly kind: "not_opened"; readonly refused: NotSent }

/**
 * The caller holds the draft by lease; the lease is given back.
 *
 * @param meaning of a failure to open the session
 * @returns the operation as sent, or as another writer has left it
 * @throws Refusal where nothing was sent, or it surely did not go
 */
export async function carryOut(
  deps: MoneyDeps,
  gateway: Gateway,
  draft: Operation,
  open: () => Promise<Opened | NotOpened | Failure>,
  meaning: (failure: Failure) => NotSent,
): Promise<Operation> {
  const opened = await open()
  if (opened.kind === "not_opened") {
    await abandonDraft(deps, draft, opened.refused)
    throw opened.refused.refusal
  }
  if (opened.kind !== "opened") {
    const refused = meaning(opened)
    await abandonDraft(deps, draft, { ...refused, failure: opened })
    await pauseAfter(deps, draft.accountId, opened)
    throw refused.refusal
  }
  const reference = deps.ids.reference()
  const submitted = await persist(deps.database, draft, {
    event: "submit",
    code: "ready_to_send",
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
    next: { inMs: KINDS[draft.type].firstCheckMs() },
    ...(opened.lifeMs === undefined ? {} : { expiresInMs: opened.lifeMs }),
    lease: { forMs: LIMITS.leaseMs },
  })
  // The lease ended while the gateway took its time, and the job has ended the draft.
  if (!submitted) throw refusal("gateway_unavailable")
  const sent = await send(deps, gateway, submitted, () => opened.call(submitted, reference))
  if (sent.refusal) throw sent.refusal
  return sent.written?.operation ?? submitted
}
