/**
 * Parties and counterparties (specification, "Concepts"; contract notes, sections 2a and 7). A
 * create has no idempotency key: a repeat makes a second record. Only `checkouts/create` matches
 * existing ones: the party by phone number, the counterparty by party and relationship.
 */
import type { Counterparty, Party } from "../book/records"
import { alreadyRegistered, notFound, refused } from "../problem"
import type { World } from "../world"

export type PartyRequest = {
  fullname: string
  phone: string
  email?: string | null
  country_code?: string | null
}

export type CounterpartyRequest = { relationship_type: string; party_id?: number | null }

/** A field that is absent or null stays as it is. */
export type CounterpartyChange = { relationship_type?: string | null; party_id?: number | null }

const DEFAULT_RELATIONSHIP = "CUSTOMER"

export function createParty(world: World, ownerId: number, request: PartyRequest): Party {
  const { fullname, phone, email = null, country_code: countryCode = null } = request
  if (countryCode !== null && !/^[A-Z]{2}$/.test(countryCode)) {
    throw refused(["body", "country_code"], "Not a two-letter country code")
  }
  if (world.habits.has("known_party_refused") && world.book.partyByPhone(ownerId, phone)) {
    throw alreadyRegistered(["body", "phone"], "A party with this phone is already registered")
  }
  return world.book.addParty({
    ownerId,
    createdAtMs: world.time.nowMs(),
    id: world.book.next("party"),
    name: fullname,
    phone,
    email,
    countryCode,
  })
}

/** Throws 404 for an unknown party and for another merchant's. */
export function ownParty(world: World, ownerId: number, id: number): Party {
  const party = world.book.parties.get(id)
  if (party?.ownerId !== ownerId) throw notFound("Party")
  return party
}

export function createCounterparty(
  world: World,
  ownerId: number,
  { relationship_type: relationship, party_id: partyId }: CounterpartyRequest,
): Counterparty {
  const party = typeof partyId === "number" ? linkable(world, ownerId, partyId) : null
  return added(world, ownerId, relationship, party?.id ?? null)
}

/** Throws 404 for an unknown counterparty and for another merchant's. */
export function ownCounterparty(world: World, ownerId: number, id: number): Counterparty {
  const counterparty = world.book.counterparties.get(id)
  if (counterparty?.ownerId !== ownerId) throw notFound("Counterparty")
  return counterparty
}

export function updateCounterparty(
  world: World,
  counterparty: Counterparty,
  { relationship_type: relationship, party_id: partyId }: CounterpartyChange,
): Counterparty {
  if (typeof partyId === "number") {
    const party = linkable(world, counterparty.ownerId, partyId)
    world.book.linkCounterparty(counterparty, party.id)
  }
  return world.book.update(counterparty, {
    ...(relationship ? { relationship } : {}),
    updatedAtMs: world.time.nowMs(),
  })
}

/** The counterparty that a new document names. Throws 422 on `body.counterparty_id`. */
export function billableCounterparty(world: World, ownerId: number, id: number): Counterparty {
  const field = ["body", "counterparty_id"]
  const counterparty = world.book.counterparties.get(id)
  if (counterparty?.ownerId !== ownerId) throw refused(field, "Counterparty not found")
  if (counterparty.partyId === null) throw refused(field, "Counterparty has no party")
  return counterparty
}

/** What `checkouts/create` says about the payer. */
export type Payer = {
  phone: string
  name: string | null
  email: string | null
  relationship: string | null
}

/** The counterparty of a payer. Party and counterparty are created if none match. */
export function matchedCounterparty(world: World, ownerId: number, payer: Payer): Counterparty {
  const { phone, name, email } = payer
  const party =
    world.book.partyByPhone(ownerId, phone) ??
    createParty(world, ownerId, { fullname: name ?? phone, phone, email })
  const relationship = payer.relationship ?? DEFAULT_RELATIONSHIP
  const known = world.book
    .counterpartiesOf(party.id)
    .find((counterparty) => counterparty.relationship === relationship)
  return known ?? added(world, ownerId, relationship, party.id)
}

function linkable(world: World, ownerId: number, partyId: number): Party {
  const party = world.book.parties.get(partyId)
  if (party?.ownerId !== ownerId) throw refused(["body", "party_id"], "Party not found")
  return party
}

function added(
  world: World,
  ownerId: number,
  relationship: string,
  partyId: number | null,
): Counterparty {
  const nowMs = world.time.nowMs()
  return world.book.addCounterparty({
    ownerId,
    createdAtMs: nowMs,
    id: world.book.next("counterparty"),
    partyId,
    relationship,
    updatedAtMs: nowMs,
  })
}
