/**
 * Every setting of an account, once. Its type, its column, its shape in a request or an option, its
 * default, its field in the admin's form and the rule of two admins follow from its row here; the
 * admin's words for it stand in `admin/i18n`. A policy is kept with the others in one JSON column,
 * so that it needs no column of its own.
 */
import { LIMITS } from "./limits"
import { DAY, MINUTE } from "./limits/time"
import { parseCurrency, type CurrencyCode } from "./money"

/** Major units by currency; `*` for currencies that are not named. */
export type Amounts = Readonly<Record<string, number>>

/** Where the form draws it. */
export const SETTING_GROUPS = [
  "connection",
  "payments",
  "orders",
  "policies",
  "moneyOut",
  "wire",
] as const

export type SettingGroup = (typeof SETTING_GROUPS)[number]

type Rule = {
  readonly in: SettingGroup
  /** When a change of it needs two admins, in the words of `accounts/rules/two-people`. */
  readonly asks: "always" | "if_looser" | "if_currency" | "never"
  /** Why, for `SECURITY.md`. */
  readonly why: string
}

/** By what it holds, a setting is checked, stored and drawn. Null: there is none. */
export type Setting = Rule &
  (
    | { readonly holds: "flag"; readonly default: boolean }
    | {
        readonly holds: "choice"
        readonly of: readonly (string | null)[]
        readonly default: string | null
      }
    | { readonly holds: "number"; readonly max: number; readonly default: number }
    | { readonly holds: "amounts"; readonly default: Amounts | null }
    | { readonly holds: "text"; readonly default: string }
    | { readonly holds: "address"; readonly default: string | null }
    | { readonly holds: "currencies"; readonly default: readonly string[] }
    | { readonly holds: "names"; readonly default: Readonly<Record<string, string>> }
  )

const NO_MONEY_MOVES = { asks: "never", why: "no money goes anywhere else" } as const

const choice = <const Of extends readonly (string | null)[]>(of: Of, rule: Rule) => ({
  holds: "choice" as const,
  of,
  // The first is the default.
  default: of[0] as Of[number],
  ...rule,
})
const minutes = (ms: number) =>
  ({
    holds: "number",
    max: DAY / MINUTE,
    default: ms / MINUTE,
    in: "orders",
    ...NO_MONEY_MOVES,
  }) as const
const flag = (rule: Rule & { readonly default?: boolean }) => ({
  holds: "flag" as const,
  default: false as boolean,
  ...rule,
})
const amounts = (rule: Rule) => ({ holds: "amounts" as const, default: null, ...rule })

/** Each has a column of its name. The defaults are those of a new account. */
export const ACCOUNT_SETTINGS = {
  label: { holds: "text", default: "", in: "connection", ...NO_MONEY_MOVES },
  base_url: {
    holds: "text",
    default: "",
    in: "connection",
    asks: "always",
    why: "the shop's money would be taken by another gateway",
  },
  /** None, so that a new account takes no currency from another one unasked. */
  currencies: {
    holds: "currencies",
    default: [],
    in: "payments",
    asks: "if_currency",
    why: "a currency that is lost or gained is money that goes to another account",
  },
  /** Who pays the fees. Null: the gateway's default, which `checkouts/create` can't change. */
  fee_bearer: choice([null, "PAYER", "PAYEE"], {
    in: "payments",
    asks: "never",
    why: "the fees are the gateway's in either case",
  }),
  order_placement: choice(["pay_first", "order_first"], { in: "orders", ...NO_MONEY_MOVES }),
  source_kind: choice(["ORDER", "INVOICE"], { in: "orders", ...NO_MONEY_MOVES }),
  push_window_minutes: minutes(LIMITS.pushWindowMs),
  hosted_window_minutes: minutes(LIMITS.hostedWindowMs),
  /** The most questions a second that the gateway is asked. */
  checks_per_second_max: {
    holds: "number",
    max: 1_000,
    default: LIMITS.checksPerSecondMax,
    in: "orders",
    ...NO_MONEY_MOVES,
  },
  /** The gateway's live names where they differ from ours: method, provider, label, menu code. */
  wire_names: {
    holds: "names",
    default: {},
    in: "wire",
    asks: "always",
    why: "they say what shoppers dial, and which of the gateway's words mean that it is paid",
  },
  /** Experimental: the address of the gateway's push transport. */
  realtime_url: {
    holds: "address",
    default: null,
    in: "wire",
    asks: "always",
    why: "keys of the gateway are sent to it",
  },
} as const satisfies Readonly<Record<string, Setting>>

/**
 * What an account may do on its own or on one admin's word. Policies that move money back or out are
 * off by default: what an account does not allow is forbidden.
 */
