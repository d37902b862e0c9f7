/**
 * The encrypted secrets of credentials. They can't be read here: the key is not in the database,
 * and never was.
 */
import { type AccountId, type CredentialId, idFrom, type MerchantId } from "../../core/ids"
import type { Sealed } from "../../core/secret-box"
import type { Database, Row } from "../database"
import { accountEventInsert, accountEventValues, type AccountEventDraft } from "./account-events"

/** A credential with all that a gateway client is made from. */
export type KeptCredential = {
  readonly id: CredentialId
  readonly accountId: AccountId
  readonly clientId: string
  readonly baseUrl: string
  readonly ownerId: MerchantId | null
  readonly sealed: Sealed | null
  readonly savedAt: Date | null
  readonly status: "active" | "draining"
}

export const CREDENTIAL_COLUMNS = `c.id as credential_id, c.account_id as credential_account_id,
  c.client_id, c.base_url as credential_base_url, c.owner_id,
  c.secret_ciphertext, c.key_id, c.secret_saved_at, c.status as credential_status`

const FIND = `
  select ${CREDENTIAL_COLUMNS} from mp_credential c
   where c.id = $1 and c.deleted_at is null`

/** @returns undefined also for a credential that an admin has dropped */
export async function findKeptCredential(
  database: Database,
  id: CredentialId,
): Promise<KeptCredential | undefined> {
  const [row] = await database.query(FIND, [id])
  return row && keptCredentialFrom(row)
}

const LIST = `
  select ${CREDENTIAL_COLUMNS} from mp_credential c
   where c.deleted_at is null and ($1::text is null or c.account_id = $1)
   order by c.created_at desc, c.id`

/**
 * Credentials that are not dropped, newest first.
 *
 * @param accountId default: the credentials of all accounts
 */
export async function listKeptCredentials(
  database: Database,
  accountId?: AccountId,
): Promise<KeptCredential[]> {
  const rows = await database.query(LIST, [accountId ?? null])
  return rows.map(keptCredentialFrom)
}

const REPLACE = `
  update mp_credential set secret_ciphertext = $3, key_id = $4, updated_at = now()
   where id = $1 and secret_ciphertext = $2 returning id`

/**
 * Stores the same secret, encrypted under another key. The time when it was saved stays, because it
 * shows the secret's age.
 *
 * @returns false when another secret was saved meanwhile
 */
export async function replaceSealed(
  database: Database,
  id: CredentialId,
  change: { readonly from: Sealed; readonly to: Sealed },
): Promise<boolean> {
  const { from, to } = change
  const rows = await database.query(REPLACE, [id, from.ciphertext, to.ciphertext, to.keyId])
  return rows.length > 0
}

const DROP = `
  with dropped as (
    update mp_credential c
       set deleted_at = now(), secret_ciphertext = null, key_id = null, updated_at = now()
     where c.id = $1 and c.account_id = $2 and c.deleted_at is null and c.status = 'draining'
       and not exists (
         select from mp_account a where a.credential_id = c.id and a.deleted_at is null)
       and not exists (
         select from mp_operation o
          where o.account_id = $2 and o.credential_id = c.id
            and (o.state in ('drafted', 'submitted', 'in_flight', 'review')
                 -- What ended is watched: money may come late, and no other credential could ask.
                 or o.next_check_at is not null))
    returning c.id, c.account_id
  ), noted as (${accountEventInsert("account_id", 3)} from dropped)
  select id from dropped`

/**
 * @returns false while payments made with the credential are under way, and for the credential that
 *   an account uses now
 */
export async function dropCredential(
  database: Database,
  credential: { readonly id: CredentialId; readonly accountId: AccountId },
  event: AccountEventDraft,
): Promise<boolean> {
  const values = [credential.id, credential.accountId, ...accountEventValues(event)]
  const rows = await database.query(DROP, values)
  return rows.length > 0
}

export function keptCredentialFrom(row: Row): KeptCredential {
  const { secret_ciphertext: ciphertext, key_id: keyId, secret_saved_at: savedAt } = row
  const isSealed = typeof ciphertext === "string" && typeof keyId === "string"
  const { owner_id: ownerId } = row
  return {
    id: idFrom(String(row["credential_id"])),
    accountId: idFrom(String(row["credential_account_id"])),
    clientId: String(row["client_id"]),
    baseUrl: String(row["credential_base_url"]),
    ownerId: ownerId === null ? null : idFrom<MerchantId>(Number(ownerId)),
    sealed: isSealed ? { ciphertext, keyId } : null,
    savedAt: savedAt instanceof Date ? savedAt : null,
    status: row["credential_status"] === "draining" ? "draining" : "active",
  }
}
