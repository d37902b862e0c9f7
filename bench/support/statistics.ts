/** The little statistics that the figures need. */

export const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0)

/** The middle one; of an even number the mean of the two in the middle. NaN for none. */
export function median(values: readonly number[]): number {
  const sorted = ascending(values)
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN
  return (lower + upper) / 2
}

/**
 * The smallest value that at least this share of all values does not exceed (nearest rank).
 * @param share from 0 to 1
 */
export function percentile(values: readonly number[], share: number): number {
  const rank = Math.max(1, Math.ceil(share * values.length))
  return ascending(values)[rank - 1] ?? Number.NaN
}

/**
 * A log-normal distribution as `count` values of equal weight: the middles of its slices. It has
 * the distribution's shape without the luck of a draw, so two runs ask the same question.
 * @param median of the distribution
 * @param p95 95% of it lie below
 */
export function logNormalSlices(median: number, p95: number, count: number): number[] {
  const mu = Math.log(median)
  const sigma = (Math.log(p95) - mu) / normalQuantile(0.95)
  return Array.from({ length: count }, (_, slice) =>
    Math.exp(mu + sigma * normalQuantile((slice + 0.5) / count)),
  )
}

/** The same values in another order; same seed, same order. */
export function shuffled<T>(values: readonly T[], seed: number): T[] {
  let state = seed
  const fraction = () => {
    // Numerical Recipes' generator: no more is asked of it than to mix.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  return values
    .map((value) => ({ value, key: fraction() }))
    .sort((left, right) => left.key - right.key)
    .map(({ value }) => value)
}

/** Where the standard normal distribution reaches this probability, by halving; to about 1e-7. */
function normalQuantile(probability: number): number {
  let low = -8
  let high = 8
  while (high - low > 1e-9) {
    const middle = (low + high) / 2
    if (normalCumulative(middle) < probability) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** Abramowitz and Stegun 26.2.17. */
function normalCumulative(z: number): number {
  if (z < 0) return 1 - normalCumulative(-z)
  const k = 1 / (1 + 0.2316419 * z)
  const poly =
    k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
  return 1 - (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * poly
}

const ascending = (values: readonly number[]) => [...values].sort((left, right) => left - right)
