import { answerPolicies, storedPolicies, type AccountPolicies } from "../../core/account-policies"
import { parseCurrency, type CurrencyCode } from "../../core/money"
import type { FeeBearer, OrderPlacement, SourceType } from "../../core/operation"
import type { Database, Row } from "../database"

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
  /** Live values for neutral names, where they differ: method, provider, label. */
  readonly wireNames: Readonly<Record<string, string>>
  readonly pushWindowMs: number
  readonly hostedWindowMs: number
  readonly policies: AccountPolicies
  /** Experimental: where the gateway's push transport is. Null: there is none. */
  readonly realtimeUrl: string | null
  readonly isDefault: boolean
}

export const ACCOUNT_COLUMNS = `
  id, label, base_url, source_kind, fee_bearer, order_placement, currencies, wire_names,
  push_window_minutes, hosted_window_minutes, policies, realtime_url, is_default`

const LIST = `
  select ${ACCOUNT_COLUMNS} from mp_account where deleted_at is null order by is_default desc, id`

/** Removed ones, too: what an account forbids holds for its money as long as there is any. */
const POLICIES = `select policies from mp_account where id = $1`

/** Changes of address and rules by the environment are events too; they need no second admin. */
const UPSERT = `
  with before as (
    select base_url, realtime_url, policies from mp_account where id = $1
  ), changes as (
    select jsonb_strip_nulls(jsonb_build_object(
             'base_url', case when base_url is distinct from $3
               then jsonb_build_object('from', base_url, 'to', $3::text) end,
             'realtime_url', case when realtime_url is distinct from $12
               then jsonb_build_object('from', realtime_url, 'to', $12::text) end,
             'policies', case when policies is distinct from $11::jsonb
               then jsonb_build_object('from', policies, 'to', $11::jsonb) end)) as changes
      from before
  ), noted as (
    insert into mp_account_event (id, account_id, name, done_by, changes)
    select 'mpaev_' || replace(gen_random_uuid()::text, '-', ''), $1, 'changed', 'environment',
           changes
      from changes where changes <> '{}'
  )
  insert into mp_account (${ACCOUNT_COLUMNS})
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
  on conflict (id) do update set
    label = excluded.label, base_url = excluded.base_url, source_kind = excluded.source_kind,
    fee_bearer = excluded.fee_bearer, order_placement = excluded.order_placement,
    currencies = excluded.currencies, wire_names = excluded.wire_names,
    push_window_minutes = excluded.push_window_minutes,
    hosted_window_minutes = excluded.hosted_window_minutes,
    policies = excluded.policies, realtime_url = excluded.realtime_url,
    is_default = excluded.is_default, updated_at = now(),
    deleted_at = null`

/** The default first. */
export async function listAccounts(database: Database): Promise<Account[]> {
  const rows = await database.query(LIST, [])
  return rows.map(accountFrom)
}

/** As they are now, of an account that may have been removed. */
export async function findPolicies(database: Database, id: string): Promise<AccountPolicies> {
  const [row] = await database.query(POLICIES, [id])
  return storedPolicies(row?.["policies"])
}

export async function saveAccount(database: Database, account: Account): Promise<void> {
  await database.query(UPSERT, accountValues(account))
}

/** In the order of the columns. */
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
    JSON.stringify(answerPolicies(account.policies)),
    account.realtimeUrl,
    account.isDefault,
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
  const currencies = Array.isArray(row["currencies"]) ? row["currencies"] : []
  return {
    id: String(row["id"]),
    label: String(row["label"]),
    baseUrl: String(row["base_url"]),
    sourceType: row["source_kind"] === "INVOICE" ? "INVOICE" : "ORDER",
    feeBearer:
      row["fee_bearer"] === "PAYER" || row["fee_bearer"] === "PAYEE" ? row["fee_bearer"] : null,
    orderPlacement: row["order_placement"] === "order_first" ? "order_first" : "pay_first",
    currencies: currencies.flatMap((code) => parseCurrency(code) ?? []),
    wireNames: isTextMap(row["wire_names"]) ? row["wire_names"] : {},
    pushWindowMs: Number(row["push_window_minutes"]) * 60_000,
    hostedWindowMs: Number(row["hosted_window_minutes"]) * 60_000,
    policies: storedPolicies(row["policies"]),
    realtimeUrl: typeof row["realtime_url"] === "string" ? row["realtime_url"] : null,
    isDefault: row["is_default"] === true,
  }
}

function isTextMap(value: unknown): value is Record<string, string> {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.values(value).every((entry) => typeof entry === "string")
  )
}

export function accountById(accounts: readonly Account[], id: string): Account | undefined {
  return accounts.find((account) => account.id === id)
}
