/**
 * Whether money may leave an account at the word of who asks: only where the merchant has turned it on,
 * only so much a day, and above an amount only where two admins want the same.
 */
import { isAbove, amountFor } from "../../core/account-policies"
import { majorText, moneyFromMajor, type Money } from "../../core/money"
import { Refusal } from "../../core/refusal"
import { isPerson } from "../../core/second-admin"
import type { Approval } from "../../ledger/approvals"
import { findMoneyOutRoom, type MoneyOutRoom } from "../../ledger/money-out-room"
import { assertTwoAdmins } from "../two-admins"
import type { PayoutDeps } from "./payout-deps"
import { notConfigured } from "./setback"

/**
 * As the account says now, whatever this process has read of it before.
 *
 * @throws Refusal `money_out_off`, `money_out_needs_person`, `not_configured`
 */
export async function roomFor(
  { database }: Pick<PayoutDeps, "database">,
  { accountId, currency }: { readonly accountId: string; readonly currency: string },
  askedBy: string,
): Promise<MoneyOutRoom> {
  const room = await findMoneyOutRoom(database, accountId, currency)
  if (!room) throw notConfigured()
  if (!room.policies.moneyOut) {
    throw new Refusal(
      "money_out_off",
      "Payouts and transfers are off for this account. An admin turns them on in the account's " +
        "settings. Nothing was sent.",
    )
  }
  if (!isPerson(askedBy) && !room.policies.moneyOutByApiKey) {
    throw new Refusal(
      "money_out_needs_person",
      "This account takes no payouts or transfers from an API key. A person has to ask for it, or an " +
        "admin allows keys in the account's settings. Nothing was sent.",
    )
  }
  return room
}

/** @throws Refusal `money_out_above_cap` */
export function assertBelowCap({ policies, sentMinor }: MoneyOutRoom, amount: Money): void {
  const { currency } = amount
  const cap = policies.moneyOutDailyCap
  if (!isAbove(cap, { minor: sentMinor + amount.minor, currency })) return
  const most = moneyFromMajor(String(amountFor(cap, currency) ?? 0), currency)?.minor ?? 0n
  const left = majorText({ minor: most > sentMinor ? most - sentMinor : 0n, currency })
  throw new Refusal(
    "money_out_above_cap",
    `At most ${left} ${currency} more may leave this account within a day. Nothing was sent.`,
    { left },
  )
}

/**
 * @param subject what exactly is asked for, the same text for the same
 * @returns the confirmed request; undefined where one admin is enough
 * @throws Refusal `money_out_needs_second_admin`, noted
 */
export async function assertSecondAdmin(
  { database }: Pick<PayoutDeps, "database">,
  { policies, sentMinor }: MoneyOutRoom,
  asked: { readonly amount: Money; readonly subject: string; readonly adminId: string },
): Promise<Approval | undefined> {
  const { minor, currency } = asked.amount
  if (!isAbove(policies.moneyOutSecondAdminAbove, { minor: minor + sentMinor, currency })) {
    return undefined
  }
  const what = `With what left this account within a day, ${majorText(asked.amount)} ${currency}`
  const refusal = (sentence: string) =>
    new Refusal("money_out_needs_second_admin", `${what} ${sentence}`)
  return assertTwoAdmins(database, asked, {
    noted: () =>
      refusal(
        "need a second admin. Your request is noted: when another admin asks for the same within a " +
          "day, it goes. Nothing was sent.",
      ),
    noPerson: () =>
      refusal(
        "need two admins, and an API key is neither of them. Two people have to ask for it, each with " +
          "their own login. Nothing was noted or sent.",
      ),
  })
}
