/**
 * Which changes of an account need two admins. The table holds for every account while any account
 * has a second-admin rule: otherwise one admin could add a second account without the rule. The
 * strictest amounts of a merchant's client are in `ledger/accounts/merchant-client`.
 *
 * `SECURITY.md` is made from the table, so each row says why it is as it is.
 */
import type { AccountChanges } from "../../core/account"
import { isLoosened, type AccountPolicies } from "../../core/account-policies"
import type { SettingsResponse } from "./account-responses"

/** When a change needs two admins, in the words of `SECURITY.md`. */
export const ASKED = {
  always: "always",
  if_looser: "if it allows more than before",
  if_currency: "if a currency is gained or lost",
  if_live: "if the account takes a currency or may send money",
  never: "never",
} as const

type PolicyName = keyof AccountPolicies
type SettingName = keyof SettingsResponse | "is_default" | "client_id" | "client_secret"
type Deed = "add an account" | "remove an account" | "drop a former credential"
export type ChangeName = Deed | SettingName | `policies.${PolicyName}`

type Row = { readonly asks: keyof typeof ASKED; readonly why: string }

const NO_MONEY_MOVES = "no money goes anywhere else"

/** Complete by its type: a new setting does not compile until it has a row. */
export const TWO_PEOPLE: { readonly [Name in ChangeName]: Row } = {
  "add an account": {
    asks: "if_live",
    why: "it would take the shop's money, or send money, beside the account that has the rule",
  },
  "remove an account": {
    asks: "always",
    why: "its currencies, rules and cap go with it, and it could be made anew without them",
  },
  "drop a former credential": {
    asks: "never",
    why: "no payment under way needs it, and its sums are counted all the same",
  },
  base_url: { asks: "always", why: "the shop's money would be taken by another gateway" },
  client_id: { asks: "always", why: "the shop's money would go to another merchant" },
  client_secret: { asks: "always", why: "it says which client of the gateway acts for the shop" },
  realtime_url: { asks: "always", why: "keys of the gateway are sent to it" },
  currencies: {
    asks: "if_currency",
    why: "a currency that is lost or gained is money that goes to another account",
  },
  wire_names: {
    asks: "always",
    why: "they say what shoppers dial, and which of the gateway's words mean that it is paid",
  },
  "policies.refund_second_admin_above": { asks: "if_looser", why: "it is the rule itself" },
  "policies.money_out_second_admin_above": { asks: "if_looser", why: "it is the rule itself" },
  "policies.money_out_daily_cap": { asks: "if_looser", why: "more could leave within a day" },
  "policies.money_out": { asks: "if_looser", why: "money could leave" },
  "policies.money_out_by_api_key": { asks: "if_looser", why: "money could leave without a login" },
  "policies.refund_orphans": { asks: "if_looser", why: "money would go back without an admin" },
  "policies.cancel_stray_orders": { asks: "never", why: "no money is on such an order" },
  "policies.disrupted_methods": { asks: "never", why: NO_MONEY_MOVES },
  "policies.cards_at_once": {
    asks: "if_looser",
    why: "one shopper's card could pay for another's purchase",
  },
  "policies.refund_currency": {
    asks: "if_looser",
    why: "parts would be refunded in a currency that the payer did not pay in",
  },
  "policies.place_late_money": {
    asks: "never",
    why: "it puts money only where its payer meant it to go",
  },
  fee_bearer: { asks: "never", why: "the fees are the gateway's in either case" },
  label: { asks: "never", why: NO_MONEY_MOVES },
  source_kind: { asks: "never", why: NO_MONEY_MOVES },
  order_placement: { asks: "never", why: NO_MONEY_MOVES },
  push_window_minutes: { asks: "never", why: NO_MONEY_MOVES },
  hosted_window_minutes: { asks: "never", why: NO_MONEY_MOVES },
  checks_per_second_max: { asks: "never", why: NO_MONEY_MOVES },
  is_default: {
    asks: "never",
    why: "the default account takes no currency that it does not name",
  },
}

type Kept = {
  readonly currencies: readonly string[]
  readonly policies: AccountPolicies
}

/** The part of a new account that two admins must agree on; empty if no money can move with it. */
export function guardedOfNew(changes: AccountChanges, account: Kept): AccountChanges {
  const isLive = account.currencies.length > 0 || account.policies.money_out
  return isLive ? only(changes, (name) => rowOf(name)?.asks !== "never") : {}
}

/** The part of a change that two admins must agree on. */
export function guardedOf(changes: AccountChanges, before: Kept, after: Kept): AccountChanges {
  return only(changes, (name) => {
    switch (rowOf(name)?.asks) {
      case "never":
        return false
      case "if_looser":
        return isLooser(name, before.policies, after.policies)
      case "if_currency":
        return !hasSame(before.currencies, after.currencies)
      // `always`, and a field without a row: one admin alone may not change it.
      default:
        return true
    }
  })
}

export const GUARDED_REMOVAL: AccountChanges = { account: { from: null, to: "removed" } }

function rowOf(name: string): Row | undefined {
  return (Object.hasOwn(TWO_PEOPLE, name) && TWO_PEOPLE[name as ChangeName]) || undefined
}

function only(changes: AccountChanges, isGuarded: (name: string) => boolean): AccountChanges {
  return Object.fromEntries(Object.entries(changes).filter(([name]) => isGuarded(name)))
}

const POLICY = "policies."

function isLooser(name: string, before: AccountPolicies, after: AccountPolicies): boolean {
  const policy = name.slice(POLICY.length)
  return isPolicy(policy, after) && isLoosened(policy, before, after)
}

const isPolicy = (name: string, policies: AccountPolicies): name is PolicyName =>
  Object.hasOwn(policies, name)

const hasSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((code) => other.includes(code))
