/**
 * The source of secret parts: tokens of hosted pages, transaction ids, references of payments on
 * the hosted page. The n-th draw depends on the seed and n alone. The book keeps the count, so a
 * reloaded book with the same seed never repeats a draw.
 */
import { createHash } from "node:crypto"

export type Random = {
  /** `length` lower-case hexadecimal characters, at most 64. */
  hex(length: number): string
  /** A UUID v4. */
  uuid(): string
}

/** `nextDraw` returns a number that it never returned before. */
export function randomFrom(seed: string, nextDraw: () => number): Random {
  const hex = (length: number) =>
    createHash("sha256").update(`${seed}:${nextDraw()}`).digest("hex").slice(0, length)
  return {
    hex,
    uuid: () => {
      const digits = hex(32)
      const variant = "89ab"[parseInt(digits.slice(16, 17), 16) % 4]
      return [
        digits.slice(0, 8),
        digits.slice(8, 12),
        `4${digits.slice(13, 16)}`,
        `${variant}${digits.slice(17, 20)}`,
        digits.slice(20, 32),
      ].join("-")
    },
  }
}
