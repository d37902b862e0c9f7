/** What a secret is sealed for: its credential, so that no row's secret can be put into another row. */
export function sealedFor(credentialId: string): string {
  return `mp_credential ${credentialId}`
}
