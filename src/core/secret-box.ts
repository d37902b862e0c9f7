/**
 * How secrets are kept: encrypted, under a key that is not where they are. A port, so that the
 * flows can seal and open without knowing keys; the box itself is in the Medusa module.
 */
import type { HealthCode } from "./messages"

export type Sealed = {
  readonly ciphertext: string
  /** Names the key without revealing it. */
  readonly keyId: string
}

export type SecretBox = {
  /** Of the key that seals; null: there is none, and nothing can be kept. */
  readonly keyId: string | null
  readonly hasPreviousKey: boolean
  /** What is wrong with the keys; null when all is well. */
  readonly problem: HealthCode | null
  /**
   * @param about what it belongs to; opened for anything else it is unreadable
   * @returns another text each time; undefined without a key
   */
  seal(secret: string, about: string): Sealed | undefined
  /**
   * @returns undefined for what was sealed with a key that is not here, for another thing, or
   *   changed
   */
  open(sealed: Sealed, about: string): string | undefined
}
