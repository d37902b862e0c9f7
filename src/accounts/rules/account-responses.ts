/**
 * Responses of the admin's routes about accounts, health, fees and regions: types only, for the
 * flows that make them and the pages that display them. No type here has a place for a secret.
 */
import type { AccountChanges, AccountEventName } from "../../core/account"
import type { AccountPolicies, SettingsBody } from "../../core/account-settings"
import type { ProviderFlow } from "../../core/providers"
import type { Quote } from "../../core/quote"

/**
 * Payments can be taken while `ready`. `secret_unreadable`: it was encrypted with another key than
 * this server has. `key_missing`: this server has no key. `address_changed`: account, address or
 * client id differ from those that the secret was entered for.
 */
export type AccountState =
  "ready" | "no_secret" | "secret_unreadable" | "key_missing" | "address_changed"

/** A client of the merchant at the gateway, which the account uses or has used. */
export type CredentialResponse = {
  readonly id: string
  readonly client_id: string
  /**
   * `active`: used for new payments. `draining`: kept for payments that were made with it, until it
   * is deleted.
   */
  readonly status: "active" | "draining"
  readonly has_secret: boolean
  readonly secret_saved_at: string | null
  /** The merchant's id at the gateway; null until a source of this client has shown it. */
  readonly owner_id: number | null
}

export type AccountResponse = SettingsBody & {
  readonly id: string
  /** `environment` makes the account read-only in the admin. */
  readonly source: "environment" | "admin"
  readonly client_id: string | null
  readonly has_secret: boolean
  /** ISO 8601, UTC; null without a secret, or if it comes from the environment. */
  readonly secret_saved_at: string | null
  readonly state: AccountState
  /** What is wrong: why it is not `ready`, or that the gateway refuses its client. Else null. */
  readonly state_code: string | null
  /** The code's sentence in English, with what to do. */
  readonly state_message: string | null
  readonly policies: AccountPolicies
  readonly is_default: boolean
  /**
   * Sent back with a change. If another admin has changed the account since, the answer is 409
   * `changed_meanwhile`.
   */
  readonly version: number
  readonly created_at: string
  readonly updated_at: string
  /**
   * For the environment's account: where each field comes from, a variable, an option or `default`.
   */
  readonly sources: Readonly<Record<string, string>> | null
  /** Names that the gateway used in its predictions, and the account's `wire_names` do not have. */
  readonly learned_names: readonly LearnedNameResponse[]
  /** The account's credentials, newest first. Empty for the environment's account. */
  readonly credentials: readonly CredentialResponse[]
}

/** What the gateway calls an operator that the account has no name for yet. */
export type LearnedNameResponse = {
  /** The gateway's name of the payment method. */
  readonly payment_method: string
  /** The operator's name, as the gateway says it to people. */
  readonly carrier: string
  /** The operators that it may be, by the name that shoppers read now; an admin chooses. */
  readonly proposals: readonly {
    readonly operator: string
    /** To be added to the account's `wire_names`. */
    readonly wire_names: Readonly<Record<string, string>>
  }[]
}

/** Whether secrets can be stored, and how to make a key where they can't. */
export type EncryptionResponse = {
  readonly has_key: boolean
  /** Identifies the key without revealing it. */
  readonly key_id: string | null
  readonly has_previous_key: boolean
  /** What is wrong; null if nothing is. */
  readonly code: string | null
  /** The code's sentence in English, with how to make a key. */
  readonly message: string | null
}

/** `DELETE account-changes/:id` */
export type ChangeRefusedResponse = { readonly id: string; readonly refused: true }

/** `GET accounts/:id`, `POST accounts`, `POST accounts/:id` */
export type OneAccountResponse = { readonly account: AccountResponse }

/**
 * A change of an account: made, waiting for a second admin (`change_asked`), or refused by one
 * (`change_refused`). `changes` holds the former and the new values; of a secret only that it was
 * entered.
 */
export type AccountEventResponse = {
  readonly id: string
  readonly name: AccountEventName
  /** The id of an admin or API key, or `environment`. */
  readonly by: string
  /** The admin who asked for it, if two were needed. */
  readonly asked_by: string | null
  readonly changes: AccountChanges
  /** ISO 8601, UTC. */
  readonly at: string
}

/** `GET accounts/:id/events`, the newest first. */
export type AccountEventsResponse = { readonly events: readonly AccountEventResponse[] }

/** `DELETE accounts/:id` */
export type AccountDeletedResponse = { readonly id: string; readonly deleted: true }

