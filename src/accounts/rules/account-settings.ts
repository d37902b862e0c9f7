/**
 * Checks that an admin's settings of an account make sense; the route has checked their shape. The
 * gateway's address is checked where credentials are sent, and the currencies where the other
 * accounts are known.
 */
import type { Account } from "../../core/account"
import { changedPolicies, NO_POLICIES } from "../../core/account-policies"
import { LIMITS } from "../../core/limits"
import { parseCurrency, type CurrencyCode } from "../../core/money"
import { invalid } from "../../core/refusal"
import { ownStateWords } from "../../core/decide/state-words"
import type { AccountBody, SettingsResponse } from "./account-responses"

const MINUTE_MS = 60_000

export type AccountSettings = Omit<Account, "id" | "isDefault">

/**
 * The defaults of a new account. It has no currencies, so that it takes none from another account
 * unasked.
 */
export const NEW_ACCOUNT: AccountSettings = {
  label: "",
  baseUrl: "",
  sourceType: "ORDER",
  feeBearer: null,
  orderPlacement: "pay_first",
  currencies: [],
  wireNames: {},
  pushWindowMs: LIMITS.pushWindowMs,
  hostedWindowMs: LIMITS.hostedWindowMs,
  checksPerSecondMax: LIMITS.checksPerSecondMax,
  policies: NO_POLICIES,
  realtimeUrl: null,
}

export function answerSettings(settings: AccountSettings): SettingsResponse {
  return {
    label: settings.label,
    base_url: settings.baseUrl,
    source_kind: settings.sourceType,
    fee_bearer: settings.feeBearer,
    order_placement: settings.orderPlacement,
    currencies: settings.currencies,
    wire_names: settings.wireNames,
    push_window_minutes: Math.round(settings.pushWindowMs / MINUTE_MS),
    hosted_window_minutes: Math.round(settings.hostedWindowMs / MINUTE_MS),
    checks_per_second_max: settings.checksPerSecondMax ?? LIMITS.checksPerSecondMax,
    realtime_url: settings.realtimeUrl,
  }
}

/**
 * The former settings with the given changes. Settings that are not given stay.
 *
 * @throws Refusal `invalid_request`
 */
export function changedSettings(before: AccountSettings, body: AccountBody): AccountSettings {
  const settings: AccountSettings = {
    label: body.label?.trim() ?? before.label,
    baseUrl: body.base_url?.trim() ?? before.baseUrl,
    sourceType: body.source_kind ?? before.sourceType,
    feeBearer: body.fee_bearer === undefined ? before.feeBearer : body.fee_bearer,
    orderPlacement: body.order_placement ?? before.orderPlacement,
    currencies: body.currencies?.flatMap((code) => parseCurrency(code) ?? []) ?? before.currencies,
    wireNames: body.wire_names ?? before.wireNames,
    pushWindowMs: windowMs(body.push_window_minutes, before.pushWindowMs),
    hostedWindowMs: windowMs(body.hosted_window_minutes, before.hostedWindowMs),
    checksPerSecondMax: body.checks_per_second_max ?? before.checksPerSecondMax,
    policies: changedPolicies(before.policies, body.policies ?? {}),
    realtimeUrl: body.realtime_url === undefined ? before.realtimeUrl : body.realtime_url,
  }
  refuseWrong(settings, body)
  return settings
}

/** The first of these currencies that another account takes, and that account. */
export function takenCurrency<T extends { readonly currencies: readonly CurrencyCode[] }>(
  currencies: readonly CurrencyCode[],
  others: readonly T[],
): { readonly currency: CurrencyCode; readonly by: T } | undefined {
  for (const currency of currencies) {
    const by = others.find((other) => other.currencies.includes(currency))
    if (by) return { currency, by }
  }
  return undefined
}

function windowMs(minutes: number | undefined, before: number): number {
  return minutes === undefined ? before : minutes * MINUTE_MS
}

function refuseWrong({ label, baseUrl, currencies }: AccountSettings, body: AccountBody): void {
  if (label === "") throw invalid("label", "account_name")
  if (baseUrl === "") throw invalid("base_url", "address")
  const isWrong = body.currencies?.some((code) => parseCurrency(code) === undefined)
  if (isWrong) throw invalid("currencies", "currency")
  if (new Set(currencies).size < currencies.length) throw invalid("currencies", "currency_twice")
  const wrongWords = ownStateWords(body.wire_names ?? {}).wrong
  if (wrongWords.length > 0) throw invalid("wire_names", "state_words")
  const amounts = Object.entries(body.policies ?? {}).find(
    ([, value]) => typeof value === "object" && !Object.keys(value ?? {}).every(isNamed),
  )
  if (amounts) throw invalid(`policies.${amounts[0]}`, "amounts")
}

const isNamed = (code: string) => code === "*" || parseCurrency(code) === code
