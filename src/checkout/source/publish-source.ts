/**
 * Publishes an idle source, which makes it payable (contract, section 5), and compares it with what
 * was asked for. The total is compared after publishing: the source is locked then, so no line that
 * was still on its way can be added. A source of another amount is closed, and never paid.
 */
import { fieldsOf } from "../../core/log-fields"
import { LIMITS } from "../../core/limits"
import type { Facts } from "../../core/messages"
import { majorText, sameMoney, type Money } from "../../core/money"
import type { Operation } from "../../core/operation"
import { refusal } from "../../core/refusal"
import { Invalid } from "../../gateway"
import { askSource } from "../../engine/ask-gateway"
import type { FlowDeps } from "../../engine/deps"
import { persist } from "../../engine/persist"
import type { StartContext } from "../context"
import { lost, startRefusalOf, type StartRefusal } from "../start-refusal"

/** What the gateway says about a source. */
export type Sight = {
  readonly status: string
  readonly total: Money
  readonly feeBearer?: string | undefined
}

/** @returns the draft with its source `ACTIVE`, for the draft's amount; or why not */
export async function publishSource(
  deps: FlowDeps,
  context: StartContext,
  draft: Operation,
): Promise<Operation | StartRefusal> {
  const acts = draft.sourceType === "ORDER" ? context.gateway.orders : context.gateway.invoices
  const outcome = await acts.publish(draft.sourceId ?? 0, context.callOptions())
  if (outcome.kind === "done") {
    const { status, total, feeBearer } = outcome.value
    const sight = total ? { status, total, feeBearer } : await sightOf(context, draft)
    return sight
      ? confirmSource(deps, draft, sight)
      : { refusal: refusal("gateway_unavailable"), isFinal: false }
  }
  // If an earlier call published the source and its answer was lost, this one is refused and the
  // source is `ACTIVE`.
  const mayBePublished = outcome.kind === "refused" && outcome.error instanceof Invalid
  const sight = mayBePublished ? await sightOf(context, draft) : undefined
  return sight?.status === "ACTIVE" ? confirmSource(deps, draft, sight) : startRefusalOf(outcome)
}

async function sightOf(context: StartContext, draft: Operation): Promise<Sight | undefined> {
  const { finding } = await askSource(context.gateway, draft, context.callOptions())
  return finding.kind === "seen" ? finding : undefined
}

/** @returns the draft with its source `ACTIVE`; or why the source may not be paid */
export async function confirmSource(
  deps: FlowDeps,
  draft: Operation,
  { status, total, feeBearer }: Sight,
): Promise<Operation | StartRefusal> {
  if (!sameMoney(total, draft.amount)) {
    return giveUpSource(deps, draft, { source_total: `${majorText(total)} ${total.currency}` })
  }
  // The fee bearer can be changed in the merchant's portal until the source is published.
  const isOtherBearer = feeBearer !== undefined && feeBearer !== draft.feeBearer
  if (draft.feeBearer !== null && isOtherBearer) {
    return giveUpSource(deps, draft, { fee_bearer: feeBearer })
  }
  if (status !== "ACTIVE") return { refusal: refusal("gateway_unavailable"), isFinal: true }
  const published = await persist(deps.database, draft, {
    event: { note: "source_published" },
    code: "source_payable",
    changes: { sourceStatus: status },
    lease: { forMs: LIMITS.startLeaseMs },
  })
  return published ?? lost()
}

/**
 * Gives up a source: no shopper may be asked to pay it, even if it can't be closed just now. The
 * next `start` makes another.
 *
 * @param facts what differs from what was asked for
 */
export async function giveUpSource(
  deps: FlowDeps,
  draft: Operation,
  facts: Facts,
): Promise<StartRefusal> {
  deps.logger.error(
    `merchant payments: ${draft.id}: the gateway's source is not what was asked for; ` +
      `it is closed: ${JSON.stringify(facts)}`,
    fieldsOf(draft, "source_differs"),
  )
  const given = await persist(deps.database, draft, {
    event: { note: "closing" },
    code: "source_differs",
    facts,
    changes: { closing: "unknown" },
  })
  return given ? { refusal: refusal("gateway_unavailable"), isFinal: true } : lost()
}
