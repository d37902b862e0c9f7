/**
 * Refunds above an amount need two admins, where the account says so. What went back of the payment
 * within a day counts with it, so that one admin can't give back in parts what needs two.
 */
import { isAbove } from "../core/account-policies"
import type { Money } from "../core/money"
import type { Operation } from "../core/operation"
import { refusal } from "../core/refusal"
import { findPolicies } from "../ledger/accounts/find-accounts"
import type { Approval } from "../ledger/approvals"
import type { Database } from "../ledger/database"
import { assertTwoAdmins } from "../engine/two-admins"
import { refundedLately } from "./sql/find-refunds"

/** The collection whose money goes back. */
type Payment = Pick<Operation, "id" | "accountId">

/** As the account says now; a removed account still guards its money. */
export async function isSecondAdminNeeded(
  database: Database,
  { id, accountId }: Payment,
  { minor, currency }: Money,
): Promise<boolean> {
  const { refund_second_admin_above: most } = await findPolicies(database, accountId)
  if (most === null) return false
  const together = { minor: minor + (await refundedLately(database, id)), currency }
  return isAbove(most, together)
}

/**
 * Called after the collection was read and before its part is taken: a refund made in between makes
 * the reserve fail, and this is called again.
 *
 * @param asked adminId: a user's id, or an API key's
 * @returns the confirmed request; undefined where one admin is enough
 * @throws Refusal `refund_needs_second_admin`, noted
 */
export async function assertSecondAdmin(
  database: Database,
  asked: { readonly payment: Payment; readonly amount: Money; readonly adminId: string },
): Promise<Approval | undefined> {
  const { payment, amount, adminId } = asked
  if (!(await isSecondAdminNeeded(database, payment, amount))) return undefined
  const subject = `refund ${payment.id} ${amount.minor} ${amount.currency}`
  return assertTwoAdmins(
    database,
    { subject, adminId },
    {
      noted: () => refusal("refund_needs_second_admin"),
      noPerson: () => refusal("refund_needs_second_admin.person"),
    },
  )
}
