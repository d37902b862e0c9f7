/**
 * `parties/create`, `list` and `retrieve`: contact records (specification, "What the service does";
 * contract, 2b).
 */
import { z } from "zod"
import type { Endpoint } from "../endpoint"
import { checkedBy } from "../endpoint"
import type { Wire } from "./fields"
import {
  addressTextField,
  idField,
  listReader,
  Misfit,
  optionalText,
  phoneField,
  reader,
  textField,
} from "./fields"

export type CreatePartyRequest = {
  readonly fullname: string
  /** Digits of E.164 without a plus. */
  readonly phone: string
  readonly email?: string | undefined
  /** ISO 3166-1, two upper case letters. */
  readonly countryCode?: string | undefined
}

export type ListPartiesRequest = {
  /** A part of the name. */
  readonly fullname?: string | undefined
}

/** A party as part of another answer. */
export type PartyRecord = {
  readonly id: number
  readonly fullname: string
  readonly email?: string
  /** As the gateway wrote it. Required when a party is made, but an answer may lack it. */
  readonly phone?: string
  readonly countryCode?: string
  /** ISO 8601, as the gateway wrote it. */
  readonly createdAt?: string
  /** ISO 8601, as the gateway wrote it. */
  readonly updatedAt?: string
}

export type Party = PartyRecord & { readonly wire: Wire }

const createSchema = z.object({
  fullname: textField,
  phone: phoneField,
  email: textField.optional(),
  countryCode: z
    .string()
    .regex(/^[A-Z]{2}$/, "two upper case letters")
    .optional(),
})
const listSchema = z.object({ fullname: addressTextField.optional() })
const retrieveSchema = z.object({ id: z.int().positive() })

/** Fields of a party, also used by answers that contain one. */
export const partyFields = z.object({
  id: idField,
  fullname: textField,
  email: optionalText,
  phone: optionalText,
  country_code: optionalText,
  created_at: optionalText,
  updated_at: optionalText,
})

export const partyRecord = (fields: z.output<typeof partyFields>): PartyRecord => ({
  id: fields.id,
  fullname: fields.fullname,
  email: fields.email,
  phone: fields.phone,
  countryCode: fields.country_code,
  createdAt: fields.created_at,
  updatedAt: fields.updated_at,
})

const readParty = reader<typeof partyFields, unknown, Party>(partyFields, (fields, wire) => ({
  ...partyRecord(fields),
  wire,
}))

export const createParty: Endpoint<CreatePartyRequest, Party> = {
  operation: "parties.create",
  problemsWith: checkedBy(createSchema),
  write: ({ fullname, phone, email, countryCode }) => ({
    body: { fullname, phone, email, country_code: countryCode },
  }),
  read: readParty,
}

export const listParties: Endpoint<ListPartiesRequest, readonly Party[]> = {
  operation: "parties.list",
  problemsWith: checkedBy(listSchema),
  write: ({ fullname }) => ({ query: { fullname } }),
  read: listReader(readParty),
}

export const retrieveParty: Endpoint<{ readonly id: number }, Party> = {
  operation: "parties.retrieve",
  problemsWith: checkedBy(retrieveSchema),
  write: ({ id }) => ({ params: { id: String(id) } }),
  read: reader(partyFields, (fields, wire, request) =>
    fields.id === request.id
      ? { ...partyRecord(fields), wire }
      : new Misfit("id", "another party than asked for"),
  ),
}
