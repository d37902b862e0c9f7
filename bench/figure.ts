/**
 * What a benchmark answers, and when it is too much. A figure is compared with something measured
 * in the same run wherever that is possible, because machines differ and ratios hardly do.
 */
import type { ClientFixture } from "./support/client-fixture"
import type { Fixture } from "./support/fixture"

export type Figure = {
  /** The p50 where the figure has percentiles. */
  readonly value: number
  readonly unit: string
  readonly better: "lower" | "higher"
  /** What it is compared with, in words. */
  readonly against: string
  /**
   * For `value`; null where nothing is promised. A field `x_limit` limits the field `x` in the same
   * direction; `x_least` is the least and `x_most` the most that `x` may be, whichever direction is
   * better for `value`.
   */
  readonly limit: number | null
  /** How many measurements the value comes from. */
  readonly samples: number
} & Readonly<Record<string, number | string | null | readonly number[]>>

/**
 * What a figure is measured on: a store with its database, the gateway client alone, or nothing at
 * all.
 */
export type Benchmark =
  | {
      readonly name: string
      readonly on: "nothing"
      run(): Promise<Figure>
    }
  | {
      readonly name: string
      readonly on: "store"
      run(fixture: Fixture): Promise<Figure>
    }
  | {
      readonly name: string
      readonly on: "client"
      run(fixture: ClientFixture): Promise<Figure>
    }

export type Excess = { readonly field: string; readonly value: number; readonly limit: number }

/** Every field of a figure that is beyond its limit; none when all is well. */
export function excesses(figure: Figure): Excess[] {
  return Object.entries(figure).flatMap(([name, limit]) => {
    const limited = limitedBy(name, figure.better)
    if (!limited || typeof limit !== "number") return []
    const value = figure[limited.field]
    if (typeof value !== "number") return []
    // NaN is within no limit.
    const isWithin = limited.better === "lower" ? value <= limit : value >= limit
    return isWithin ? [] : [{ field: limited.field, value, limit }]
  })
}

/** The field that a field is the limit of, if it is one. */
function limitedBy(
  name: string,
  better: Figure["better"],
): { readonly field: string; readonly better: Figure["better"] } | undefined {
  if (name === "limit") return { field: "value", better }
  const [, field, kind] = /^(.+)_(limit|least|most)$/.exec(name) ?? []
  if (field === undefined) return undefined
  if (kind === "limit") return { field, better }
  return { field, better: kind === "least" ? "higher" : "lower" }
}
