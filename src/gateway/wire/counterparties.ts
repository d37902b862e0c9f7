/**
 * `counterparties/…`: what links a party to the merchant. An invoice or order that is made document
 * first is made for one (specification, "What the service does").
 */
import { z } from "zod"
import { methodOf, type Call, type CallOptions } from "../call"
import { byId, inBody, inQuery, writer, type Endpoint } from "../endpoint"
import { ENUMS, type RelationshipType } from "./enums"
import * as field from "./fields"
import type { GatewayTime, Wire } from "./reading"
import { inSnakeCase, listReader, otherThanAsked, part, reader, recordReader } from "./reading"
import { partyFields, type PartyRecord } from "./parties"

export type CreateCounterpartyRequest = {
  readonly relationshipType: RelationshipType
  /** The contract lets it be left out; a document needs a counterparty that has one. */
  readonly partyId?: number | undefined
}

export type ListCounterpartiesRequest = {
  /** A part of the party's name. */
  readonly fullname?: string | undefined
  readonly relationshipType?: RelationshipType | undefined
}

/** What is left out stays as it is. */
export type UpdateCounterpartyRequest = {
  readonly relationshipType?: RelationshipType | undefined
  /**
   * Null asks to unlink the party. The contract does not say whether the gateway does so: read the
   * counterparty.
   */
  readonly partyId?: number | null | undefined
}

/** A counterparty as part of another answer. */
export type CounterpartyRecord = {
  readonly id: number
  /** Open: the gateway may know more relationships than its contract. */
  readonly relationshipType: RelationshipType | (string & {})
  /** The merchant's side. */
  readonly ownerPartyType?: string
  readonly ownerPartyId?: number
  readonly createdAt?: GatewayTime
  readonly updatedAt?: GatewayTime
}

export type Counterparty = CounterpartyRecord & {
  /** Not in every answer, even where a party is linked. */
  readonly partyId?: number
  readonly wire: Wire
}

/** A counterparty with its party, if it has one. */
export type CounterpartyWithParty = CounterpartyRecord & { readonly party?: PartyRecord }

export type CounterpartyDetail = CounterpartyWithParty & { readonly wire: Wire }

const relationshipField = z.enum(ENUMS.RelationshipType)

const recordFields = z.object({
  id: field.id,
  relationship_type: field.word(ENUMS.RelationshipType),
  owner_party_type: field.optionalWord(ENUMS.OwnerType),
  owner_party_id: field.optionalId,
  ...field.recordTimes,
})
const answerSchema = recordFields.extend({ party_id: field.optionalId })

/** Fields of a counterparty with its party, also used by answers that contain one. */
export const counterpartyFields = recordFields.extend({ party: part(partyFields) })

/** What the answer has to be about. A field that was not asked for is not compared. */
type Asked = { readonly id?: number; readonly partyId?: number | null | undefined }

const readCounterparty = reader<typeof answerSchema, Asked, Counterparty>(
  answerSchema,
  (fields, wire, asked) => {
    // Not every answer names the party.
    const partyId = fields.partyId === undefined ? undefined : (asked.partyId ?? undefined)
    return otherThanAsked(fields, { id: asked.id, partyId }) ?? { ...fields, wire }
  },
)

export const createCounterparty: Endpoint<CreateCounterpartyRequest, Counterparty> = {
  operation: "counterparties.create",
  write: inBody(
    z.object({
      relationshipType: relationshipField,
      partyId: z.int().positive().optional(),
    }),
  ),
  read: readCounterparty,
}

export const listCounterparties: Endpoint<ListCounterpartiesRequest, readonly Counterparty[]> = {
  operation: "counterparties.list",
  write: inQuery(
    z.object({
      fullname: field.addressText.optional(),
      relationshipType: relationshipField.optional(),
    }),
  ),
  read: listReader(recordReader(answerSchema)),
}

export const retrieveCounterparty = byId<CounterpartyDetail>(
  "counterparties.retrieve",
  recordReader(counterpartyFields, ({ id }) => ({ id })),
)

export const updateCounterparty: Endpoint<
  UpdateCounterpartyRequest & { readonly id: number },
  Counterparty
> = {
  operation: "counterparties.update",
  write: writer(
    z.object({
      id: z.int().positive(),
      relationshipType: relationshipField.optional(),
      partyId: z.int().positive().nullish(),
    }),
    ({ id, ...changes }) => ({ params: { id }, body: inSnakeCase(changes) }),
  ),
  read: readCounterparty,
}

/** What a party is to the merchant. A document made by hand is made for one (contract, 2b). */
export const counterpartiesOf = (call: Call) => ({
  /**
   * Links a party to the merchant. No idempotency key: a repeat makes a second link. `refused` with
   * `Invalid` naming the field, as `partyId` of another merchant's party (contract, 2b and 7).
   */
  create: methodOf(call, createCounterparty),
  /**
   * All links at once, or those with a name or a relationship; there are no pages (contract, 17).
   */
  list: (filter: ListCounterpartiesRequest = {}, options?: CallOptions) =>
    call(listCounterparties, filter, options),
  /**
   * One link with its party. `NotFound`: none with this id, or another merchant's (contract, 6).
   */
  retrieve: (id: number, options?: CallOptions) => call(retrieveCounterparty, { id }, options),
  /** Changes the given fields. The same changes may be sent again after `unknown` (contract, 6). */
  update: (id: number, changes: UpdateCounterpartyRequest, options?: CallOptions) =>
    call(updateCounterparty, { ...changes, id }, options),
})
