/** The types of a merchant account at the gateway, and of what is kept of its changes. */
import type { AccountPolicies, SettingsFields } from "./account-settings"
import type { AccountId } from "./ids"

/** How one merchant account at the gateway is used. Secrets are not here. */
export type Account = SettingsFields & {
  readonly id: AccountId
  readonly policies: AccountPolicies
  readonly isDefault: boolean
}

/** What a change does to an account once another admin agrees. */
export const PROPOSAL_NAMES = ["created", "changed", "removed"] as const
export const ACCOUNT_EVENTS = [
  ...PROPOSAL_NAMES,
  "change_asked",
  "change_refused",
  "credential_dropped",
] as const
export type AccountEventName = (typeof ACCOUNT_EVENTS)[number]

export type AccountChanges = Readonly<
  Record<string, { readonly from: unknown; readonly to: unknown }>
>

/** A change that waits for a second person. It holds no secret. */
export type AccountProposal = {
  /** The account's id; for a new account, the id that it will have. */
  readonly accountId: AccountId
  readonly label: string
  /** The account event that the change becomes once it is made. */
  readonly name: (typeof PROPOSAL_NAMES)[number]
  /** The fields that two people have to want alike. */
  readonly fields: readonly string[]
  readonly changes: AccountChanges
}

/** One event of an account, as the ledger has it. */
export type AccountHappening = {
  readonly eventId: string
  readonly accountId: AccountId
  readonly name: AccountEventName
  readonly by: string
  /** The names of what was changed. */
  readonly fields: readonly string[]
  readonly occurredAt: Date
}
