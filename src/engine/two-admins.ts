/**
 * What two admins have to want. The first one's request is noted and refused; another admin's
 * request for the very same within a day goes. It is used up by going: the same twice in a row
 * needs two confirmations. Both have to be people: an API key's word is not noted, and confirms
 * nothing.
 *
 * Not a lock and no limit of what may be done, which the ledger keeps: this only says whose word is
 * enough. If the process dies after the confirmation, it is used up and both ask again.
 */
import { isPerson } from "../core/account-policies"
import { LIMITS } from "../core/limits"
import type { Refusal } from "../core/refusal"
import { approveOrAsk, type Approval } from "../ledger/approvals"
import type { Database } from "../ledger/database"

export type Wanted = {
  /** Exactly what is wanted, without a secret or a phone number. */
  readonly subject: string
  /** A user's id, or an API key's. */
  readonly adminId: string
}

/** How it is refused: at first, and to a key. `isNew`: it was not noted before. */
export type Unagreed = {
  noted(isNew: boolean): Refusal | Promise<Refusal>
  noPerson(): Refusal
}

/**
 * @returns the confirmed request, to be given back with `reopenApproval` when nothing was done
 * @throws Refusal of {@link Unagreed}
 */
export async function assertTwoAdmins(
  database: Database,
  { subject, adminId }: Wanted,
  refuse: Unagreed,
): Promise<Approval> {
  if (!isPerson(adminId)) throw refuse.noPerson()
  const withinMs = LIMITS.secondAdminWithinMs
  const approval = await approveOrAsk(database, { subject, adminId, withinMs })
  if (typeof approval === "object") return approval
  throw await refuse.noted(approval === "asked")
}
