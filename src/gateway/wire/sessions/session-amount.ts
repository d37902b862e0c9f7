/**
 * The amount of a session for outgoing money. The session decides what its execution moves, so an
 * answer with another amount or currency than asked for is not read: executing it would pay that
 * amount.
 */
import type { Money } from "../../../core/money"
import { sameMoney } from "../../../core/money"
import { exactMoneyOf, Misfit } from "../fields"

/** @param currency as answered; if the answer has none, the requested one */
export function amountAsAsked(amount: unknown, currency: unknown, asked: Money): Money | Misfit {
  const money = exactMoneyOf(amount, currency)
  if (!money) return new Misfit("amount", "no exact amount in its currency")
  if (money.currency !== asked.currency) {
    return new Misfit("currency", "another currency than asked for")
  }
  return sameMoney(money, asked) ? money : new Misfit("amount", "another amount than asked for")
}
