/**
 * The party and counterparty of a shopper at the gateway, so that each is made once. Only ids are
 * kept: name and phone stay with Medusa and the gateway. A registered customer is known by the
 * customer id, a guest by the cart id.
 *
 * Two requests at once may both make a party; all use the one that is kept first.
 */
import { randomUUID } from "node:crypto"
import {
  type AccountId,
  type CartId,
  type CounterpartyId,
  type CustomerId,
  idFrom,
  type PartyId,
} from "../../core/ids"
import type { Database } from "../../ledger/database"

export type Shopper =
  | { readonly accountId: AccountId; readonly customerId: CustomerId; readonly cartId: null }
  | { readonly accountId: AccountId; readonly customerId: null; readonly cartId: CartId }

export type KeptParty = {
  /** The id of the row in `mp_party`. */
  readonly id: string
  readonly partyId: PartyId
  /** Null: the gateway's answer to making it was lost, or is still on its way. */
  readonly counterpartyId: CounterpartyId | null
}

const FIND = `
  select id, party_id, counterparty_id from mp_party
   where account_id = $1 and coalesce(customer_id, cart_id) = $2`

const KEEP = `
  insert into mp_party (id, account_id, customer_id, cart_id, party_id)
  values ($1, $2, $3, $4, $5)
  on conflict (account_id, coalesce(customer_id, cart_id))
    do update set updated_at = now()
  returning id, party_id, counterparty_id`

const LINK = `
  update mp_party set counterparty_id = coalesce(counterparty_id, $2), updated_at = now()
   where id = $1 returning id, party_id, counterparty_id`

const FORGET = `delete from mp_party where id = $1`

export async function findParty(
  database: Database,
  shopper: Shopper,
): Promise<KeptParty | undefined> {
  return one(database, FIND, [shopper.accountId, shopper.customerId ?? shopper.cartId])
}

/** @returns the party kept for this shopper: another one, if another request was faster */
export async function keepParty(
  database: Database,
  shopper: Shopper,
  partyId: PartyId,
): Promise<KeptParty | undefined> {
  const { accountId, customerId, cartId } = shopper
  return one(database, KEEP, [`mpparty_${randomUUID()}`, accountId, customerId, cartId, partyId])
}

/**
 * @returns the row as kept now: with another counterparty, if another request was faster; undefined
 *   once it is forgotten
 */
export async function keepCounterparty(
  database: Database,
  kept: KeptParty,
  counterpartyId: CounterpartyId,
): Promise<KeptParty | undefined> {
  return one(database, LINK, [kept.id, counterpartyId])
}

/** Forgets a party that the gateway refuses, for example since another merchant is set up. */
export async function forgetParty(database: Database, kept: KeptParty): Promise<void> {
  await database.query(FORGET, [kept.id])
}

async function one(
  database: Database,
  sql: string,
  parameters: readonly unknown[],
): Promise<KeptParty | undefined> {
  const [row] = await database.query(sql, parameters)
  if (!row) return undefined
  const { id, party_id: partyId, counterparty_id: counterpartyId } = row
  return {
    id: String(id),
    // `bigint` comes as text from the driver.
    partyId: idFrom(Number(partyId)),
    counterpartyId: counterpartyId === null ? null : idFrom<CounterpartyId>(Number(counterpartyId)),
  }
}
