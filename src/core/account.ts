/** The types of a merchant account at the gateway, and of what is kept of its changes. */
import type { AccountPolicies } from "./account-policies"
import type { AccountId } from "./ids"
import type { CurrencyCode } from "./money"
import type { FeeBearer, OrderPlacement, SourceType } from "./operation"

/** How one merchant account at the gateway is used. Secrets are not here. */
export type Account = {
  readonly id: AccountId
  readonly label: string
  readonly baseUrl: string
  readonly sourceType: SourceType
  /** Who pays the fees. Null: the gateway's default, which `checkouts/create` can't change. */
  readonly feeBearer: FeeBearer | null
  readonly orderPlacement: OrderPlacement
  readonly currencies: readonly CurrencyCode[]
  /** The gateway's live names where they differ from ours: method, provider, label, menu code. */
  readonly wireNames: Readonly<Record<string, string>>
  readonly pushWindowMs: number
  readonly hostedWindowMs: number
  /** The most questions a second that the gateway is asked; absent: the default. */
  readonly checksPerSecondMax?: number | undefined
  readonly policies: AccountPolicies
  /** Experimental: the address of the gateway's push transport. Null: there is none. */
  readonly realtimeUrl: string | null
  readonly isDefault: boolean
}

export type AccountEventName =
  "created" | "changed" | "change_asked" | "change_refused" | "removed" | "credential_dropped"

export type AccountChanges = Readonly<
  Record<string, { readonly from: unknown; readonly to: unknown }>
>

/** A change that waits for a second person. It holds no secret. */
export type AccountProposal = {
  /** The account's id; for a new account, the id that it will have. */
  readonly accountId: AccountId
  readonly label: string
  /** The account event that the change becomes once it is made. */
  readonly name: Extract<AccountEventName, "created" | "changed" | "removed">
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
