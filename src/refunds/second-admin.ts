/**
 * Refunds above an amount need two admins, where the account says so. What went back of the payment
 * within a day counts with it, so that nobody gives back in parts what one admin alone may not.
 */
import { isAbove } from "../core/account-policies"
import type { Money } from "../core/money"
import type { Operation } from "../core/operation"
import { refusal } from "../core/refusal"
import { findPolicies } from "../ledger/accounts/find-accounts"
import type { Approval } from "../ledger/approvals"
import type { Database } from "../ledger/database"
import { assertTwoAdmins } from "../engine/two-admins"
import { refundedLately } from "./sql/refunded-lately"

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
  { id, accountId }: Pick<Operation, "id" | "accountId">,
  { minor, currency }: Money,
): Promise<boolean> {
  const { refundSecondAdminAbove } = await findPolicies(database, accountId)
  if (refundSecondAdminAbove === null) return false
  const together = { minor: minor + (await refundedLately(database, id)), currency }
  return isAbove(refundSecondAdminAbove, together)
}

/**
 * Asked after the collection was read and before its part is taken: a refund made in between makes
 * the reserve fail, and this is asked again.
 *
 * @returns the confirmed request; undefined where one admin is enough
 * @throws Refusal `refund_needs_second_admin`, noted
 */
export async function assertSecondAdmin(
  database: Database,
  { payment, amount, adminId }: RefundByAdmin,
): Promise<Approval | undefined> {
  if (!(await isSecondAdminNeeded(database, payment, amount))) return undefined
  const subject = `refund ${payment.id} ${amount.minor} ${amount.currency}`
  const wanted = { subject, adminId }
  return assertTwoAdmins(database, wanted, {
    noted: () => refusal("refund_needs_second_admin"),
    noPerson: () => refusal("refund_needs_second_admin.person"),
  })
}
