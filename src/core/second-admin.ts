/**
 * Whether somebody stands behind the id that Medusa gives for who asks. An API key's does not say whose
 * hand it was in: with a key beside the login, one admin would be two.
 */
export function isPerson(adminId: string): boolean {
  return !adminId.startsWith("apk_")
}
