/**
 * What two admins have to want: the first request is noted and refused, another admin's for the
 * very same within a day goes, and uses it up. API keys neither ask nor confirm. It limits nothing
 * else. If the process dies after the confirmation, both ask again.
 */
import { isPerson } from "../core/account-policies"
import type { Refusal } from "../core/refusal"
import { approveOrAsk, type Approval, type Wanted } from "../ledger/approvals"
import type { Database } from "../ledger/database"

/** How it is refused: at first, and to a key. `isNew`: it was not noted before. */
type Unagreed = {
  noted(isNew: boolean): Refusal | Promise<Refusal>
  noPerson(): Refusal
}

/**
 * @returns the confirmed request, to be given back with `reopenApproval` when nothing was done
 * @throws Refusal of {@link Unagreed}
 */
export async function assertTwoAdmins(
  database: Database,
  wanted: Wanted,
  refuse: Unagreed,
): Promise<Approval> {
  if (!isPerson(wanted.adminId)) throw refuse.noPerson()
  const approval = await approveOrAsk(database, wanted)
  if (typeof approval === "object") return approval
  throw await refuse.noted(approval === "asked")
}
