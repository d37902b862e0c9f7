/**
 * What the admin's routes about accounts, health, fees and regions answer: types alone, for the flows
 * that make the answers and for the pages that show them. No type here has a place for a secret.
 */
import type { PoliciesAnswer } from "./account-policies"
import type { FeeBearer, OrderPlacement, SourceType } from "./operation"
import type { Quote } from "./quote"

/**
 * `ready`: payments can be taken. `no_secret`: nothing was typed in yet. `secret_unreadable`: the secret
 * was encrypted with another key than this server has. `key_missing`: this server has no key at all.
 * `address_changed`: account, address or client id are no longer those that the secret was typed in for.
 */
export type AccountState =
  "ready" | "no_secret" | "secret_unreadable" | "key_missing" | "address_changed"

/** A client of the merchant's that the account uses, or has used. */
export type CredentialAnswer = {
  readonly id: string
  readonly client_id: string
  /** `active`: for what is new. `draining`: for payments that were made with it, until it is dropped. */
  readonly status: "active" | "draining"
  readonly has_secret: boolean
  readonly secret_saved_at: string | null
  /** The merchant at the gateway, where one of its documents has told. */
  readonly owner_id: number | null
}

export type AccountAnswer = {
  readonly id: string
  /** Of the environment: read-only here. */
  readonly source: "environment" | "admin"
  readonly label: string
  readonly base_url: string
  readonly client_id: string | null
  readonly has_secret: boolean
  /** ISO 8601, UTC; null where there is none, or where it comes from the environment. */
  readonly secret_saved_at: string | null
  readonly state: AccountState
  /** What to do where the state is not `ready`; else null. */
  readonly state_message: string | null
  readonly source_kind: SourceType
  readonly fee_bearer: FeeBearer | null
  readonly order_placement: OrderPlacement
  readonly currencies: readonly string[]
  readonly push_window_minutes: number
  readonly hosted_window_minutes: number
  readonly policies: PoliciesAnswer
  readonly wire_names: Readonly<Record<string, string>>
  readonly is_default: boolean
  /** Sent back with a change; another one's change in between answers 409 `changed_meanwhile`. */
  readonly version: number
  readonly created_at: string
  readonly updated_at: string
  /** Of the environment's account: where each field comes from, a variable, an option or `default`. */
  readonly sources: Readonly<Record<string, string>> | null
  /** The newest first. Empty for the environment's. */
  readonly credentials: readonly CredentialAnswer[]
}

/** Whether secrets can be kept here, and how to make a key where they can't. */
export type EncryptionAnswer = {
  readonly has_key: boolean
  /** Names the key without telling it. */
  readonly key_id: string | null
  readonly has_previous_key: boolean
  /** What is wrong, or how to make a key; null when all is well. */
  readonly message: string | null
}

/** `GET accounts` */
export type AccountsAnswer = {
  readonly accounts: readonly AccountAnswer[]
  readonly encryption: EncryptionAnswer
}

/** `GET accounts/:id`, `POST accounts`, `POST accounts/:id` */
export type OneAccountAnswer = { readonly account: AccountAnswer }

/**
 * Something that was done to an account, or asked for and waits for a second admin (`change_asked`).
 * `changes` holds what stood there and what stands there now; of a secret only that it was typed.
 */
export type AccountEventAnswer = {
  readonly id: string
  readonly name: AccountEventName
  /** A person's id, an API key's, or `environment`. */
  readonly by: string
  /** Who asked for it first, where it took two. */
  readonly asked_by: string | null
  readonly changes: AccountChanges
  /** ISO 8601, UTC. */
  readonly at: string
}

export type AccountEventName =
  "created" | "changed" | "change_asked" | "removed" | "credential_dropped"

export type AccountChanges = Readonly<
  Record<string, { readonly from: unknown; readonly to: unknown }>
>

/** `GET accounts/:id/events`, the newest first. */
export type AccountEventsAnswer = { readonly events: readonly AccountEventAnswer[] }

