/** What the amounts of an account's policies hold back, and which changes loosen a policy. */
import {
  ACCOUNT_POLICIES,
  type AccountPolicies,
  type Amounts,
  type PolicyName,
} from "./account-settings"
import { compareDecimals, majorText, type Money } from "./money"

/** The former policies with the given changes. Policies that are not given stay. */
export function changedPolicies(
  before: AccountPolicies,
  change: Partial<AccountPolicies>,
): AccountPolicies {
  const said = Object.entries(change).filter(([, value]) => value !== undefined)
  return { ...before, ...Object.fromEntries(said) }
}

/** The amount set for the currency, in major units; undefined if none is set. */
export function amountFor(amounts: Amounts | null, currency: string): number | undefined {
  if (amounts === null) return undefined
  const named = Object.hasOwn(amounts, currency) ? amounts[currency] : undefined
  return named ?? (Object.hasOwn(amounts, "*") ? amounts["*"] : undefined)
}

export function isAbove(amounts: Amounts | null, money: Money): boolean {
  const most = amountFor(amounts, money.currency)
  if (most === undefined) return false
  // An unreadable limit holds everything back.
  return (compareDecimals(majorText(money), most) ?? 1) > 0
}

type AmountsPolicy = {
  [Name in keyof AccountPolicies]: AccountPolicies[Name] extends Amounts | null
    ? Amounts | null extends AccountPolicies[Name]
      ? Name
      : never
    : never
}[keyof AccountPolicies]

/**
 * The lowest amount that any account of a merchant's client sets for the currency: a second account
 * beside the one with the rule does not lift it.
 */
export function strictest(
  every: readonly AccountPolicies[],
  name: AmountsPolicy,
  currency: string,
): Amounts | null {
  const set = every.flatMap((policies) => amountFor(policies[name], currency) ?? [])
  return set.length === 0 ? null : { [currency]: Math.min(...set) }
}

/**
 * Whether an amount needs a second admin. If any account has such a rule, two people change
 * accounts (`accounts/rules/two-people`).
 */
export function hasSecondAdminRule(policies: AccountPolicies): boolean {
  const rules = [policies.refund_second_admin_above, policies.money_out_second_admin_above]
  // A rule without an amount limits nothing, so its removal loosens nothing.
  return rules.some((amounts) => Object.keys(amounts ?? {}).length > 0)
}

function isRaised(before: Amounts | null, after: Amounts | null): boolean {
  const most = (amounts: Amounts | null, currency: string) =>
    amountFor(amounts, currency) ?? Number.POSITIVE_INFINITY
  const currencies = ["*", ...Object.keys(before ?? {}), ...Object.keys(after ?? {})]
  return currencies.some((currency) => most(after, currency) > most(before, currency))
}

/** Whether one policy allows more than it did, where that matters (`asks`). */
export function isLoosened(
  name: PolicyName,
  before: AccountPolicies,
  after: AccountPolicies,
): boolean {
  const { asks, holds } = ACCOUNT_POLICIES[name]
  if (asks !== "if_looser") return false
  const [was, is] = [before[name], after[name]]
  return holds === "amounts"
    ? isRaised(was as Amounts | null, is as Amounts | null)
    : // A flag that is turned on, or a choice that is made.
      !was && Boolean(is)
}

/** Not an API key's id: with a key beside the login, one admin would be two. */
export function isPerson(adminId: string): boolean {
  return !adminId.startsWith("apk_")
}
