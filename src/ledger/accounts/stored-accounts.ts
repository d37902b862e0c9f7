/**
 * Accounts with the credential that each uses now. An account, its currencies and its credential
 * change in one statement, so that no worker ever sees half of a change.
 */
import { randomUUID } from "node:crypto"
import { SETTING_NAMES } from "../../core/account-settings"
import { idFrom, type AccountId } from "../../core/ids"
import type { Sealed } from "../../core/secret-box"
import { momentIn, type Database, type Row } from "../database"
import { accountEventInsert, agreedValues, type AgreedEvent } from "./account-events"
import { requestOfChange, type People } from "../requests"
import { keyOf } from "./credentials"
import {
  ACCOUNT_COLUMNS,
  accountFrom,
  accountValues,
  COLUMN_LIST,
  valueOf,
  type Account,
} from "./find-accounts"
import { CREDENTIAL_COLUMNS, keptCredentialFrom, type KeptCredential } from "./kept-secrets"

export type StoredAccount = {
  readonly account: Account
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
  /** The credential in use; null where no admin typed one in, and for the environment's account. */
  readonly credential: KeptCredential | null
}

/** A client's credential that an admin typed in, with its secret encrypted. */
export type NewCredential = { readonly clientId: string; readonly sealed: Sealed }

const OWN = ACCOUNT_COLUMNS.map((column) => `a.${column}`).join(", ")
const SELECT = `
  select ${OWN}, a.version, a.created_at, a.updated_at, ${CREDENTIAL_COLUMNS}
    from mp_account a left join mp_credential c on c.id = a.credential_id and c.deleted_at is null
   where a.deleted_at is null`
const LIST = `${SELECT} order by a.is_default desc, a.id`
const FIND = `${SELECT} and a.id = $1`

/** All accounts that are not removed, the default account first. */
export async function listStoredAccounts(database: Database): Promise<StoredAccount[]> {
  return (await database.query(LIST, [], "stored_accounts")).map(storedFrom)
}

export async function findStoredAccount(
  database: Database,
  id: AccountId,
): Promise<StoredAccount | undefined> {
  const [row] = await database.query(FIND, [id])
  return row && storedFrom(row)
}

/**
 * Parameters: the account's values (`is_default`: it becomes the default), five of the credential,
 * then the event's and the two of `requestOfChange`. The former default is released first, because
 * one_default_account is checked row by row. Of two admins at once the second breaks that
 * constraint, and nothing of the second change is written.
 */
const VALUES = ACCOUNT_COLUMNS.length
const [ID, CLIENT_ID, FINGERPRINT, CIPHERTEXT, KEY_ID] = [1, 2, 3, 4, 5].map(
  (place) => `$${VALUES + place}::text`,
)
const AFTER_CREDENTIAL = VALUES + 6
const EVENT_VALUES = 5
const BECOMES_DEFAULT = `${valueOf("is_default")}::boolean`
const CURRENCIES = `${valueOf("currencies")}::text[]`
const IS_DEFAULT = `${BECOMES_DEFAULT} and (select count(*) from released) >= 0`
const INSERTED = ACCOUNT_COLUMNS.map((column) =>
  column === "is_default" ? IS_DEFAULT : valueOf(column),
).join(", ")
const CREDENTIAL = `
    insert into mp_credential
      (id, account_id, client_id, base_url, fingerprint, secret_ciphertext, key_id, secret_saved_at)
    select ${ID}, written.id, ${CLIENT_ID}, ${valueOf("base_url")}::text, ${FINGERPRINT},
           ${CIPHERTEXT}, ${KEY_ID}, now()
      from written where ${ID} is not null
    on conflict (id) do update
      set secret_ciphertext = excluded.secret_ciphertext, key_id = excluded.key_id,
          secret_saved_at = excluded.secret_saved_at, base_url = excluded.base_url,
          status = 'active', deleted_at = null, updated_at = now()`

const insertOf = ({ found, holds, used }: ReturnType<typeof requestOfChange>) => `
  with ${found}, released as (
    update mp_account set is_default = false, updated_at = now()
     where ${BECOMES_DEFAULT} and is_default and ${holds}
    returning id
  ), written as (
    insert into mp_account (${COLUMN_LIST}, credential_id)
    select ${INSERTED}, ${ID} where ${holds}
    returning id
  ), currencies as (
    insert into mp_account_currency (currency_code, account_id)
    select currency, written.id from written, unnest(${CURRENCIES}) currency
  ), credential as (${CREDENTIAL}
  ), ${used("written")}, noted as (${accountEventInsert("id", AFTER_CREDENTIAL)} from written)
  select id from written`

/**
 * @returns false where the request that it carries out can't be used any more
 * @throws for a currency that another account takes: a broken `one_account_per_currency`
 */
export async function insertAccount(
  database: Database,
  people: People,
  account: Account,
  change: { readonly credential: NewCredential | null; readonly event: AgreedEvent },
): Promise<boolean> {
  const rows = await database.query(
    insertOf(requestOfChange(people, AFTER_CREDENTIAL + EVENT_VALUES)),
    [
      ...accountValues(account),
      ...credentialValues(account, change.credential),
      ...agreedValues(change.event),
    ],
  )
  return rows.length > 0
}

