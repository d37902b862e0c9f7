/**
 * Checks that an admin's settings of an account make sense; the route has checked their shape. The
 * gateway's address is checked where credentials are sent, and the currencies where the other
 * accounts are known.
 */
import { changedPolicies } from "../../core/account-policies"
import {
  NEW_SETTINGS,
  NO_POLICIES,
  withSettings,
  type AccountPolicies,
  type SettingsFields,
} from "../../core/account-settings"
import { parseCurrency, type CurrencyCode } from "../../core/money"
import { invalid } from "../../core/refusal"
import { ownStateWords } from "../../core/decide/state-words"
import type { AccountBody } from "../schemas/accounts"

export type AccountSettings = SettingsFields & { readonly policies: AccountPolicies }

export const NEW_ACCOUNT: AccountSettings = { ...NEW_SETTINGS, policies: NO_POLICIES }

/**
 * The former settings with the given changes. Settings that are not given stay.
 *
 * @throws Refusal `invalid_request`
 */
export function changedSettings(before: AccountSettings, body: AccountBody): AccountSettings {
  const settings = {
    ...withSettings(before, {
      ...body,
      label: body.label?.trim(),
      base_url: body.base_url?.trim(),
    }),
    policies: changedPolicies(before.policies, body.policies ?? {}),
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
