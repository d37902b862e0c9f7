import type { Operation } from "../core/operation"
import type { MoneyDeps } from "../engine/deps"
import { persist } from "../engine/persist"
import { isOfRest } from "./rules/refund-amount"
import { findRefundsOf } from "./sql/find-refunds"

/**
 * Accepts a payment once what came above what was asked for went back: what is left is recorded as
 * the payment, in the name of the admin who gave the rest back. The caller holds the payment, in
 * review, by lease; the lease is given back.
 */
export async function acceptRest({ database }: MoneyDeps, operation: Operation): Promise<void> {
  const refunds = await findRefundsOf(database, operation.id)
  const rest = refunds.find((refund) => isOfRest(refund) && refund.state === "completed")
  await persist(database, operation, {
    event: "accept",
    code: "rest_returned",
    facts: { by: rest?.askedBy, refund: rest?.id },
    changes: { reason: null, checks: 0, settleAttempts: 0, failedAt: false, absentAt: false },
    next: { inMs: 0 },
    lease: "release",
  })
}
