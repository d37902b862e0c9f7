/**
 * Which parties and wallets the gateway has under a phone number: ids alone, kept under the
 * number's keyed digest. Ids of one merchant mean nothing to another. So ids are found only if
 * their credentials are proven to be the same merchant's.
 */
import {
  type AccountId,
  type CounterpartyId,
  type CredentialId,
  idFrom,
  type PartyId,
} from "../../core/ids"
import { merchantClient } from "../../ledger/accounts/merchant-client"
import type { Database } from "../../ledger/database"
import { json } from "../../ledger/operation-row"
import { paymentAccounts, type PaymentAccounts } from "../schemas/stored-payer"

export type PayerNumber = {
  readonly accountId: AccountId
  readonly credentialId: CredentialId
  readonly numberDigest: string
}

export type KnownPayer = {
  readonly partyId: PartyId
  readonly counterpartyId: CounterpartyId | null
  readonly paymentAccounts: PaymentAccounts
}

const KEEP = `
  insert into mp_payer as p (
    account_id, credential_id, number_digest, party_id, counterparty_id, payment_accounts)
  values ($1, $2, $3, $4, $5, $6::jsonb)
  on conflict (account_id, number_digest, credential_id, party_id) do update
     set counterparty_id = coalesce(p.counterparty_id, excluded.counterparty_id),
         payment_accounts = p.payment_accounts || excluded.payment_accounts, updated_at = now()`

const FIND = `
  with recursive ${merchantClient("null::text", "$1::text")}
  select p.number_digest as id, p.party_id, p.counterparty_id, p.payment_accounts
    from mp_payer p join client on client.id = p.credential_id
   where p.number_digest = $2
     and p.account_id = any(array(
       select c.account_id from mp_credential c join client k on k.id = c.id))
   order by p.created_at, p.party_id`

export async function keepPayer(
  database: Database,
  { accountId, credentialId, numberDigest }: PayerNumber,
  payer: Pick<KnownPayer, "partyId"> & Partial<KnownPayer>,
): Promise<void> {
  const { partyId, counterpartyId = null } = payer
  const accounts = JSON.stringify(payer.paymentAccounts ?? {})
  const parameters = [accountId, credentialId, numberDigest, partyId, counterpartyId, accounts]
  await database.query(KEEP, parameters)
}

/** @returns all payers with this number, of any account of the merchant client, in the order in which they were kept */
export async function findPayers(
  database: Database,
  { credentialId, numberDigest }: PayerNumber,
): Promise<KnownPayer[]> {
  const rows = await database.query(FIND, [credentialId, numberDigest])
  return rows.map((row) => {
    const counterpartyId = row["counterparty_id"]
    return {
      // `bigint` comes as text from the driver.
      partyId: idFrom(Number(row["party_id"])),
      counterpartyId:
        counterpartyId === null ? null : idFrom<CounterpartyId>(Number(counterpartyId)),
      paymentAccounts: json(row, "payment_accounts", paymentAccounts),
    }
  })
}
