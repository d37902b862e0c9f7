/** The types of a merchant account at the gateway, and of what is kept of its changes. */
import type { AccountPolicies, SettingsFields } from "./account-settings"
import type { AccountId } from "./ids"
import { PROPOSAL_NAMES } from "./schemas/stored-account"

/** How one merchant account at the gateway is used. Secrets are not here. */
export type Account = SettingsFields & {
  readonly id: AccountId
  readonly policies: AccountPolicies
  readonly isDefault: boolean
}

export const ACCOUNT_EVENTS = [
  ...PROPOSAL_NAMES,
  "change_asked",
  "change_refused",
  "credential_dropped",
] as const
export type AccountEventName = (typeof ACCOUNT_EVENTS)[number]

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
