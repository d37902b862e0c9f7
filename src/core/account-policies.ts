/**
 * What an account may do on its own or on one admin's word, and which changes loosen that. Policies
 * that move money back or out are off by default: what an account does not allow is forbidden.
 */
import { compareDecimals, majorText, type Money } from "./money"

/** Major units by currency; `*` for currencies that are not named. */
export type Amounts = Readonly<Record<string, number>>

/** An account's policies, as routes return them and the database stores them. */
export type AccountPolicies = {
  /**
   * Money that comes after a payment's end goes onto its cart or order, if that is unchanged and
   * unpaid. On by default.
   */
  readonly place_late_money: boolean
  /** Money that belongs to no order is refunded without an admin (`isOrphan`). */
  readonly refund_orphans: boolean
  /** A second order that a completion left, and that nobody pays, is cancelled without an admin. */
  readonly cancel_stray_orders: boolean
  /**
   * What shoppers see of mobile money that fails most of its payments now: `warn` offers it with
   * its `status`, `hide` leaves it out but for a few who try it. Neither refuses a payment.
   */
  readonly disrupted_methods: "warn" | "hide"
  /**
   * The gateway binds a card's token to its payment, so that card starts of the client need not wait
   * for one another. Counts only if each account of the client says so.
   */
  readonly cards_at_once: boolean
  /**
   * The currency in which the gateway reads a refund's amount. Null: not known, so between two
   * currencies only a full refund goes.
   */
  readonly refund_currency: "SOURCE" | null
  /** Refunds of one payment within a day above this need a second admin. Null: never. */
  readonly refund_second_admin_above: Amounts | null
  /** Payouts and transfers are allowed. */
  readonly money_out: boolean
  /** The most that may leave the client within a day, payouts and transfers. Null: no limit. */
  readonly money_out_daily_cap: Amounts | null
  /** Money that leaves the client within a day above this needs a second admin. Null: never. */
  readonly money_out_second_admin_above: Amounts | null
  /** A secret API key may ask for payouts and transfers. */
  readonly money_out_by_api_key: boolean
}

export const NO_POLICIES = storedPolicies({})

/** The former policies with the given changes. Policies that are not given stay. */
export function changedPolicies(
  before: AccountPolicies,
  change: Partial<AccountPolicies>,
): AccountPolicies {
  const said = Object.entries(change).filter(([, value]) => value !== undefined)
  return { ...before, ...Object.fromEntries(said) }
}

/**
 * Policies as the database stores them. An unreadable amount counts as zero: everything needs a
 * second admin or is held back.
 */
export function storedPolicies(value: unknown): AccountPolicies {
  const stored: Record<string, unknown> = typeof value === "object" ? { ...value } : {}
  return {
    place_late_money: stored["place_late_money"] !== false,
    refund_orphans: stored["refund_orphans"] === true,
    cancel_stray_orders: stored["cancel_stray_orders"] === true,
    disrupted_methods: stored["disrupted_methods"] === "hide" ? "hide" : "warn",
    cards_at_once: stored["cards_at_once"] === true,
    refund_currency: stored["refund_currency"] === "SOURCE" ? "SOURCE" : null,
    refund_second_admin_above: storedAmounts(stored["refund_second_admin_above"]),
    money_out: stored["money_out"] === true,
    money_out_daily_cap: storedAmounts(stored["money_out_daily_cap"]),
    money_out_second_admin_above: storedAmounts(stored["money_out_second_admin_above"]),
    money_out_by_api_key: stored["money_out_by_api_key"] === true,
  }
}

function storedAmounts(value: unknown): Amounts | null {
  if (value === undefined || value === null) return null
  return isAmounts(value) ? value : { "*": 0 }
}

function isAmounts(value: unknown): value is Amounts {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.values(value).every((entry) => typeof entry === "number" && entry >= 0)
  )
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

const isTurnedOn = (before: boolean, after: boolean) => after && !before

function isRaised(before: Amounts | null, after: Amounts | null): boolean {
  const most = (amounts: Amounts | null, currency: string) =>
    amountFor(amounts, currency) ?? Number.POSITIVE_INFINITY
  const currencies = ["*", ...Object.keys(before ?? {}), ...Object.keys(after ?? {})]
  return currencies.some((currency) => most(after, currency) > most(before, currency))
}

type Loosens<Value> = (before: Value, after: Value) => boolean

const LOOSENS: { readonly [Name in keyof AccountPolicies]: Loosens<AccountPolicies[Name]> } = {
  // This policy puts money nowhere but where its payer meant it to go.
  place_late_money: () => false,
  refund_orphans: isTurnedOn,
  // No money is on such an order, and Medusa keeps it as cancelled.
  cancel_stray_orders: () => false,
  // It is about what is offered; no money goes anywhere else.
  disrupted_methods: () => false,
  cards_at_once: isTurnedOn,
  refund_currency: (before, after) => before === null && after !== null,
  refund_second_admin_above: isRaised,
  money_out: isTurnedOn,
  money_out_daily_cap: isRaised,
  money_out_second_admin_above: isRaised,
  money_out_by_api_key: isTurnedOn,
}

/** Whether one policy allows more than it did. */
export function isLoosened<Name extends keyof AccountPolicies>(
  name: Name,
  before: AccountPolicies,
  after: AccountPolicies,
): boolean {
  return LOOSENS[name](before[name], after[name])
}

/** Not an API key's id: with a key beside the login, one admin would be two. */
export function isPerson(adminId: string): boolean {
  return !adminId.startsWith("apk_")
}
