/**
 * The order's rows in its currency. Medusa keeps more digits than the currency has, so each row is
 * rounded by itself; what the roundings leave over is a row of its own. The rows add up to the total
 * exactly, whatever Medusa holds.
 */
import { majorText, moneyFromMajor, type CurrencyCode, type Money } from "../../core/money"
import type { PaperOrder, PaperPosition } from "./paper-order"

/** An amount as exact decimal text in major units; the currency in upper case. */
export type Amount = { readonly value: string; readonly currency: string }

type RowKind = "item" | "delivery" | "credit" | "rounding" | "other"

export type PaperRow = {
  readonly kind: RowKind
  /** Null: the kind says it. */
  readonly name: string | null
  readonly quantity: number | null
  readonly amount: Amount
}

type Counted = Omit<PaperRow, "amount"> & { readonly minor: bigint }

export const amountOf = (money: Money): Amount => ({
  value: majorText(money),
  currency: money.currency,
})

export function rowsOf(order: PaperOrder, total: Money): readonly PaperRow[] {
  const { currency } = total
  const positions = [
    ...order.items.flatMap((one) => counted("item", one, currency)),
    ...order.deliveries.flatMap((one) => counted("delivery", one, currency)),
    ...order.credits.flatMap((credit) => {
      const minor = signedMinor(credit, currency)
      return minor ? [{ kind: "credit", name: null, quantity: null, minor: -minor } as const] : []
    }),
  ]
  const rest = positions.reduce((left, { minor }) => left - minor, total.minor)
  // Each rounding is off by at most half a unit, and so is the total's own.
  const explained = BigInt(positions.length) / 2n + 1n
  const isRounding = -explained <= rest && rest <= explained
  const kind: RowKind = isRounding ? "rounding" : "other"
  const all: Counted[] =
    rest === 0n ? positions : [...positions, { kind, name: null, quantity: null, minor: rest }]
  return all.map(({ minor, ...row }) => ({ ...row, amount: amountOf({ minor, currency }) }))
}

/** A position whose amount can't be read is left out: its money stands in the rest. */
function counted(
  kind: "item" | "delivery",
  { name, quantity, total }: PaperPosition,
  currency: CurrencyCode,
): Counted[] {
  const minor = signedMinor(total, currency)
  return minor === undefined ? [] : [{ kind, name, quantity, minor }]
}

/** Half up, away from zero: as a refund of the row would be rounded. */
function signedMinor(text: string, currency: CurrencyCode): bigint | undefined {
  const isNegative = text.startsWith("-")
  const minor = moneyFromMajor(isNegative ? text.slice(1) : text, currency)?.minor
  return minor !== undefined && isNegative ? -minor : minor
}
