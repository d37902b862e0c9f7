/**
 * A digest of texts that are few enough to be tried out, phone numbers above all. Its key comes from what
 * the store's processes share and its database does not have: the encryption key, else the environment's
 * client secret. One of the two is there wherever an account can be used.
 */
import { createHmac } from "node:crypto"
import { readKeys } from "./keys"

export function keyedDigest(
  variables: Readonly<Record<string, string | undefined>>,
): (text: string) => string {
  const { current } = readKeys(variables)
  const secret = current?.bytes ?? variables["MERCHANT_PAYMENTS_CLIENT_SECRET"] ?? ""
  // Derived, so that the key of the secrets is used for nothing else.
  const key = createHmac("sha256", secret).update("merchant-payments digests").digest()
  return (text) => createHmac("sha256", key).update(text).digest("base64url")
}
