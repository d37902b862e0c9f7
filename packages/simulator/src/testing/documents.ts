/** Makes documents over HTTP, for tests: contact, link, draft, lines, publish, payment. */
import type { Merchant } from "../index"
import { phoneEnding, type ApiResponse, type Bench, type Json } from "./client"

/** Both kinds of documents, with their different field names. */
export const KINDS = [
  {
    type: "ORDER",
    path: "orders",
    number: "order_number",
    items: "order_items",
    parameter: "order_id",
  },
  {
    type: "INVOICE",
    path: "invoices",
    number: "invoice_number",
    items: "invoice_items",
    parameter: "invoice_id",
  },
] as const
export type Kind = (typeof KINDS)[number]

/** A second merchant, for records of another owner. */
export const OTHER: Merchant = {
  ownerId: 2,
  clientId: "other-client",
  clientSecret: "other-secret",
  name: "Other Shop",
}

/** The same calls with the token of another client. */
export async function callsAs({ call }: Bench, merchant: Merchant): Promise<Bench["call"]> {
  const { clientId: client_id, clientSecret: client_secret } = merchant
  const { body } = await call(
    "POST",
    "/v1/jwt/client/obtain/token",
    { client_id, client_secret },
    {},
  )
  const headers = { authorization: `Bearer ${String(body["access_token"])}` }
  return (method, path, json) => call(method, path, json, headers)
}

export const newParty = async (call: Bench["call"], change: Json = {}): Promise<Json> => {
  const party = { fullname: "Ada Weah", phone: phoneEnding("00"), ...change }
  return (await call("POST", "/v1/parties/create", party)).body
}

/** A counterparty with a party of its own. */
export async function newCounterparty(call: Bench["call"]): Promise<Json> {
  const { id: party_id } = await newParty(call)
  const link = { relationship_type: "CUSTOMER", party_id }
  return (await call("POST", "/v1/counterparties/create", link)).body
}

export const draftRequest = (counterparty: Json, change: Json = {}): Json => ({
  counterparty_id: counterparty["id"],
  currency: "USD",
  note: "Thank you",
  fee_bearer: "PAYER",
  as_payment_link: true,
  reference_id: "cart_7",
  ...change,
})

/** A draft without lines. */
export async function newDraft(
  call: Bench["call"],
  { path }: Kind,
  change: Json = {},
): Promise<Json> {
  const request = draftRequest(await newCounterparty(call), change)
  return (await call("POST", `/v1/${path}/create`, request)).body
}

/** Adds a line of 2 × 19.99 by default. */
export const addLine = (
  call: Bench["call"],
  { path }: Kind,
  draft: Json,
  change: Json = {},
): Promise<ApiResponse> =>
  call("POST", `/v1/${path}/${String(draft["id"])}/items/add`, {
    name: "T-shirt",
    currency: "USD",
    qty: 2,
    amount: 19.99,
    ...change,
  })

/** A document of 39.98, `ACTIVE`. */
export async function published(call: Bench["call"], kind: Kind, change: Json = {}): Promise<Json> {
  const draft = await newDraft(call, kind, change)
  await addLine(call, kind, draft)
  return (await call("PUT", `/v1/${kind.path}/publish/${String(draft["id"])}`)).body
}
