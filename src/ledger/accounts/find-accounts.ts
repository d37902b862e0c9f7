import type { Account } from "../../core/account"
import {
  ACCOUNT_SETTINGS,
  bodyOfSettings,
  NEW_SETTINGS,
  NO_POLICIES,
  SETTING_NAMES,
  withSettings,
} from "../../core/account-settings"
import { type AccountId, idFrom } from "../../core/ids"
import type { CurrencyCode } from "../../core/money"
import { storedNames, storedPolicies } from "../../core/schemas/settings"
import type { Database, Row } from "../database"

export type { Account }

/** A setting has a column of its name, so a new one needs a migration, and nothing here. */
export const ACCOUNT_COLUMNS = ["id", ...SETTING_NAMES, "policies", "is_default"] as const

type Column = (typeof ACCOUNT_COLUMNS)[number]

export const COLUMN_LIST = ACCOUNT_COLUMNS.join(", ")

/** The parameter of a column's value, where {@link accountValues} come first. */
export const valueOf = (column: Column): string => `$${ACCOUNT_COLUMNS.indexOf(column) + 1}`

const LIST = `
  select ${COLUMN_LIST} from mp_account where deleted_at is null order by is_default desc, id`

const POLICIES = `${valueOf("policies")}::jsonb`
const DEFAULTS = `$${ACCOUNT_COLUMNS.length + 1}::jsonb`

/**
 * The environment's changes of addresses and policies are events too, without a second admin. A
 * policy that another version of the plugin knows stays, and a missing one counts as its default
 * (`NO_POLICIES`): while two versions boot in turn, what one of them does not know is no change.
 */
const UPSERT = `
  with before as (
    select base_url, realtime_url, policies from mp_account where id = $1
  ), changes as (
    select jsonb_strip_nulls(jsonb_build_object(
             'base_url', case when base_url is distinct from ${valueOf("base_url")}
               then jsonb_build_object('from', base_url, 'to', ${valueOf("base_url")}::text) end,
             'realtime_url', case when realtime_url is distinct from ${valueOf("realtime_url")}
               then jsonb_build_object(
                 'from', realtime_url, 'to', ${valueOf("realtime_url")}::text) end,
             'policies', case
               when ${DEFAULTS} || policies is distinct from ${DEFAULTS} || policies || ${POLICIES}
               then jsonb_build_object('from', policies, 'to', ${POLICIES}) end)) as changes
      from before
  ), noted as (
    insert into mp_account_event (id, account_id, name, done_by, changes)
    select 'mpaev_' || replace(gen_random_uuid()::text, '-', ''), $1, 'changed', 'environment',
           changes
      from changes where changes <> '{}'
  )
  insert into mp_account (${COLUMN_LIST})
  values (${ACCOUNT_COLUMNS.map(valueOf).join(", ")})
  on conflict (id) do update set
    ${SETTING_NAMES.map((name) => `${name} = excluded.${name}`).join(", ")},
    policies = mp_account.policies || excluded.policies,
    is_default = excluded.is_default, updated_at = now(), deleted_at = null`

/** All accounts that are not removed, the default account first. */
export async function listAccounts(database: Database): Promise<Account[]> {
  const rows = await database.query(LIST, [])
  return rows.map(accountFrom)
}

export async function saveAccount(database: Database, account: Account): Promise<void> {
  await database.query(UPSERT, [...accountValues(account), JSON.stringify(NO_POLICIES)])
}

/** The account's values in the order of {@link ACCOUNT_COLUMNS}. */
export function accountValues(account: Account): unknown[] {
  const settings = bodyOfSettings(account)
  const values = SETTING_NAMES.map((name) => {
    const value = settings[name]
    return ACCOUNT_SETTINGS[name].holds === "names" ? JSON.stringify(value) : value
  })
  return [account.id, ...values, JSON.stringify(account.policies), account.isDefault]
}

/** The account that serves a currency, else the default one. */
export function accountFor(
  accounts: readonly Account[],
  currency: CurrencyCode,
): Account | undefined {
  return (
    accounts.find((account) => account.currencies.includes(currency)) ??
    accounts.find((account) => account.isDefault)
  )
}

export function accountFrom(row: Row): Account {
  return {
    // Constraints allow only known words in the columns of choices.
    ...withSettings(NEW_SETTINGS, { ...row, wire_names: storedNames.parse(row["wire_names"]) }),
    id: idFrom(String(row["id"])),
    policies: storedPolicies.parse(row["policies"]),
    isDefault: row["is_default"] === true,
  }
}

export function accountById(accounts: readonly Account[], id: AccountId): Account | undefined {
  return accounts.find((account) => account.id === id)
}
