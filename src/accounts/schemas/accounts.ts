/** What the routes about accounts take and answer. No response has a place for a secret. */
import { z } from "zod"
import { ACCOUNT_EVENTS } from "../../core/account"
import { invalidAs } from "../../core/refusal"
import {
  count,
  currency,
  number,
  type Output,
  text,
  time,
  trimmedPrintable,
  writtenText,
} from "../../core/schemas/shapes"
import { accountChanges, requestedChange, requestResponse } from "../../payouts/schemas/requests"
import { policiesShown, settingShapes, settingsShown } from "../../core/schemas/settings"

/**
 * Payments can be taken while `ready`. `secret_unreadable`: it was encrypted with another key than
 * this server has. `key_missing`: this server has no key. `address_changed`: account, address or
 * client id differ from those that the secret was entered for.
 */
export const accountState = z.enum([
  "ready",
  "no_secret",
  "secret_unreadable",
  "key_missing",
  "address_changed",
])
export type AccountState = Output<typeof accountState>

/** A client of the merchant at the gateway, which the account uses or has used. */
export const credentialResponse = z.strictObject({
  id: text,
  client_id: text,
  /**
   * `active`: used for new payments. `draining`: kept for payments that were made with it, until it
   * is deleted.
   */
  status: z.enum(["active", "draining"]),
  has_secret: z.boolean(),
  secret_saved_at: time.nullable(),
  /** The merchant's id at the gateway; null until a source of this client has shown it. */
  owner_id: number.nullable(),
})
export type CredentialResponse = Output<typeof credentialResponse>

/** What the gateway calls an operator that the account has no name for yet. */
export const learnedNameResponse = z.strictObject({
  /** The gateway's name of the payment method. */
  payment_method: text,
  /** The operator's name, as the gateway says it to people. */
  carrier: text,
  /** The operators that it may be, by the name that shoppers read now; an admin chooses. */
  proposals: z.array(
    z.strictObject({
      operator: text,
      /** To be added to the account's `wire_names`. */
      wire_names: z.record(text, text),
    }),
  ),
})
export type LearnedNameResponse = Output<typeof learnedNameResponse>

export const accountResponse = z.strictObject({
  ...settingsShown.shape,
  id: text,
  /** `environment` makes the account read-only in the admin. */
  source: z.enum(["environment", "admin"]),
  client_id: text.nullable(),
  has_secret: z.boolean(),
  /** ISO 8601, UTC; null without a secret, or if it comes from the environment. */
  secret_saved_at: time.nullable(),
  state: accountState,
  /** What is wrong: why it is not `ready`, or that the gateway refuses its client. Else null. */
  state_code: text.nullable(),
  /** The code's sentence in English, with what to do. */
  state_message: text.nullable(),
  policies: policiesShown,
  is_default: z.boolean(),
  /**
   * Sent back with a change. If another admin has changed the account since, the answer is 409
   * `changed_meanwhile`.
   */
  version: count,
  created_at: time,
  updated_at: time,
  /**
   * For the environment's account: where each field comes from, a variable, an option or `default`.
   */
  sources: z.record(text, text).nullable(),
  /** Names that the gateway used in its predictions, and the account's `wire_names` do not have. */
  learned_names: z.array(learnedNameResponse),
  /** The account's credentials, newest first. Empty for the environment's account. */
  credentials: z.array(credentialResponse),
})
export type AccountResponse = Output<typeof accountResponse>

/** Whether secrets can be stored, and how to make a key where they can't. */
export const encryptionResponse = z.strictObject({
  has_key: z.boolean(),
  /** Identifies the key without revealing it. */
  key_id: text.nullable(),
  has_previous_key: z.boolean(),
  /** What is wrong; null if nothing is. */
  code: text.nullable(),
  /** The code's sentence in English, with how to make a key. */
  message: text.nullable(),
})
export type EncryptionResponse = Output<typeof encryptionResponse>

/** `DELETE account-changes/:id` */
export const changeRefusedResponse = z.strictObject({
  id: text,
  refused: z.literal(true),
})

/** `GET accounts/:id`, `POST accounts`, `POST accounts/:id` */
export const oneAccountResponse = z.strictObject({
  account: accountResponse,
})
export type OneAccountResponse = Output<typeof oneAccountResponse>

/**
 * A change of an account: made, waiting for a second admin (`change_asked`), or refused by one
 * (`change_refused`). `changes` holds the former and the new values; of a secret only that it was
 * entered.
 */
export const accountEventResponse = z.strictObject({
  id: text,
  name: z.enum(ACCOUNT_EVENTS),
  /** The id of an admin or API key, or `environment`. */
  by: text,
  /** The admin who asked for it, if two were needed. */
  asked_by: text.nullable(),
  changes: accountChanges,
  /** ISO 8601, UTC. */
  at: time,
})
export type AccountEventResponse = Output<typeof accountEventResponse>

/** `GET accounts/:id/events`, the newest first. */
export const accountEventsResponse = z.strictObject({
  events: z.array(accountEventResponse),
})
export type AccountEventsResponse = Output<typeof accountEventsResponse>

/** `DELETE accounts/:id` */
export const accountDeletedResponse = z.strictObject({
  id: text,
  deleted: z.literal(true),
})

const amounts = z
  .record(z.string().regex(/^([A-Z]{3}|\*)$/, invalidAs("amounts")), z.number().min(0).max(1e13))
  .refine((given) => Object.keys(given).length <= 20, invalidAs("too_many"))

const address = trimmedPrintable(500)
const names = z
  .record(z.string().regex(/^[A-Za-z0-9][\w.-]{0,99}$/, invalidAs("printable")), writtenText(200))
  .refine((given) => Object.keys(given).length <= 100, invalidAs("too_many"))

const fields = {
  ...settingShapes({
    amounts,
    text: writtenText(100),
    address,
    currencies: z.array(currency).max(20),
    names,
  }),
  base_url: address.optional(),
  client_id: trimmedPrintable(500).optional(),
  client_secret: trimmedPrintable(500).optional(),
  is_default: z.boolean().optional(),
}

/** Body of `POST accounts`; all but `label` and `base_url` may be left out. */
export const accountBody = z.strictObject(fields)
export type AccountBody = Output<typeof accountBody>

/** Body of `POST accounts/:id`: the changes, and the version that they were made on. */
export const accountChangeBody = z.strictObject({
  ...fields,
  version: z.int().min(1).max(2_147_483_647),
})

export type AccountChangeBody = Output<typeof accountChangeBody>

/** A change that waits, as `GET requests` has it. What `change` says stands beside it as well. */
const waitingChangeResponse = z.strictObject({
  ...requestResponse.shape,
  ...requestedChange.shape,
  change: requestedChange,
})

/** `GET accounts` */
export const accountsResponse = z.strictObject({
  accounts: z.array(accountResponse),
  encryption: encryptionResponse,
  /** Changes that wait for a second admin, newest first. */
  waiting: z.array(waitingChangeResponse),
  /** The shop's, `MERCHANT_PAYMENTS_TIME_ZONE`; null: it has set none. */
  time_zone: text.nullable(),
})
export type AccountsResponse = Output<typeof accountsResponse>
