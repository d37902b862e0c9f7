/**
 * Which accounts and credentials are one merchant's client at its gateway. Policies, caps and sums
 * of a day belong to the client. If each account had its own, one admin could use them up once for
 * each account.
 *
 * Two credentials are the same client's if they share address and client id, or address and the
 * merchant's id there, or if the gateway has proven it (`succeedCredential`). A third credential
 * may link them, too.
 */
import type { AccountPolicies } from "../../core/account-settings"
import { storedPolicies } from "../../core/schemas/settings"
import type { AccountId, CredentialId } from "../../core/ids"
import { rowsOf, type Database, type Row } from "../database"

/**
 * SQL that follows `with recursive`: `client` lists the credentials, dropped ones too, and `holder`
 * the live accounts that use one of them. Both parameters are SQL expressions for an id.
 */
export const merchantClient = (accountId: string, credentialId: string) => `
  client (id, base_url, client_id, owner_id, proven) as (
    select id, base_url, client_id, owner_id, coalesce(numbers_of, id)
      from mp_credential where id = ${credentialId}
    union
    select c.id, c.base_url, c.client_id, c.owner_id, coalesce(c.numbers_of, c.id)
      from mp_credential c
      join client k on coalesce(c.numbers_of, c.id) = k.proven
        or (c.base_url = k.base_url and (c.client_id = k.client_id or c.owner_id = k.owner_id))
  ), holder as (
    select a.id, a.policies from mp_account a
     where a.deleted_at is null
       and (a.id = ${accountId} or exists (
         select from mp_credential c join client k on k.id = c.id
          where c.id = a.credential_id or (c.account_id = a.id and c.status = 'active')))
  )`

const POLICIES = `
  with recursive ${merchantClient("$1", "$2::text")}
  select policies from holder
  union all
  select policies from mp_account where id = $1 and deleted_at is not null`

/**
 * The policies, as they are now, of each account of the client. The account itself counts even if
 * it was removed: what it forbids holds for its money as long as there is any.
 */
export async function findClientPolicies(
  database: Database,
  account: { readonly accountId: AccountId; readonly credentialId: CredentialId | null },
): Promise<readonly AccountPolicies[]> {
  const rows = await database.query(POLICIES, [account.accountId, account.credentialId])
  return rows.map(policiesIn)
}

const CLIENT = `
  with recursive ${merchantClient("$1", "$2::text")}
  select (select c.id from mp_credential c join client k on k.id = c.id
           order by c.created_at, c.id limit 1) as key, policies from holder`

/**
 * The client of a live account, with the policies of all its accounts. The key is the same for each
 * of them, and stays the same when one is added: the id of the client's oldest credential.
 */
export async function findClient(
  database: Database,
  account: { readonly accountId: AccountId; readonly credentialId: CredentialId },
): Promise<{ readonly key: string; readonly policies: readonly AccountPolicies[] }> {
  const { accountId, credentialId } = account
  const parameters = [accountId, credentialId]
  const rows = await rowsOf<Row & { readonly key: string }>(database, CLIENT, parameters)
  return { key: rows[0]?.key ?? credentialId, policies: rows.map(policiesIn) }
}

const CREDENTIALS = `
  with recursive ${merchantClient("null::text", "$1::text")}
  select id from client`

/** The credentials of the merchant client that a credential belongs to, itself among them. */
export async function findCredentialsOfClient(
  database: Database,
  credentialId: CredentialId,
): Promise<ReadonlySet<CredentialId>> {
  const rows = await rowsOf<{ readonly id: CredentialId }>(database, CREDENTIALS, [credentialId])
  return new Set([credentialId, ...rows.map(({ id }) => id)])
}

/** The credential that an account has, or had last. */
const LATEST = `
  select c.id from mp_credential c join mp_account a on a.id = c.account_id
   where a.id = $1
   order by (c.id = a.credential_id) is true desc, c.status = 'active' desc, c.updated_at desc
   limit 1`

/** @returns undefined: the account has never had a credential */
export async function findLatestCredential(
  database: Database,
  accountId: AccountId,
): Promise<CredentialId | undefined> {
  const [row] = await rowsOf<{ readonly id: CredentialId }>(database, LATEST, [accountId])
  return row?.id
}

const policiesIn = ({ policies }: Row) => storedPolicies.parse(policies)