export const ACCOUNT_POLICIES = {
  /** Money that comes after a payment's end goes onto its cart or order, if that is unchanged and
   * unpaid. */
  place_late_money: flag({
    default: true,
    in: "policies",
    asks: "never",
    why: "it puts money only where its payer meant it to go",
  }),
  /** Money that belongs to no order is refunded without an admin (`isOrphan`). */
  refund_orphans: flag({
    in: "policies",
    asks: "if_looser",
    why: "money would go back without an admin",
  }),
  /** A second order that a completion left, and that nobody pays, is cancelled without an admin. */
  cancel_stray_orders: flag({
    in: "policies",
    asks: "never",
    why: "no money is on such an order",
  }),
  /**
   * What shoppers see of mobile money that fails most of its payments now: `warn` offers it with
   * its `status`, `hide` leaves it out but for a few who try it. Neither refuses a payment.
   */
  disrupted_methods: choice(["warn", "hide"], { in: "policies", ...NO_MONEY_MOVES }),
  /**
   * The gateway binds a card's token to its payment, so that card starts of the client need not wait
   * for one another. Counts only if each account of the client says so.
   */
  cards_at_once: flag({
    in: "policies",
    asks: "if_looser",
    why: "one shopper's card could pay for another's purchase",
  }),
  /**
   * The currency in which the gateway reads a refund's amount. Null: not known, so between two
   * currencies only a full refund goes.
   */
  refund_currency: choice([null, "SOURCE"], {
    in: "policies",
    asks: "if_looser",
    why: "parts would be refunded in a currency that the payer did not pay in",
  }),
  /** Refunds of one payment within a day above this need a second admin. Null: never. */
  refund_second_admin_above: amounts({
    in: "policies",
    asks: "if_looser",
    why: "it is the rule itself",
  }),
  /** Payouts and transfers are allowed. */
  money_out: flag({ in: "moneyOut", asks: "if_looser", why: "money could leave" }),
  /** The most that may leave the client within a day, payouts and transfers. Null: no limit. */
  money_out_daily_cap: amounts({
    in: "moneyOut",
    asks: "if_looser",
    why: "more could leave within a day",
  }),
  /** Money that leaves the client within a day above this needs a second admin. Null: never. */
  money_out_second_admin_above: amounts({
    in: "moneyOut",
    asks: "if_looser",
    why: "it is the rule itself",
  }),
  /** A secret API key may ask for payouts and transfers. */
  money_out_by_api_key: flag({
    in: "moneyOut",
    asks: "if_looser",
    why: "money could leave without a login",
  }),
} as const satisfies Readonly<Record<string, Setting>>

type Table = Readonly<Record<string, Setting>>
/** The value of a setting: one of its choices, or what it holds. */
type ValueOf<Row extends Setting> = Row extends { readonly of: readonly (infer One)[] }
  ? One
  : Extract<Setting, { readonly holds: Row["holds"] }>["default"]

export type SettingName = keyof typeof ACCOUNT_SETTINGS
export type PolicyName = keyof typeof ACCOUNT_POLICIES

/** An account's settings as routes take and return them. */
export type SettingsBody = {
  readonly [Name in SettingName]: ValueOf<(typeof ACCOUNT_SETTINGS)[Name]>
}

/** An account's policies, as routes return them and the database stores them. */
export type AccountPolicies = {
  readonly [Name in PolicyName]: ValueOf<(typeof ACCOUNT_POLICIES)[Name]>
}

type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name

/** An account's settings as our code names them. */
export type SettingsFields = {
  readonly [Name in SettingName as Camel<Name>]: Name extends "currencies"
    ? readonly CurrencyCode[]
    : SettingsBody[Name]
}

export const SETTING_NAMES = Object.keys(ACCOUNT_SETTINGS) as readonly SettingName[]
export const POLICY_NAMES = Object.keys(ACCOUNT_POLICIES) as readonly PolicyName[]

/** The name of a setting in our code. */
const fieldOf = (name: SettingName) =>
  name.replace(/_(.)/g, (_all, letter: string) => letter.toUpperCase()) as keyof SettingsFields

/** The settings by their names in requests and columns. */
export function bodyOfSettings(settings: SettingsFields): SettingsBody {
  const body = SETTING_NAMES.map((name) => [name, settings[fieldOf(name)]])
  return Object.fromEntries(body) as SettingsBody
}

/** The former settings with those that are given; what is no currency is left out. */
export function withSettings(
  before: SettingsFields,
  given: { readonly [Name in SettingName]?: SettingsBody[Name] | undefined },
): SettingsFields {
  const codes = given.currencies?.flatMap((code) => parseCurrency(code) ?? [])
  const said = { ...given, currencies: codes }
  const fields = SETTING_NAMES.map((name) => {
    const value = said[name]
    return [fieldOf(name), value === undefined ? before[fieldOf(name)] : value]
  })
  return Object.fromEntries(fields) as SettingsFields
}

const defaultsOf = (table: Table) =>
  Object.fromEntries(Object.entries(table).map(([name, row]) => [name, row.default]))

/** The settings of a new account. */
export const NEW_SETTINGS: SettingsFields = withSettings(
  {} as SettingsFields,
  defaultsOf(ACCOUNT_SETTINGS),
)

export const NO_POLICIES = defaultsOf(ACCOUNT_POLICIES) as AccountPolicies
