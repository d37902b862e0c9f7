/**
 * Refunds above an amount need two admins, where the account says so. The first one's refund is noted and
 * refused; another admin's refund of the same payment and the same amount within a day goes. It is used
 * up by going: two equal refunds in a row need two confirmations. Both have to be people: an API key's
 * word is not noted, and confirms nothing.
 *
 * Not a lock and not the limit of what goes back, which the reserve keeps: this only says whose word is
 * enough. If the process dies after the confirmation, it is used up and both ask again.
 */
import { LIMITS } from "../../core/limits"
import { majorText, type Money } from "../../core/money"
import type { Operation } from "../../core/operation"
import { Refusal } from "../../core/refusal"
import { isPerson, needsSecondAdmin } from "../../core/second-admin"
import { findPolicies } from "../../ledger/accounts"
import type { Database } from "../../ledger/database"
import { approveOrAsk } from "../../ledger/refund-approvals"

export type RefundByAdmin = {
  /** The collection whose money goes back. */
  readonly payment: Pick<Operation, "id" | "accountId">
  readonly amount: Money
  /** Who asks: a user's id, or an API key's. */
  readonly adminId: string
}

/** As the account says now; its money is guarded also when an admin has removed the account. */
export async function isSecondAdminNeeded(
  database: Database,
  { accountId }: Pick<Operation, "accountId">,
  amount: Money,
): Promise<boolean> {
  const { refundSecondAdminAbove } = await findPolicies(database, accountId)
  return needsSecondAdmin(refundSecondAdminAbove, amount)
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
  const { payment, amount, adminId } = refund
  if (!(await isSecondAdminNeeded(database, payment, amount))) return undefined
  if (!isPerson(adminId)) throw needsPeople(amount)
  const approval = await approveOrAsk(database, {
    operationId: payment.id,
    amount,
    adminId,
    withinMs: LIMITS.secondAdminWithinMs,
  })
  if (approval) return approval.id
  throw new Refusal(
    "refund_needs_second_admin",
    `A refund of ${majorText(amount)} ${amount.currency} needs a second admin. Your request is ` +
      "noted: when another admin asks for the same refund within a day, it goes. Nothing was sent.",
  )
}

function needsPeople(amount: Money): Refusal {
  return new Refusal(
    "refund_needs_second_admin",
    `A refund of ${majorText(amount)} ${amount.currency} needs two admins, and an API key is neither of ` +
      "them. Two people have to ask for it, each with their own login. Nothing was noted or sent.",
  )
}
