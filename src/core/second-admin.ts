/**
 * Which refunds one admin alone may not make, where the account sets an amount
 * (`refund_second_admin_above`), and whose word counts.
 */
import { compareDecimals, majorText, type Money } from "./money"

/** @param above major units by currency, `*` for those that are not named; null: none */
export function needsSecondAdmin(
  above: Readonly<Record<string, number>> | null,
  amount: Money,
): boolean {
  if (above === null) return false
  const named = Object.hasOwn(above, amount.currency) ? above[amount.currency] : undefined
  const most = named ?? (Object.hasOwn(above, "*") ? above["*"] : undefined)
  if (most === undefined) return false
  // A limit that can't be read holds everything back.
  return (compareDecimals(majorText(amount), most) ?? 1) > 0
}

/**
 * Whether somebody stands behind the id that Medusa gives for who asks. An API key's does not say whose
 * hand it was in: with a key beside the login, one admin would be two.
 */
export function isPerson(adminId: string): boolean {
  return !adminId.startsWith("apk_")
}
