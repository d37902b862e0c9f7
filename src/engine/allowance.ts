/**
 * Limits how often each key may act: `atOnce` times in a row, then once every `earnedBackMs`. It
 * counts in this process only and in bounded memory: above `keysMax`, the key used longest ago is
 * forgotten and starts again with its full allowance.
 */
import { createHash } from "node:crypto"
import type { Clock } from "../core/ports"

/** 128 bits: an attacker can't find two keys that are stored as one. */
const KEY_BYTES = 16

type Allowance = {
  /** Milliseconds until the key may act; 0: it may act now. */
  waitMs(key: string): number
  spend(key: string): void
}

/** What a key had left of its allowance at `atMs` of the monotonic clock. */
export type Credit = { readonly left: number; readonly atMs: number }

export function allowance(
  clock: Pick<Clock, "monotonicMs">,
  limits: { readonly atOnce: number; readonly earnedBackMs: number; readonly keysMax: number },
  credits: Map<string, Credit> = new Map(),
): Allowance {
  function leftOf(key: string): number {
    const credit = credits.get(shortKey(key))
    if (!credit) return limits.atOnce
    const earned = (clock.monotonicMs() - credit.atMs) / limits.earnedBackMs
    return Math.min(limits.atOnce, credit.left + earned)
  }

  return {
    waitMs(key) {
      const missing = 1 - leftOf(key)
      return missing <= 0 ? 0 : Math.ceil(missing * limits.earnedBackMs)
    },
    spend(key) {
      const left = Math.max(0, leftOf(key) - 1)
      const short = shortKey(key)
      credits.delete(short)
      credits.set(short, { left, atMs: clock.monotonicMs() })
      forgetOldest(credits, limits.keysMax)
    },
  }
}

/**
 * A digest of the key. A part of a header, kept as it is, would keep the whole header in memory.
 */
export function shortKey(key: string): string {
  return createHash("sha256").update(key).digest().toString("base64url", 0, KEY_BYTES)
}

/** Deletes the entries that were put in first, until `most` are left. */
export function forgetOldest(
  kept: Pick<Map<string, unknown>, "delete" | "keys" | "size">,
  most: number,
): void {
  for (const oldest of kept.keys()) {
    if (kept.size <= most) return
    kept.delete(oldest)
  }
}
