import type { AccountId, AdminId } from "../core/ids"
import { exactMoneyFromMajor, isPayable, parseCurrency, type Money } from "../core/money"
import { refusal } from "../core/refusal"
import type { RequestUse } from "../ledger/requests"

/** What a request for a payout and one for a transfer have in common. */
export type MoneyAsked = {
  readonly idempotencyKey: string
  /** Major units, as a JSON number or as decimal text. */
  readonly amount: number | string
  readonly currency: string
  /** The admin's reason; kept with the first event. */
  readonly note: string | undefined
  /** The id of the admin, or of the API key. */
  readonly askedBy: AdminId
  /** The request that this carries out, approved by another admin. Absent: it is asked for now. */
  readonly request?: RequestUse & {
    /** The account that the request was made for; no other may send its money. */
    readonly accountId: AccountId
    /** The key of the row: the asker's, or another where a draft under it ended unsent. */
    readonly rowKey: string
  }
}

/** @throws Refusal `amount_not_payable`, `currency_not_served` */
export function moneyAsked({ amount, currency }: MoneyAsked): Money {
  const code = parseCurrency(currency)
  if (!code) throw refusal("currency_not_served.unknown")
  const money = exactMoneyFromMajor(amount, code)
  if (money && isPayable(money)) return money
  throw refusal("amount_not_payable.given")
}
