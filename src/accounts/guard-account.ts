/**
 * An account that wants two admins for money wants them for its own rules and its connection, too:
 * otherwise one admin lifts the rule first. A change that only tightens rules needs one admin.
 */
import { createHash } from "node:crypto"
import type { AccountChanges } from "../core/account"
import { refusal } from "../core/refusal"
import { addAccountEvent, type AccountEventDraft } from "../ledger/accounts/account-events"
import { assertTwoAdmins, reopenApproval } from "../ledger/approvals"
import type { AccountDeps } from "./deps"
import { canonical } from "./rules/account-changes"

export type AccountChange = {
  readonly accountId: string
  readonly name: AccountEventDraft["name"]
  readonly adminId: string
  readonly changes: AccountChanges
  /** What of it needs a second admin; empty: nothing. */
  readonly guarded: AccountChanges
}

/**
 * @param write commits the change with the event; false: nothing was changed
 * @returns what `write` did
 * @throws Refusal `account_needs_second_admin`, noted; what `write` throws
 */
export async function changeWithEvent(
  { database }: Pick<AccountDeps, "database">,
  { accountId, name, adminId, changes, guarded }: AccountChange,
  write: (event: AccountEventDraft) => Promise<boolean>,
): Promise<boolean> {
  const event = { name, by: adminId, askedBy: null, changes }
  const fields = Object.keys(guarded)
  if (fields.length === 0) return write(event)
  const approval = await assertTwoAdmins(
    database,
    { subject: subjectOf(accountId, guarded), adminId },
    {
      async noted(isNew) {
        const asked = { ...event, name: "change_asked", changes: guarded } as const
        if (isNew) await addAccountEvent(database, accountId, asked)
        return refusal("account_needs_second_admin", {}, { fields })
      },
      noPerson: () => refusal("account_needs_second_admin.person", {}, { fields }),
    },
  )
  let isWritten = false
  try {
    isWritten = await write({ ...event, askedBy: approval.askedBy })
    return isWritten
  } finally {
    if (!isWritten) await reopenApproval(database, approval.id)
  }
}

/** A digest is short; it reveals no secret, because the changes hold none. */
function subjectOf(accountId: string, guarded: AccountChanges): string {
  const wanted = Object.entries(guarded).map(([name, { to }]) => [name, to])
  const digest = createHash("sha256")
    .update(canonical(Object.fromEntries(wanted)))
    .digest("hex")
  return `account ${accountId} ${digest}`
}
