/**
 * Whether the amounts of an execution of money that goes back or out can come from the amount that
 * was asked for. The API
 * shows neither the asked currency nor who bears a refund's fees (contract, 3 and 17.2), so no
 * amount has to be equal. But:
 *
 * - Fees stand between payer and payee (specification, "Execution response"): with both sides in
 *   the refund's currency the asked amount lies between them, whichever is the merchant.
 * - One side may be off by an unnamed fee in either direction, but by no more than half: a mix-up
 *   of currencies is off by far more. A side in the currency that the payer paid in is compared
 *   with what was paid.
 *
 * A side in any other currency, a missing side and a side of zero say nothing.
 */
import { LIMITS } from "../limits"
import { decimalSum, moneyFromMajor, type Money } from "../money"

/** What an execution's answer says of the money. */
export type Moved = {
  readonly payer: Money | undefined
  readonly payee: Money | undefined
  /** Decimal texts in major units. In which currency they are is not shown (contract, 8). */
  readonly fees: readonly string[]
}

/** The collection whose money goes back. */
export type Taken = {
  readonly collected: Money
  /** What its payer had paid, in the payer's own currency. */
  readonly paid: Money | undefined
}

/**
 * Whether a payout or transfer moved what was asked for. No payment came before it, so the asked
 * currency is on one of the two sides: a wallet or a recipient may use another, but not both.
 */
export function isOutAsAsked(asked: Money, moved: Moved): boolean {
  const { payer, payee } = moved
  const isElsewhere = (side: Money | undefined) =>
    side !== undefined && side.minor > 0n && side.currency !== asked.currency
  return !(isElsewhere(payer) && isElsewhere(payee)) && isAsAsked(asked, moved, undefined)
}

/** @param asked in the currency of the collection's source, as every refund is */
export function isAsAsked(asked: Money, moved: Moved, taken: Taken | undefined): boolean {
  const sides = [moved.payer, moved.payee].flatMap((side) => (side && side.minor > 0n ? side : []))
  return (
    sides.every((side) => isWithinFees(side, expectedIn(side, asked, taken), moved.fees)) &&
    isBetween(asked, sides, moved.fees)
  )
}

/** A side's amount without any fee, in its currency; undefined where nothing can be compared. */
function expectedIn(side: Money, asked: Money, taken: Taken | undefined): bigint | undefined {
  if (side.currency === asked.currency) return asked.minor
  if (taken?.paid?.currency !== side.currency || taken.collected.minor === 0n) return undefined
  return (taken.paid.minor * asked.minor) / taken.collected.minor
}

function isWithinFees(
  side: Money,
  expectedMinor: bigint | undefined,
  fees: readonly string[],
): boolean {
  if (expectedMinor === undefined) return true
  const off = side.minor - expectedMinor
  const offMinor = off < 0n ? -off : off
  const isOfAFee = offMinor * 100n <= expectedMinor * BigInt(LIMITS.refundFeePercentMax)
  return isOfAFee || offMinor <= sumOf(fees, side)
}

function isBetween(asked: Money, sides: readonly Money[], fees: readonly string[]): boolean {
  const [one, other] = sides.filter(({ currency }) => currency === asked.currency)
  if (!one || !other) return true
  const [least, most] = one.minor < other.minor ? [one, other] : [other, one]
  const slackMinor = sumOf(fees, asked)
  return least.minor - slackMinor <= asked.minor && asked.minor <= most.minor + slackMinor
}

/** The fees' sum in the smallest units of the currency, as if all were in it. */
function sumOf(fees: readonly string[], { currency }: Money): bigint {
  return moneyFromMajor(decimalSum(fees), currency)?.minor ?? 0n
}