/** `DELETE accounts/:id` */
export type AccountDeletedAnswer = { readonly id: string; readonly deleted: true }

/** Body of `POST accounts`; all but `label` and `base_url` may be left out. */
export type AccountBody = {
  readonly label?: string
  readonly base_url?: string
  readonly client_id?: string
  /** Write-only. Left out: the one that is kept stays. */
  readonly client_secret?: string
  readonly source_kind?: SourceType
  readonly fee_bearer?: FeeBearer | null
  readonly order_placement?: OrderPlacement
  readonly currencies?: readonly string[]
  readonly push_window_minutes?: number
  readonly hosted_window_minutes?: number
  readonly policies?: Partial<PoliciesAnswer>
  readonly wire_names?: Readonly<Record<string, string>>
  readonly is_default?: boolean
}

/** Body of `POST accounts/:id`: what changes, and the version that was looked at. */
export type AccountChangeBody = AccountBody & { readonly version: number }

export type CheckStatus = "ok" | "warning" | "failed" | "skipped"

/** One line of a connection test or of the setup check. */
export type CheckLine = {
  /** Stable, for pages that translate. */
  readonly name: string
  readonly status: CheckStatus
  /** In English: what is so, why it matters, and what to do. */
  readonly message: string
  /** The figures in the message, for pages that translate. */
  readonly facts: Readonly<Record<string, string | number | null>>
}

/**
 * `POST accounts/:id/test`; an `:id` of `new` for an account that is not saved yet. Names: `reachable`,
 * `credentials`, `token_lifetime`, `clock`, `verified`, `fees`, and `operator:<payment method>` for each.
 */
export type ConnectionTestAnswer = {
  readonly lines: readonly CheckLine[]
  readonly tested_at: string
}

/**
 * `GET health`; 503 when `down`. Names: `database`, `accounts`, `encryption_key`, `providers`,
 * `currencies`, `liberian_dollar`, `locking`, `workflow_engine`, `job`, `oldest_due`, `medusa_answers`,
 * `gateway_errors`, `too_many_requests`, `last_call`, `review`.
 */
export type HealthAnswer = {
  readonly status: "ok" | "degraded" | "down"
  readonly checks: readonly CheckLine[]
}

export type RateAnswer = {
  readonly operation_type: string
  /** Per cent, as exact decimal text: `"1.5"`. */
  readonly percentage: string
  /** In major units, as exact decimal text. */
  readonly fixed_fee: string | null
  readonly fixed_fee_currency: string | null
}

export type FeeTierAnswer = {
  readonly id: number
  readonly name: string
  readonly is_default: boolean
  /** Per cent on top where payer and payee currency differ. */
  readonly rates: readonly (RateAnswer & { readonly fx_percentage: string })[]
}

export type GatewayRatesAnswer = {
  readonly payment_method: string
  readonly label: string
  readonly country: string | null
  readonly rates: readonly RateAnswer[]
}

/** `GET fees?account_id`; the default account's where none is named. */
export type FeesAnswer = {
  readonly account_id: string
  readonly tiers: readonly FeeTierAnswer[]
  /** The gateway's own, for each way to pay that the account knows. */
  readonly gateway: readonly GatewayRatesAnswer[]
  readonly read_at: string
}

/** `GET fees/prediction`: the payer pays `payer_amount`, you get `payee_amount`. */
export type FeePredictionAnswer = { readonly quote: Quote }

export type RegionAnswer = {
  readonly id: string
  readonly name: string
  readonly currency_code: string
  /** ISO two letters, lower case. */
  readonly countries: readonly string[]
  readonly providers: readonly {
    readonly provider_id: string
    readonly flow: "push" | "hosted"
    readonly is_enabled: boolean
  }[]
  /** The account that takes the region's currency; null: none does. */
  readonly account_id: string | null
}

/** `GET regions` */
export type RegionsAnswer = { readonly regions: readonly RegionAnswer[] }

/** `POST regions/:id/enable`, body `{ provider_ids? }`: all of ours where none are named. */
export type RegionEnabledAnswer = { readonly region: RegionAnswer }
