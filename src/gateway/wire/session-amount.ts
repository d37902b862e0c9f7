/**
 * The amount of a session for money that goes out. The session decides what its execution moves, so an
 * answer with another amount or currency than asked for is not read: executing it would pay that.
 */
import type { Money } from "../../core/money"
import { sameMoney } from "../../core/money"
import { exactMoneyOf, Misfit } from "./fields"

/** @param currency as answered; the one that was asked for where the answer has none */
export function amountAsAsked(amount: unknown, currency: unknown, asked: Money): Money | Misfit {
  const money = exactMoneyOf(amount, currency)
  if (!money) return new Misfit("amount", "no exact amount in its currency")
  if (money.currency !== asked.currency) {
    return new Misfit("currency", "another currency than asked for")
  }
  return sameMoney(money, asked) ? money : new Misfit("amount", "another amount than asked for")
}