/**
 * The account is locked in the version that was checked, before another account loses the default.
 * Its former credentials drain until an admin drops them.
 */
const updateOf = ({ found, holds, used }: ReturnType<typeof requestOfChange>) => `
  with ${found}, chosen as (
    select id from mp_account
     where id = $1 and version = $${AFTER_CREDENTIAL} and deleted_at is null and ${holds} for update
  ), released as (
    update mp_account set is_default = false, updated_at = now()
     where ${BECOMES_DEFAULT} and is_default and id <> $1 and exists (select from chosen)
    returning id
  ), written as (
    update mp_account a
       set ${SETTING_NAMES.map((name) => `${name} = ${valueOf(name)}`).join(", ")},
           policies = a.policies || ${valueOf("policies")}::jsonb,
           is_default = a.is_default or (${IS_DEFAULT}),
           credential_id = coalesce(${ID}, a.credential_id),
           version = a.version + 1, updated_at = now()
      from chosen
     where a.id = chosen.id
    returning a.id, a.credential_id
  ), dropped as (
    delete from mp_account_currency c using written
     where c.account_id = written.id and c.currency_code <> all (${CURRENCIES})
  ), taken as (
    insert into mp_account_currency (currency_code, account_id)
    select currency, written.id from written, unnest(${CURRENCIES}) currency
     where not exists (select from mp_account_currency c
                        where c.account_id = written.id and c.currency_code = currency)
  ), credential as (${CREDENTIAL}
  ), drained as (
    update mp_credential c set status = 'draining', updated_at = now()
      from written
     where c.account_id = written.id and c.id <> ${ID} and c.status = 'active'
  ), ${used("written")}, noted as (${accountEventInsert("id", AFTER_CREDENTIAL + 1)} from written)
  select id from written`

/**
 * @param account `isDefault` true makes it the default; false leaves that as it is
 * @param change `version`: the version of the account that was checked
 * @returns false when the account was changed since, or is gone, or the request can't be used any more
 * @throws as `insertAccount`
 */
export async function updateAccount(
  database: Database,
  people: People,
  account: Account,
  change: {
    readonly version: number
    readonly credential: NewCredential | null
    readonly event: AgreedEvent
  },
): Promise<boolean> {
  const rows = await database.query(
    updateOf(requestOfChange(people, AFTER_CREDENTIAL + 1 + EVENT_VALUES)),
    [
      ...accountValues(account),
      ...credentialValues(account, change.credential),
      change.version,
      ...agreedValues(change.event),
    ],
  )
  return rows.length > 0
}

export function newAccountId(): AccountId {
  return idFrom(`mpacc_${randomUUID().replaceAll("-", "")}`)
}

const NO_OTHER_DEFAULT = `
  update mp_account set is_default = false, updated_at = now() where is_default and id <> $1`

/** Makes room for the environment's account, which is the default as long as it is set. */
export async function releaseDefault(database: Database, id: AccountId): Promise<void> {
  await database.query(NO_OTHER_DEFAULT, [id])
}

/** An account with live payments stays: their money may still move, or is not recorded yet. */
const deleteOf = ({ found, holds, used }: ReturnType<typeof requestOfChange>) => `
  with ${found}, written as (
    update mp_account a set deleted_at = now(), is_default = false, version = version + 1,
           updated_at = now()
     where a.id = $1 and a.version = $2 and a.deleted_at is null and ${holds}
       and not exists (
         select from mp_operation o
          where o.account_id = $1
            and (o.state in ('drafted', 'submitted', 'in_flight', 'review')
              or (o.state = 'completed' and o.type = 'COLLECTION' and o.recorded_at is null
                  and o.returned_at is null)))
    returning a.id
  ), released as (
    delete from mp_account_currency c using written where c.account_id = written.id
  ), drained as (
    update mp_credential c set status = 'draining', updated_at = now()
      from written where c.account_id = written.id
  ), ${used("written")}, noted as (${accountEventInsert("id", 3)} from written)
  select id from written`

/**
 * @param removal `version`: the version of the account that was read
 * @returns false while payments of the account are live, or when it was changed since, or the request can't be
 *   used any more
 */
export async function deleteAccount(
  database: Database,
  people: People,
  id: AccountId,
  removal: { readonly version: number; readonly event: AgreedEvent },
): Promise<boolean> {
  const values = [id, removal.version, ...agreedValues(removal.event)]
  return (await database.query(deleteOf(requestOfChange(people, 8)), values)).length > 0
}

function credentialValues(account: Account, credential: NewCredential | null): unknown[] {
  if (!credential) return [null, null, null, null, null]
  const { clientId, sealed } = credential
  const key = keyOf({ accountId: account.id, baseUrl: account.baseUrl, clientId })
  return [key.id, clientId, key.fingerprint, sealed.ciphertext, sealed.keyId]
}

function storedFrom(row: Row): StoredAccount {
  return {
    account: accountFrom(row),
    version: Number(row["version"]),
    createdAt: momentIn(row["created_at"]),
    updatedAt: momentIn(row["updated_at"]),
    credential: typeof row["credential_id"] === "string" ? keptCredentialFrom(row) : null,
  }
}
