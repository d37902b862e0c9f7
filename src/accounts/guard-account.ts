/**
 * While any account needs two admins for money, changes of accounts need two admins, too. Otherwise
 * one admin lifts the rule first, or moves the money to an account without it. The table in
 * `rules/two-people.ts` says which changes. The first admin's change is stored as a proposal, which
 * the second admin approves (`approve-change.ts`).
 */
import { createHash } from "node:crypto"
import type { AccountChanges, AccountProposal } from "../core/schemas/stored-account"
import { hasSecondAdminRule, isPerson } from "../core/account-policies"
import { canonical } from "../core/canonical"
import type { AdminId } from "../core/ids"
import { refusal } from "../core/refusal"
import type { Sealed } from "../core/secret-box"
import { addAccountEvent, type AgreedEvent } from "../ledger/accounts/account-events"
import { refuseProposal } from "../ledger/accounts/proposals"
import { listStoredAccounts } from "../ledger/accounts/stored-accounts"
import { askAnotherAdmin, countPeople, type RequestAnswer } from "../ledger/ask-another-admin"
import { keptNote } from "../ledger/kept-note"
import { listWaiting, type RequestUse, type TwoAdminRequest } from "../ledger/requests"
import type { AccountDeps } from "./deps"

export type AccountChange = Pick<AccountProposal, "accountId" | "label" | "name" | "changes"> & {
  readonly adminId: AdminId
  /** The part that two admins must agree on while accounts are guarded; empty: no part. */
  readonly guarded: AccountChanges
  /** The version that is changed; null: the account is new. */
  readonly version: number | null
  /** The new secret, encrypted for its credential; null: none is entered. */
  readonly sealed: Sealed | null
  /** The same as it was typed. Another secret is another request: the first may be mistyped. */
  readonly secret: string | undefined
  readonly approval: Approval | undefined
}

/** A proposal that another admin approves. */
export type Approval = {
  readonly use: RequestUse
  readonly request: TwoAdminRequest & { readonly proposal: AccountProposal }
}

type Guarding = Pick<AccountDeps, "database" | "people" | "environment" | "digest">

/**
 * @param write commits the change with the event and the request that it uses; returns false if
 *   nothing was changed
 * @returns the result of `write`
 * @throws Refusal `account_needs_second_admin`, after an admin's proposal was stored; and what
 *   `write` throws; `request_ended` where the same change was approved already;
 *   `changed_meanwhile` where the approving admin was shown another change than it would be now
 */
export async function changeWithEvent(
  deps: Guarding,
  { adminId, guarded, version, sealed, secret, approval, ...change }: AccountChange,
  write: (event: AgreedEvent) => Promise<boolean>,
): Promise<boolean> {
  const { accountId, name, changes } = change
  const event = { name, by: adminId, askedBy: null, changes, use: undefined }
  if (approval) {
    const { use, request } = approval
    const isAsShown = canonical(request.proposal.changes) === canonical(changes)
    if (!isAsShown) throw refusal("changed_meanwhile")
    return write({ ...event, askedBy: request.askedBy, use })
  }
  const fields = Object.keys(guarded)
  if (fields.length === 0 || !(await areGuarded(deps))) return write(event)
  const typed = secret === undefined ? null : deps.digest(secret)
  const subject = subjectOf(name === "created" ? "new" : accountId, guarded, typed)
  const proposal = { ...change, fields }
  const { database, people } = deps
  // Of one version the change is approved once: a second click of it is no new request.
  const key = version === null ? null : `${subject} ${accountId} ${version}`
  const asked = {
    kind: "ACCOUNT",
    subject,
    askedBy: adminId,
    key,
    details: {},
    note: null,
    proposal,
    seal: () => sealed,
  } as const
  return askAnotherAdmin(database, people, asked, {
    async noted(id, isNew) {
      const noted = { ...event, name: "change_asked", changes: guarded } as const
      if (isNew) await addAccountEvent(database, accountId, noted)
      return refusal("account_needs_second_admin", {}, { fields, request_id: id })
    },
    noPerson: () => refusal("account_needs_second_admin.person", {}, { fields }),
  })
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
  { id, adminId, note }: RequestAnswer,
): Promise<void> {
  const [waiting] = await listWaiting(database, people, ["ACCOUNT"], id)
  if (!waiting?.proposal) throw refusal("account_not_found.change")
  if (!isPerson(adminId)) throw refusal("account_needs_second_admin.person")
  const { askedBy, proposal } = waiting
  const { changes } = proposal
  const event = { name: "change_refused", by: adminId, askedBy, changes } as const
  const answer = note === undefined ? null : keptNote(note)
  if (!(await refuseProposal(database, people, { id, answer }, event)))
    throw refusal("account_not_found.change")
}

/** Which right the people of a rule need. */
const RULES = {
  "policies.refund_second_admin_above": "REFUND",
  "policies.money_out_second_admin_above": "PAYOUT",
} as const

/**
 * Refuses a rule for two admins where fewer could follow it: nobody could send the money, nor lift
 * the rule again.
 *
 * @throws Refusal `second_admin_missing`
 */
export async function assertTwoAdmins(
  { database, people }: Pick<AccountDeps, "database" | "people">,
  changes: AccountChanges,
): Promise<void> {
  for (const [policy, kind] of Object.entries(RULES)) {
    if (Object.keys(changes[policy]?.to ?? {}).length === 0) continue
    for (const needed of [kind, "ACCOUNT"] as const) {
      const admins = await countPeople(database, people, needed)
      if (admins < 2) throw refusal("second_admin_missing", {}, { admins, to_approve: needed })
    }
  }
}

/** A digest is short; it reveals no secret, because it is made of the secret's keyed one. */
function subjectOf(what: string, guarded: AccountChanges, typed: string | null): string {
  const wanted = Object.entries(guarded).map(([name, { to }]) => [name, to])
  const of = canonical({ ...Object.fromEntries(wanted), ...(typed !== null && { typed }) })
  const digest = createHash("sha256").update(of).digest("hex")
  return `request account ${what} ${digest}`
}
