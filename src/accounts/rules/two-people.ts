/**
 * Which changes of an account need two admins. The table holds for every account while any account
 * has a second-admin rule: otherwise one admin could add a second account without the rule. The
 * strictest amounts of a merchant's client are in `ledger/accounts/merchant-client`.
 *
 * `SECURITY.md` is made from the table, so each row says why it is as it is.
 */
import type { AccountChanges } from "../../core/schemas/stored-account"
import { isLoosened } from "../../core/account-policies"
import {
  ACCOUNT_POLICIES,
  ACCOUNT_SETTINGS,
  type AccountPolicies,
  type PolicyName,
  type SettingName,
} from "../../core/account-settings"

/** When a change needs two admins, in the words of `SECURITY.md`. */
export const ASKED = {
  always: "always",
  if_looser: "if it allows more than before",
  if_currency: "if a currency is gained or lost",
  if_live: "if the account takes a currency or may send money",
  never: "never",
} as const

type SettingsOfUse = "is_default" | "client_id" | "client_secret"
type Deed = "add an account" | "remove an account" | "drop a former credential"
export type ChangeName = Deed | SettingsOfUse | SettingName | `policies.${PolicyName}`

type Row = { readonly asks: keyof typeof ASKED; readonly why: string }

const POLICY = "policies."
const rules = (table: Readonly<Record<string, Row>>, under = "") =>
  Object.entries(table).map(([name, { asks, why }]) => [`${under}${name}`, { asks, why }])

/** Complete: each setting says its rule where it is defined. */
export const TWO_PEOPLE = {
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
  client_id: { asks: "always", why: "the shop's money would go to another merchant" },
  client_secret: { asks: "always", why: "it says which client of the gateway acts for the shop" },
  is_default: {
    asks: "never",
    why: "the default account takes no currency that it does not name",
  },
  ...Object.fromEntries(rules(ACCOUNT_SETTINGS)),
  ...Object.fromEntries(rules(ACCOUNT_POLICIES, POLICY)),
} as { readonly [Name in ChangeName]: Row }

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

function isLooser(name: string, before: AccountPolicies, after: AccountPolicies): boolean {
  const policy = name.slice(POLICY.length)
  return isPolicy(policy, after) && isLoosened(policy, before, after)
}

const isPolicy = (name: string, policies: AccountPolicies): name is PolicyName =>
  Object.hasOwn(policies, name)

const hasSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((code) => other.includes(code))
