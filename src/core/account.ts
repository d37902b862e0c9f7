/** A merchant account at the gateway, and what is kept of a change of it, as types. */
import type { AccountPolicies } from "./account-policies"
import type { CurrencyCode } from "./money"
import type { FeeBearer, OrderPlacement, SourceType } from "./operation"

/** How one merchant account at the gateway is used. Secrets are not here. */
export type Account = {
  readonly id: string
  readonly label: string
  readonly baseUrl: string
  readonly sourceType: SourceType
  /** Null: the gateway's default, which `checkouts/create` can't change. */
  readonly feeBearer: FeeBearer | null
  readonly orderPlacement: OrderPlacement
  readonly currencies: readonly CurrencyCode[]
  /** Live values for neutral names, where they differ: method, provider, label, menu code. */
  readonly wireNames: Readonly<Record<string, string>>
  readonly pushWindowMs: number
  readonly hostedWindowMs: number
  /** The most questions a second that the gateway is asked; absent: the default. */
  readonly checksPerSecondMax?: number | undefined
  readonly policies: AccountPolicies
  /** Experimental: where the gateway's push transport is. Null: there is none. */
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
  /** Of a new account: the id that it will have. */
  readonly accountId: string
  readonly label: string
  /** The event that it becomes. */
  readonly name: Extract<AccountEventName, "created" | "changed" | "removed">
  /** What of it two people have to want alike. */
  readonly fields: readonly string[]
  readonly changes: AccountChanges
}

/** One event of an account, as the ledger has it. */
export type AccountHappening = {
  readonly eventId: string
  readonly accountId: string
  readonly name: AccountEventName
  readonly by: string
  /** What was changed, by name. */
  readonly fields: readonly string[]
  readonly occurredAt: Date
}
