/**
 * While any account needs two admins for money, changes of accounts need two admins, too. Otherwise
 * one admin lifts the rule first, or moves the money to an account without it. The table in
 * `rules/two-people.ts` says which changes. The first admin's change is stored as a proposal; the
 * second admin makes the same change.
 */
import { createHash } from "node:crypto"
import type { AccountChanges, AccountProposal } from "../core/account"
import { hasSecondAdminRule, isPerson } from "../core/account-policies"
import type { AccountId, AdminId } from "../core/ids"
import { refusal } from "../core/refusal"
import { addAccountEvent, type AgreedEvent } from "../ledger/accounts/account-events"
import { listProposals, refuseProposal } from "../ledger/accounts/proposals"
import { listStoredAccounts } from "../ledger/accounts/stored-accounts"
import { agreedBefore } from "../ledger/requests"
import type { AccountDeps } from "./deps"
import { canonical } from "./rules/account-changes"

export type AccountChange = Pick<AccountProposal, "accountId" | "label" | "name" | "changes"> & {
  readonly adminId: AdminId
  /** The part that two admins must agree on while accounts are guarded; empty: no part. */
  readonly guarded: AccountChanges
  /** The version that is changed; null: the account is new. */
  readonly version: number | null
}

type Guarding = Pick<AccountDeps, "database" | "people" | "environment">

/**
 * @param write commits the change with the event and the request that it uses, for a new account
 *   under the id of the proposal; returns false if nothing was changed
 * @returns the result of `write`
 * @throws Refusal `account_needs_second_admin`, after an admin's proposal was stored; and what
 *   `write` throws; `request_ended` where the same change was approved already
 */
export async function changeWithEvent(
  deps: Guarding,
  { adminId, guarded, version, ...change }: AccountChange,
  write: (event: AgreedEvent, accountId: AccountId) => Promise<boolean>,
): Promise<boolean> {
  const { accountId, name, changes } = change
  const event = { name, by: adminId, askedBy: null, changes, use: undefined }
  const fields = Object.keys(guarded)
  if (fields.length === 0 || !(await areGuarded(deps))) return write(event, accountId)
  const subject = subjectOf(name === "created" ? "new" : accountId, guarded)
  const proposal = { ...change, fields }
  const { database, people } = deps
  // Of one version the change is approved once: a second click of it is no new request.
  const key = version === null ? null : `${subject} ${accountId} ${version}`
  const asked = { kind: "ACCOUNT", subject, askedBy: adminId, key, details: {}, proposal } as const
  const request = await agreedBefore(database, people, asked, {
    async noted(isNew) {
      const noted = { ...event, name: "change_asked", changes: guarded } as const
      if (isNew) await addAccountEvent(database, accountId, noted)
      return refusal("account_needs_second_admin", {}, { fields })
    },
    noPerson: () => refusal("account_needs_second_admin.person", {}, { fields }),
  })
  const use = { id: request.id, approvedBy: adminId }
  const agreedId = request.proposal?.accountId ?? accountId
  return write({ ...event, askedBy: request.askedBy, use }, agreedId)
}

/**
 * The environment account's stored row counts even if its variables are gone. So a variable that
 * was forgotten in a deployment lifts no rule.
 */
async function areGuarded({ database, environment }: Guarding): Promise<boolean> {
  const stored = (await listStoredAccounts(database)).map(({ account }) => account)
  const own = environment.account ? [environment.account] : []
  return [...stored, ...own].some(({ policies }) => hasSecondAdminRule(policies))
}

/**
 * Refuses another admin's proposal, or withdraws the admin's own.
 *
 * @throws Refusal `account_needs_second_admin`, to an API key; `account_not_found`
 */
export async function refuseChange(
  { database, people }: Pick<AccountDeps, "database" | "people">,
  id: string,
  adminId: AdminId,
): Promise<void> {
  const [waiting] = await listProposals(database, people, id)
  if (!waiting) throw refusal("account_not_found.change")
  if (!isPerson(adminId)) throw refusal("account_needs_second_admin.person")
  const { askedBy, proposal } = waiting
  const { changes } = proposal
  const event = { name: "change_refused", by: adminId, askedBy, changes } as const
  if (!(await refuseProposal(database, people, id, event)))
    throw refusal("account_not_found.change")
}

/** A digest is short; it reveals no secret, because the changes hold none. */
function subjectOf(what: string, guarded: AccountChanges): string {
  const wanted = Object.entries(guarded).map(([name, { to }]) => [name, to])
  const digest = createHash("sha256")
    .update(canonical(Object.fromEntries(wanted)))
    .digest("hex")
  return `request account ${what} ${digest}`
}
