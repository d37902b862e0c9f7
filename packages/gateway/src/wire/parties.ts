/** `parties/…`: contact records (specification, "What the service does"; contract, 2b). */
import { z } from "zod"
import type { Given, PartyId } from "../terms/ids"
import { methodOf, type Call, type CallOptions } from "../call"
import { byId, inBody, inQuery, type Endpoint } from "../endpoint"
import { plainText } from "../plain-text"
import * as field from "./fields"
import { listReader, recordReader, type GatewayTime, type Wire } from "./reading"

export type CreatePartyRequest = {
  readonly fullname: string
  /** The contact's phone number, digits of E.164 without a plus. */
  readonly phone: string
  readonly email?: string | undefined
  /** The contact's country in ISO 3166-1, two upper case letters. */
  readonly countryCode?: string | undefined
}

export type ListPartiesRequest = {
  /** A part of the party's name. */
  readonly fullname?: string | undefined
}

/** A party as part of another answer. */
export type PartyRecord = {
  readonly id: PartyId
  readonly fullname: string
  readonly email?: string
  /** As the gateway wrote it. A request must have it, but an answer may lack it. */
  readonly phone?: string
  readonly countryCode?: string
  readonly createdAt?: GatewayTime
  readonly updatedAt?: GatewayTime
}

export type Party = PartyRecord & { readonly wire: Wire }

/** Fields of a party, also used by answers that contain one. */
export const partyFields = z.object({
  id: field.idOf<PartyId>(),
  fullname: field.privateText,
  email: field.optionalPrivate,
  phone: field.optionalPrivate,
  country_code: field.optionalText,
  ...field.recordTimes,
})

const readParty = recordReader(partyFields)

const write = inBody(
  z.object({
    fullname: field.text,
    phone: field.phone,
    email: field.text.optional(),
    countryCode: field.countryCode.optional(),
  }),
)

export const createParty: Endpoint<CreatePartyRequest, Party> = {
  operation: "parties.create",
  write,
  writePlain: ({ email: _email, ...request }) =>
    write({ ...request, fullname: plainText(request.fullname, "Customer") }),
  read: readParty,
}

export const listParties: Endpoint<ListPartiesRequest, readonly Party[]> = {
  operation: "parties.list",
  write: inQuery(z.object({ fullname: field.addressText.optional() })),
  read: listReader(readParty),
}

export const retrieveParty = byId<Party>(
  "parties.retrieve",
  recordReader(partyFields, ({ id }) => ({ id })),
)

/** The merchant's contacts: who pays and who is paid (specification, "What the service does"). */
export const partiesOf = (call: Call) => ({
  /**
   * Makes a contact. No idempotency key: a repeat makes a second one, so after `unknown` list the
   * parties by name first. `checkouts.create` makes or matches the party by itself (specification,
   * "What the service does" and "Errors"; contract, 2b and 7).
   */
  create: methodOf(call, createParty),
  /** Lists all contacts at once, or filters by a part of the name; no pages (contract, 17). */
  list: (filter: ListPartiesRequest = {}, options?: CallOptions) =>
    call(listParties, filter, options),
  /**
   * One contact. `NotFound`: there is none with this id, or it is another merchant's (contract, 6).
   */
  retrieve: (id: Given<PartyId>, options?: CallOptions) => call(retrieveParty, { id }, options),
})
