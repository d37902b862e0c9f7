import {
  adoptCredential,
  type Credential,
  type CredentialIdentity,
} from "../../ledger/accounts/credentials"
import type { Database } from "../../ledger/database"

/** The row of a credential, found or created at its first use by this process. */
export function knownCredential(
  database: Database,
): (identity: CredentialIdentity) => Promise<Credential> {
  const known = new Map<string, Promise<Credential>>()
  return (identity) => {
    const key = JSON.stringify(identity)
    const found = known.get(key) ?? adoptCredential(database, identity)
    known.set(key, found)
    // A failed write is not cached.
    found.catch(() => known.delete(key))
    return found
  }
}
