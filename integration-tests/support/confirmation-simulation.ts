/**
 * Payments that are confirmed after a while, and what it costs to learn of it: questions a payment,
 * and the mean delay until we know. Seeded, so that every schedule meets the same payments.
 */
import { LIMITS } from "../../src/core/limits"
import { nextCheckInMs, waitingGapMs } from "../../src/core/schedule"

/** Log-normal: of the natural logarithm of the seconds between prompt and confirmation. */
export type Confirmations = { readonly mu: number; readonly sigma: number }

/**
 * Seconds after the prompt at which the next check is, the last one being at `at`, the `count`th.
 */
export type Findings = (at: number, count: number) => number

export type Cost = { readonly calls: number; readonly delaySeconds: number }

/** The fixed schedules that comparable plugins ask by. */
export const PEERS = {
  every_3_s: (at) => at + 3,
  every_5_s: (at) => at + 5,
  staged_3_5_10_15_s: (at, count) => at + (count < 8 ? 3 : count < 16 ? 5 : count < 24 ? 10 : 15),
} as const satisfies Readonly<Record<string, Findings>>

/** Log-normal, by the median and by what 95% are under, both in seconds. */
export function shop(median: number, most: number): Confirmations {
  return { mu: Math.log(median), sigma: Math.log(most / median) / 1.6449 }
}

/** Median 25 s, and 95% within 4 minutes. */
const USUAL = shop(25, 240)

export function confirmations(count: number, of: Confirmations = USUAL, seed = 1): number[] {
  const uniform = uniforms(seed)
  return Array.from({ length: count }, () => {
    const normal = Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
    return Math.exp(of.mu + of.sigma * normal)
  })
}

export function cost(times: readonly number[], findings: Findings): Cost {
  let calls = 0
  let delaySeconds = 0
  for (const confirmed of times) {
    let at = 0
    for (let count = 0; at < confirmed || count === 0; count++) {
      at = findings(at, count)
      calls += 1
    }
    delaySeconds += at - confirmed
  }
  return { calls: calls / times.length, delaySeconds: delaySeconds / times.length }
}

/** Between two runs of the job, when the prompt goes out. */
const PHASES = 20

/** Ours, as the job does it: what is due is checked when the job comes by, once a second. */
export function ours(seed = 2): Findings {
  const uniform = uniforms(seed)
  const tick = LIMITS.checkEveryMs / 1_000
  const gapMs = (at: number) => {
    const readAt = new Date(at * 1_000)
    return nextCheckInMs({ flow: "push", waiting: true, submittedAt: new Date(0), readAt }, 0.5)
  }
  const runs = Array.from({ length: PHASES }, (_, index) => {
    const phase = (index / PHASES) * tick
    return remembered((at) => Math.ceil((at + gapMs(at) / 1_000 - phase) / tick) * tick + phase)
  })
  let run = runs[0]
  return (at, count) => {
    if (count === 0 || !run) run = runs[Math.floor(uniform() * PHASES)]
    return run?.(at) ?? Number.NaN
  }
}

/** The list alone, denser or sparser, without the job's clock: to compare at the same delay. */
function spacing(scale: number): Findings {
  return remembered((at) => at + (scale * waitingGapMs(at * 1_000)) / 1_000)
}

/** The payments of one schedule are looked at at the same moments. */
function remembered(next: (at: number) => number): (at: number) => number {
  const known = new Map<number, number>()
  return (at) => {
    const found = known.get(at) ?? next(at)
    known.set(at, found)
    return found
  }
}

/** Questions that the list needs for this mean delay. */
export function callsForDelay(times: readonly number[], delaySeconds: number): number {
  let [dense, sparse] = [0.2, 5]
  for (let round = 0; round < 20; round++) {
    const middle = (dense + sparse) / 2
    if (cost(times, spacing(middle)).delaySeconds > delaySeconds) sparse = middle
    else dense = middle
  }
  return cost(times, spacing(dense)).calls
}

/** Seeded, uniform in (0, 1): mulberry32. */
function uniforms(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (((mixed ^ (mixed >>> 14)) >>> 0) + 0.5) / 2 ** 32
  }
}
