/**
 * Re-encrypts all kept secrets with the current key, so that the previous one can be removed. Safe
 * to repeat and to run beside a working store: a secret is replaced only if it is still the one
 * that was read.
 */
import { sentence } from "../core/messages"
import type { SecretBox } from "../core/secret-box"
import { listKeptCredentials, replaceSealed } from "../ledger/accounts/kept-secrets"
import type { LedgerDeps } from "../engine/deps"
import { openSecret, sealedFor } from "./kept-secret"

export type Reencrypted = {
  /** Number of secrets that were re-encrypted with the current key. */
  readonly reencrypted: number
  /** Number of secrets that were encrypted with the current key already. */
  readonly current: number
  /**
   * Ids of credentials whose secret neither key reads, or whose row was changed. An admin types the
   * secret again.
   */
  readonly unreadable: readonly string[]
}

/** @throws Error if there is no key to encrypt with */
export async function reencryptSecrets(
  { database }: Pick<LedgerDeps, "database">,
  box: SecretBox,
): Promise<Reencrypted> {
  if (box.keyId === null) throw new Error(sentence("health", box.problem ?? "key_missing"))
  let reencrypted = 0
  let current = 0
  const unreadable: string[] = []
  for (const credential of await listKeptCredentials(database)) {
    const { id, sealed } = credential
    if (!sealed) continue
    const opened = openSecret(box, credential)
    if (opened.state !== "ready") unreadable.push(id)
    else if (sealed.keyId === box.keyId) current += 1
    else {
      const to = box.seal(opened.secret, sealedFor(id))
      // A secret saved meanwhile is encrypted with the key of the process that saved it.
      if (to && (await replaceSealed(database, id, { from: sealed, to }))) reencrypted += 1
      else current += 1
    }
  }
  return { reencrypted, current, unreadable }
}
