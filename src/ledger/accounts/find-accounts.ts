import type { Account } from "../../core/account"
import { NO_POLICIES, storedPolicies } from "../../core/account-policies"
import { type AccountId, idFrom } from "../../core/ids"
import { LIMITS } from "../../core/limits"
import { parseCurrency, type CurrencyCode } from "../../core/money"
import type { Database, Row } from "../database"

export type { Account }

export const ACCOUNT_COLUMNS = `
  id, label, base_url, source_kind, fee_bearer, order_placement, currencies, wire_names,
  push_window_minutes, hosted_window_minutes, policies, realtime_url, is_default,
  checks_per_second_max`

const LIST = `
  select ${ACCOUNT_COLUMNS} from mp_account where deleted_at is null order by is_default desc, id`

/**
 * The environment's changes of addresses and policies are events too, without a second admin. A
 * policy that another version of the plugin knows stays, and a missing one counts as its default
 * (`$15`): while two versions boot in turn, what one of them does not know is no change.
 */
const UPSERT = `
  with before as (
    select base_url, realtime_url, policies from mp_account where id = $1
  ), changes as (
    select jsonb_strip_nulls(jsonb_build_object(
             'base_url', case when base_url is distinct from $3
               then jsonb_build_object('from', base_url, 'to', $3::text) end,
             'realtime_url', case when realtime_url is distinct from $12
               then jsonb_build_object('from', realtime_url, 'to', $12::text) end,
             'policies', case
               when $15::jsonb || policies is distinct from $15::jsonb || policies || $11::jsonb
               then jsonb_build_object('from', policies, 'to', $11::jsonb) end)) as changes
      from before
  ), noted as (
    insert into mp_account_event (id, account_id, name, done_by, changes)
    select 'mpaev_' || replace(gen_random_uuid()::text, '-', ''), $1, 'changed', 'environment',
           changes
      from changes where changes <> '{}'
  )
  insert into mp_account (${ACCOUNT_COLUMNS})
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
  on conflict (id) do update set
    label = excluded.label, base_url = excluded.base_url, source_kind = excluded.source_kind,
    fee_bearer = excluded.fee_bearer, order_placement = excluded.order_placement,
    currencies = excluded.currencies, wire_names = excluded.wire_names,
    push_window_minutes = excluded.push_window_minutes,
    hosted_window_minutes = excluded.hosted_window_minutes,
    policies = mp_account.policies || excluded.policies, realtime_url = excluded.realtime_url,
    checks_per_second_max = excluded.checks_per_second_max,
    is_default = excluded.is_default, updated_at = now(),
    deleted_at = null`

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
  return [
    account.id,
    account.label,
    account.baseUrl,
    account.sourceType,
    account.feeBearer,
    account.orderPlacement,
    [...account.currencies],
    JSON.stringify(account.wireNames),
    Math.round(account.pushWindowMs / 60_000),
    Math.round(account.hostedWindowMs / 60_000),
    JSON.stringify(account.policies),
    account.realtimeUrl,
    account.isDefault,
    account.checksPerSecondMax ?? LIMITS.checksPerSecondMax,
  ]
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
    id: idFrom(String(row["id"])),
    label: String(row["label"]),
    baseUrl: String(row["base_url"]),
    // Constraints allow only known words in these three columns.
    sourceType: row["source_kind"] as Account["sourceType"],
    feeBearer: row["fee_bearer"] as Account["feeBearer"],
    orderPlacement: row["order_placement"] as Account["orderPlacement"],
    currencies: (row["currencies"] as readonly string[]).flatMap(
      (code) => parseCurrency(code) ?? [],
    ),
    wireNames: row["wire_names"] as Account["wireNames"],
    pushWindowMs: Number(row["push_window_minutes"]) * 60_000,
    hostedWindowMs: Number(row["hosted_window_minutes"]) * 60_000,
    policies: storedPolicies(row["policies"]),
    realtimeUrl: typeof row["realtime_url"] === "string" ? row["realtime_url"] : null,
    isDefault: row["is_default"] === true,
    checksPerSecondMax: Number(row["checks_per_second_max"]),
  }
}

export function accountById(accounts: readonly Account[], id: AccountId): Account | undefined {
  return accounts.find((account) => account.id === id)
}
