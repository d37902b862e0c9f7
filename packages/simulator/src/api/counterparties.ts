/**
 * Counterparties: create, list, retrieve with the party, change. A change also applies to the
 * documents that already name the counterparty.
 */
import type { Counterparty, Party } from "../book/records"
import { iso } from "../clock"
import { merchantOf } from "../rules/merchants"
import {
  createCounterparty,
  ownCounterparty,
  updateCounterparty,
  type CounterpartyChange,
  type CounterpartyRequest,
} from "../rules/parties"
import type { World } from "../world"
import { idOf, operation, type ById, type Operation } from "./operation"
import { isNamed, partyAnswer } from "./parties"

type ListFilter = { fullname?: string; relationship_type?: string }

export const counterpartyOperations: readonly Operation[] = [
  operation<CounterpartyRequest>("createCounterparty", ({ world, ownerId, body }) =>
    counterpartyAnswer(world, createCounterparty(world, ownerId, body)),
  ),
  operation<undefined, ListFilter>("listCounterparties", ({ world, ownerId, query }) =>
    listed(world, ownerId, query),
  ),
  operation<undefined, object, ById>("retrieveCounterparty", ({ world, ownerId, params }) =>
    counterpartyDetail(world, ownCounterparty(world, ownerId, idOf(params.id))),
  ),
  operation<CounterpartyChange, object, ById>(
    "updateCounterparty",
    ({ world, ownerId, body, params }) => {
      const counterparty = ownCounterparty(world, ownerId, idOf(params.id))
      return counterpartyAnswer(world, updateCounterparty(world, counterparty, body))
    },
  ),
]

function listed(world: World, ownerId: number, filter: ListFilter) {
  const { fullname, relationship_type: relationship } = filter
  return [...world.book.counterparties.values()]
    .filter((counterparty) => counterparty.ownerId === ownerId)
    .filter(
      (counterparty) => relationship === undefined || counterparty.relationship === relationship,
    )
    .filter((counterparty) => {
      const party = partyBehind(world, counterparty)
      return !fullname || (party !== null && isNamed(party, fullname))
    })
    .map((counterparty) => counterpartyAnswer(world, counterparty))
}

function partyBehind(world: World, { partyId }: Counterparty): Party | null {
  return partyId === null ? null : (world.book.parties.get(partyId) ?? null)
}

const counterpartyAnswer = (world: World, counterparty: Counterparty) => ({
  ...commonAnswer(world, counterparty),
  party_id: counterparty.partyId,
})

/** A counterparty with its party; documents contain it as well. */
export function counterpartyDetail(world: World, counterparty: Counterparty) {
  const party = partyBehind(world, counterparty)
  return { ...commonAnswer(world, counterparty), party: party && partyAnswer(party) }
}

const commonAnswer = (world: World, counterparty: Counterparty) => ({
  id: counterparty.id,
  owner_party_type: merchantOf(world, counterparty.ownerId).type,
  owner_party_id: counterparty.ownerId,
  relationship_type: counterparty.relationship,
  created_at: iso(counterparty.createdAtMs),
  updated_at: iso(counterparty.updatedAtMs),
})
