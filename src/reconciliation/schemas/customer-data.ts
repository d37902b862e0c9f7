/** What the plugin's tables hold about one customer. */
import { z } from "zod"
import { count, id, number, type Output, text } from "../../core/schemas/shapes"

export const customerDataQuery = z.strictObject({ after: id.optional() })

/** The customer as a party at the gateway, which keeps name, phone number and e-mail address. */
const party = z.strictObject({
  account_id: text,
  party_id: number,
  counterparty_id: number.nullable(),
})
export type PartyRow = Output<typeof party>

/** `GET customers/:id/data`. Rows as they are stored, by the names of their columns. */
export const customerData = z.strictObject({
  customer_id: text,
  parties: z.array(party),
  /** With `sessions`, `events`, `receipt`, `receipt_link` and `refund_approvals` of each. */
  operations: z.array(z.record(text, z.unknown())),
  /** The `after` of the next request; null: these are the last. */
  next: text.nullable(),
})
export type CustomerData = Output<typeof customerData>

/** `DELETE customers/:id/data` */
export const customerDataErased = z.strictObject({
  customer_id: text,
  operations: count,
  /** The gateway keeps name and number. The store has to ask it by these ids to erase them. */
  parties: z.array(party),
})
export type CustomerDataErased = Output<typeof customerDataErased>
