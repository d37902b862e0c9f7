/** What a refusal to make something a second time names, and what it does not. */
import fc from "fast-check"
import { existingRecordIn } from "./existing-record"

const id = fc.integer({ min: 1, max: 2_000_000_000 })
const written = (value: number) => fc.constantFrom<string | number>(value, String(value))
const OPERATIONS = [
  [
    "paymentAccounts.create",
    "payment_account_id",
    "paymentAccountId",
    { party_id: 5, method: "MOBILE_MONEY" },
  ],
  ["parties.create", "party_id", "partyId", { fullname: "Ada" }],
  ["counterparties.create", "counterparty_id", "counterpartyId", { relationship_type: "CUSTOMER" }],
] as const

/** The same facts as a refusal may hold them. */
const placed = (facts: object) => [
  facts,
  { detail: facts },
  { detail: [{ loc: ["body", "phone"], msg: "already registered", ctx: facts }] },
  { detail: "already registered", data: facts },
  { detail: "already registered", existing: facts },
]

describe.each(OPERATIONS)("%s", (operation, named, name, record) => {
  it("reads the id under its own name, in each place, as number or text", () => {
    fc.assert(
      fc.property(
        id.chain((value) => fc.tuple(fc.constant(value), written(value))),
        fc.boolean(),
        fc.nat(4),
        ([value, text], isExisting, place) => {
          const field = isExisting ? `existing_${named}` : named
          const body = placed({ [field]: text })[place]
          expect(existingRecordIn(operation, body)?.[name]).toBe(value)
        },
      ),
    )
  })

  it("reads the id of a whole record of the kind", () => {
    fc.assert(
      fc.property(id, fc.nat(4), (value, place) => {
        // A party's own row has its id under no other name.
        const body = placed({ ...record, id: value })[place]
        expect(existingRecordIn(operation, body)?.[name]).toBe(value)
      }),
    )
  })

  it("takes an id alone, an id in a sentence and another record's id for none", () => {
    const others = OPERATIONS.filter(([other]) => other !== operation)
    fc.assert(
      fc.property(id, fc.nat(4), (value, place) => {
        const foreign = Object.fromEntries(others.map(([, other]) => [other, value]))
        const facts = [
          { id: value },
          { message: `already registered as ${named} ${value}` },
          foreign,
        ]
        for (const fact of facts) {
          expect(existingRecordIn(operation, placed(fact)[place])).toBeUndefined()
        }
        expect(existingRecordIn(operation, { detail: `${named}=${value}` })).toBeUndefined()
      }),
    )
  })

  it("takes two unequal ids for none, and an id twice for one", () => {
    fc.assert(
      fc.property(id, id, (one, two) => {
        const body = { [named]: one, detail: { [`existing_${named}`]: two } }
        expect(existingRecordIn(operation, body)?.[name]).toBe(one === two ? one : undefined)
      }),
    )
  })

  it.each([0, -1, 1.5, 2 ** 53, "", "12a", "0x1f", " 7", null, true, {}, [7]])(
    "takes %p for no id",
    (value) => {
      expect(existingRecordIn(operation, { [named]: value })).toBeUndefined()
    },
  )

  it("reads nothing, and throws nothing, of any other body", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        expect(existingRecordIn(operation, body)).toBeUndefined()
      }),
    )
  })
})

it("says whose payment account it is", () => {
  const body = { detail: { payment_account_id: 18, party_id: "5" } }
  expect(existingRecordIn("paymentAccounts.create", body)).toEqual({
    paymentAccountId: 18,
    partyId: 5,
  })
})

it("reads nothing where nothing is made", () => {
  expect(existingRecordIn("orders.create", { party_id: 5, payment_account_id: 18 })).toBeUndefined()
})
