import { PHONE } from "../../../../integration-tests/gateway/calls"
import {
  COUNTERPARTY,
  COUNTERPARTY_WITH_PARTY,
  PARTY,
} from "../../../../integration-tests/gateway/calls/parties"
import { misread, read, refused, written } from "../../../../integration-tests/gateway/reading"
import {
  createCounterparty,
  listCounterparties,
  retrieveCounterparty,
  updateCounterparty,
} from "./counterparties"
import { createParty, listParties, retrieveParty } from "./parties"

const partyRequest = { fullname: "Test Payer", phone: PHONE }
const linkRequest = { relationshipType: "CUSTOMER", partyId: 42 } as const

describe("a party", () => {
  it("is written in the words of the wire, without what was left out", () => {
    const { body } = written(createParty, { ...partyRequest, countryCode: "LR" })
    expect(JSON.parse(JSON.stringify(body))).toEqual({
      fullname: "Test Payer",
      phone: PHONE,
      country_code: "LR",
    })
  })

  it("is read, and what it has no name for is kept", () => {
    expect(read(createParty, { ...PARTY, surprise: [1] }, partyRequest)).toEqual({
      id: 42,
      fullname: "Test Payer",
      email: "payer@shop.example",
      phone: PHONE,
      countryCode: "LR",
      createdAt: PARTY.created_at,
      updatedAt: PARTY.updated_at,
      wire: { ...PARTY, surprise: [1] },
    })
  })

  it("is read without what may be null, and with its id as text", () => {
    const bare = { id: "42", fullname: "A", email: null, phone: null, country_code: null }
    expect(read(retrieveParty, bare, { id: 42 })).toEqual({ id: 42, fullname: "A", wire: bare })
  })

  it.each([
    ["id", { id: undefined }],
    ["id", { id: 4.2 }],
    ["id", { id: 43 }],
    ["fullname", { fullname: null }],
  ])("[N13][N27] is not read when %s is wrong", (path, change) => {
    expect(misread(retrieveParty, { ...PARTY, ...change }, { id: 42 })).toEqual([path])
  })

  it.each([
    ["fullname", { fullname: "" }],
    ["phone", { phone: "+231770000001" }],
    ["phone", { phone: "2317700000011223" }],
    ["email", { email: "" }],
    ["countryCode", { countryCode: "lr" }],
    ["countryCode", { countryCode: "LBR" }],
  ])("is refused before sending when %s is wrong", (path, change) => {
    expect(refused(createParty, { ...partyRequest, ...change })).toEqual([path])
  })

  it.each([0, -1, 1.5, Number.NaN, Number.MAX_VALUE])(
    "is not asked for by %d, which is no id",
    (id) => {
      expect(refused(retrieveParty, { id })).toEqual(["id"])
      expect(refused(retrieveCounterparty, { id })).toEqual(["id"])
      expect(refused(updateCounterparty, { id })).toEqual(["id"])
    },
  )
})

describe("a list of parties", () => {
  it("is asked for by a part of the name", () => {
    expect(written(listParties, { fullname: "Ada & Co" })).toEqual({
      query: { fullname: "Ada & Co" },
    })
  })

  it("is a list even when it is empty", () => {
    expect(read(listParties, [], {})).toEqual([])
  })

  it("[N13] is not read with a hole in it, which is named", () => {
    expect(misread(listParties, [PARTY, { ...PARTY, id: null }], {})).toEqual(["1.id"])
    expect(misread(listParties, { items: [PARTY] }, {})).toEqual([""])
  })

  it.each(["", "half \ud83d", "new\nline"])("is not asked for by the name %j", (fullname) => {
    expect(refused(listParties, { fullname })).toEqual(["fullname"])
    expect(refused(listCounterparties, { fullname })).toEqual(["fullname"])
  })
})

describe("a counterparty", () => {
  it("is written in the words of the wire", () => {
    expect(written(createCounterparty, linkRequest)).toEqual({
      body: { relationship_type: "CUSTOMER", party_id: 42 },
    })
    expect(written(updateCounterparty, { id: 15, partyId: null })).toEqual({
      params: { id: 15 },
      body: { party_id: null },
    })
    expect(written(listCounterparties, { relationshipType: "DONOR" }).query).toEqual({
      relationship_type: "DONOR",
    })
  })

  it("is read, whatever relationship the gateway knows", () => {
    expect(
      read(createCounterparty, { ...COUNTERPARTY, relationship_type: "OTHER" }, linkRequest),
    ).toMatchObject({
      id: 15,
      relationshipType: "OTHER",
      ownerPartyType: "ORGANIZATION",
      ownerPartyId: 7,
      partyId: 42,
    })
  })

  it("is read without a party, as the contract lets it come", () => {
    const bare = { ...COUNTERPARTY, party_id: undefined }
    expect(read(createCounterparty, bare, linkRequest).partyId).toBeUndefined()
    expect(
      read(retrieveCounterparty, { ...COUNTERPARTY_WITH_PARTY, party: null }, { id: 15 }).party,
    ).toBeUndefined()
  })

  it("is read with its party", () => {
    expect(read(retrieveCounterparty, COUNTERPARTY_WITH_PARTY, { id: 15 })).toMatchObject({
      id: 15,
      party: { id: 42, fullname: "Test Payer", phone: PHONE },
    })
  })

  it.each([
    ["id", { id: null }],
    ["relationship_type", { relationship_type: undefined }],
    ["party_id", { party_id: 43 }],
  ])("[N13][N27] is not read when %s is wrong", (path, change) => {
    expect(misread(createCounterparty, { ...COUNTERPARTY, ...change }, linkRequest)).toEqual([path])
  })

  it("[N27] is not read when it is another one than asked for", () => {
    const other = { ...COUNTERPARTY_WITH_PARTY, id: 16 }
    expect(misread(retrieveCounterparty, other, { id: 15 })).toEqual(["id"])
    expect(misread(updateCounterparty, other, { id: 15 })).toEqual(["id"])
    const nameless = { ...COUNTERPARTY_WITH_PARTY, party: { id: 42 } }
    expect(misread(retrieveCounterparty, nameless, { id: 15 })).toEqual(["party.fullname"])
  })

  it("is refused before sending with a relationship that the contract does not have", () => {
    // As untyped JavaScript would pass it.
    const wrong = JSON.parse('{"relationshipType":"OTHER"}')
    expect(refused(createCounterparty, wrong)).toEqual(["relationshipType"])
    expect(refused(listCounterparties, wrong)).toEqual(["relationshipType"])
    expect(refused(updateCounterparty, { ...wrong, id: 15 })).toEqual(["relationshipType"])
    expect(refused(createCounterparty, { ...linkRequest, partyId: 0 })).toEqual(["partyId"])
  })
})
