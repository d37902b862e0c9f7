/** Calls of `gateway.parties` and `gateway.counterparties`. */
import { PHONE, TIMES } from "./call-case"
import type { CallCase } from "./call-case"

export const PARTY = {
  id: 42,
  fullname: "Test Payer",
  email: "payer@shop.example",
  phone: PHONE,
  country_code: "LR",
  ...TIMES,
}
export const COUNTERPARTY = {
  id: 15,
  relationship_type: "CUSTOMER",
  owner_party_type: "ORGANIZATION",
  owner_party_id: 7,
  party_id: 42,
  ...TIMES,
}
export const COUNTERPARTY_WITH_PARTY = {
  id: 15,
  owner_party_type: "ORGANIZATION",
  owner_party_id: 7,
  relationship_type: "CUSTOMER",
  party: PARTY,
  ...TIMES,
}

export const PARTY_CALLS: readonly CallCase[] = [
  {
    operation: "parties.create",
    body: PARTY,
    run: (gateway, options) =>
      gateway.parties.create(
        { fullname: "Test Payer", phone: PHONE, email: "payer@shop.example", countryCode: "LR" },
        options,
      ),
  },
  {
    operation: "parties.list",
    body: [PARTY, { ...PARTY, id: 43, email: null, phone: null }],
    run: (gateway, options) => gateway.parties.list({ fullname: "Payer" }, options),
  },
  {
    operation: "parties.retrieve",
    body: PARTY,
    run: (gateway, options) => gateway.parties.retrieve(42, options),
  },
  {
    operation: "counterparties.create",
    body: COUNTERPARTY,
    run: (gateway, options) =>
      gateway.counterparties.create({ relationshipType: "CUSTOMER", partyId: 42 }, options),
  },
  {
    operation: "counterparties.list",
    body: [COUNTERPARTY],
    run: (gateway, options) =>
      gateway.counterparties.list({ relationshipType: "CUSTOMER" }, options),
  },
  {
    operation: "counterparties.retrieve",
    body: COUNTERPARTY_WITH_PARTY,
    run: (gateway, options) => gateway.counterparties.retrieve(15, options),
  },
  {
    operation: "counterparties.update",
    body: { ...COUNTERPARTY, relationship_type: "DONOR" },
    run: (gateway, options) =>
      gateway.counterparties.update(15, { relationshipType: "DONOR" }, options),
  },
]
