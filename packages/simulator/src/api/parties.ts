/** Parties: create, list, retrieve. The API can't change a party. */
import type { Party } from "../book/records"
import { iso } from "../clock"
import { createParty, ownParty, type PartyRequest } from "../rules/parties"
import { idOf, operation, type ById, type Operation } from "./operation"

type ListFilter = { fullname?: string }

export const partyOperations: readonly Operation[] = [
  operation<PartyRequest>("createParty", ({ world, ownerId, body }) =>
    partyAnswer(createParty(world, ownerId, body)),
  ),
  operation<undefined, ListFilter>("listParties", ({ world, ownerId, query }) =>
    [...world.book.parties.values()]
      .filter((party) => party.ownerId === ownerId && isNamed(party, query.fullname))
      .map(partyAnswer),
  ),
  operation<undefined, object, ById>("retrieveParty", ({ world, ownerId, params }) =>
    partyAnswer(ownParty(world, ownerId, idOf(params.id))),
  ),
]

/** Matches any part of the name, in upper or lower case. */
export const isNamed = (party: Party, part = ""): boolean =>
  party.name.toLowerCase().includes(part.toLowerCase())

export const partyAnswer = (party: Party) => ({
  id: party.id,
  fullname: party.name,
  created_at: iso(party.createdAtMs),
  updated_at: iso(party.createdAtMs),
  email: party.email,
  phone: party.phone,
  country_code: party.countryCode,
})
