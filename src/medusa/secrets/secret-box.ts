/**
 * AES-256-GCM: a secret can be read back unchanged and for the same subject, or not at all. The
 * nonce is random for each sealing; its 96 bits suffice for far more secrets than a shop ever
 * stores.
 */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"
import type { Sealed, SecretBox } from "../../core/secret-box"
import { readKeys, type EncryptionKey, type EncryptionKeys } from "./keys"

const CIPHER = "aes-256-gcm"
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** The format's version, so that a later format is recognised without guessing. */
const VERSION = "v1"

export function secretBoxOf(variables: Readonly<Record<string, string | undefined>>): SecretBox {
  return secretBox(readKeys(variables))
}

/** The keys stay in this closure; the box exposes none. */
function secretBox({ current, previous, problems }: EncryptionKeys): SecretBox {
  const known = [current, previous].flatMap((key) => key ?? [])
  return {
    keyId: current?.id ?? null,
    hasPreviousKey: previous !== undefined,
    problem: problems[0] ?? (current ? null : "key_missing"),
    seal: (secret, about) => current && sealWith(current, secret, about),
    open(sealed, about) {
      const key = known.find(({ id }) => id === sealed.keyId)
      return key && openWith(key, sealed.ciphertext, about)
    },
  }
}

function sealWith(key: EncryptionKey, secret: string, about: string): Sealed {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key.bytes, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(Buffer.from(about, "utf8"))
  const sealed = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()])
  const parts = [nonce, sealed, cipher.getAuthTag()].map((part) => part.toString("base64url"))
  return { ciphertext: [VERSION, ...parts].join("."), keyId: key.id }
}

function openWith(key: EncryptionKey, ciphertext: string, about: string): string | undefined {
  const [version, ...parts] = ciphertext.split(".")
  const [nonce, sealed, tag] = parts.map((part) => Buffer.from(part, "base64url"))
  if (version !== VERSION || parts.length !== 3 || !nonce || !sealed || !tag) return undefined
  if (nonce.length !== NONCE_BYTES || tag.length !== TAG_BYTES) return undefined
  try {
    const decipher = createDecipheriv(CIPHER, key.bytes, nonce, { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(about, "utf8"))
    decipher.setAuthTag(tag)
    return Buffer.concat([decipher.update(sealed), decipher.final()]).toString("utf8")
  } catch {
    // The sealed text was changed, or is for another subject. Node's message says no more.
    return undefined
  }
}
