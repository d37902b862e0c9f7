import { parseCurrency, type CurrencyCode } from "../core/money"
import type { FeeBearer, OrderPlacement, SourceType } from "../core/operation"
import type { Database, Row } from "./database"

/** What the account may do by itself, or says about the gateway where the contract does not. */
export type AccountPolicies = {
  /** Money that belongs to no order goes back without a person (`isOrphan`). Default false. */
  readonly refundOrphans: boolean
  /** The currency that a refund's amount is in; null: not known, so only all of it where two may be meant. */
  readonly refundCurrency: "SOURCE" | null
  /**
   * Refunds above it need a second admin: major units by currency, `*` for those that are not named.
   * Null: none does.
   */
  readonly refundSecondAdminAbove: Readonly<Record<string, number>> | null
}

export const NO_POLICIES: AccountPolicies = {
  refundOrphans: false,
  refundCurrency: null,
  refundSecondAdminAbove: null,
}

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
  readonly isDefault: boolean
}

export const ACCOUNT_COLUMNS = `id, label, base_url, source_kind, fee_bearer, order_placement, currencies, wire_names,
  push_window_minutes, hosted_window_minutes, policies, is_default`

const LIST = `select ${ACCOUNT_COLUMNS} from mp_account where deleted_at is null order by is_default desc, id`

/** Removed ones, too: what an account forbids holds for its money as long as there is any. */
const POLICIES = `select policies from mp_account where id = $1`

const UPSERT = `
  insert into mp_account (${ACCOUNT_COLUMNS})
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
  on conflict (id) do update set
    label = excluded.label, base_url = excluded.base_url, source_kind = excluded.source_kind,
    fee_bearer = excluded.fee_bearer, order_placement = excluded.order_placement,
    currencies = excluded.currencies, wire_names = excluded.wire_names,
    push_window_minutes = excluded.push_window_minutes,
    hosted_window_minutes = excluded.hosted_window_minutes,
    policies = excluded.policies, is_default = excluded.is_default, updated_at = now(), deleted_at = null`

/** The default first. */
export async function listAccounts(database: Database): Promise<Account[]> {
  const rows = await database.query(LIST, [])
  return rows.map(accountFrom)
}

/** As they are now, of an account that may have been removed. */
export async function findPolicies(database: Database, id: string): Promise<AccountPolicies> {
  const [row] = await database.query(POLICIES, [id])
  return policiesFrom(row?.["policies"])
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
    JSON.stringify({
      refund_orphans: account.policies.refundOrphans,
      refund_currency: account.policies.refundCurrency,
      refund_second_admin_above: account.policies.refundSecondAdminAbove,
    }),
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
    policies: policiesFrom(row["policies"]),
    isDefault: row["is_default"] === true,
  }
}

function policiesFrom(value: unknown): AccountPolicies {
  if (typeof value !== "object" || value === null) return NO_POLICIES
  const { refund_orphans, refund_currency, refund_second_admin_above: above }: Row = { ...value }
  return {
    refundOrphans: refund_orphans === true,
    refundCurrency: refund_currency === "SOURCE" ? "SOURCE" : null,
    refundSecondAdminAbove: amountMapFrom(above),
  }
}

/** What is there and can't be read holds every refund back until somebody has looked at it. */
function amountMapFrom(value: unknown): AccountPolicies["refundSecondAdminAbove"] {
  if (value === undefined || value === null) return null
  return isAmountMap(value) ? value : { "*": 0 }
}

function isAmountMap(value: unknown): value is Record<string, number> {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.values(value).every((entry) => typeof entry === "number" && entry >= 0)
  )
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
