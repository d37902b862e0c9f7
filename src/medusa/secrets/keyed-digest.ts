/**
 * A keyed digest of texts that could be guessed by trial, such as phone numbers. Its key is known
 * to all processes and not to the database: it is derived from the encryption key, else the
 * previous one, else the environment's client secret. One of them exists wherever an account can be
 * used.
 */
import { createHmac } from "node:crypto"
import { readKeys } from "./keys"

export function keyedDigest(
  variables: Readonly<Record<string, string | undefined>>,
): (text: string) => string {
  const { current, previous } = readKeys(variables)
  const secret = (current ?? previous)?.bytes ?? variables["MERCHANT_PAYMENTS_CLIENT_SECRET"] ?? ""
  // The key is derived, so that the encryption key itself is used for encryption only.
  const key = createHmac("sha256", secret).update("merchant-payments digests").digest()
  return (text) => createHmac("sha256", key).update(text).digest("base64url")
}
