/**
 * How secrets are kept: encrypted, under a key that is stored elsewhere. A port, so that the flows
 * can seal and open without knowing keys; the box itself is in the Medusa module.
 */
import type { HealthCode } from "./messages"
import type { Sealed } from "./schemas/stored"

export type { Sealed }

export type SecretBox = {
  /** The id of the key that seals; null: there is no key, and no secret can be kept. */
  readonly keyId: string | null
  readonly hasPreviousKey: boolean
  /** What is wrong with the keys; null when all is well. */
  readonly problem: HealthCode | null
  /**
   * @param about what the secret belongs to; it can't be opened for anything else
   * @returns the sealed secret, another text each time; undefined without a key
   */
  seal(secret: string, about: string): Sealed | undefined
  /**
   * @returns the secret; undefined if its key is not here, if it was sealed about another thing, or
   *   if it was changed
   */
  open(sealed: Sealed, about: string): string | undefined
}
