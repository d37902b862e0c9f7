/**
 * The cart becomes the gateway's checkout source. Nothing here moves money: a source whose answer was
 * lost is one that nobody holds the address of.
 */
import { checkoutLines } from "../../core/cart-lines"
import { LIMITS } from "../../core/limits"
import { sameMoney } from "../../core/money"
import type { Operation } from "../../core/operation"
import { Invalid, type Failure } from "../../gateway"
import { askSource } from "../ask-gateway"
import { persist } from "../persist"
import type { FlowDeps } from "../deps"
import type { Instructions, StartContext } from "./context"
import { gatewayUnavailable, setbackOf, type Setback } from "./refuse-for"

/** @returns the draft with its source, payable; or why there is none */
export async function openSource(
  deps: FlowDeps,
  context: StartContext,
  draft: Operation,
  instructions: Instructions,
): Promise<Operation | Setback> {
  if (draft.sourceId !== null) {
    // A `start` that stopped in between may have left it idle.
    return draft.sourceStatus === "ACTIVE" ? draft : publish(deps, context, draft)
  }
  const outcome = await context.gateway.checkouts.create(
    {
      mode: "HOSTED",
      sourceType: draft.sourceType,
      partyPhone: instructions.phone.digits,
      partyName: instructions.name ?? undefined,
      partyEmail: instructions.email ?? undefined,
      partyRelationship: "CUSTOMER",
      currency: context.amount.currency,
      items: checkoutLines(draft.lines),
      referenceId: draft.id,
      expiresAt: draft.expiresAt,
      ...(draft.sourceType === "INVOICE" ? { dueDate: draft.expiresAt } : {}),
      ...returnAddresses(deps, draft),
    },
    context.callOptions(),
  )
  if (outcome.kind !== "done") return setbackOf(outcome)
  const source = outcome.value
  const isForAmount = sameMoney(source.total, draft.amount)
  const opened = await persist(deps.database, draft, {
    event: { note: "source_opened" },
    why: "the cart became a checkout source",
    facts: { source_id: source.sourceId, status: source.status },
    changes: {
      sourceId: source.sourceId,
      sourceNumber: source.sourceNumber,
      sourceStatus: source.status,
      partyId: source.partyId,
      // A push never shows its source's page: the shopper could pay there a second time.
      ...(source.url && draft.flow === "hosted" ? { hostedUrl: source.url } : {}),
      // Nobody may be asked to pay it, also if it can't be closed just now.
      ...(isForAmount ? {} : { closing: "unknown" }),
    },
    lease: { forMs: LIMITS.startLeaseMs },
  })
  if (!opened) return lost()
  if (!isForAmount) {
    deps.logger.error(
      `merchant payments: ${draft.id}: the gateway made a source for another amount; it is closed`,
    )
    return { refusal: gatewayUnavailable(), isFinal: true }
  }
  if (source.status === "ACTIVE") return opened
  return publish(deps, context, opened)
}

/** A source may start `IDLE` (contract, section 5); only an `ACTIVE` one can be paid. */
async function publish(
  deps: FlowDeps,
  context: StartContext,
  draft: Operation,
): Promise<Operation | Setback> {
  const acts = draft.sourceType === "ORDER" ? context.gateway.orders : context.gateway.invoices
  const outcome = await acts.publish(draft.sourceId ?? 0, context.callOptions())
  const status =
    outcome.kind === "done" ? outcome.value.status : await statusOfRefused(context, draft, outcome)
  if (status === undefined && outcome.kind !== "done") return setbackOf(outcome)
  if (status !== "ACTIVE") return { refusal: gatewayUnavailable(), isFinal: true }
  const published = await persist(deps.database, draft, {
    event: { note: "source_published" },
    why: "the source was idle; it is payable now",
    changes: { sourceStatus: status },
  })
  return published ?? lost()
}

/** What was published before, with its answer lost, is refused and `ACTIVE`. */
async function statusOfRefused(
  context: StartContext,
  draft: Operation,
  outcome: Failure,
): Promise<string | undefined> {
  if (outcome.kind !== "refused" || !(outcome.error instanceof Invalid)) return undefined
  const { look } = await askSource(context.gateway, draft)
  return look.kind === "seen" && look.status === "ACTIVE" ? look.status : undefined
}

/** Where the gateway's page sends the shopper: to us first, who look and send them on. */
function returnAddresses(
  deps: FlowDeps,
  draft: Operation,
): { successUrl?: string; cancelUrl?: string } {
  const { publicUrl } = deps.settings
  if (draft.flow !== "hosted" || !publicUrl || !draft.returnToken) return {}
  const base = `${publicUrl}/merchant-payments/return/${draft.returnToken}`
  return { successUrl: `${base}?result=success`, cancelUrl: `${base}?result=cancel` }
}

/** The lease ended while we worked, and somebody else took the draft. */
export function lost(): Setback {
  return { refusal: gatewayUnavailable(), isFinal: false }
}
