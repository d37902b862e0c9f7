/**
 * Whether money may leave an account: only where the merchant has turned it on, only so much a day,
 * and above an amount only where two admins want the same. The amounts hold for the merchant's
 * client as a whole, whichever of its accounts sends.
 */
import { amountFor, isAbove, isPerson, strictest } from "../core/account-policies"
import type { AdminId } from "../core/ids"
import { moneyFromMajor, type Money } from "../core/money"
import { amountFact, refusal } from "../core/refusal"
import type { MoneyDeps } from "../engine/deps"
import { findMoneyOutRoom, type MoneyOutPlace, type MoneyOutRoom } from "./sql/money-out-room"

/**
 * Reads the account's policies anew, whatever this process has read of them before.
 *
 * @throws Refusal `money_out_off`, `money_out_needs_person`, `not_configured`
 */
export async function roomFor(
  { database }: Pick<MoneyDeps, "database">,
  place: MoneyOutPlace,
  askedBy: AdminId,
): Promise<MoneyOutRoom> {
  const room = await findMoneyOutRoom(database, place)
  if (!room) throw refusal("not_configured")
  if (!room.policies.money_out) throw refusal("money_out_off")
  if (!isPerson(askedBy) && !room.policies.money_out_by_api_key)
    throw refusal("money_out_needs_person")
  return room
}

/** @throws Refusal `money_out_above_cap` */
export function assertBelowCap({ everyPolicies, sentMinor }: MoneyOutRoom, amount: Money): void {
  const { currency } = amount
  const cap = strictest(everyPolicies, "money_out_daily_cap", currency)
  if (!isAbove(cap, { minor: sentMinor + amount.minor, currency })) return
  const most = moneyFromMajor(String(amountFor(cap, currency) ?? 0), currency)?.minor ?? 0n
  const left = amountFact({ minor: most > sentMinor ? most - sentMinor : 0n, currency })
  throw refusal("money_out_above_cap", { left }, { left: left.amount })
}

/** Whether with what was sent within the day the amount needs a second admin. */
export function needsSecondAdmin(
  { everyPolicies, sentMinor }: MoneyOutRoom,
  amount: Money,
): boolean {
  const { minor, currency } = amount
  const most = strictest(everyPolicies, "money_out_second_admin_above", currency)
  return isAbove(most, { minor: minor + sentMinor, currency })
}
