/**
 * A cart becomes the lines of the gateway's payable document. A checkout item has no quantity
 * (contract 2a), so a line carries its total: "T-shirt × 2".
 *
 * The lines add up to the amount exactly. Each is rounded by itself, so a rest of a few smallest units
 * remains: it goes onto the largest line. A line that would be zero or negative is folded into the
 * largest. If the sum still differs by more than rounding can explain (a gift card, a credit), one line
 * with the whole amount is honest and simple.
 */
import { moneyFromMajor, type Money } from "./money"
import type { Line } from "./operation"

/** A line item or a shipping method of a cart, with Medusa's unrounded total after discount and tax. */
export type CartPosition = {
  readonly title: string
  readonly quantity: number
  /** Major units, as number or decimal text; may be negative in odd carts. */
  readonly total: number | string
}

/** Longest name of a line; the contract names no limit, documents stay readable with this one. */
const NAME_LENGTH_MAX = 120

export function cartLines(
  positions: readonly CartPosition[],
  amount: Money,
  fallbackName: string,
): Line[] {
  const whole: Line[] = [{ name: lineName(fallbackName, 1), amount }]
  const lines: { name: string; minor: bigint }[] = []
  for (const position of positions) {
    const money = signedMinor(position.total, amount)
    if (money === undefined) return whole
    lines.push({ name: lineName(position.title, position.quantity), minor: money })
  }
  const largest = lines.reduce<(typeof lines)[number] | undefined>(
    (best, line) => (best === undefined || line.minor > best.minor ? line : best),
    undefined,
  )
  if (!largest) return whole
  const sum = lines.reduce((total, line) => total + line.minor, 0n)
  const rest = amount.minor - sum
  // Each of n roundings is off by at most half a unit, and so is the amount's own.
  const explained = BigInt(lines.length) / 2n + 1n
  if (rest > explained || rest < -explained) return whole
  largest.minor += rest
  for (const line of lines) {
    if (line !== largest && line.minor <= 0n) largest.minor += line.minor
  }
  const kept = lines.filter((line) => line === largest || line.minor > 0n)
  if (largest.minor <= 0n) return whole
  return kept.map((line) => ({
    name: line.name,
    amount: { minor: line.minor, currency: amount.currency },
  }))
}

function signedMinor(total: number | string, amount: Money): bigint | undefined {
  const text = String(total).trim()
  const isNegative = text.startsWith("-")
  const money = moneyFromMajor(isNegative ? text.slice(1) : text, amount.currency)
  if (!money) return undefined
  return isNegative ? -money.minor : money.minor
}

function lineName(title: string, quantity: number): string {
  // By characters, not by UTF-16 units: half an emoji is no text that a database takes.
  const name = [...title.replace(/\s+/g, " ").trim()].slice(0, NAME_LENGTH_MAX).join("")
  const clean = name || "Item"
  return quantity > 1 ? `${clean} × ${quantity}` : clean
}
