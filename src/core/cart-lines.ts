/**
 * A cart becomes the lines of the gateway's source. A checkout item has no quantity (contract, 2a):
 * it carries the line's total, and the quantity in its name, "T-shirt x 2". An item of an order or
 * invoice is quantity × unit price (contract, 8), where that is exact.
 *
 * The lines add up to the amount exactly: the rest of their roundings, and lines of zero or less,
 * go onto the largest line. A difference beyond rounding (a gift card, a credit) makes one line of
 * the whole cart.
 */
import { moneyFromMajor, sameMoney, type Money } from "./money"
import type { Line } from "./operation"

/** A cart's line item or shipping method, with Medusa's unrounded total after discount and tax. */
export type CartPosition = {
  readonly title: string
  readonly quantity: number
  /** Major units, as number or decimal text; may be negative in odd carts. */
  readonly total: number | string
}

/** `lacking`: so many more pieces have to be in stock; null: Medusa does not say how many. */
export type SoldOutItem = { readonly title: string; readonly lacking: number | null }

/** Longest name of a line; the contract names no limit, and sources stay readable with this one. */
const NAME_LENGTH_MAX = 120

/** @returns lines whose amounts are all positive and add up to `amount` exactly */
export function cartLines(
  positions: readonly CartPosition[],
  amount: Money,
  fallbackName: string,
): Line[] {
  const whole: Line[] = [{ name: lineName(fallbackName), quantity: 1, amount }]
  const lines: { name: string; quantity: number; minor: bigint }[] = []
  for (const { title, quantity, total } of positions) {
    const money = signedMinor(total, amount)
    if (money === undefined) return whole
    lines.push({ name: lineName(title), quantity: countable(quantity), minor: money })
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
  return kept.map(({ name, quantity, minor }) => ({
    name,
    quantity,
    amount: { minor, currency: amount.currency },
  }))
}

/** A line as `checkouts/create` takes it: the total of the line, no quantity. */
export type CheckoutLine = { readonly name: string; readonly amount: Money }

export function checkoutLines(lines: readonly Line[]): CheckoutLine[] {
  return lines.map((line) => ({ name: nameWithQuantity(line), amount: line.amount }))
}

/** A line as `items/add` takes it: `qty` times `unit` is the line's total. */
export type SourceLine = { readonly name: string; readonly qty: number; readonly unit: Money }

/**
 * Where a total does not divide to the smallest unit (a discount, a tax, what rounding left over),
 * the line is one piece at its total. So the sum over `qty` × `unit` is always the sum of the
 * amounts.
 */
export function sourceLines(lines: readonly Line[]): SourceLine[] {
  return lines.map((line) => {
    const { name, quantity, amount } = line
    const pieces = Number.isSafeInteger(quantity) && quantity > 1 ? BigInt(quantity) : 1n
    if (pieces === 1n || amount.minor % pieces !== 0n) {
      return { name: nameWithQuantity(line), qty: 1, unit: amount }
    }
    return { name, qty: quantity, unit: { ...amount, minor: amount.minor / pieces } }
  })
}

/**
 * The lines that a source still lacks. The gateway may keep another form of a name than was sent,
 * so a line whose name was never sent counts as any wanted line of its quantity and price.
 *
 * @param present the source's lines, in any order
 * @returns undefined when the source has a line that is not wanted, or one more often than wanted
 */
export function missingLines(
  wanted: readonly SourceLine[],
  present: readonly SourceLine[],
): SourceLine[] | undefined {
  const missing = [...wanted]
  const take = (line: SourceLine, isNamed: boolean) => {
    const index = missing.findIndex(
      ({ name, qty, unit }) =>
        (!isNamed || name === line.name) && qty === line.qty && sameMoney(unit, line.unit),
    )
    if (index >= 0) missing.splice(index, 1)
    return index >= 0
  }
  const others = present.filter((line) => !take(line, true))
  const isRenamed = (line: SourceLine) => wanted.every(({ name }) => name !== line.name)
  return others.every((line) => isRenamed(line) && take(line, false)) ? missing : undefined
}

function nameWithQuantity({ name, quantity }: Line): string {
  return quantity === 1 ? name : `${name} x ${quantity}`
}

function countable(quantity: number): number {
  return Number.isFinite(quantity) && quantity > 0 ? quantity : 1
}

function signedMinor(total: number | string, amount: Money): bigint | undefined {
  const text = String(total).trim()
  const isNegative = text.startsWith("-")
  const money = moneyFromMajor(isNegative ? text.slice(1) : text, amount.currency)
  if (!money) return undefined
  return isNegative ? -money.minor : money.minor
}

function lineName(title: string): string {
  // By characters, not by UTF-16 units: half an emoji is no text that a database takes.
  const name = [...title.replace(/\s+/g, " ").trim()].slice(0, NAME_LENGTH_MAX).join("")
  return name || "Item"
}
