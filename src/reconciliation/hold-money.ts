/**
 * Puts the money of a source that no operation stands for under review. It is never applied and
 * never given back here. The gateway is asked about the source first, because a list is a hint.
 */
import type { AccountId } from "../core/ids"
import { LIMITS } from "../core/limits"
import type { Money } from "../core/money"
import type { Operation } from "../core/operation"
import type { Gateway } from "../gateway"
import { adoptMoney } from "../ledger/adopt-money"
import { claimOperation } from "../ledger/claim-due-operations"
import { findById } from "../ledger/find-operations"
import { askSource, executionNow } from "../engine/ask-gateway"
import type { FlowDeps } from "../engine/deps"
import { alertReview, holdLateMoney, persist } from "../engine/persist"
import { payQuestion } from "../worker/pass-budget"
import { lacksSource, type GatewaySource } from "./rules/reconciliation"

/**
 * Puts an ended operation whose source is paid after all under review, as late money.
 *
 * @returns false when the source is not paid now, could not be asked about, or another worker has
 *   the operation
 */
export async function holdPaidSource(
  deps: FlowDeps,
  gateway: Gateway,
  { id, accountId }: Operation,
  source: GatewaySource,
): Promise<boolean> {
  const total = await paidTotal(deps, gateway, accountId, source)
  if (total) await payQuestion(deps, accountId)
  const held = total && (await claimOperation(deps.database, id, LIMITS.leaseMs))
  if (!held) return false
  const { sourceId } = source
  // The prompt went out for the payment's own source, and says nothing about another one.
  const execution = sourceId === held.sourceId ? await executionNow(gateway, held) : null
  const review = await holdLateMoney(deps, held, total, execution, {
    facts: { source_id: sourceId, source_before: held.sourceId },
    changes: { sourceId },
  })
  return review !== undefined
}

/**
 * Writes the source that was made for a payment into it, where the database has lost it, so that
 * its own check finds the money there. Held beside it, the money would stand in the ledger twice.
 *
 * @returns the payment; undefined when it has a source by now, or another process works on it
 */
export async function learnOwnSource(
  { database }: FlowDeps,
  { id }: Operation,
  { sourceId, status }: GatewaySource,
): Promise<Operation | undefined> {
  const maker = await findById(database, id)
  if (!maker || !lacksSource(maker) || maker.leaseToken !== null) return undefined
  return persist(database, maker, {
    event: { note: "source_found" },
    code: "source_found",
    facts: { source_id: sourceId, status },
    changes: { sourceId },
    ...(maker.state === "review" ? {} : { next: { inMs: 0 } }),
  })
}

/**
 * Puts the money of a payment's second paid source under review, as a duplicate payment beside the
 * first.
 */
export async function holdSecondPayment(
  deps: FlowDeps,
  gateway: Gateway,
  { id, accountId }: Operation,
  source: GatewaySource,
): Promise<boolean> {
  const total = await paidTotal(deps, gateway, accountId, source)
  const beside = total && (await findById(deps.database, id))
  if (!beside) return false
  const newId = deps.ids.operationId()
  const money = { ...source, id: newId, total, found: "second_source" } as const
  const adopted = await adoptMoney(deps.database, beside, money)
  const facts = { beside: id }
  if (adopted) alertReview(deps, beside, adopted, { code: "second_source_paid", facts })
  return adopted !== undefined
}

async function paidTotal(
  deps: FlowDeps,
  gateway: Gateway,
  accountId: AccountId,
  source: GatewaySource,
): Promise<Money | undefined> {
  await payQuestion(deps, accountId)
  const { finding } = await askSource(gateway, source)
  return finding.kind === "seen" && finding.status === "PAID" ? finding.total : undefined
}
