/**
 * Before a draft is continued, the gateway is asked about it. A standby database that took over may
 * have lost its last commits, so the ledger's row may be older than the facts: the prompt may be
 * out, and the source paid. Nothing goes out before both are asked about.
 */
import { LIMITS } from "../core/limits"
import { isPush, type Operation } from "../core/operation"
import { unpaidOrderWindowMs } from "../core/unpaid-order-window"
import { refusal } from "../core/refusal"
import { askSource } from "../engine/ask-gateway"
import { check } from "../engine/check"
import type { FlowDeps } from "../engine/deps"
import { endDraft } from "../engine/end-draft"
import { askLanded } from "../engine/landed-draft"
import { pauseIfAsked } from "../engine/pause-checks"
import { persist } from "../engine/persist"
import type { StartContext } from "./context"
import { inProgress } from "./existing-payment"
import type { Instructions } from "./offer/read-instructions"

/**
 * The caller holds the draft by lease.
 *
 * @returns `continues`: the draft may go on; `sent`: its call had gone out and was checked, so the
 *   ledger says what it is; `closed`: its source can't be paid any more, and the draft has ended
 * @throws Refusal `payment_in_progress` where its source is paid or being paid,
 *   `gateway_unavailable` where the gateway does not say
 */
export async function askAboutDraft(
  deps: FlowDeps,
  context: StartContext,
  draft: Operation,
): Promise<"continues" | "sent" | "closed"> {
  const { gateway } = context
  const hasSource = draft.sourceId !== null
  const [landed, source] = await Promise.all([
    askLanded(deps, gateway, draft, context),
    hasSource ? askSource(gateway, draft, context.callOptions()) : undefined,
  ])
  if (landed.kind === "landed") {
    await check(deps, gateway, landed.operation, { medusa: deps.medusa, shopper: context })
    return "sent"
  }
  await pauseIfAsked(deps, draft.accountId, source?.finding)
  if (landed.kind === "unanswered") throw refusal("gateway_unavailable")
  if (!source) return "continues"
  const { finding } = source
  if (finding.kind !== "seen") throw refusal("gateway_unavailable")
  switch (finding.status) {
    case "CANCELED":
      await endDraft(deps, gateway, { ...draft, sourceStatus: "CANCELED" }, "canceled", context)
      return "closed"
    case "PAID":
    case "PROCESSING":
      // The shopper got the page for this payment: the draft is submitted, and a check finds the
      // money.
      if (!isPush(draft)) return "continues"
      return leaveToPayer(deps, context, draft, finding.status)
    default:
      return "continues"
  }
}

/**
 * The source is paid by another payer, or by a prompt that the gateway does not show yet. So no
 * second prompt goes out.
 */
async function leaveToPayer(
  deps: FlowDeps,
  context: StartContext,
  draft: Operation,
  status: "PAID" | "PROCESSING",
): Promise<never> {
  if (status === "PAID") {
    const ended = await endDraft(deps, context.gateway, draft, "unknown", context)
    throw inProgress(ended ?? draft)
  }
  const noted = await persist(deps.database, draft, {
    event: { note: "seen" },
    code: "being_paid",
    changes: { sourceStatus: status },
  })
  throw inProgress(noted ?? draft)
}

/**
 * Updates a continued draft with what the shopper says now: another phone, other return addresses.
 */
export async function refreshDraft(
  deps: FlowDeps,
  context: StartContext,
  draft: Operation,
  instructions: Instructions,
): Promise<Operation> {
  const windowMs = unpaidOrderWindowMs(context.account, context.flow)
  const { feeBearer } = context
  const written = await persist(deps.database, draft, {
    event: { note: "continued" },
    code: "shopper_starts_again",
    changes: {
      ...(draft.sourceId === null
        ? { lines: instructions.lines, feeBearer, credentialId: context.credentialId }
        : {}),
      ...instructions.payer,
      successUrl: instructions.successUrl,
      cancelUrl: instructions.cancelUrl,
      waiting: true,
      waitingAt: true,
    },
    // A source keeps its own end; without a source the shopper gets the whole time again.
    ...(draft.sourceId === null ? { expiresInMs: windowMs, next: { inMs: windowMs } } : {}),
    lease: { forMs: LIMITS.startLeaseMs },
  })
  if (!written) throw refusal("gateway_unavailable")
  return written
}
