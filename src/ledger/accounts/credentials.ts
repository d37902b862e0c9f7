/**
 * With which credentials operations were made. An id of the gateway's means something to one
 * merchant of one gateway only. So the gateway is never asked about an operation with another
 * merchant's credential: there, the same ids could be that merchant's sources. Secrets are not
 * here; a credential is known by a fingerprint.
 */
import { createHash } from "node:crypto"
import { type AccountId, type CredentialId, idFrom, type MerchantId } from "../../core/ids"
import { rowOf, rowsOf, type Database } from "../database"

export type Credential = {
  readonly id: CredentialId
  /** The merchant's id at the gateway; null until one of the merchant's sources names it. */
  readonly ownerId: MerchantId | null
}

const OWNED = `id, owner_id::float8 as "ownerId"`

/** What identifies a credential: the account's client at a gateway. Its secret may be rotated. */
export type CredentialIdentity = {
  readonly accountId: AccountId
  readonly baseUrl: string
  readonly clientId: string
}

const MAKE = `
  insert into mp_credential (id, account_id, client_id, base_url, fingerprint)
  values ($1, $2, $3, $4, $5)
  on conflict do nothing`

const ADOPT = `
  update mp_credential set status = 'active', deleted_at = null, updated_at = now()
   where id = $1 returning ${OWNED}`

/** Finds or makes a credential: the same identity is one row, whichever worker comes first. */
export async function adoptCredential(
  database: Database,
  identity: CredentialIdentity,
): Promise<Credential> {
  const { id, fingerprint } = keyOf(identity)
  const { accountId, clientId, baseUrl } = identity
  // If two workers insert at once, a constraint decides; the loser reads the winner's row.
  await database.query(MAKE, [id, accountId, clientId, baseUrl, fingerprint])
  return rowOf<Credential>(database, ADOPT, [id])
}

const LEARN = `
  update mp_credential set owner_id = coalesce(owner_id, $2), updated_at = now()
   where id = $1 returning ${OWNED}`

/** @returns the credential with its owner; an owner that was known before is kept */
export async function learnOwner(
  database: Database,
  credentialId: CredentialId,
  ownerId: MerchantId,
): Promise<Credential | undefined> {
  const [credential] = await rowsOf<Credential>(database, LEARN, [credentialId, ownerId])
  return credential
}

/** Follows proven successors; a merchant may go back to an old credential: `union` ends loops. */
const CAN_ASK_FOR = `
  with recursive line (id) as (
    select $1::text
    union
    select c.successor_id from mp_credential c join line l on l.id = c.id
     where c.successor_id is not null
  )
  select exists (select from line where id = $2::text) as can_ask`

/** Whether `credentialId` was proven to belong to the same merchant as `madeWith`. */
export async function isProvenFor(
  database: Database,
  madeWith: CredentialId,
  credentialId: CredentialId,
): Promise<boolean> {
  const [row] = await database.query(CAN_ASK_FOR, [madeWith, credentialId])
  return row?.["can_ask"] === true
}

/** Makes each credential the other's successor: they were proven to be the same merchant's. */
const SUCCEED = `
  update mp_credential
     set successor_id = case when id = $1 then $2
                             when id = $2 then coalesce(successor_id, $1) else successor_id end,
         owner_id = case when id in ($1, $2) then coalesce(owner_id, $3::bigint) else owner_id end,
         status = case when id = $1 then 'draining' when id = $2 then 'active' else status end,
         numbers_of = (select coalesce(numbers_of, id) from mp_credential where id = $1),
         updated_at = now()
   where coalesce(numbers_of, id) in
         (select coalesce(numbers_of, id) from mp_credential where id in ($1, $2))`

export async function succeedCredential(
  database: Database,
  succession: {
    readonly from: CredentialId
    readonly to: CredentialId
    readonly ownerId: MerchantId | null
  },
): Promise<void> {
  await database.query(SUCCEED, [succession.from, succession.to, succession.ownerId])
}

/**
 * SQL: whether the same gateway number may mean the same thing to two credentials, each given as an
 * expression for its id. It may if they were proven to be the same merchant's, or are at one
 * address and not known to be two merchants'. An operation made before credentials were noted
 * (null) may be of any.
 */
export const mayShareNumbers = (one: string, two: string) => `
  (${one} is null or ${two} is null or ${one} = ${two} or exists (
     select from mp_credential a join mp_credential b on b.id = ${two}
      where a.id = ${one}
        and (coalesce(a.numbers_of, a.id) = coalesce(b.numbers_of, b.id)
             or a.base_url = b.base_url and coalesce(a.owner_id = b.owner_id, true))))`

const FIND = `select ${OWNED} from mp_credential where id = $1`

export async function findCredential(
  database: Database,
  id: CredentialId | null,
): Promise<Credential | undefined> {
  const [credential] = await rowsOf<Credential>(database, FIND, [id])
  return credential
}

/** The key holds account and address: one client at two gateways is two credentials. */
export function keyOf({ accountId, baseUrl, clientId }: CredentialIdentity): {
  readonly id: CredentialId
  readonly fingerprint: string
} {
  const fingerprint = createHash("sha256")
    .update(JSON.stringify([accountId, baseUrl, clientId]))
    .digest("hex")
  return { id: idFrom(`mpcred_${fingerprint.slice(0, 32)}`), fingerprint }
}
