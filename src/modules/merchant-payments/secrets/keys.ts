/**
 * The keys that secrets are encrypted with: 32 random bytes as base64, in the environment and nowhere
 * else. A previous key is read with, never written with, so that a key can be exchanged while the shop
 * runs.
 */
import { createHash } from "node:crypto"

export type EncryptionKey = {
  /** Tells which key it was, and nothing about it. */
  readonly id: string
  readonly bytes: Buffer
}

export type EncryptionKeys = {
  readonly current: EncryptionKey | undefined
  readonly previous: EncryptionKey | undefined
  /** Sentences for the log and the admin, without any key. */
  readonly problems: readonly string[]
}

export const KEY_VARIABLE = "MERCHANT_PAYMENTS_ENCRYPTION_KEY"
export const PREVIOUS_KEY_VARIABLE = "MERCHANT_PAYMENTS_ENCRYPTION_KEY_PREVIOUS"

const KEY_BYTES = 32

const HOW =
  "Make one with `openssl rand -base64 32`, set it for every process of the store, and keep a copy " +
  "where the database's backups are not."

export const KEY_MISSING = `${KEY_VARIABLE} is not set, so no secret can be kept here. ${HOW}`

export function readKeys(variables: Readonly<Record<string, string | undefined>>): EncryptionKeys {
  const problems: string[] = []
  const read = (name: string): EncryptionKey | undefined => {
    const text = variables[name]?.trim()
    if (!text) return undefined
    const key = keyFrom(text)
    if (!key) problems.push(`${name} has to be 32 bytes in base64, 44 characters. ${HOW}`)
    return key
  }
  return { current: read(KEY_VARIABLE), previous: read(PREVIOUS_KEY_VARIABLE), problems }
}

function keyFrom(text: string): EncryptionKey | undefined {
  // Node's own reading skips what is no base64: a mistyped key would become another one.
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return undefined
  const bytes = Buffer.from(text, "base64")
  return bytes.length === KEY_BYTES ? { id: idOf(bytes), bytes } : undefined
}

/** The key has 256 random bits: eight digits of its digest are no help to find it. */
function idOf(bytes: Buffer): string {
  const digest = createHash("sha256").update("merchant-payments encryption key").update(bytes)
  return `k${digest.digest("hex").slice(0, 8)}`
}
