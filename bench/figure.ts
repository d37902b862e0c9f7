/**
 * What a benchmark answers, and when it is too much. A figure is compared with something measured in
 * the same run wherever that is possible, because machines differ and ratios hardly do.
 */
import type { Ground } from "./support/ground"

export type Figure = {
  /** The p50 where the figure has percentiles. */
  readonly value: number
  readonly unit: string
  readonly better: "lower" | "higher"
  /** What it is compared with, in words. */
  readonly against: string
  /** For `value`; null where nothing is promised. A field `x_limit` limits the field `x`. */
  readonly limit: number | null
  /** How many measurements the value comes from. */
  readonly samples: number
} & Readonly<Record<string, number | string | null | readonly number[]>>

export type Benchmark = {
  readonly name: string
  run(ground: Ground): Promise<Figure>
}

export type Excess = { readonly field: string; readonly value: number; readonly limit: number }

const SUFFIX = "_limit"

/** Every field of a figure that is beyond its limit; none when all is well. */
export function excesses(figure: Figure): Excess[] {
  return Object.entries(figure).flatMap(([name, limit]) => {
    const field =
      name === "limit" ? "value" : name.endsWith(SUFFIX) && name.slice(0, -SUFFIX.length)
    if (!field || typeof limit !== "number") return []
    const value = figure[field]
    if (typeof value !== "number") return []
    // NaN is within no limit.
    const isWithin = figure.better === "lower" ? value <= limit : value >= limit
    return isWithin ? [] : [{ field, value, limit }]
  })
}
