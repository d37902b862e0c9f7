/**
 * Refunds above an amount need two admins, where the account says so. The first one's refund is noted and
 * refused; another admin's refund of the same payment and the same amount within a day goes. It is used
 * up by going: two equal refunds in a row need two confirmations.
 *
 * Not a lock and not the limit of what goes back, which the reserve keeps: this only says whose word is
 * enough. If the process dies after the confirmation, it is used up and both ask again.
 */
import { LIMITS } from "../../core/limits"
import { majorText, type Money } from "../../core/money"
import { Refusal } from "../../core/refusal"
import { needsSecondAdmin } from "../../core/second-admin"
import type { AccountPolicies } from "../../ledger/accounts"
import type { Database } from "../../ledger/database"
import { approveOrAsk } from "../../ledger/refund-approvals"

export type RefundByAdmin = {
  /** The collection whose money goes back. */
  readonly operationId: string
  readonly amount: Money
  /** Who asks: a user's id, or an API key's. */
  readonly adminId: string
  readonly policies: Pick<AccountPolicies, "refundSecondAdminAbove">
}

/**
 * @returns the confirmed request, to be given back with `reopenApproval` when nothing was sent;
 *   undefined where one admin is enough
 * @throws Refusal `refund_needs_second_admin`, noted
 */
export async function assertSecondAdmin(
  database: Database,
  refund: RefundByAdmin,
): Promise<string | undefined> {
  const { amount, policies } = refund
  if (!needsSecondAdmin(policies.refundSecondAdminAbove, amount)) return undefined
  const approval = await approveOrAsk(database, {
    operationId: refund.operationId,
    amount,
    adminId: refund.adminId,
    withinMs: LIMITS.secondAdminWithinMs,
  })
  if (approval) return approval.id
  throw new Refusal(
    "refund_needs_second_admin",
    `A refund of ${majorText(amount)} ${amount.currency} needs a second admin. Your request is ` +
      "noted: when another admin asks for the same refund within a day, it goes. Nothing was sent.",
  )
}
