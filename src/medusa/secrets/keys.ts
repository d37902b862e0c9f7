/**
 * The keys that encrypt secrets: 32 random bytes as base64, in the environment only. The previous
 * key is used for reading, never for writing, so that the key can be changed while the shop runs.
 */
import { createHash } from "node:crypto"
import type { HealthCode } from "../../core/messages"

export type EncryptionKey = {
  /** Identifies the key and reveals nothing of it. */
  readonly id: string
  readonly bytes: Buffer
}

export type EncryptionKeys = {
  readonly current: EncryptionKey | undefined
  readonly previous: EncryptionKey | undefined
  /** What is wrong with the keys, for the log and the admin. */
  readonly problems: readonly HealthCode[]
}

const KEY_BYTES = 32

export function readKeys(variables: Readonly<Record<string, string | undefined>>): EncryptionKeys {
  const problems: HealthCode[] = []
  const read = (name: string, problem: HealthCode): EncryptionKey | undefined => {
    const text = variables[name]?.trim()
    if (!text) return undefined
    const key = keyFrom(text)
    if (!key) problems.push(problem)
    return key
  }
  const current = read("MERCHANT_PAYMENTS_ENCRYPTION_KEY", "key_malformed")
  const previousName = "MERCHANT_PAYMENTS_ENCRYPTION_KEY_PREVIOUS"
  const previous = read(previousName, "previous_key_malformed")
  return { current, previous, problems }
}

function keyFrom(text: string): EncryptionKey | undefined {
  // Node's own decoder skips characters that are not base64, so a mistyped key would become another
  // key.
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return undefined
  const bytes = Buffer.from(text, "base64")
  return bytes.length === KEY_BYTES ? { id: idOf(bytes), bytes } : undefined
}

/** The key has 256 random bits; eight digits of its digest do not help to find it. */
function idOf(bytes: Buffer): string {
  const digest = createHash("sha256").update("merchant-payments encryption key").update(bytes)
  return `k${digest.digest("hex").slice(0, 8)}`
}
