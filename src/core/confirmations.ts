/**
 * How long payers take to confirm, as a log-normal distribution: a prior, moved by a shop's history
 * as far as its number of payments carries, within bounds, so that a nonsense history makes the
 * checks neither a flood nor a silence. Only confirmed payments count: the checks are for those
 * that come.
 */

/** Of the natural logarithm of the seconds between prompt and confirmation. */
export type Confirmations = {
  readonly mu: number
  readonly sigma: number
}

/** What the ledger knows of one way to pay: of the logarithms of seconds, as above. */
export type ConfirmationHistory = {
  readonly count: number
  readonly mean: number
  /** Of the sample; 0 for a single one. */
  readonly variance: number
}

/** Median 25 s, and 95% within 4 minutes. */
export const PRIOR: Confirmations = {
  mu: Math.log(25),
  sigma: Math.log(240 / 25) / 1.6449,
}

/** Payments that outweigh the prior; fewer are too easily a bad afternoon. */
const PRIOR_WEIGHT = 25
/** Medians of 5 s and of 5 min. */
const MU = { least: Math.log(5), most: Math.log(300) }
/** 95% within twice the median, and within 27 times of it. */
const SIGMA = { least: 0.45, most: 2 }

export function fitConfirmations(history: ConfirmationHistory | undefined): Confirmations {
  if (!history || !isUsable(history)) return PRIOR
  const { count, mean, variance } = history
  const all = PRIOR_WEIGHT + count
  const mu = (PRIOR_WEIGHT * PRIOR.mu + count * mean) / all
  const between = (PRIOR_WEIGHT * count * (mean - PRIOR.mu) ** 2) / all
  const within = PRIOR_WEIGHT * PRIOR.sigma ** 2 + count * variance
  return {
    mu: clamp(mu, MU),
    sigma: clamp(Math.sqrt((within + between) / all), SIGMA),
  }
}

/** The chance per second that a confirmation comes now, given that it has not come yet. */
export function hazardPerSecond(seconds: number, { mu, sigma } = PRIOR): number {
  const z = (Math.log(seconds) - mu) / sigma
  const density = Math.exp((-z * z) / 2) / (seconds * sigma * Math.sqrt(2 * Math.PI))
  // Far out the tail is the density's own size; the quotient's limit is taken before both are 0.
  return z > 6 ? z / (sigma * seconds) : density / normalTail(z)
}

/** 1 - Φ(z), by Abramowitz and Stegun 26.2.17 (error below 7.5e-8). */
function normalTail(z: number): number {
  if (z < 0) return 1 - normalTail(-z)
  const k = 1 / (1 + 0.2316419 * z)
  const poly =
    k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * poly
}

function isUsable({ count, mean, variance }: ConfirmationHistory): boolean {
  return Number.isFinite(mean) && Number.isFinite(variance) && count > 0 && variance >= 0
}

function clamp(value: number, { least, most }: { least: number; most: number }): number {
  return Math.min(most, Math.max(least, value))
}
