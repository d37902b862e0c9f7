/**
 * `counterparties/…`: a counterparty links a party to the merchant. An invoice or order that is
 * made document first names one (specification, "What the service does").
 */
import { z } from "zod"
import type { CounterpartyId, Given, MerchantId, PartyId } from "../terms/ids"
import { methodOf, type Call, type CallOptions } from "../call"
import { byId, inBody, inQuery, writer, type Endpoint } from "../endpoint"
import { ENUMS, type RelationshipType } from "./enums"
import * as field from "./fields"
import type { GatewayTime, Wire } from "./reading"
import { inSnakeCase, listReader, otherThanAsked, part, reader, recordReader } from "./reading"
import { partyFields, type PartyRecord } from "./parties"

export type CreateCounterpartyRequest = {
  readonly relationshipType: RelationshipType
  /** The contract makes it optional, but a source needs a counterparty that has a party. */
  readonly partyId?: Given<PartyId> | undefined
}

export type ListCounterpartiesRequest = {
  /** A part of the party's name. */
  readonly fullname?: string | undefined
  readonly relationshipType?: RelationshipType | undefined
}

/** Changes of a counterparty. A field that is left out stays as it is. */
export type UpdateCounterpartyRequest = {
  readonly relationshipType?: RelationshipType | undefined
  /**
   * Null asks to unlink the party. The contract does not say whether the gateway does it, so read
   * the counterparty afterwards.
   */
  readonly partyId?: Given<PartyId> | null | undefined
}

/** A counterparty as part of another answer. */
export type CounterpartyRecord = {
  readonly id: CounterpartyId
  /** Open: the gateway may know more relationships than its contract. */
  readonly relationshipType: RelationshipType | (string & {})
  /** The kind of merchant that the counterparty belongs to. */
  readonly ownerPartyType?: string
  /** The id of the merchant that the counterparty belongs to. */
  readonly ownerPartyId?: MerchantId
  readonly createdAt?: GatewayTime
  readonly updatedAt?: GatewayTime
}

export type Counterparty = CounterpartyRecord & {
  /** The linked party's id. An answer may lack it even when a party is linked. */
  readonly partyId?: PartyId
  readonly wire: Wire
}

/** A counterparty with its party, if it has one. */
export type CounterpartyWithParty = CounterpartyRecord & { readonly party?: PartyRecord }

export type CounterpartyDetail = CounterpartyWithParty & { readonly wire: Wire }

const relationshipField = z.enum(ENUMS.RelationshipType)

const recordFields = z.object({
  id: field.idOf<CounterpartyId>(),
  relationship_type: field.word(ENUMS.RelationshipType),
  owner_party_type: field.optionalWord(ENUMS.OwnerType),
  owner_party_id: field.optionalIdOf<MerchantId>(),
  ...field.recordTimes,
})
const answerSchema = recordFields.extend({ party_id: field.optionalIdOf<PartyId>() })

/** Fields of a counterparty with its party, also used by answers that contain one. */
export const counterpartyFields = recordFields.extend({ party: part(partyFields) })

/** Fields of the request that the answer must repeat. An absent field is not compared. */
type Asked = { readonly id?: number; readonly partyId?: number | null | undefined }

const readCounterparty = reader<typeof answerSchema, Asked, Counterparty>(
  answerSchema,
  (fields, wire, asked) => {
    // An answer that names no party is accepted, so the party is compared only if it is there.
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
  UpdateCounterpartyRequest & { readonly id: Given<CounterpartyId> },
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

/** What a party is to the merchant. A source made document first names one (contract, 2b). */
export const counterpartiesOf = (call: Call) => ({
  /**
   * Links a party to the merchant. No idempotency key: a repeat makes a second link. `refused` with
   * `Invalid` names the field, such as a `partyId` of another merchant (contract, 2b and 7).
   */
  create: methodOf(call, createCounterparty),
  /**
   * Lists all links at once, or filters by name or relationship; there are no pages (contract, 17).
   */
  list: (filter: ListCounterpartiesRequest = {}, options?: CallOptions) =>
    call(listCounterparties, filter, options),
  /**
   * One link with its party. `NotFound`: no link has this id, or it is another merchant's
   * (contract, 6).
   */
  retrieve: (id: Given<CounterpartyId>, options?: CallOptions) =>
    call(retrieveCounterparty, { id }, options),
  /** Changes the given fields. The same changes may be sent again after `unknown` (contract, 6). */
  update: (id: Given<CounterpartyId>, changes: UpdateCounterpartyRequest, options?: CallOptions) =>
    call(updateCounterparty, { ...changes, id }, options),
})
