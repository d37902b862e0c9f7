import fc from "fast-check"
import { EXECUTION, REFERENCE } from "../../../../integration-tests/gateway/calls"
import { read } from "../../../../integration-tests/gateway/reading"
import { collectionStatus } from "./executions"
import { PAYMENT_INTENT_FIELDS } from "./payment-intent"

const intentOf = (more: object) =>
  read(collectionStatus, { ...EXECUTION, ...more }, { referenceId: REFERENCE }).paymentIntentId

describe("the payment intent id of an execution", () => {
  it.each(PAYMENT_INTENT_FIELDS)("is taken from %s, as a number or as its digits", (name) => {
    expect(intentOf({ [name]: 8_000_001 })).toBe(8_000_001)
    expect(intentOf({ [name]: "8000001" })).toBe(8_000_001)
    expect(intentOf({ data: { [name]: 8_000_001 } })).toBe(8_000_001)
  })

  it.each(["payment_intent", "paymentIntent", "checkout_payment_intent", "intent"])(
    "is the id of the object %s",
    (name) => {
      expect(intentOf({ [name]: { id: 8_000_001, status: "x" } })).toBe(8_000_001)
    },
  )

  it("is one, however often the answer has it", () => {
    expect(intentOf({ payment_intent_id: 77, payment_intent: { id: "77" } })).toBe(77)
  })

  it("is none where two names disagree, at whatever level", () => {
    expect(intentOf({ payment_intent_id: 77, intent_id: 78 })).toBeUndefined()
    expect(intentOf({ payment_intent_id: 77, payment_intent: { id: 78 } })).toBeUndefined()
    expect(
      intentOf({ data: { intent_id: 77 }, collection: { payment_intent_id: 78 } }),
    ).toBeUndefined()
  })

  it.each(["id", "execution_id", "session_id", "source_id", "payment_account_id", "party_id"])(
    "is none where it is the answer's %s",
    (name) => {
      expect(intentOf({ payment_intent_id: 77, [name]: 77 })).toBeUndefined()
      expect(intentOf({ payment_intent_id: 77, [name]: "77" })).toBeUndefined()
      expect(intentOf({ payment_intent_id: 77, [name]: 78 })).toBe(77)
    },
  )

  it("is not the id of something else, and not looked for any deeper", () => {
    expect(intentOf({ id: 77, session_id: 77, transaction: { id: 77 } })).toBeUndefined()
    expect(intentOf({ data: { payment_intent: { id: 77 } } })).toBeUndefined()
    expect(intentOf({ payment_intents: [77], payment_intent: [77] })).toBeUndefined()
  })

  it("is not the card processor's own, which is another text, and not hidden by it", () => {
    expect(intentOf({ payment_intent: "pi_3Nabc" })).toBeUndefined()
    expect(intentOf({ payment_intent: "pi_3Nabc", payment_intent_id: 77 })).toBe(77)
  })

  it.each([
    0,
    -1,
    1.5,
    1e300,
    Number.MAX_SAFE_INTEGER + 1,
    "0",
    "-1",
    "007",
    "+77",
    "77 ",
    "0x4d",
    "7e1",
    "٧٧",
    "",
    "9".repeat(17),
    "9".repeat(1_000_000),
    true,
    null,
    [77],
    {},
    { id: {} },
    { id: 1e300 },
    { id: "__proto__" },
  ])("is never %p", (value) => {
    expect(intentOf({ payment_intent_id: value, payment_intent: value })).toBeUndefined()
  })

  it("is undefined or a positive safe integer that the answer has, whatever comes", () => {
    const fields = fc.constantFrom(...PAYMENT_INTENT_FIELDS, "intent", "id", "data")
    fc.assert(
      fc.property(fc.dictionary(fields, fc.jsonValue()), (more) => {
        const id = intentOf(more)
        if (id === undefined) return
        expect(Number.isSafeInteger(id) && id > 0).toBe(true)
        expect(JSON.stringify(more)).toContain(String(id))
      }),
    )
  })
})
