import { lateMoney } from "../core/decide/after-end"
import type { Money } from "../core/money"
import { hasEnded, type Operation } from "../core/operation"
import type { Advance } from "../ledger/advance-operation"
import { releaseOperation } from "../ledger/postpone-operation"
import type { MoneyDeps } from "./deps"
import { alertReview, persist } from "./persist"

/**
 * The document of an ended operation is paid after all: the money comes into review, as late money.
 * Only where no check sees it: an ended document is cleared away, or an admin compares the books. A
 * check decides in `core/decide/after-end.ts`, and `verdict.ts` writes.
 * The caller holds the operation by lease; the lease is given back.
 *
 * @returns undefined where it has not ended, or another writer has moved it meanwhile
 */
export async function holdLateMoney(
  deps: Pick<MoneyDeps, "database" | "logger">,
  held: Operation,
  total: Money,
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
      sourceStatus: "PAID",
      reason: late.reason,
      // What failed took no money: the document was paid in another way.
      ...(held.state === "failed" ? { paymentIntentId: null } : {}),
      ...(total.currency === held.amount.currency ? { collectedMinor: total.minor } : {}),
    },
    next: "never",
    lease: "release",
  })
  alertReview(deps, held, review, { code: late.code })
  return review
}
