/**
 * Writes what was learned, while other workers may write too. A rebind may have raised the version
 * while we asked the gateway. What we learned is still true, so it is written onto the row as it is
 * now, as long as the row is in the same state and we still hold it.
 */
import { fieldsOf } from "../core/log-fields"
import { lateMoney } from "../core/decide/collection"
import { sentence, type Message } from "../core/messages"
import type { Money } from "../core/money"
import { payerChange } from "../core/payer-change"
import { hasEnded, type Operation } from "../core/operation"
import type { Advance } from "../ledger/advance-operation"
import type { RefundAdvance } from "../ledger/advance-refund"
import { brokenRule, type Database } from "../ledger/database"
import { findById } from "../ledger/find-operations"
import { releaseOperation } from "../ledger/postpone-operation"
import { noteMove } from "../telemetry/moves"
import { describeSpan } from "../telemetry/spans"
import { traceParentHere } from "../telemetry/correlation"
import type { LedgerDeps } from "./deps"
import { KINDS, type Written } from "./kinds"

const ATTEMPTS = 4

/** The operation as written, or undefined when another writer has moved it meanwhile. */
export async function persist(
  database: Database,
  operation: Operation,
  advance: Advance & RefundAdvance,
): Promise<Operation | undefined> {
  return (await persistWithParent(database, operation, advance))?.operation
}

/** As `persist`, and returns the collection, too, if a refund's end has changed it. */
export async function persistWithParent(
  database: Database,
  operation: Operation,
  advance: Advance & RefundAdvance,
): Promise<Written | undefined> {
  let current = operation
  const traced = withTrace(advance)
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const written = await writeOnce(database, current, traced)
    if (written) {
      noteMove(current, written.operation)
      if (advance.event === "submit") describeSpan(written.operation)
      return written
    }
    const fresh = await findById(database, operation.id)
    const isOurs =
      fresh !== undefined &&
      fresh.state === operation.state &&
      fresh.leaseToken === operation.leaseToken &&
      fresh.version !== current.version
    if (!isOurs) return undefined
    current = fresh
  }
  return undefined
}

/** What is sent keeps the trace that sent it, to which later checks are linked. */
function withTrace(advance: Advance & RefundAdvance): Advance & RefundAdvance {
  if (advance.event !== "submit") return advance
  return { ...advance, changes: { ...advance.changes, traceParent: traceParentHere() } }
}

/**
 * A late payment takes its payment collection only if no other payment has it. The unique
 * constraint decides, not a read: the second payment is marked a duplicate and waits for an admin.
 */
async function writeOnce(
  database: Database,
  operation: Operation,
  advance: Advance & RefundAdvance,
): Promise<Written | undefined> {
  const kind = KINDS[operation.type]
  try {
    return await kind.advance(database, operation, advance)
  } catch (error) {
    if (brokenRule(error) !== "one_live_collection_per_payment_collection") throw error
    return kind.advance(database, operation, {
      ...advance,
      facts: { ...advance.facts, is_duplicate: true },
      changes: { ...advance.changes, isDuplicate: true },
    })
  }
}

/**
 * Puts an ended operation whose source is paid after all into review, as late money. A check
 * decides and writes this itself; this is for the clearing of ended sources and for an admin's
 * comparison of the records. The caller holds the operation by lease; the lease is given back.
 *
 * @param execution what its prompt reads now; null: that is not known
 * @returns undefined: the operation has not ended, or another writer has moved it meanwhile
 */
export async function holdLateMoney(
  deps: LedgerDeps,
  held: Operation,
  total: Money,
  execution: string | null,
  beside: Pick<Advance, "changes" | "facts"> = {},
): Promise<Operation | undefined> {
  if (!hasEnded(held)) {
    await releaseOperation(deps.database, held)
    return undefined
  }
  const late = lateMoney(held, total)
  const review = await persist(deps.database, held, {
    event: late.event,
    code: late.code,
    facts: { source: "PAID", ...beside.facts },
    changes: {
      ...beside.changes,
      ...payerChange(held, { execution, isPaid: true }),
      ...(execution === "FAILED" ? { paidOtherwiseAt: true } : {}),
      sourceStatus: "PAID",
      reason: late.reason,
      // A failed execution took no money, so the source was paid in another way.
      ...(held.state === "failed" ? { paymentIntentId: null } : {}),
      ...(total.currency === held.amount.currency ? { collectedMinor: total.minor } : {}),
    },
    next: "never",
    lease: "release",
  })
  alertReview(deps, held, review, { code: late.code })
  return review
}

/**
 * Logs once that an operation has come into review: money and records disagree, and only an admin
 * can decide. The merchant reads it before a shopper complains.
 */
export function alertReview(
  deps: Pick<LedgerDeps, "logger">,
  before: Operation,
  after: Operation | undefined,
  { code, facts }: Message,
): void {
  if (after?.state !== "review" || before.state === "review") return
  const beside = after.isDuplicate ? ", beside another payment of the same cart" : ""
  deps.logger.error(
    `merchant payments: ${after.id} needs a review (${after.reason ?? "no reason"}${beside}): ` +
      sentence("event", code, facts),
    fieldsOf(after, code),
  )
}
