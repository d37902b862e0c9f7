/**
 * What the gateway took, where a paid source reads another total than was asked for: more must not
 * be refunded. Fees stand between payer and payee, and one of the two has the billed amount
 * (contract, 8): what neither side has was not billed. Unnamed sides and other currencies say
 * nothing.
 */
import { sameMoney, type Money } from "./money"

/** @param sides what payer and payee have of it, as the execution or the receipt says */
export function takenOf(asked: Money, total: Money, sides: readonly (Money | undefined)[]): Money {
  if (sameMoney(asked, total) || asked.currency !== total.currency) return total
  const own = sides.flatMap((side) => (side?.currency === total.currency ? side : []))
  const billed = [asked, total].filter((amount) => own.some((side) => sameMoney(side, amount)))
  if (billed.length > 0) return billed.reduce(lesser)
  const most = own.reduce((one, other) => (one.minor > other.minor ? one : other), own[0] ?? total)
  return lesser(total, most)
}

const lesser = (one: Money, other: Money): Money => (one.minor <= other.minor ? one : other)