/** Body of `POST accounts`; all but `label` and `base_url` may be left out. */
export type AccountBody = Partial<SettingsBody & Pick<AccountResponse, "is_default">> & {
  readonly client_id?: string
  /** Write-only. Left out, the stored secret stays. */
  readonly client_secret?: string
  readonly policies?: Partial<AccountPolicies>
}

/** Body of `POST accounts/:id`: the changes, and the version that they were made on. */
export type AccountChangeBody = AccountBody & { readonly version: number }

/** `note`: an admin should read the line, and has to do nothing now. */
export type CheckStatus = "ok" | "note" | "warning" | "failed" | "skipped"

/** One line of a connection test or of the setup check. */
export type CheckLine = {
  /** The name of the check; the responses below list the names. */
  readonly name: string
  readonly status: CheckStatus
  /** The result of the check, as a code. */
  readonly code: string
  /** The code's sentence in English: the state, why it matters, and what to do. */
  readonly message: string
  /** The figures in the message. */
  readonly facts: Readonly<Record<string, string | number | null>>
}

/**
 * `POST accounts/:id/test`; an `:id` of `new` for an account that is not saved yet. Names:
 * `reachable`, `credentials`, `token_lifetime`, `clock`, `verified`, `fees`, `sold` (left out where
 * Medusa's regions can't be read), and `operator:<payment method>` for each operator that what the
 * shop sells in needs. With an operator also what this gateway's answers teach: `amount_form`,
 * `state_words`, `unknown_reference`.
 */
export type ConnectionTestResponse = {
  readonly lines: readonly CheckLine[]
  readonly tested_at: string
}

/**
 * `GET health`; 503 when `down`. Names: `database`, `tables`, `accounts`, `encryption_key`,
 * `providers`, `currencies`, `operator_names`, `locking`, `workflow_engine`, `job`, `oldest_due`,
 * `medusa_answers`, `gateway_errors`, `too_many_requests`, `gateway_forms`, `one_network`,
 * `declined_cards`, `last_call`, `notifications`, `review`, and `settings`, or one
 * `setting:<variable or option>` for each that is missing or wrong. While tables are missing there
 * are `database` and `tables` alone.
 */
export type HealthResponse = {
  readonly status: "ok" | "degraded" | "down"
  readonly checks: readonly CheckLine[]
}

export type RateResponse = {
  readonly operation_type: string
  /** Per cent, as exact decimal text: `"1.5"`. */
  readonly percentage: string
  /** In major units, as exact decimal text. */
  readonly fixed_fee: string | null
  readonly fixed_fee_currency: string | null
}

type FeeTierResponse = {
  readonly id: number
  readonly name: string
  readonly is_default: boolean
  /** `fx_percentage`: per cent added where payer and payee currency differ. */
  readonly rates: readonly (RateResponse & { readonly fx_percentage: string })[]
}

export type GatewayRatesResponse = {
  readonly payment_method: string
  readonly label: string
  readonly country: string | null
  readonly rates: readonly RateResponse[]
}

/** `GET fees?account_id`: the rates of the named account, else of the default account. */
export type FeesResponse = {
  readonly account_id: string
  readonly tiers: readonly FeeTierResponse[]
  /** The gateway's rates for each payment method that the account has a name for. */
  readonly gateway: readonly GatewayRatesResponse[]
  readonly read_at: string
}

/** `GET fees/prediction`: the payer pays `payer_amount`, the merchant gets `payee_amount`. */
export type FeePredictionResponse = { readonly quote: Quote }

export type RegionResponse = {
  readonly id: string
  readonly name: string
  readonly currency_code: string
  /** ISO two letters, lower case. */
  readonly countries: readonly string[]
  /** Our providers; cards on the shop's own page are listed only if the merchant has added them. */
  readonly providers: readonly {
    readonly provider_id: string
    readonly flow: ProviderFlow
    readonly is_enabled: boolean
  }[]
  /** The account that takes the region's currency; null if none does. */
  readonly account_id: string | null
}

/** `GET regions` */
export type RegionsResponse = { readonly regions: readonly RegionResponse[] }

/**
 * `POST regions/:id/enable`, body `{ provider_ids? }`. Without ids it enables the providers that
 * put no card fields on the shop's page.
 */
export type RegionEnabledResponse = { readonly region: RegionResponse }

/** `POST regions/:id/disable`: the region without this plugin's providers. */
export type RegionDisabledResponse = { readonly region: RegionResponse }
