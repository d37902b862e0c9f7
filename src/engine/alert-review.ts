import { sentence, type Told } from "../core/messages"
import type { Operation } from "../core/operation"
import type { LedgerDeps } from "./deps"

/**
 * Money and records disagree, and only an admin can say what becomes of it. Said once, when the
 * operation comes into review, so that a merchant's log tells it before a shopper does.
 */
export function alertReview(
  deps: Pick<LedgerDeps, "logger">,
  before: Operation,
  after: Operation | undefined,
  { code, facts }: Told,
): void {
  if (after?.state !== "review" || before.state === "review") return
  const beside = after.isDuplicate ? ", beside another payment of the same cart" : ""
  deps.logger.error(
    `merchant payments: ${after.id} needs a review (${after.reason ?? "unknown"}${beside}): ` +
      sentence("event", code, facts),
  )
}
